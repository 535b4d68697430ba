"""Worst, expected and best over ties: against every order of the tied documents, one by one."""

from itertools import permutations, product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdash.metrics import CATALOGUE, Judgments, Rankings, Settings, parse, score, tie_bounds

NAMES = [
    *(name for name, block in CATALOGUE.items() if not block.needs_cutoff),
    *(f"{name}@{k}" for name, block in CATALOGUE.items() if block.takes_cutoff for k in (1, 2, 3, 5, 9)),
    "IPrec@0.3", "IPrec@1", "F(beta=2)@3", "RBP(p=0.5)@4", "nDCG(gain=exponential)@3", "Success(rel=2)@2",
    "ERR(max=4)@3", "SDCG(max=4)@3", "INSQ(T=2)", "Compat(p=0.5)", "Compat(normalize=false)", "Accuracy(rel=2)",
]  # fmt: skip


def ranked(groups, judged_elsewhere=()):
    """One query: each group is a list of grades (None is unjudged) of documents with one score."""
    flat = [(grade, first, len(group)) for first, group in zip(_firsts(groups), groups) for grade in group]
    hits = [(rank, *one) for rank, one in enumerate(flat, start=1) if one[0] is not None]
    grades = [grade for _, grade, _, _ in hits] + list(judged_elsewhere)
    return Rankings(
        judgments=Judgments.of([0, len(grades)], grades),
        query=np.zeros(len(hits), dtype=np.int64),
        rank=np.array([hit[0] for hit in hits], dtype=np.int64),
        grade=np.array([hit[1] for hit in hits], dtype=np.float64),
        depth=np.array([len(flat)]),
        answered=np.array([True]),
        tie_first=np.array([hit[2] for hit in hits], dtype=np.int64),
        tie_size=np.array([hit[3] for hit in hits], dtype=np.int64),
    )


def _firsts(groups):
    return np.cumsum([1, *(len(group) for group in groups[:-1])]).tolist()


GRADE = st.sampled_from([None, None, -1.0, 0.0, 0.0, 1.0, 1.0, 2.0, 3.0])
GROUPS = st.lists(st.lists(GRADE, min_size=1, max_size=4), min_size=1, max_size=3).filter(
    lambda groups: sum(map(len, groups)) <= 7
)


@settings(max_examples=60, deadline=None)
@given(GROUPS, st.lists(st.sampled_from([0.0, 1.0, 2.0]), max_size=2), st.sampled_from([1.0, 2.0]))
def test_every_metric_against_every_order(groups, elsewhere, threshold):
    metrics, in_force = [parse(name) for name in NAMES], Settings(threshold=threshold)
    orders = product(*(list(permutations(group)) for group in groups))
    all_scores = np.array(
        [score(ranked([list(group) for group in order], elsewhere), metrics, in_force)[:, 0] for order in orders]
    )
    run = ranked(groups, elsewhere)
    for metric, values in zip(metrics, all_scores.T):
        worst, mean, best = (float(bound[0]) for bound in tie_bounds(metric, run, in_force))
        low, high = (worst, best) if metric.block.higher_is_better else (best, worst)
        assert low == pytest.approx(values.min(), abs=1e-9), metric
        assert mean == pytest.approx(values.mean(), abs=1e-9), metric
        assert high == pytest.approx(values.max(), abs=1e-9), metric


def test_one_relevant_document_among_three_tied_by_hand():
    run = ranked([[None, 1.0, None]])
    assert [bound[0] for bound in tie_bounds(parse("RR"), run)] == [
        pytest.approx(1 / 3),
        pytest.approx((1 + 1 / 2 + 1 / 3) / 3),
        1.0,
    ]
    assert [bound[0] for bound in tie_bounds(parse("Success@1"), run)] == [0.0, pytest.approx(1 / 3), 1.0]


def test_many_tied_documents_as_counted():
    run = ranked([[1.0] * 5 + [None] * 995])
    none = comb(995, 10) / comb(1000, 10)
    assert tie_bounds(parse("Success@10"), run)[1][0] == pytest.approx(1 - none, abs=1e-9)
    assert tie_bounds(parse("Precision@10"), run)[1][0] == pytest.approx(5 / 1000)
    assert tie_bounds(parse("Recall@10"), run)[1][0] == pytest.approx(10 / 1000)
    for name in NAMES:
        worst, mean, best = (bound[0] for bound in tie_bounds(parse(name), run))
        assert min(worst, best) - 1e-9 <= mean <= max(worst, best) + 1e-9, name


def test_without_ties_all_three_are_the_score():
    run = ranked([[1.0], [None], [2.0]])
    for name in NAMES:
        worst, mean, best = tie_bounds(parse(name), run)
        assert worst == mean == best == parse(name)(run)
