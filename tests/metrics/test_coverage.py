"""Every metric over evidence, with the sum written out; then against counting characters one by one."""

import time
from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdash.metrics import CATALOGUE, Judgments, Rankings, parse, score
from ragdash.metrics.spans import Spans

# One question. Evidence: characters 100 to 200 of document 0, and 40 to 60 of document 1: 120 characters, 2 spans.
# Chunks: 0:[0, 150) finds 50 of 100; 2:[0, 80) is another document; 0:[130, 230) finds 50 new ones, and 20 again;
# 1:[50, 100) finds 10 of 20. Read: 150, then 230, 330, 380 characters. 20 of them were read twice.
EVIDENCE = [[0, 2], [0, 1], [100, 40], [200, 60]]
CHUNKS = [[0, 4], [0, 2, 0, 1], [0, 0, 130, 50], [150, 80, 230, 100]]
SUMS = {
    "CharRecall@1": 50 / 120, "CharRecall@2": 50 / 120, "CharRecall@3": 100 / 120, "CharRecall": 110 / 120,
    "CharPrecision@1": 50 / 150, "CharPrecision@3": 100 / 330, "CharPrecision": 110 / 380,
    "CharIoU@1": 50 / (150 + 70), "CharIoU@3": 100 / (330 + 20), "CharIoU": 110 / (380 + 10),
    # the first 120 characters end at 120 of document 0; 250 end 20 characters into the third chunk, at 150, where
    # nothing new has been read yet; 300 end at 200 of document 0
    "BudgetRecall(chars=120)": 20 / 120, "BudgetRecall(chars=250)": 50 / 120, "BudgetRecall(chars=260)": 60 / 120,
    "BudgetRecall(chars=300)": 100 / 120, "BudgetRecall(chars=3000)": 110 / 120, "CharRecall@260c": 60 / 120,
    "EvidenceFound@1": 1 / 2, "EvidenceFound@3": 1 / 2, "EvidenceFound": 2 / 2,  # 10 of 20 is half of it
    "EvidenceFound(share=1)@1": 0, "EvidenceFound(share=1)@3": 1 / 2, "EvidenceFound(share=1)": 1 / 2,
    "EvidenceFound(share=0.51)": 1 / 2,
    "SpanNDCG@1": 50 / 120, "SpanNDCG@3": (50 + 50 / log2(4)) / 120,
    "SpanNDCG": (50 + 50 / log2(4) + 10 / log2(5)) / 120,
    "Redundancy@1": 0, "Redundancy@3": 20 / 330, "Redundancy": 20 / 380,
    "CharsRead@1": 150, "CharsRead@2": 230, "CharsRead": 380,
}  # fmt: skip


def run(evidence, chunks, unknown=0):
    """Rankings that know places alone."""
    n, nothing = len(chunks[0]) - 1, np.zeros(0, dtype=np.int64)
    return Rankings(
        Judgments.of(np.zeros(n + 1), []), nothing, nothing, np.zeros(0), np.diff(chunks[0]), np.ones(n, dtype=bool),
        nothing, nothing, spans=Spans.of(evidence, chunks, unknown),
    )  # fmt: skip


def value(name, evidence, chunks, unknown=0):
    return float(parse(name)(run(evidence, chunks, unknown))[0])


@pytest.mark.parametrize("name", SUMS)
def test_sum(name):
    assert value(name, EVIDENCE, CHUNKS) == pytest.approx(SUMS[name], abs=1e-12)


def test_every_metric_that_needs_spans_has_a_sum():
    assert {parse(name).key for name in SUMS} == {key for key, block in CATALOGUE.items() if block.needs_spans}


def test_a_chunk_read_twice_costs_twice_and_finds_once():
    once = [[0, 1], [0], [100], [200]]
    twice = [[0, 2], [0, 0], [100, 100], [200, 200]]
    evidence = [[0, 1], [0], [100], [150]]
    assert value("CharPrecision", evidence, once) == 50 / 100
    assert value("CharPrecision", evidence, twice) == 50 / 200
    assert value("CharIoU", evidence, twice) == 50 / 200
    assert value("Redundancy", evidence, twice) == 100 / 200
    assert value("CharRecall", evidence, twice) == 1


