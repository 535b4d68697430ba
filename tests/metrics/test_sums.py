"""Every metric on small lists, with the sum written out."""

from math import log2

import numpy as np
import pytest

from ragdash.metrics import CATALOGUE, Judgments, Rankings, Settings, ceiling, parse, score


def one(retrieved, elsewhere=(), threshold=1.0, gain="linear"):
    """A query: the grades of the retrieved documents by rank (None is unjudged), and those of judged ones not found."""
    ranks = [rank for rank, grade in enumerate(retrieved, start=1) if grade is not None]
    grades = [grade for grade in retrieved if grade is not None]
    judged = [*grades, *elsewhere]
    rankings = Rankings(
        judgments=Judgments.of([0, len(judged)], judged),
        query=np.zeros(len(ranks), dtype=np.int64),
        rank=np.array(ranks, dtype=np.int64),
        grade=np.array(grades, dtype=np.float64),
        depth=np.array([len(retrieved)]),
        answered=np.array([True]),
        tie_first=np.array(ranks, dtype=np.int64),
        tie_size=np.ones(len(ranks), dtype=np.int64),
    )
    return lambda name: float(parse(name)(rankings, Settings(threshold, gain))[0])


# ranks 1 to 5: grade 0, 2, unjudged, 1, -1; and two more, of grade 3 and 0, that were not found. Relevant: 3 of 6.
LIST = one([0, 2, None, 1, -1], elsewhere=[3, 0])
S1, S2, S3 = 1 / 8, 3 / 8, 7 / 8  # (2^g - 1) / 2^3: how often grades 1, 2, 3 satisfy
OVERLAP = {m: sum(0.5 ** (i - 1) / i for i in range(m, 6)) for m in range(1, 6)}
SUMS = {
    "Precision@1": 0, "Precision@2": 1 / 2, "Precision@4": 2 / 4, "Precision@10": 2 / 10, "Precision": 2 / 5,
    "Recall@1": 0, "Recall@2": 1 / 3, "Recall@4": 2 / 3, "Recall@10": 2 / 3, "Recall": 2 / 3,
    "F1@2": 2 * (1 / 2) * (1 / 3) / (1 / 2 + 1 / 3), "F1@4": 2 * (2 / 4) * (2 / 3) / (2 / 4 + 2 / 3),
    "F1": 2 * (2 / 5) * (2 / 3) / (2 / 5 + 2 / 3),
    "F(beta=2)@4": 5 * (2 / 4) * (2 / 3) / (4 * (2 / 4) + 2 / 3),
    "Success@1": 0, "Success@2": 1, "Success": 1, "Success(rel=3)@5": 0,
    "Judged@2": 2 / 2, "Judged@3": 2 / 3, "Judged@10": 4 / 5, "Judged": 4 / 5,
    "RCap@2": 1 / 2, "RCap@4": 2 / 3, "RCap": 2 / 3,
    "RPrec": 1 / 3, "SetAP": (2 / 5) * (2 / 3),
    "NumRelRet": 2, "NumRelRet@2": 1, "NumRel": 3, "NumRet": 5, "NumRet@3": 3,
    "RR": 1 / 2, "RR@1": 0, "RR@2": 1 / 2, "RR(rel=3)": 0,
    "FirstRank@10": 2, "FirstRank@1": 2, "FirstRank(rel=3)@10": 11,
    "AP": (1 / 2 + 2 / 4) / 3, "AP@2": (1 / 2) / 3,
    "ContextPrecision": (1 / 2 + 2 / 4) / 2, "ContextPrecision@2": (1 / 2) / 1, "ContextPrecision@1": 0,
    "bpref": ((1 - 1 / 2) + (1 - 1 / 2)) / 3,  # one useless document above each; of the two, R is 3
    "infAP": (  # rank 2: one useless above; rank 4: one relevant, one useless, one outside the pool above
        (1 / 2 + 1 / 2 * 1 * 0.00001 / 1.00002) + (1 / 4 + 3 / 4 * (2 / 3) * 1.00001 / 2.00002)
    ) / 3,
    "IPrec(recall=0)": 1 / 2, "IPrec(recall=0.3)": 1 / 2, "IPrec(recall=0.8)": 0, "IPrec(recall=1)": 0,
    "IPrec11": (1 / 2) * 8 / 11,  # recall 0 to 0.7 needs two of three at most: 0.7 * 3 + 0.9 is below 3 in doubles
    "nDCG@2": (2 / log2(3)) / (3 / log2(2) + 2 / log2(3)),
    "nDCG@4": (2 / log2(3) + 1 / log2(5)) / (3 / log2(2) + 2 / log2(3) + 1 / log2(4)),
    "nDCG": (2 / log2(3) + 1 / log2(5)) / (3 / log2(2) + 2 / log2(3) + 1 / log2(4)),
    "nDCG(gain=exponential)@4": (3 / log2(3) + 1 / log2(5)) / (7 / log2(2) + 3 / log2(3) + 1 / log2(4)),
    "DCG@4": 2 / log2(3) + 1 / log2(5), "DCG(gain=exponential)": 3 / log2(3) + 1 / log2(5),
    "ERR": S2 / 2 + (1 - S2) * S1 / 4, "ERR@3": S2 / 2, "ERR(max=4)@3": (3 / 16) / 2,
    "nERR": (S2 / 2 + (1 - S2) * S1 / 4) / (S3 + (1 - S3) * S2 / 2 + (1 - S3) * (1 - S2) * S1 / 3),
    "RBP(p=0.5)": 0.5 * (0.5 + 0.5**3), "RBP(p=0.8)@3": 0.2 * 0.8,
    "RBPResidual(p=0.5)": 1 - 0.5 * (1 + 0.5 + 0.5**3 + 0.5**4), "RBPResidual(p=0.5)@3": 1 - 0.5 * (1 + 0.5),
    "SDCG@4": (2 / log2(3) + 1 / log2(5)) / 3 / (1 + 1 / log2(3) + 1 / 2 + 1 / log2(5)),
    "SDCG(max=4)@2": 2 / 4 / log2(3) / (1 + 1 / log2(3)),
    "INSQ": (2 / 3 * (2 / 3) ** 2 + 1 / 3 * (2 / 5) ** 2) / sum((2 / (i + 1)) ** 2 for i in range(1, 1001)),
    # the ideal: the one not found, then those of rank 2 and rank 4; each adds from its later place to depth 5
    "Compat(p=0.5)": (OVERLAP[2] + OVERLAP[4]) / (OVERLAP[1] + OVERLAP[2] + OVERLAP[3]),
    "Compat(p=0.5, normalize=false)": (OVERLAP[2] + OVERLAP[4]) / (1 + 0.5 + 0.25 + 0.125 + 0.0625),
    "Accuracy": 1 - (1 + 2) / (2 * 3),  # above the two relevant ones 1 and 2 of the three that are not
}  # fmt: skip


