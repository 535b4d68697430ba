"""Whose judgments are a run's? Several sets of judgments of the same queries, each bound to the runs that it fits."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from ragdash.data.columns import positions, take
from ragdash.data.nouns import Qrels


def on_axis(qrels: Qrels, query_ids: pa.Array) -> Qrels:
    """The same judgments for the queries `query_ids`, in their order; a query without any has none."""
    at = positions(query_ids, qrels.query_ids)
    counts = np.where(at >= 0, np.diff(qrels.starts)[np.maximum(at, 0)] if qrels.n_queries else 0, 0)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    rows = np.repeat(qrels.starts[np.maximum(at, 0)] - starts[:-1], counts) + np.arange(starts[-1])
    lines = None if qrels.lines is None else np.asarray(qrels.lines)[rows]
    return Qrels(query_ids, starts, take(qrels.doc_ids, rows), qrels.grades[rows], lines)
