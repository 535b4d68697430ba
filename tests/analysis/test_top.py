"""Which documents stand in the top K, whatever the order, ties and copies of the file?"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.analysis.agreement import agreement, overlap, rank_biased_overlap
from ragdash.analysis.bounds import bounds
from ragdash.analysis.drilldown import query_view
from ragdash.analysis.evaluate import Options, evaluate_experiment
from ragdash.analysis.top import top
from tests.small import experiment


def names(paired, run: int, k: int, options: Options | None = None) -> dict[str, list[str]]:  # type: ignore[no-untyped-def]
    found = top(paired, run, k, options or Options())
    out: dict[str, list[str]] = {}
    for query, row in zip(found.query.tolist(), found.row.tolist()):
        out.setdefault(paired.query_ids[query], []).append(paired.runs[run].doc_ids[row].as_py())
    return out


def test_the_top_of_a_file_in_any_order() -> None:
    paired = experiment(
        {"q1": {"d": 1}, "q2": {"d": 1}, "q3": {"d": 1}},
        a={"q1": {"x": 1.0, "d": 3.0, "y": 2.0}, "q2": {"b": 1.0, "a": 1.0, "c": 1.0}, "q9": {"d": 1.0}},
    )
    assert names(paired, 0, 2) == {"q1": ["d", "y"], "q2": ["c", "b"]}


def test_copies_do_not_take_a_place() -> None:
    paired = experiment({"q": {"d": 1}}, a={"q": ["x", "x", "d"]})
    assert names(paired, 0, 2) == {"q": ["x", "d"]}


def test_a_document_with_the_querys_id_can_be_left_out() -> None:
    paired = experiment({"q": {"d": 1}}, a={"q": ["q", "d"]})
    assert names(paired, 0, 1, Options(drop_self=True)) == {"q": ["d"]}


SCORES = st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from([0.0, 1.0, 2.0, 3.0]), max_size=8)


@given(st.lists(SCORES, min_size=1, max_size=5), st.integers(1, 6))
def test_the_top_is_what_the_drilldown_shows(lists: list[dict[str, float]], k: int) -> None:
    grades = {f"q{i}": {"a": 1.0} for i in range(len(lists))}
    paired = experiment(grades, r={f"q{i}": one for i, one in enumerate(lists)} | {"other": {"a": 1.0}})
    if not paired.runs:
        return
    scores = evaluate_experiment(paired, ["RR"])
    found = names(paired, 0, k)
    for query in grades:
        assert found.get(query, []) == [one.doc_id for one in query_view(scores, query).lists["r"][:k]]


def test_bounds_of_the_holes_worked_by_hand() -> None:
    # base has the relevant d at rank 1; new has two unjudged ones before it
    scores = evaluate_experiment(
        experiment({"q": {"d": 1}}, base={"q": ["d", "u"]}, new={"q": ["v", "w", "d"]}), ["Precision@2"]
    )
    found = bounds(scores, scores.metrics[0], "base", "new")
    assert found.n_unjudged == 3
    values = {one.fill: one.difference for one in found.fills}
    assert values == {
        "none": pytest.approx(0 - 1 / 2),
        "all": pytest.approx(2 / 2 - 2 / 2),
        "contender": pytest.approx(2 / 2 - 1 / 2),
        "baseline": pytest.approx(0 - 2 / 2),
    }
    assert (found.lowest, found.highest) == (-1.0, 0.5)
    assert found.could_change


def test_newly_relevant_documents_enter_the_ideal_too() -> None:
    scores = evaluate_experiment(experiment({"q": {"d": 1}}, base={"q": ["d"]}, new={"q": ["d", "u"]}), ["Recall@2"])
    values = {one.fill: one.difference for one in bounds(scores, scores.metrics[0], "base", "new").fills}
    # u relevant: base has 1 of 2, new 2 of 2
    assert values["contender"] == pytest.approx(1 - 1 / 2)
    assert values["none"] == 0.0


def test_nothing_unjudged_changes_nothing() -> None:
    scores = evaluate_experiment(
        experiment({"q": {"d": 1, "e": 0}}, base={"q": ["e", "d"]}, new={"q": ["d", "e"]}), ["RR@2"]
    )
    found = bounds(scores, scores.metrics[0], "base", "new")
    assert found.n_unjudged == 0
    assert not found.could_change


def test_overlap() -> None:
    scores = evaluate_experiment(
        experiment(
            {"q1": {"d": 1}, "q2": {"d": 1}}, a={"q1": ["d", "x"], "q2": ["d"]}, b={"q1": ["y", "d"], "q2": ["z"]}
        ),
        ["RR"],
    )
    np.testing.assert_allclose(overlap(scores, 2), [[1.0, 0.25], [0.25, 1.0]])  # (1/2 + 0) / 2


def test_rank_biased_overlap_worked_by_hand() -> None:
    scores = evaluate_experiment(experiment({"q": {"d": 1}}, a={"q": ["d", "x"]}, b={"q": ["x", "d"]}), ["RR"])
    # agreement is 0 at depth 1 and 1 at depth 2
    p = 0.9
    assert rank_biased_overlap(scores, "a", "b", 2, p)[0] == pytest.approx(1 * p**2 + (1 - p) / p * (0 * p + 1 * p**2))
    assert rank_biased_overlap(scores, "a", "a", 2, p)[0] == pytest.approx(1.0)


def test_both_measures_for_all_pairs_are_those_of_each_pair() -> None:
    paired = experiment(
        {"q": {"d": 1}, "p": {"d": 1}},
        a={"q": ["d", "x"], "p": ["d", "y"]},
        b={"q": ["x", "d"], "p": ["d", "z"]},
        c={"q": ["d", "x"], "p": ["d", "y"]},
    )
    scores = evaluate_experiment(paired, ["nDCG@2"])
    found = agreement(scores, 2)
    assert found.overlap.tolist() == overlap(scores, 2).tolist()
    assert found.rbo[0, 1] == pytest.approx(rank_biased_overlap(scores, "a", "b", 2).mean())
    table = found.pairs()
    assert table.loc[0, ["run", "other", "overlap", "rank-biased overlap"]].tolist() == ["a", "c", 1.0, 1.0]
    assert table["overlap"].tolist() == [1.0, 0.75, 0.75]  # q shares both, p one of two


def test_a_hole_may_hold_the_highest_grade() -> None:
    # with v worth 1 base would still be ahead; worth 3, as other documents are, it is behind
    grades = {"q": {"d": 1, "e": 3}}
    scores = evaluate_experiment(experiment(grades, base={"q": ["d", "x"]}, new={"q": ["v", "x"]}), ["DCG@1"])
    found = bounds(scores, scores.metrics[0], "base", "new")
    assert (found.lowest, found.highest) == (pytest.approx(-1.0), pytest.approx(3 - 1))
