"""Does the Significance page compare tests and pairs as the verdict does?"""

import numpy as np
import pytest

from ragdash.analysis.compare import compare
from ragdash.analysis.evaluate import evaluate_experiment
from ragdash.ui import significance
from tests.small import experiment


def family(**ranks: list[int]):
    """Runs whose one relevant document stands at these ranks, all against the first."""
    n = len(next(iter(ranks.values())))
    grades = {f"q{i}": {f"d{i}": 1.0} for i in range(n)}
    runs = {
        name: {f"q{i}": [f"x{j}" for j in range(rank - 1)] + [f"d{i}"] for i, rank in enumerate(places)}
        for name, places in ranks.items()
    }
    return evaluate_experiment(experiment(grades, **runs), ["RR@10"])


def test_every_test_is_corrected_within_the_verdicts_family() -> None:
    rng = np.random.default_rng(0)
    scores = family(a=[2] * 30, b=rng.integers(1, 4, 30).tolist(), c=[1] * 20 + [3] * 10)
    rows = compare(scores, "a")
    row = rows.rows[1]
    assert significance.corrected(row, rows, row.test) == row.p_corrected
    signs = sorted(one.tests["sign"].p or 1 for one in rows.rows)
    assert significance.corrected(row, rows, "sign") == pytest.approx(min(1, 2 * signs[0]))  # Holm's first step


def test_what_disagreement_means_is_said() -> None:
    few_large = compare(family(a=[10] * 8 + [2] * 40, b=[1] * 8 + [3] * 6 + [2] * 34), "a")
    said = significance.agreement(few_large.rows[0], few_large)
    assert said.startswith("The tests disagree: Paired t-test and Fisher randomization find a difference")
    same = compare(family(a=[2] * 12, b=[2] * 12), "a")
    assert significance.agreement(same.rows[0], same) == "None of the 3 tests finds a difference"


def test_the_matrix_holds_each_pair_twice_with_opposite_signs() -> None:
    scores = family(a=[2] * 30, b=[1] * 30, c=[2] * 29 + [1])
    rows = compare(scores, "all")
    picks = type("Picks", (), {"metric": rows.rows[0].metric})
    cells, apart = significance.pair_matrix(rows, picks)  # type: ignore[arg-type]
    assert list(cells.index) == ["b", "c", "a"]  # the best first
    assert cells.loc["b", "a"] == "▲ +0.500"
    assert cells.loc["a", "b"] == "▼ −0.500"
    assert cells.loc["a", "a"] == ""
    assert apart.tolist() == [[False, True, True], [True, False, False], [True, False, False]]