@pytest.mark.parametrize("name", SUMS)
def test_sum(name):
    assert LIST(name) == pytest.approx(SUMS[name], abs=1e-12)


def test_every_metric_of_the_catalogue_has_a_sum():
    judged = {key for key, block in CATALOGUE.items() if not block.needs_spans}  # the others: test_coverage
    assert {parse(name).key for name in SUMS} == judged


def test_the_threshold_moves_everything_but_ndcg():
    strict = one([1, 2, 1], threshold=2.0)
    assert strict("Precision@3") == pytest.approx(1 / 3)
    assert strict("RR") == pytest.approx(1 / 2)
    assert strict("nDCG@3") == one([1, 2, 1])("nDCG@3")


def test_the_gain_in_force_is_heard_unless_the_metric_has_its_own():
    exponential = one([1, 3], gain="exponential")
    assert exponential("DCG@2") == pytest.approx(1 + 7 / log2(3))
    assert exponential("DCG(gain=linear)@2") == pytest.approx(1 + 3 / log2(3))


@pytest.mark.parametrize("retrieved", [[], [None, None], [0, None], [-1, -2]])
def test_nothing_relevant_scores_nothing(retrieved):
    empty = one(retrieved)
    for name, block in CATALOGUE.items():
        if name in ("Judged", "NumRet", "RBPResidual", "FirstRank"):
            continue
        assert empty(f"{name}@3" if block.takes_cutoff else name) == 0.0, name
    assert empty("FirstRank@3") == 4.0


@pytest.mark.parametrize(
    "grades", [[1e300, 1e308, 5.0], [2000.0, 1500.0], [0.25, 0.5], [1e-300, 1.0], [-1e308, 1.0], [100.0, 10.0, 1.0]]
)
def test_huge_and_tiny_grades_stay_finite_and_in_range(grades):
    for gain in ("linear", "exponential"):
        strange = one([None, *grades], elsewhere=grades, gain=gain)
        for name, block in CATALOGUE.items():
            value = strange(f"{name}@5" if block.takes_cutoff else name)
            low, high = block.range
            assert np.isfinite(value), name
            assert low <= value <= high + 1e-9, name


def test_a_million_queries_of_one_document():
    n = 1_000_000
    ones = np.ones(n, dtype=np.int64)
    rankings = Rankings(
        Judgments(np.arange(n + 1), np.ones(n)), np.arange(n), ones, np.ones(n), ones, ones > 0, ones, ones
    )
    scores = score(rankings, [parse("nDCG@10"), parse("AP"), parse("bpref"), parse("ERR@10")])
    assert scores[0].min() == scores[1].min() == scores[2].min() == 1.0
    assert np.isfinite(scores).all()


def test_the_best_possible_value():
    judgments = Judgments.of([0, 12, 13, 13], [*[1.0] * 12, 1.0])  # twelve relevant documents, one, none
    expected = {"Recall@5": [5 / 12, 1, 0], "Precision@10": [1, 0.1, 0], "nDCG@5": [1, 1, 0], "Success@1": [1, 1, 0]}
    for name, values in expected.items():
        assert ceiling(parse(name), judgments) == pytest.approx(values)
    assert ceiling(parse("FirstRank@3"), judgments) == pytest.approx([1, 1, 4])
    assert ceiling(parse("NumRet"), judgments) is None
