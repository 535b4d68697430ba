"""Is a difference's size said in every way, at the strictness of the verdict?"""

import numpy as np
import pytest

from ragdash import stats
from ragdash.analysis.compare import Testing, compare
from ragdash.analysis.evaluate import evaluate_experiment
from ragdash.analysis.magnitude import magnitude
from tests.small import experiment


def row_of(one: list[int], other: list[int], metric: str = "RR@10"):
    """Two runs whose one relevant document stands at these ranks."""
    grades = {f"q{i}": {f"d{i}": 1.0} for i in range(len(one))}
    runs = {
        name: {f"q{i}": [f"x{j}" for j in range(rank - 1)] + [f"d{i}"] for i, rank in enumerate(ranks)}
        for name, ranks in (("one", one), ("other", other))
    }
    return compare(evaluate_experiment(experiment(grades, **runs), [metric]), "one").rows[0]


def test_the_numbers_are_those_of_the_statistics() -> None:
    # twelve wins of 1/2, eight ties, four losses of 1/2: mean 4/24, share won 12/16
    row = row_of([2] * 12 + [1] * 12, [1] * 12 + [1] * 8 + [2] * 4)
    size = magnitude(row, Testing())
    d = np.array([0.5] * 12 + [0.0] * 8 + [-0.5] * 4)
    assert size.won.value == pytest.approx(12 / 16)
    assert size.effect.value == pytest.approx(d.mean() / d.std(ddof=1))
    assert size.bootstrap.low is not None and size.bootstrap.low < 4 / 24 < (size.bootstrap.high or 0)
    assert size.detectable == stats.smallest_detectable(d, alpha=row.alpha)
    assert size.too_few is None
    assert size.equivalence is not None and size.equivalence.equivalent is False


def test_a_run_that_is_worse_is_not_called_good_enough() -> None:
    rng = np.random.default_rng(0)
    size = magnitude(row_of([1] * 40, rng.integers(1, 4, 40).tolist()), Testing())
    assert size.non_inferiority is not None and size.non_inferiority.non_inferior is False


def test_no_band_no_answer_about_it() -> None:
    size = magnitude(row_of([2] * 12, [1] * 6 + [2] * 6), Testing(band=0.0))
    assert size.equivalence is None and size.non_inferiority is None


def test_identical_runs_have_reasons_in_place_of_numbers() -> None:
    size = magnitude(row_of([2] * 12, [2] * 12), Testing())
    assert size.effect.value is None and size.won.value is None and size.bootstrap.low is None
    assert size.detectable is None and size.needed is None
    assert size.equivalence is not None and size.equivalence.reason
