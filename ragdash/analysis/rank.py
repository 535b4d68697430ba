"""Where do a run's judged documents stand? trec_eval's order, from columns to `Rankings`, without sorting a string.

Score descending, compared as doubles, ties by document id descending, bytewise; a run without scores keeps the order
of its file. A document counts at its first place. Only the few rows whose documents are judged need an exact rank:
they are found by hash, their rank is the number of higher scores in their query, and ids are compared only inside the
tied groups in which they stand.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ragdash.data.columns import Ints, numbers_of, places_in, take
from ragdash.data.idbytes import IdBytes, Keys
from ragdash.data.nouns import Floats, Qrels, Run
from ragdash.metrics.rankings import Judgments, Rankings


def rank_run(
    qrels: Qrels,
    run: Run,
    rows: Ints,
    *,
    float32_ties: bool = False,
    drop_self: bool = False,
    duplicates: Ints | None = None,
) -> Rankings:
    """Where the documents of `qrels` stand in `run`.

    `rows` gives for each query of `qrels` the index of the run's query, or -1. `float32_ties` compares scores as
    32-bit floats, as trec_eval 9 does; `drop_self` leaves out documents whose id is the query's id. `duplicates` is
    `duplicates_of(run)` where that is known already.
    """
    candidates = None
    if duplicates is None:
        suspects, candidates = _scan(run, qrels)
        duplicates = _copies(run, suspects)
    drop = np.union1d(duplicates, self_rows(run)) if drop_self else duplicates
    if len(drop):
        run, candidates = _without(run, drop), None
    scores = None if run.scores is None else as_compared(run.scores, float32_ties)
    hit_rows, judgment = _hits(qrels, run, rows, candidates)
    axis = qrels.query_codes()[judgment]
    first, size, place = _places(run, scores, hit_rows, rows[axis])
    order = np.lexsort((first + place, axis))
    answered = rows >= 0
    depth = np.zeros(len(rows), dtype=np.int64)
    depth[answered] = run.depths[rows[answered]]
    return Rankings(
        judgments=Judgments.of(qrels.starts, qrels.grades),
        query=axis[order],
        rank=(first + place)[order],
        grade=qrels.grades[judgment][order],
        depth=depth,
        answered=answered,
        tie_first=first[order],
        tie_size=size[order],
        judgment=judgment[order],
    )


def _without(run: Run, drop: Ints) -> Run:
    """The run without these rows."""
    keep = np.ones(len(run), dtype=bool)
    keep[drop] = False
    before = np.concatenate([[0], np.cumsum(keep)])
    scores = None if run.scores is None else run.scores[keep]
    return replace(
        run, starts=before[run.starts], doc_ids=run.doc_ids.filter(pa.array(keep)), scores=scores, lines=None
    )


def _hits(qrels: Qrels, run: Run, rows: Ints, candidates: Ints | None) -> tuple[Ints, Ints]:
    """The run's rows whose document is judged for their query, and the judgment of each. Both `[n_hits]`.

    `candidates` are rows among which all hits are; None: any row.
    """
    known = pc.dictionary_encode(qrels.doc_ids)
    width = max(len(known.dictionary), 1)
    code = places_in(run.doc_ids if candidates is None else take(run.doc_ids, candidates), known.dictionary)
    at = np.flatnonzero(code >= 0)
    row = at if candidates is None else candidates[at]
    axis_of = np.full(run.n_queries, -1, dtype=np.int64)
    axis_of[rows[rows >= 0]] = np.flatnonzero(rows >= 0)
    axis = axis_of[_query_of(run, row)]
    row, code, axis = row[axis >= 0], code[at][axis >= 0], axis[axis >= 0]
    wanted = axis * width + code
    keys = qrels.query_codes() * width + numbers_of(known.indices)
    by_key = np.argsort(keys, kind="stable")
    place = np.searchsorted(keys[by_key], wanted)
    found = place < len(keys)
    found[found] = keys[by_key[place[found]]] == wanted[found]
    return row[found], by_key[place[found]]


def _query_of(run: Run, rows: Ints) -> Ints:
    """The index of the run's query in which each row stands."""
    return np.searchsorted(run.starts, rows, side="right") - 1


