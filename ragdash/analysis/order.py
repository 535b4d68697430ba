"""In which order do all rows of a run stand? The order of `rank`, for every row at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ragdash.analysis.rank import as_compared, duplicates_of, self_rows
from ragdash.data.columns import Ints
from ragdash.data.idbytes import IdBytes
from ragdash.data.nouns import Run


def rows_in_order(run: Run, *, float32_ties: bool = False, drop_self: bool = False) -> tuple[Ints, Ints]:
    """The rows of `run` in rank order, each document once, and where the rows of each of its queries begin.

    Score descending, ties by document id descending, bytewise; the order of the file where there are no scores.
    Shapes `[n_kept]` and `[n_queries + 1]`.
    """
    query = np.repeat(np.arange(run.n_queries), run.depths)
    drop = duplicates_of(run)  # before ties are looked at: no two rows of a query have one id then
    drop = np.union1d(drop, self_rows(run)) if drop_self else drop
    kept = np.ones(len(run), dtype=bool)
    kept[drop] = False
    rows = np.flatnonzero(kept)
    if run.scores is not None and len(rows):
        scores = as_compared(run.scores, float32_ties)
        same = query[rows][1:] == query[rows][:-1]
        if (same & (scores[rows][1:] > scores[rows][:-1])).any():
            rows = rows[np.lexsort((-scores[rows], query[rows]))]
        rows = _by_id(run, rows, same & (scores[rows][1:] == scores[rows][:-1]))
    counts = np.bincount(query[rows], minlength=run.n_queries)
    return rows, np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def tied_at(run: Run, rows: Ints, k: int, *, float32_ties: bool = False, drop_self: bool = False) -> NDArray[np.bool_]:
    """Axis queries in which the documents at ranks `k` and `k + 1` have one score. `rows` as in `rank_run`."""
    out = np.zeros(len(rows), dtype=bool)
    if run.scores is None:
        return out
    kept, starts = rows_in_order(run, float32_ties=float32_ties, drop_self=drop_self)
    at = np.flatnonzero(rows >= 0)
    at = at[np.diff(starts)[rows[at]] > k]
    last = starts[rows[at]] + k - 1
    scores = as_compared(run.scores, float32_ties)
    out[at] = scores[kept[last]] == scores[kept[last + 1]]
    return out


def _by_id(run: Run, rows: Ints, same: NDArray[np.bool_]) -> Ints:
    """Put tied rows in order of their ids; `same [n - 1]` says which rows tie with the one before."""
    if not same.any():
        return rows
    group = np.concatenate([[0], np.cumsum(~same)])
    tied = np.zeros(len(rows), dtype=bool)
    tied[1:] |= same
    tied[:-1] |= same
    at = np.flatnonzero(tied)
    place = IdBytes(run.doc_ids).descending(rows[at], group[at])
    first = at[np.searchsorted(group[at], group[at], side="left")]
    out = rows.copy()
    out[first + place] = rows[at]
    return out
