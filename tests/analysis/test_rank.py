"""The order of trec_eval, from columns: against a plain sort of Python values, whatever the file looks like."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdash.analysis.rank import duplicates_of, order_of, rank_run, self_rows
from ragdash.data.columns import positions
from ragdash.data.nouns import Qrels, Run

IDS = st.one_of(
    st.sampled_from(["a", "b", "ab", "ab\0", "é", "日本", "d10", "d9", "D9", "", "prefix-0000001", "prefix-0000002"]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=18),
)
QUERIES = st.sampled_from(["q1", "q2", "q3", "ab"])
SCORES = st.sampled_from([-1e300, -2.5, -0.0, 0.0, 0.1, 0.1 + 1e-12, 1.0, 2.0, 1e300])
ROWS = st.lists(st.tuples(QUERIES, IDS, SCORES), max_size=60)
JUDGED = st.dictionaries(st.tuples(QUERIES, IDS), st.sampled_from([-2.0, 0.0, 0.5, 1.0, 3.0]), max_size=40)


def plain(rows, judged, *, scored=True, float32=False, drop_self=False):
    """`query -> [(rank, grade, first rank of the tied group, its size)]` and depths, by sorting."""
    runs = {}
    for query, doc, score in rows:
        runs.setdefault(query, []).append((doc, float(np.float32(score)) if float32 else score))
    hits, depths = {}, {}
    for query, docs in runs.items():
        if scored:
            docs = sorted(docs, key=lambda one: one[0].encode(), reverse=True)
            docs = sorted(docs, key=lambda one: one[1], reverse=True)
        seen = {}
        for doc, score in docs:
            if not (drop_self and doc == query):
                seen.setdefault(doc, score)
        scores = list(seen.values())
        depths[query] = len(seen)
        hits[query] = [
            (
                rank,
                judged[query, doc],
                scores.index(score) + 1 if scored else rank,
                scores.count(score) if scored else 1,
            )
            for rank, (doc, score) in enumerate(seen.items(), start=1)
            if (query, doc) in judged
        ]
    return hits, depths


@settings(max_examples=400, deadline=None)
@given(ROWS, JUDGED, st.booleans(), st.booleans(), st.booleans(), st.booleans())
def test_ranks_are_those_of_a_plain_sort(rows, judged, scored, float32, drop_self, in_order):
    if in_order:
        rows = sorted(rows, key=lambda row: (row[0], -row[2]))
    qrels = Qrels.of([q for q, _ in judged], [d for _, d in judged], list(judged.values()), empty=["q3", "q4"])
    run = Run.of(
        "run", [row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows] if scored else None
    )
    at = positions(qrels.query_ids, run.query_ids)
    with np.errstate(over="ignore"):
        ranked = rank_run(qrels, run, at, float32_ties=float32, drop_self=drop_self)
        hits, depths = plain(rows, judged, scored=scored, float32=float32, drop_self=drop_self)
    for i, query in enumerate(qrels.query_ids.to_pylist()):
        mine = ranked.query == i
        found = zip(ranked.rank[mine], ranked.grade[mine], ranked.tie_first[mine], ranked.tie_size[mine])
        assert [tuple(one) for one in found] == hits.get(query, [])
        assert ranked.depth[i] == depths.get(query, 0)
        assert ranked.answered[i] == (query in depths)


@settings(max_examples=200, deadline=None)
@given(ROWS, st.booleans())
def test_the_list_of_a_query_is_that_of_a_plain_sort(rows, scored):
    run = Run.of("run", [r[0] for r in rows], [r[1] for r in rows], [r[2] for r in rows] if scored else None)
    docs = run.doc_ids.to_pylist()
    for i, query in enumerate(run.query_ids.to_pylist()):
        mine = [(doc, score) for q, doc, score in rows if q == query]
        if scored:
            mine = sorted(sorted(mine, key=lambda one: one[0].encode(), reverse=True), key=lambda one: -one[1])
        assert [docs[row] for row in order_of(run, i)] == list(dict.fromkeys(doc for doc, _ in mine))


def test_the_copy_with_the_better_score_is_the_one_that_counts():
    run = Run.of("run", ["q"] * 4, ["a", "b", "a", "a"], [1.0, 3.0, 5.0, 5.0])
    assert duplicates_of(run).tolist() == [0, 3]


def test_a_run_without_scores_keeps_the_order_of_its_file():
    run = Run.of("run", ["q"] * 4, ["b", "a", "b", "c"])
    assert duplicates_of(run).tolist() == [2]
    ranked = rank_run(Qrels.of(["q"] * 2, ["a", "c"], [1, 1]), run, np.array([0]))
    assert ranked.rank.tolist() == [2, 3]
    assert ranked.tie_size.tolist() == [1, 1]


@pytest.mark.parametrize("width", [3, 8, 9, 16, 30])
def test_duplicates_among_many_rows_and_long_ids(width):
    names = [f"{n:0{width}d}"[-width:] for n in range(999)]
    run = Run.of("run", ["q"] * 999 + ["r"] * 1000, [*names, *names, names[77]], np.arange(1999.0))
    assert duplicates_of(run).tolist() == [999 + 77]


def test_large_and_small_offsets_and_slices_are_the_same():
    ids = pa.array(["x", "zz", "b", "a", "b", "yy"])
    for column in (ids, ids.cast(pa.large_string())):
        run = Run.of("run", ["q"] * 4, column.slice(1, 4), [1.0, 1.0, 1.0, 1.0])
        assert duplicates_of(run).tolist() == [3]
        ranked = rank_run(Qrels.of(["q"] * 2, ["a", "b"], [1, 2]), run, np.array([0]))
        assert ranked.rank.tolist() == [2, 3]  # zz, b, a
        assert ranked.grade.tolist() == [2.0, 1.0]


def test_many_judged_documents_in_one_tie_are_sorted_not_compared():
    names = [f"doc-{n * 7919 % 1000:04d}-{'x' * (n % 5)}" for n in range(1000)]
    run = Run.of("run", ["q"] * 1000, names, np.ones(1000))
    qrels = Qrels.of(["q"] * 1000, names, np.arange(1000.0))
    ranked = rank_run(qrels, run, np.array([0]))
    expected = sorted(range(1000), key=lambda n: names[n].encode(), reverse=True)
    assert ranked.grade.tolist() == [float(n) for n in expected]
    assert ranked.rank.tolist() == list(range(1, 1001))


def test_own_document_of_a_query():
    run = Run.of("run", ["a", "a", "b"], ["a", "b", "a"], [3.0, 2.0, 1.0])
    assert self_rows(run).tolist() == [0]


def test_scores_that_differ_beyond_32_bits_tie_only_for_trec_eval_9():
    run = Run.of("run", ["q", "q"], ["a", "b"], [0.1 + 1e-12, 0.1])
    qrels = Qrels.of(["q"], ["a"], [1])
    assert rank_run(qrels, run, np.array([0])).rank.tolist() == [1]
    assert rank_run(qrels, run, np.array([0]), float32_ties=True).rank.tolist() == [2]


def test_nothing_at_all():
    run = Run.of("run", [], [], [], empty=["q"])
    ranked = rank_run(Qrels.of(["q"], ["a"], [1]), run, np.array([0]))
    assert ranked.answered.tolist() == [True]
    assert ranked.depth.tolist() == [0]
    assert duplicates_of(run).tolist() == []
    assert order_of(run, 0).tolist() == []
    nothing = rank_run(Qrels(), run, np.zeros(0, dtype=np.int64))
    assert nothing.n_queries == 0