def _places(run: Run, scores: Floats | None, rows: Ints, queries: Ints) -> tuple[Ints, Ints, Ints]:
    """For each of `rows`, in the run's query `queries`: the first rank of its tied group, its size, its place in it.

    Ranks count from 1, places from 0. Each `[n_rows]`.
    """
    start, end = run.starts[queries], run.starts[queries + 1]
    place = np.zeros(len(rows), dtype=np.int64)
    if scores is None:
        return rows - start + 1, place + 1, place
    unsorted = np.intersect1d(_unsorted_queries(scores, run.starts), queries)
    falling = scores.copy() if len(unsorted) else scores
    for query in unsorted.tolist():
        part = slice(int(run.starts[query]), int(run.starts[query + 1]))
        falling[part] = np.sort(scores[part])[::-1]
    low = _search(falling, start, end, scores[rows], or_equal=False)
    high = _search(falling, start, end, scores[rows], or_equal=True)
    loose = np.isin(queries, unsorted) & (high - low > 1)
    firm = ~loose & (high - low > 1)
    if firm.any():
        place[firm] = _places_in_blocks(IdBytes(run.doc_ids), rows[firm], low[firm], high[firm])
    if loose.any():
        place[loose] = _places_anywhere(run, scores, rows[loose], queries[loose], (low - start)[loose])
    return low - start + 1, high - low, place


def _unsorted_queries(scores: Floats, starts: Ints) -> Ints:
    """The queries whose rows are not in falling order of score."""
    rises = np.flatnonzero(scores[1:] > scores[:-1]) + 1
    query = np.searchsorted(starts, rises, side="right") - 1
    return np.unique(query[starts[query] != rises])


def _search(falling: Floats, low: Ints, high: Ints, wanted: Floats, *, or_equal: bool) -> Ints:
    """For each row the first place in `falling[low:high]` that is below `wanted`, or not above it. `[n_rows]`."""
    low, high = low.copy(), high.copy()
    while np.any(is_open := low < high):
        middle = (low + high) // 2
        there = falling[np.minimum(middle, len(falling) - 1)]
        before = there >= wanted if or_equal else there > wanted
        low = np.where(is_open & before, middle + 1, low)
        high = np.where(is_open & ~before, middle, high)
    return low


_FEW = 16  # up to so many judged documents in a tied group are compared one by one; for more the group is sorted
_PAIRS = 1 << 20  # compared at a time


def _places_in_blocks(ids: IdBytes, rows: Ints, low: Ints, high: Ints) -> Ints:
    """For each row how many of the rows `low` to `high - 1`, among which it is, have a greater id. `[n_rows]`."""
    place = np.zeros(len(rows), dtype=np.int64)
    _, block, crowd = np.unique(low, return_inverse=True, return_counts=True)
    few = np.flatnonzero(crowd[block] <= _FEW)
    total = np.concatenate([[0], np.cumsum((high - low)[few])])
    begin = 0
    while begin < len(few):
        end = max(int(np.searchsorted(total, total[begin] + _PAIRS, side="right")) - 1, begin + 1)
        part = few[begin:end]
        mine, other = _ranges(low[part], high[part])
        greater = ids.greater(other, rows[part][mine])
        place[part] = np.bincount(mine[greater], minlength=len(part))
        begin = end
    many = np.flatnonzero(crowd[block] > _FEW)
    if len(many):
        lows, at = np.unique(low[many], return_index=True)
        highs = high[many][at]
        group, members = _ranges(lows, highs)
        before = np.cumsum(highs - lows) - (highs - lows)
        descending = ids.descending(members, group)
        place[many] = descending[before[np.searchsorted(lows, low[many])] + rows[many] - low[many]]
    return place


def _places_anywhere(run: Run, scores: Floats, rows: Ints, queries: Ints, above: Ints) -> Ints:
    """As `_places_in_blocks` for queries whose rows are in no order: they are put into it first.

    `above` says how many documents of the query have a higher score.
    """
    which = np.unique(queries)
    group, members = _ranges(run.starts[which], run.starts[which + 1])
    order = np.lexsort((-scores[members], group))
    now_at = np.empty(len(order), dtype=np.int64)
    now_at[order] = np.arange(len(order))
    depths = run.depths[which]
    offset = (np.cumsum(depths) - depths)[np.searchsorted(which, queries)]
    ordered = scores[members][order]
    ends = np.append(np.flatnonzero((group[1:] != group[:-1]) | (ordered[1:] != ordered[:-1])) + 1, len(order))
    low = offset + above
    high = ends[np.searchsorted(ends, low, side="right")]
    ids = IdBytes(run.doc_ids, members[order])
    return _places_in_blocks(ids, now_at[offset + rows - run.starts[queries]], low, high)


def _ranges(low: Ints, high: Ints) -> tuple[Ints, Ints]:
    """All places `low` to `high - 1` of every pair, one after the other, with the number of their pair."""
    size = high - low
    group = np.repeat(np.arange(len(size)), size)
    return group, np.arange(len(group)) - np.repeat(np.cumsum(size) - size, size) + low[group]


