"""Which runs cannot be told apart from the best?"""

import pytest

from ragdash.analysis.compare import Testing, compare
from ragdash.analysis.evaluate import evaluate_experiment
from ragdash.analysis.leaders import standings, tukey
from tests.small import experiment


def scored(metric: str = "RR@10", **places: list[int]):  # type: ignore[no-untyped-def]
    """Query `qi` has one relevant document, at these places of the runs."""
    n = len(next(iter(places.values())))
    grades = {f"q{i}": {f"d{i}": 1.0} for i in range(n)}
    runs = {
        name: {f"q{i}": [f"d{i}" if p == place else f"x{p}" for p in range(1, 11)] for i, place in enumerate(row)}
        for name, row in places.items()
    }
    return evaluate_experiment(experiment(grades, **runs), [metric])


AHEAD, ALIKE, BEHIND = [1, 2] * 8, [2, 1] * 8, [5, 6, 4, 7] * 4


def test_the_leading_group_stands_first_and_the_rest_is_behind() -> None:
    scores = scored(low=BEHIND, one=AHEAD, other=ALIKE)
    found = standings(scores, scores.metrics[0], Testing())
    assert [row.run for row in found.rows] == ["one", "other", "low"]
    assert found.leading == ("one", "other")
    assert found.rows[0].difference == 0.0
    assert found.rows[2].difference == pytest.approx(scores.of("low", "RR@10").mean() - 0.75)
    assert found.n_tests == 3


def test_it_says_what_the_comparison_of_all_pairs_says() -> None:
    scores = scored(low=BEHIND, one=AHEAD, other=ALIKE)
    family = compare(scores, "all")
    found = standings(scores, scores.metrics[0], Testing())
    best = found.rows[0].run
    for row in found.rows[1:]:
        (pair,) = (one for one in family.rows if {one.run, one.baseline} == {row.run, best})
        assert row.p_corrected == pair.p_corrected
        assert row.leading == (pair.verdict not in ("better", "worse"))


def test_where_less_is_better_the_least_leads() -> None:
    scores = scored("FirstRank@10", low=BEHIND, one=AHEAD)
    found = standings(scores, scores.metrics[0], Testing())
    assert found.leading == ("one",)
    assert found.rows[1].difference < 0


def test_with_too_few_queries_no_run_is_behind() -> None:
    scores = scored(low=BEHIND[:6], one=AHEAD[:6])
    assert standings(scores, scores.metrics[0], Testing()).leading == ("one", "low")


def test_tukey_covers_every_pair() -> None:
    scores = scored(low=BEHIND, one=AHEAD, other=ALIKE)
    result = tukey(scores, scores.metrics[0], Testing())
    assert result.p.shape == (3, 3)
    assert result.p[0, 1] < 0.05 < result.p[1, 2]
