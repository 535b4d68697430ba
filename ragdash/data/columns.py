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
    codes = numbers_of(encoded.indices)
    starts = np.zeros(len(encoded.dictionary) + 1, dtype=np.int64)
    np.cumsum(np.bincount(codes, minlength=len(encoded.dictionary)), out=starts[1:])
    grouped = len(codes) == 0 or not bool(np.any(codes[1:] < codes[:-1]))
    return text_column(encoded.dictionary), starts, None if grouped else np.argsort(codes, kind="stable")


def positions(ids: pa.Array, among: pa.Array) -> Ints:
    """For each of `ids` its place in `among` (distinct), or -1. Shape `[len(ids)]`."""
    return places_in(ids, among).astype(np.int64)


def places_in(ids: pa.Array, among: pa.Array) -> NDArray[np.int32]:
    """As `positions`, in 32 bits: for columns of millions of rows."""
    found = pc.index_in(ids, value_set=among.cast(ids.type))
    places: NDArray[np.int32] = numbers_of(found)
    if not found.null_count:
        return places
    valid = np.unpackbits(np.frombuffer(found.buffers()[0], dtype=np.uint8), bitorder="little")
    return np.where(valid[found.offset : found.offset + len(found)] > 0, places, np.int32(-1))


def take(column: pa.Array, rows: Ints | Sequence[int]) -> pa.Array:
    """The rows of `column`, in the order asked."""
    return column.take(arrow_ints(np.asarray(rows, dtype=np.int64)))


def numbers_of(column: pa.Array) -> NDArray[Any]:
    """A column of numbers as numpy sees it, without a copy; where there is a null the number means nothing.

    pyarrow's own conversion imports pandas first, which costs more than ranking a run.
    """
    kind = np.dtype(column.type.to_pandas_dtype())
    if not len(column):
        return np.zeros(0, dtype=kind)
    return np.frombuffer(column.buffers()[1], dtype=kind)[column.offset : column.offset + len(column)]


def arrow_ints(values: Ints) -> pa.Array:
    """Whole numbers as an Arrow column, without a copy (and without importing pandas)."""
    return pa.Array.from_buffers(pa.int64(), len(values), [None, pa.py_buffer(np.ascontiguousarray(values))])


def joined(columns: Iterable[pa.Array]) -> pa.Array:
    """Several text columns one under the other."""
    parts = list(columns)
    if any(pa.types.is_large_string(part.type) for part in parts):
        parts = [part.cast(pa.large_string()) for part in parts]
    return pa.concat_arrays(parts) if parts else pa.array([], type=pa.string())