def test_evidence_that_overlaps_counts_its_characters_once_and_its_spans_each():
    evidence = [[0, 3], [0, 0, 0], [0, 50, 0], [100, 150, 100]]  # 150 characters; the third span repeats the first
    chunks = [[0, 1], [0], [0], [75]]
    assert value("CharRecall", evidence, chunks) == 75 / 150
    assert value("EvidenceFound", evidence, chunks) == 1 / 2  # 75 of 100, and 25 of 100


def test_a_span_is_put_together_from_several_chunks():
    evidence = [[0, 1], [0], [0], [100]]
    chunks = [[0, 2], [0, 0], [0, 60], [30, 90]]
    assert value("EvidenceFound@1", evidence, chunks) == 0
    assert value("EvidenceFound@2", evidence, chunks) == 1  # 30 and 30 of 100
    assert value("EvidenceFound(share=0.61)@2", evidence, chunks) == 0


def test_the_same_place_in_another_document_or_another_query_is_not_evidence():
    evidence = [[0, 1, 2], [0, 1], [0, 0], [10, 10]]
    chunks = [[0, 1, 2], [1, 0], [0, 0], [10, 10]]
    assert parse("CharRecall")(run(evidence, chunks)).tolist() == [0, 0]


def test_a_query_without_evidence_and_a_span_without_a_character():
    chunks = [[0, 1], [0], [0], [10]]
    for evidence in ([[0, 0], [], [], []], [[0, 1], [0], [5], [5]]):
        for name in ("CharRecall@1", "CharPrecision@1", "CharIoU@1", "EvidenceFound@1", "SpanNDCG@1", "BudgetRecall"):
            assert value(name, evidence, chunks) == 0, name
        assert value("CharsRead@1", evidence, chunks) == 10


def test_a_run_that_returns_nothing():
    chunks = [[0, 0], [], [], []]
    for name, block in CATALOGUE.items():
        if block.needs_spans:
            assert value(f"{name}@3" if block.takes_cutoff else name, EVIDENCE, chunks) == 0, name


def test_evidence_at_no_known_place_counts_and_is_not_found():
    evidence = [[0, 3], [0, -1, -1], [0, 0, 0], [60, 20, 20]]  # the two lost ones may be different words
    chunks = [[0, 1], [0], [0], [100]]
    assert value("CharRecall", evidence, chunks) == 60 / 100
    assert value("EvidenceFound", evidence, chunks) == 1 / 3


def test_a_chunk_at_no_known_place_costs_what_it_is_said_to_and_finds_nothing():
    chunks = [[0, 2], [-1, 0], [-1, 0], [-1, 100]]
    evidence = [[0, 1], [0], [0], [50]]
    assert value("CharsRead", evidence, chunks, unknown=300) == 400
    assert value("CharPrecision", evidence, chunks, unknown=300) == 50 / 400
    assert value("BudgetRecall(chars=320)", evidence, chunks, unknown=300) == 20 / 50
    assert value("Redundancy", evidence, chunks, unknown=300) == 0


def test_rankings_that_know_no_places_score_nothing():
    bare = run(EVIDENCE, CHUNKS)
    bare = Rankings(**{**bare.__dict__, "spans": None})
    names = [f"{key}@3" if block.takes_cutoff else key for key, block in CATALOGUE.items() if block.needs_spans]
    assert not score(bare, [parse(name) for name in names]).any()


def test_names():
    assert str(parse("char_recall@5")) == "CharRecall@5"
    assert str(parse("CharRecall@3000c")) == str(parse("BudgetRecall")) == "BudgetRecall(chars=3000)"
    assert str(parse("evidence_found@10")) == "EvidenceFound(share=0.5)@10"


