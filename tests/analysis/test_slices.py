"""Does a slice say what happened in it, and is a contradiction noticed?"""

import numpy as np
import pandas as pd
import pytest

from ragdash.analysis.evaluate import evaluate_experiment
from ragdash.analysis.slices import LENGTH, RELEVANT, columns, labels, slices
from ragdash.data.experiment import build
from ragdash.data.nouns import Dataset, Qrels, Queries
from tests.small import run


def sliced(places_base: list[int], places_new: list[int], kinds: list[str]):  # type: ignore[no-untyped-def]
    """Query i has one relevant document, at these places of the two runs."""
    ids = [f"q{i:02}" for i in range(len(kinds))]
    qrels = Qrels.of(ids, [f"d{i}" for i in range(len(ids))], [1.0] * len(ids))
    queries = Queries.of(
        ids, ["word " * (1 + i % 5) for i in range(len(ids))], pd.DataFrame({"kind": kinds, "id": ids})
    )
    lists = []
    for places in (places_base, places_new):
        lists.append({one: [f"d{i}" if p == place else f"x{p}" for p in range(1, 11)]
                      for i, (one, place) in enumerate(zip(ids, places))})  # fmt: skip
    experiment = build(Dataset("small", qrels, queries), [run("base", lists[0]), run("new", lists[1])])
    return evaluate_experiment(experiment, ["RR@10"])


def test_each_group_has_its_mean_and_number() -> None:
    scores = sliced([2] * 4, [1, 1, 2, 4], ["a", "a", "b", "b"])
    found = slices(scores, scores.metrics[0], "base", "new", "kind")
    assert [(row.value, row.n) for row in found.rows] == [("b", 2), ("a", 2)]  # the worst first
    assert found.rows[0].difference == pytest.approx((0.0 - 0.25) / 2)
    assert found.rows[1].difference == pytest.approx(0.5)
    assert found.rows[1].queries == ("q00", "q01")
    assert all(row.small for row in found.rows)


def test_a_slice_that_contradicts_the_whole_is_named() -> None:
    rng = np.random.default_rng(0)
    jitter = rng.integers(0, 2, 60)
    base = [5] * 40 + [1] * 20
    new = [*(1 + jitter[:40]), *(3 + jitter[40:])]
    scores = sliced(base, [int(place) for place in new], ["most"] * 40 + ["rare"] * 20)
    found = slices(scores, scores.metrics[0], "base", "new", "kind")
    assert found.total > 0
    assert [row.value for row in found.contradicting] == ["rare"]


def test_no_contradiction_where_all_agree() -> None:
    scores = sliced([2] * 12, [1] * 12, ["a"] * 6 + ["b"] * 6)
    assert slices(scores, scores.metrics[0], "base", "new", "kind").contradicting == ()


def test_columns_that_only_name_queries_are_left_out() -> None:
    scores = sliced([2] * 40, [1] * 40, ["a", "b"] * 20)
    assert columns(scores) == ["kind", LENGTH]  # each has one relevant document: one group is none


def test_lengths_and_relevant_documents_are_binned() -> None:
    scores = sliced([2] * 5, [1] * 5, ["a"] * 5)
    assert labels(scores, LENGTH) == ["1 to 3 words"] * 3 + ["4 to 6 words"] * 2
    assert labels(scores, RELEVANT) == ["1 relevant document"] * 5
