"""Which documents stand in the top K of each query? As columns, for all queries at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ragdash.analysis.evaluate import Options
from ragdash.analysis.rank import as_compared, order_of, self_rows
from ragdash.data.columns import Ints, joined, numbers_of, positions, take
from ragdash.data.experiment import Experiment
from ragdash.data.nouns import Qrels, Run


@dataclass(frozen=True)
class Top:
    """Documents of one run in the top K: `query` (place on the axis), `rank` (from 1), `row` of the run. Each `[m]`."""

    query: Ints
    rank: Ints
    row: Ints


def top(experiment: Experiment, run: int, k: int, options: Options) -> Top:
    """The top `k` of every axis query, ordered by query and rank.

    Most queries stand in the file in rank order, without ties or copies near the top: their rows are counted off. The
    others are ordered one by one.
    """
    one, rows = experiment.runs[run], experiment.rows[run]
    axis = np.flatnonzero(rows >= 0)
    at = rows[axis]
    odd = _odd_queries(one, k, options)
    plain = ~odd[at]
    shown = np.minimum(one.depths[at[plain]], k)
    rank = np.arange(shown.sum()) - np.repeat(np.cumsum(shown) - shown, shown) + 1
    query = [np.repeat(axis[plain], shown)]
    ranks = [rank]
    picked = [np.repeat(one.starts[at[plain]], shown) + rank - 1]
    own = set(self_rows(one).tolist()) if options.drop_self else set()
    for i, place in zip(axis[~plain].tolist(), at[~plain].tolist()):
        order = order_of(one, place, float32_ties=options.ties == "float32")
        if own:
            order = order[[row not in own for row in order.tolist()]]
        order = order[:k]
        query.append(np.full(len(order), i))
        ranks.append(np.arange(1, len(order) + 1))
        picked.append(order)
    found = Top(np.concatenate(query), np.concatenate(ranks), np.concatenate(picked))
    by_query = np.lexsort((found.rank, found.query))
    return Top(found.query[by_query], found.rank[by_query], found.row[by_query])


def _odd_queries(run: Run, k: int, options: Options) -> NDArray[np.bool_]:
    """Queries of the run whose first `k` rows are not simply their top `k`. Shape `[n_queries]`.

    A copy or a tie below the first `k` rows of a falling list changes nothing above it.
    """
    odd = np.zeros(run.n_queries, dtype=bool)
    shown = np.minimum(run.depths, k)
    query = np.repeat(np.arange(run.n_queries), shown)
    row = np.arange(shown.sum()) - np.repeat(np.cumsum(shown) - shown - run.starts[:-1], shown)
    ids = take(run.doc_ids, row)
    encoded = pc.dictionary_encode(ids)
    pairs = query * max(1, len(encoded.dictionary)) + numbers_of(encoded.indices)
    _, first, copies = np.unique(pairs, return_index=True, return_counts=True)
    odd[query[first[copies > 1]]] = True
    if options.drop_self:
        odd[query[pc.equal(ids, take(run.query_ids, query)).to_numpy(zero_copy_only=False)]] = True
    if run.scores is not None and len(run) > 1:
        scores = as_compared(run.scores, options.ties == "float32")
        rises = np.flatnonzero(scores[1:] > scores[:-1]) + 1
        of = np.searchsorted(run.starts, rises, side="right") - 1
        odd[of[run.starts[of] != rises]] = True
        after = row + 1 < run.starts[query + 1]
        odd[query[after][scores[row[after]] == scores[row[after] + 1]]] = True
    return odd


@dataclass(frozen=True)
class Pool:
    """The top K of several runs with one number for each (query, document) pair.

    `tops[r]` and `pairs[r] [m_r]` belong to run `r`; `documents` are the distinct ids and a pair is
    `query * len(documents) + document`. `base` is the pool before the pairs `since` were judged as well.
    """

    tops: tuple[Top, ...]
    pairs: tuple[Ints, ...]
    documents: pa.Array
    qrels: Qrels
    base: Pool | None = None
    since: Ints | None = None

    @property
    def width(self) -> int:
        """What a query is multiplied by."""
        return max(1, len(self.documents))

    def numbers(self, query: Ints, docs: pa.Array) -> Ints:
        """The pairs of these queries and documents, ascending, those that are not in the pool left out."""
        distinct, at = np.unique(np.asarray(docs.to_pylist(), dtype=object), return_inverse=True)
        code = np.full(len(distinct), -1, dtype=np.int64)
        place = positions(self.documents, pa.array(distinct.tolist(), type=self.documents.type))  # the few are hashed
        found = np.flatnonzero(place >= 0)
        code[place[found]] = found
        pairs = query * self.width + code[at]
        out: Ints = np.unique(pairs[code[at] >= 0])
        return out

    def after(self, qrels: Qrels, query: Ints, docs: pa.Array) -> Pool:
        """The same pool once these pairs are judged too, as `qrels` has them. What is known of it is kept."""
        return replace(self, qrels=qrels, base=self, since=self.numbers(query, docs))

    def of(self, *runs: int) -> Pool:
        """The part of the pool that belongs to some of its runs."""
        tops = tuple(self.tops[one] for one in runs)
        return Pool(tops, tuple(self.pairs[one] for one in runs), self.documents, self.qrels)

    @cached_property
    def judged(self) -> tuple[NDArray[np.bool_], ...]:
        """Whether each pair has a judgment; `judged[r]` has the shape `[m_r]`."""
        if self.base is not None and self.since is not None:
            return tuple(known | is_among(pair, self.since) for known, pair in zip(self.base.judged, self.pairs))
        known = self.keys(self.qrels, np.ones(len(self.qrels), dtype=bool))
        return tuple(np.isin(pair, known) for pair in self.pairs)

    def keys(self, qrels: Qrels, rows: NDArray[np.bool_]) -> Ints:
        """The pairs of those judgments whose document is in the pool. `rows` has the shape `[n_judgments]`."""
        chosen = np.flatnonzero(rows)
        code = positions(take(qrels.doc_ids, chosen), self.documents)
        known = code >= 0
        keys: Ints = qrels.query_codes()[chosen[known]] * self.width + code[known]
        return keys

    @cached_property
    def holes(self) -> Ints:
        """Pairs in the top K of any run that nobody judged, each once, ascending."""
        if self.base is not None and self.since is not None:
            return without(self.base.holes, self.since)
        holes = [self.unjudged(run) for run in range(len(self.tops))]
        out: Ints = np.unique(np.concatenate(holes)) if holes else np.zeros(0, dtype=np.int64)
        return out

    def unjudged(self, run: int) -> Ints:
        """Pairs in the top K of a run that nobody judged."""
        holes: Ints = self.pairs[run][~self.judged[run]]
        return holes


def is_among(values: Ints, few: Ints) -> NDArray[np.bool_]:
    """Whether each of `values` is one of `few`, which are ascending."""
    if not len(few):
        return np.zeros(len(values), dtype=bool)
    out: NDArray[np.bool_] = few[np.minimum(np.searchsorted(few, values), len(few) - 1)] == values
    return out


def without(ascending: Ints, few: Ints) -> Ints:
    """`ascending` without those of `few` that it has."""
    at = np.searchsorted(ascending, few)
    hit = at < len(ascending)
    hit[hit] = ascending[at[hit]] == few[hit]
    out: Ints = np.delete(ascending, at[hit])
    return out


def pool(experiment: Experiment, runs: list[int], k: int, options: Options) -> Pool:
    """The top `k` of the runs at these places of the experiment."""
    tops = tuple(top(experiment, run, k, options) for run in runs)
    columns = [take(experiment.runs[run].doc_ids, found.row) for run, found in zip(runs, tops)]
    encoded = pc.dictionary_encode(joined(columns))
    documents, codes = encoded.dictionary, encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    width = max(1, len(documents))
    ends = np.cumsum([len(found.row) for found in tops])
    pairs = tuple(found.query * width + codes[end - len(found.row) : end] for found, end in zip(tops, ends.tolist()))
    return Pool(tops, pairs, documents, experiment.qrels)
