"""How many characters of the evidence did a run read? Intervals on documents, whatever the chunks are called.

Evidence and chunks are half-open ranges of characters of documents. What is asked is always the same: at which rank,
and after how many characters read, was each character of the evidence read first? It is answered once, for all cutoffs
and budgets, on sorted arrays: the evidence is cut where a chunk that meets it begins or ends, and every piece of it
gets the best rank that holds it. No loop goes over chunks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Spans:
    """The evidence of each query, and the chunks that one run returned for it.

    Evidence of query `i` are the rows `evidence_starts[i]:evidence_starts[i + 1]` of `evidence_docs`,
    `evidence_begins` and `evidence_ends`; its chunks, in rank order, are the rows `starts[i]:starts[i + 1]` of `docs`,
    `begins`, `ends` and `lengths`. Documents are codes of one list, common to both.

    Evidence that lies at no known place has the document -1 and its length as range: it counts, and nothing finds it.
    Spans without a character and repeated spans are left out by `of`; spans that overlap are different spans whose
    common characters count once. A chunk at no known place has the document -1: it finds nothing, and costs `lengths`
    characters; `lengths` of the others is `ends - begins`.
    """

    evidence_starts: Ints
    evidence_docs: Ints
    evidence_begins: Ints
    evidence_ends: Ints
    starts: Ints
    docs: Ints
    begins: Ints
    ends: Ints
    lengths: Ints

    @classmethod
    def of(cls, evidence: Sequence[Any], chunks: Sequence[Any], unknown: Any = 0) -> Spans:
        """From `(starts, docs, begins, ends)` of the evidence and of the chunks.

        `unknown` is how many characters a chunk costs whose place is not known (document -1, or an end before its
        begin): one number, or one for each chunk.
        """
        starts, docs, begins, ends = (np.asarray(one, dtype=np.int64) for one in chunks)
        located = (docs >= 0) & (begins >= 0) & (ends >= begins)
        lengths = np.where(located, ends - begins, unknown).astype(np.int64)
        docs, begins, ends = np.where(located, docs, -1), np.where(located, begins, 0), np.where(located, ends, 0)
        return cls(
            *_distinct(*(np.asarray(one, dtype=np.int64) for one in evidence)), starts, docs, begins, ends, lengths
        )

    @classmethod
    def none(cls, n_queries: int) -> Spans:
        """No evidence and no chunks."""
        nothing, starts = np.zeros(0, dtype=np.int64), np.zeros(n_queries + 1, dtype=np.int64)
        return cls(starts, nothing, nothing, nothing, starts, nothing, nothing, nothing, nothing)

    @property
    def n_queries(self) -> int:
        return len(self.starts) - 1

    @cached_property
    def query(self) -> Ints:
        """For each chunk the index of its query. Shape `[n_chunks]`."""
        return np.repeat(np.arange(self.n_queries), np.diff(self.starts))

    @cached_property
    def rank(self) -> Ints:
        """For each chunk its rank, from 1. Shape `[n_chunks]`."""
        return np.arange(1, len(self.docs) + 1) - self.starts[self.query]

    @cached_property
    def before(self) -> Ints:
        """For each chunk, how many characters are read before it. Shape `[n_chunks]`."""
        total = np.concatenate([[0], np.cumsum(self.lengths)])
        before: Ints = total[:-1] - total[self.starts[self.query]]
        return before

    @cached_property
    def evidence_query(self) -> Ints:
        """For each span of evidence the index of its query. Shape `[n_spans]`."""
        return np.repeat(np.arange(self.n_queries), np.diff(self.evidence_starts))

    @cached_property
    def pieces(self) -> Pieces:
        """The evidence cut into pieces, each with the rank that reads it first."""
        return _pieces(self)

    @cached_property
    def evidence_chars(self) -> Floats:
        """Per query the characters of its evidence, each counted once. Shape `[n_queries]`."""
        return self._per_query(self.pieces.query, self.pieces.length)

    def covered(self, k: int | None) -> Floats:
        """Per query the characters of evidence that stand in the first `k` chunks, each counted once."""
        return self._per_query(self.pieces.query, self.pieces.length * self._within(self.pieces.rank, k))

    def covered_at(self, chars: float) -> Floats:
        """Per query the characters of evidence among the first `chars` characters read.

        Chunks are read in rank order; the chunk in which the budget ends is read up to there.
        """
        pieces = self.pieces
        return self._per_query(pieces.query, np.clip(chars - pieces.read_at, 0.0, pieces.length))

    def read(self, k: int | None) -> Floats:
        """Per query the characters of the first `k` chunks; what stands in several chunks is read several times."""
        return self._per_query(self.query, self.lengths * self._within(self.rank, k))

    def gained(self, discount: Any, k: int | None) -> Floats:
        """Per query the newly covered characters of each of the first `k` chunks, weighed by `discount(rank)`."""
        pieces = self.pieces
        seen = pieces.rank < NEVER
        ranks = np.where(seen, pieces.rank, 1).astype(np.float64)
        weights = np.where(seen & self._within(pieces.rank, k), discount(ranks), 0.0)
        return self._per_query(pieces.query, pieces.length * weights)

    def found(self, share: float, k: int | None) -> Floats:
        """Per query how many spans of its evidence have `share` (above 0, at most 1) of their characters in the first
        `k` chunks, together. A span may be put together from several chunks.
        """
        pieces = self.pieces
        total = np.concatenate([[0], np.cumsum(pieces.length * self._within(pieces.rank, k))])
        has = total[pieces.span_ends] - total[pieces.span_begins]
        enough = has >= share * (self.evidence_ends - self.evidence_begins) - 1e-9
        return self._per_query(self.evidence_query, enough & (self.evidence_docs >= 0))

    @property
    def n_evidence(self) -> Ints:
        """Per query how many spans of evidence it has. Shape `[n_queries]`."""
        return np.diff(self.evidence_starts)

    def repeated(self, k: int | None) -> Floats:
        """Per query how many of the characters of its first `k` chunks were read in another of them already."""
        rows, docs = self._by_place
        within = self._within(self.rank[rows], k)
        rows, docs = rows[within], docs[within]
        if not len(rows):
            return np.zeros(self.n_queries)
        begins, ends = self.begins[rows] + docs, self.ends[rows] + docs
        furthest = np.maximum.accumulate(ends)
        again = np.zeros(len(rows))
        again[1:] = np.clip(np.minimum(furthest[:-1], ends[1:]) - begins[1:], 0, None)
        return self._per_query(self.query[rows], again)

    @cached_property
    def _by_place(self) -> tuple[Ints, Ints]:
        """Chunks at known places by query, document and begin, and for each where its document begins on a line on
        which the documents of every query follow one another."""
        rows = np.flatnonzero(self.docs >= 0)
        docs, wide = int(self.docs.max(initial=0)) + 1, int(self.begins.max(initial=0)) + 1
        if self.n_queries * docs * wide < NEVER:  # one number says query, document and begin: three times as fast
            key = (self.query[rows] * docs + self.docs[rows]) * wide + self.begins[rows]
            rows = rows[np.argsort(key)]
        else:
            rows = rows[np.lexsort((self.begins[rows], self.docs[rows], self.query[rows]))]
        query, doc = self.query[rows], self.docs[rows]
        new = np.ones(len(rows), dtype=bool)
        new[1:] = (query[1:] != query[:-1]) | (doc[1:] != doc[:-1])
        return rows, (np.cumsum(new) - 1) * (int(self.ends.max(initial=0)) + 1)

    def _within(self, ranks: Ints, k: int | None) -> NDArray[np.bool_]:
        return ranks < NEVER if k is None else ranks <= k

    def _per_query(self, query: Ints, values: Any) -> Floats:
        out: Floats = np.bincount(query, weights=values, minlength=self.n_queries).astype(np.float64)
        return out


@dataclass(frozen=True)
class Pieces:
    """Evidence in pieces that every chunk holds whole or not at all; no character is in two of them.

    For each piece its `query`, `length`, the `rank` of the first chunk that holds it (`NEVER` where none does) and
    `read_at`, how many characters are read before its first one (infinite where none does). Shapes `[n_pieces]`.
    Span number `i` of the evidence is the pieces `span_begins[i]:span_ends[i]`. Shapes `[n_spans]`.
    """

    query: Ints
    length: Ints
    rank: Ints
    read_at: Floats
    span_begins: Ints
    span_ends: Ints


def _distinct(starts: Ints, docs: Ints, begins: Ints, ends: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Evidence without spans that hold no character, and each span at a known place once. In the order given."""
    query = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    order = np.lexsort((ends, begins, docs, query))
    again = np.zeros(len(docs), dtype=bool)
    same = np.ones(max(len(docs) - 1, 0), dtype=bool)
    for column in (query, docs, begins, ends):
        same &= column[order][1:] == column[order][:-1]
    again[order[1:]] = same & (docs[order][1:] >= 0)
    keep = np.flatnonzero((ends > begins) & ~again)
    counts = np.bincount(query[keep], minlength=len(starts) - 1)
    return np.concatenate([[0], np.cumsum(counts)]), docs[keep], begins[keep], ends[keep]


