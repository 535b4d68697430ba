"""In which order do all rows of a run stand? The order of `rank`, for every row at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ragdash.analysis.rank import duplicates_of, self_rows
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
        scores = run.scores
        if float32_ties:
            with np.errstate(over="ignore"):
                scores = scores.astype(np.float32).astype(np.float64)
        same = query[rows][1:] == query[rows][:-1]
        if (same & (scores[rows][1:] > scores[rows][:-1])).any():
            rows = rows[np.lexsort((-scores[rows], query[rows]))]
        rows = _by_id(run, rows, same & (scores[rows][1:] == scores[rows][:-1]))
    counts = np.bincount(query[rows], minlength=run.n_queries)
    return rows, np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


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
