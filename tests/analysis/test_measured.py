"""Are measurements paired by query, and is a missing number missing?"""

from dataclasses import replace

import numpy as np
import pytest

from ragdash.analysis.evaluate import Scores, evaluate_experiment
from ragdash.analysis.measured import measured, medians
from ragdash.data.experiment import build
from tests.small import dataset, run


def scored(**measurements: dict[str, list[float]]) -> Scores:
    """Runs over q0 .. q3 with these measurements."""
    grades = {f"q{i}": {"d": 1.0} for i in range(4)}
    runs = [
        replace(run(name, {f"q{i}": ["d"] for i in range(4)}), measurements={k: np.array(v) for k, v in of.items()})
        for name, of in measurements.items()
    ]
    return evaluate_experiment(build(dataset(grades), runs), ["RR"])


def test_medians_are_those_of_the_queries_that_both_measured() -> None:
    nan = float("nan")
    scores = scored(one={"ms": [10, 20, 30, nan]}, two={"ms": [5, 25, 10, 900]})
    (found,) = measured(scores, "one", "two")
    # q0, q1 and q2: medians of 10, 20, 30 and of 5, 25, 10; lower on q0 and q2, higher on q1
    assert (found.median_baseline, found.median, found.n, found.lower, found.higher) == (20, 10, 3, 2, 1)
    assert medians(scores)["ms"].tolist() == [20, pytest.approx((10 + 25) / 2)]


def test_what_one_run_alone_measured_is_in_the_table_only() -> None:
    scores = scored(one={}, two={"cost": [1, 1, 2, 2]})
    assert measured(scores, "one", "two") == ()
    table = medians(scores)
    assert np.isnan(table.loc["one", "cost"]) and table.loc["two", "cost"] == 1.5


def test_runs_without_measurements_have_an_empty_table() -> None:
    assert medians(scored(one={}, two={})).shape == (2, 0)