def _pieces(spans: Spans) -> Pieces:
    """Cut the evidence where evidence or a chunk begins or ends.

    All places are put on one line, on which the documents of every query follow one another: a number says query,
    document and place, and two intervals meet on the line only where they meet in a document.
    """
    query, docs = spans.evidence_query, spans.evidence_docs
    lost = docs < 0
    key = query * (int(docs.max(initial=-1)) + 2) + docs + 1  # 0 of each query: evidence at no known place
    groups, group = np.unique(key, return_inverse=True)
    wide = int(max(spans.evidence_ends.max(initial=0), spans.ends.max(initial=0))) + 1
    begins, ends = spans.evidence_begins + group * wide, spans.evidence_ends + group * wide
    n_groups = len(groups)
    if lost.any():  # each alone, so that no two of them overlap
        alone = n_groups + np.cumsum(lost) - 1
        begins = np.where(lost, alone * wide, begins)
        ends = np.where(lost, alone * wide + spans.evidence_ends - spans.evidence_begins, ends)
    left, right, rows = _meetings(spans, groups, begins, ends, wide, int(docs.max(initial=-1)))
    cuts = np.unique(np.concatenate([begins, ends, left, right]))
    first = _first_rows(cuts, left, right, rows)
    span_begins, span_ends = np.searchsorted(cuts, begins), np.searchsorted(cuts, ends)
    inside = np.cumsum(np.bincount(span_begins, minlength=len(cuts)) - np.bincount(span_ends, minlength=len(cuts))) > 0
    kept = np.flatnonzero(inside)
    place = np.concatenate([[0], np.cumsum(inside)])
    owner = np.zeros(len(cuts), dtype=np.int64)
    by_begin = np.argsort(begins, kind="stable")
    if len(begins):
        owner = query[by_begin][np.maximum(np.searchsorted(begins[by_begin], cuts, side="right") - 1, 0)]
    row = first[kept]
    seen = row < NEVER
    row = np.where(seen, row, 0)
    length = np.diff(np.append(cuts, cuts[-1:]))[kept]
    rank, read_at = np.full(len(kept), NEVER), np.full(len(kept), np.inf)
    if seen.any():
        rank[seen] = spans.rank[row[seen]]
        offset = cuts[kept][seen] % wide - spans.begins[row[seen]]
        read_at[seen] = spans.before[row[seen]] + offset
    return Pieces(owner[kept], length, rank, read_at, place[span_begins], place[span_ends])