_AT_A_TIME = 1 << 15  # rows whose fingerprints are looked at together: they stay in the processor's cache
_SIEVE = 16  # bits of a fingerprint by which most documents without a judgment are passed over


def duplicates_of(run: Run) -> Ints:
    """Rows that repeat a document of their query, its best-ranked row apart. Ascending."""
    return _copies(run, _scan(run, None)[0])


def _scan(run: Run, qrels: Qrels | None) -> tuple[Ints, Ints]:
    """Rows that may be copies, and rows that may be judged: one pass over 64-bit fingerprints of all ids.

    Every copy shares its fingerprint with another row of its query, every judged document some bits of its own with one
    of the judgments; a few others do so by chance, which the exact comparison afterwards sorts out.
    """
    ids = IdBytes(run.doc_ids)
    sieve = np.zeros(1 << _SIEVE, dtype=bool)
    if qrels is not None:
        sieve[IdBytes(qrels.doc_ids).fingerprints(0, len(qrels)) >> np.uint64(64 - _SIEVE)] = True
    suspects, candidates = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    query = 0
    while query < run.n_queries:
        upto = int(np.searchsorted(run.starts, run.starts[query] + _AT_A_TIME, side="right")) - 1
        upto = max(upto, query + 1)
        starts = run.starts[query : upto + 1]
        keys = ids.fingerprints(int(starts[0]), int(starts[-1]))
        if qrels is not None:
            candidates.append(np.flatnonzero(sieve[keys >> np.uint64(64 - _SIEVE)]) + starts[0])
        suspects.append(_shared(keys, starts) + starts[0])
        query = upto
    return np.concatenate(suspects), np.concatenate(candidates)


def _shared(keys: Keys, starts: Ints) -> Ints:
    """Places of keys that occur again in the same query. `starts` delimits the queries; `keys` is written to."""
    if len(starts) > 2:
        query = np.arange(len(starts) - 1, dtype=np.uint64) * np.uint64(0xD1B54A32D192ED03)
        keys ^= np.repeat(query, np.diff(starts))
    ordered = np.sort(keys)
    same = ordered[1:] == ordered[:-1]
    return np.flatnonzero(np.isin(keys, ordered[1:][same])) if same.any() else np.zeros(0, dtype=np.int64)


def _copies(run: Run, suspects: Ints) -> Ints:
    """Those of the suspected rows that repeat a document of their query, its best-ranked row apart. Ascending."""
    if not len(suspects):
        return suspects
    queries = _query_of(run, suspects)
    documents = pc.dictionary_encode(take(run.doc_ids, suspects))
    pair = queries * len(documents.dictionary) + numbers_of(documents.indices)
    score = np.zeros(len(suspects)) if run.scores is None else run.scores[suspects]
    order = np.lexsort((suspects, -score, pair))
    again = np.zeros(len(order), dtype=bool)
    again[1:] = pair[order][1:] == pair[order][:-1]
    copies: Ints = np.sort(suspects[order[again]])
    return copies


def self_rows(run: Run) -> Ints:
    """Rows whose document has the id of their query. Ascending."""
    query = places_in(run.doc_ids, run.query_ids)
    row = np.flatnonzero(query >= 0)
    own: Ints = row[query[row] == _query_of(run, row)]
    return own


def as_compared(scores: Floats, float32_ties: bool) -> Floats:
    """Scores as they are compared: as doubles, or as trec_eval 9 does, as 32-bit floats. Same shape."""
    if not float32_ties:
        return scores
    with np.errstate(over="ignore"):
        return scores.astype(np.float32).astype(np.float64)


def order_of(run: Run, i: int, *, float32_ties: bool = False) -> Ints:
    """The rows of the run's `i`-th query in rank order, each document once."""
    rows = np.arange(run.starts[i], run.starts[i + 1])
    if run.scores is not None:
        scores = as_compared(run.scores[rows], float32_ties)
        encoded = [name.encode() for name in take(run.doc_ids, rows).to_pylist()]
        by_name = sorted(range(len(rows)), key=encoded.__getitem__, reverse=True)
        rows = rows[by_name][np.argsort(-scores[by_name], kind="stable")]
    names = take(run.doc_ids, rows).to_pylist()
    first = dict(zip(reversed(names), reversed(rows.tolist())))
    return np.array([row for name, row in zip(names, rows.tolist()) if first[name] == row], dtype=np.int64)
