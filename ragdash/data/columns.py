"""How are ids and their groups kept? As Arrow text columns, and rows grouped by query with offsets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

Ints = NDArray[np.int64]


def text_column(values: Any) -> pa.Array:
    """`values` (Arrow array, chunked array, or an iterable of `str` and None) as one Arrow string array.

    Text over 2 GB becomes a large_string array; nothing is ever cast from a number: ids are text from the start.
    """
    if isinstance(values, pa.ChunkedArray):
        if values.nbytes > 2**31 - 2**20 and not pa.types.is_large_string(values.type):
            values = values.cast(pa.large_string())
        values = values.combine_chunks()
        return pa.concat_arrays(values.chunks) if isinstance(values, pa.ChunkedArray) else values
    if isinstance(values, pa.Array):
        return values.dictionary_decode() if pa.types.is_dictionary(values.type) else values
    return pa.array(list(values), type=pa.string())


def group_rows(keys: pa.Array) -> tuple[pa.Array, Ints, Ints | None]:
    """Rows grouped by `keys`: distinct keys in order of first appearance, offsets, and the row order to apply.

    Returns `(distinct [g], starts [g + 1], order [n])`; rows `order[starts[i]:starts[i + 1]]` belong to key `i` and
    keep their relative order. `order` is None where the rows are grouped already.
    """
    encoded = keys if pa.types.is_dictionary(keys.type) else pc.dictionary_encode(keys)
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.unify_dictionaries().combine_chunks()
    codes = encoded.indices.to_numpy(zero_copy_only=False)
    starts = np.zeros(len(encoded.dictionary) + 1, dtype=np.int64)
    np.cumsum(np.bincount(codes, minlength=len(encoded.dictionary)), out=starts[1:])
    grouped = len(codes) == 0 or not bool(np.any(codes[1:] < codes[:-1]))
    return text_column(encoded.dictionary), starts, None if grouped else np.argsort(codes, kind="stable")


def positions(ids: pa.Array, among: pa.Array) -> Ints:
    """For each of `ids` its place in `among` (distinct), or -1. Shape `[len(ids)]`."""
    if pa.types.is_large_string(ids.type) != pa.types.is_large_string(among.type):
        among = among.cast(ids.type)
    found = pc.fill_null(pc.index_in(ids, value_set=among), -1)
    out: Ints = found.to_numpy(zero_copy_only=False).astype(np.int64)
    return out


def take(column: pa.Array, rows: Ints | Sequence[int]) -> pa.Array:
    """The rows of `column`, in the order asked."""
    return column.take(pa.array(rows, type=pa.int64()))


def joined(columns: Iterable[pa.Array]) -> pa.Array:
    """Several text columns one under the other."""
    parts = list(columns)
    if any(pa.types.is_large_string(part.type) for part in parts):
        parts = [part.cast(pa.large_string()) for part in parts]
    return pa.concat_arrays(parts) if parts else pa.array([], type=pa.string())
