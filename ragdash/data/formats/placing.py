"""Which rows are chunks, and of what? Ids beside the document, begin and end that a file gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ragdash.data.columns import Ints, group_rows, take, text_column
from ragdash.data.nouns import Documents


def placed_ids(ids: Any, parents: Any, begins: Any, ends: Any) -> tuple[pa.Array, Documents]:
    """The ids of the rows, and the distinct chunks with their places.

    Where a file names the document only, and one document stands there with several places, its rows are chunks: each
    is called `document:begin-end`. All columns have one length; `parents`, `begins` and `ends` may be None.
    """
    ids = text_column(ids)
    n = len(ids)
    begins, ends = (
        np.full(n, -1, dtype=np.int64) if one is None else np.asarray(one, np.int64) for one in (begins, ends)
    )
    known = (begins >= 0) & (ends > begins)
    begins, ends = np.where(known, begins, -1), np.where(known, ends, -1)
    parents = pa.nulls(n, pa.string()) if parents is None else text_column(parents)
    if parents.null_count == n and known.any() and _several_places(ids, begins, ends):
        said = pa.array([f":{begin}-{end}" for begin, end in zip(begins.tolist(), ends.tolist())], pa.string())
        parents = ids
        ids = pc.if_else(pa.array(known), pc.binary_join_element_wise(ids, said.cast(ids.type), ""), ids)
    same = pc.fill_null(pc.equal(parents, ids), False)
    parents = pc.if_else(pc.or_(same, pc.equal(parents, "")), pa.scalar(None, parents.type), parents)
    distinct, starts, order = group_rows(ids)
    first = starts[:-1] if order is None else order[starts[:-1]]
    chunks = Documents(distinct, parents=take(parents, first), begins=begins[first], ends=ends[first])
    return ids, chunks if chunks.located or bool((chunks.begins >= 0).any()) else Documents()


def _several_places(ids: pa.Array, begins: Ints, ends: Ints) -> bool:
    """Whether one id stands with different places: then it names a document, not a chunk."""
    codes = pc.dictionary_encode(ids).indices.to_numpy(zero_copy_only=False).astype(np.int64)
    known = begins >= 0
    pairs = np.unique(np.stack([codes[known], begins[known], ends[known]]), axis=1)
    return bool(len(np.unique(pairs[0])) < pairs.shape[1])