PLACE = st.tuples(st.integers(-1, 2), st.integers(0, 30), st.integers(0, 15))
QUERIES = st.lists(st.tuples(st.lists(PLACE, max_size=4), st.lists(PLACE, max_size=8)), min_size=1, max_size=4)
COST = 7


def columns(lists):
    """Lists of `(document, begin, length)` a query as columns."""
    rows = [one for part in lists for one in part]
    starts = np.cumsum([0, *(len(part) for part in lists)])
    docs, begins, lengths = (np.array([row[i] for row in rows], dtype=np.int64) for i in range(3))
    return starts, docs, begins, begins + lengths


@settings(max_examples=300, deadline=None)
@given(QUERIES, st.sampled_from([1, 2, 3, 5, None]), st.integers(1, 60))
def test_against_counting_every_character(queries, k, chars):
    ranked = run(columns([one for one, _ in queries]), columns([other for _, other in queries]), COST)
    at = "" if k is None else f"@{k}"
    for i, (evidence, chunks) in enumerate(queries):
        for name, expected in counted(evidence, chunks, k, chars).items():
            name = f"BudgetRecall(chars={chars})" if name == "BudgetRecall" else name + at
            assert float(parse(name)(ranked)[i]) == pytest.approx(expected, abs=1e-9), name


def counted(evidence, chunks, k, chars):
    """The same metrics on sets of characters."""
    known = dict.fromkeys((d, frozenset((d, c) for c in range(b, b + n))) for d, b, n in evidence if n and d >= 0)
    spans = [characters for _, characters in known]
    lost = [n for d, _, n in evidence if n and d < 0]
    wanted = set().union(*spans)
    total = len(wanted) + sum(lost)
    read, gained, found = [], 0.0, set()
    for rank, (d, b, n) in enumerate(chunks[:k], start=1):
        here = [(d, c) for c in range(b, b + n)] if d >= 0 else [None] * COST
        gained += len((wanted & set(here)) - found) / log2(rank + 1)
        found |= wanted & set(here)
        read += here
    every = [(d, c) if d >= 0 else None for d, b, n in chunks for c in (range(b, b + n) if d >= 0 else range(COST))]
    placed = [one for one in read if one is not None]

    def part(a, b):
        return a / b if b else 0.0

    return {
        "CharRecall": part(len(found), total),
        "CharPrecision": part(len(found), len(read)),
        "CharIoU": part(len(found), len(read) + total - len(found)),
        "EvidenceFound": part(sum(len(one & set(read)) >= len(one) / 2 for one in spans), len(spans) + len(lost)),
        "SpanNDCG": part(gained, total),
        "Redundancy": part(len(placed) - len(set(placed)), len(read)),
        "CharsRead": len(read),
        "BudgetRecall": part(len(wanted & set(every[:chars])), total),
    }


def test_many_chunks_take_no_loop():
    queries, depth, rng = 2_000, 100, np.random.default_rng(0)
    starts = np.arange(0, queries * depth + 1, depth)
    begins = rng.integers(0, 400, queries * depth) * 250
    docs = rng.integers(0, 50, queries * depth)
    evidence = (np.arange(queries + 1), rng.integers(0, 50, queries), begins[::depth], begins[::depth] + 200)
    began = time.perf_counter()
    ranked = run(evidence, (starts, docs, begins, begins + 500))
    names = [f"{key}@10" if block.takes_cutoff else key for key, block in CATALOGUE.items() if block.needs_spans]
    assert np.isfinite(score(ranked, [parse(name) for name in names])).all()
    assert time.perf_counter() - began < 5  # a fifth of a second on a quiet machine


def test_long_names_are_shown_short() -> None:
    assert parse("BudgetRecall").label == "CharRecall@3000c"
    assert parse("BudgetRecall(chars=10000)").label == "CharRecall@10000c"
    assert parse(parse("BudgetRecall(chars=500)").label) == parse("BudgetRecall(chars=500)")
    assert parse("EvidenceFound@10").label == "EvidenceFound(0.5)@10"