def _meetings(spans: Spans, groups: Ints, begins: Ints, ends: Ints, wide: int, last: int) -> tuple[Ints, Ints, Ints]:
    """The chunks that meet evidence, on the line: begin, end and row of each, best ranks first within a query."""
    rows = np.flatnonzero((spans.docs >= 0) & (spans.docs <= last) & (spans.ends > spans.begins))
    nothing = np.zeros(0, dtype=np.int64)
    if not len(rows) or not len(begins):
        return nothing, nothing, nothing
    key = spans.query[rows] * (last + 2) + spans.docs[rows] + 1
    at = np.minimum(np.searchsorted(groups, key), len(groups) - 1)
    here = groups[at] == key
    rows, at = rows[here], at[here]
    left, right = spans.begins[rows] + at * wide, spans.ends[rows] + at * wide
    by_begin, by_end = np.sort(begins), np.sort(ends)
    # spans that begin before the chunk's end, less those that end at or before its begin: how many it meets
    meets = np.searchsorted(by_begin, right, side="left") > np.searchsorted(by_end, left, side="right")
    return left[meets], right[meets], rows[meets]


def _first_rows(cuts: Ints, left: Ints, right: Ints, rows: Ints) -> Ints:
    """For each piece between neighbouring cuts the row of the best-ranked chunk that holds it, or `NEVER`.

    Rows of one query are in rank order, so that the smallest row has the smallest rank. Each chunk writes its row into
    two tables of pieces whose number is a power of two, which then hand it down to their halves.
    """
    n = len(cuts)
    if not len(rows):
        return np.full(n, NEVER)
    low, high = np.searchsorted(cuts, left), np.searchsorted(cuts, right)
    level = np.floor(np.log2(np.maximum(high - low, 1))).astype(np.int64)
    out = np.full(n, NEVER)
    for one in range(int(level.max()), -1, -1):
        if one < int(level.max()):  # what holds 2^(one+1) pieces holds both halves of them
            step = 1 << one
            halves = out.copy()
            halves[step:] = np.minimum(halves[step:], out[:-step])
            out = halves
        here = level == one
        np.minimum.at(out, low[here], rows[here])
        np.minimum.at(out, high[here] - (1 << one), rows[here])
    return out
