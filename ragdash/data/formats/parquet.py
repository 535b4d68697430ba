"""Parquet and Arrow files: columns as text, lists and structs for the reader of records."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from ragdash.data.columns import text_column
from ragdash.data.formats.base import Blob, Format, Reading, Role
from ragdash.data.formats.sheet import Sheet, too_wide, unique_headers
from ragdash.data.formats.tables import understand
from ragdash.data.limits import in_bytes, limit, setting
from ragdash.errors import LimitError, MalformedError


def _is_columnar(blob: Blob, role: Role) -> float:
    return 1.0 if blob.head(6) == b"ARROW1" or blob.head(4) == b"PAR1" else 0.0


def columnar_sheet(blob: Blob, role: Role = "dataset") -> Sheet:
    """A Parquet or Arrow file as a `Sheet`."""
    try:
        table = _table(blob)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError, pa.ArrowKeyError) as error:
        raise MalformedError(
            blob.name,
            f"it begins as a Parquet or Arrow file, but cannot be read ({str(error).splitlines()[0][:120]})",
            expected="a whole file",
            todo="Download or export it again",
        ) from None
    if table.num_columns > limit("columns"):
        raise too_wide(blob.name, table.num_columns)
    columns, numeric = [], set()
    names = unique_headers([name for name in table.column_names if not name.startswith("__index_level_")])
    kept = [place for place, name in enumerate(table.column_names) if not name.startswith("__index_level_")]
    for name, place in zip(names, kept):
        column = table.column(place)
        if pa.types.is_integer(column.type) or pa.types.is_floating(column.type) or pa.types.is_decimal(column.type):
            numeric.add(name)
        columns.append(_as_text(column, name, blob.name))
    return Sheet(names, tuple(columns), None, frozenset(numeric))


def _table(blob: Blob) -> pa.Table:
    source = pa.BufferReader(blob.buffer)
    if blob.head(6) == b"ARROW1":
        from pyarrow import feather

        return feather.read_table(source)
    import pyarrow.parquet as parquet  # slow to import, and seldom needed

    file = parquet.ParquetFile(source)
    size = sum(file.metadata.row_group(i).total_byte_size for i in range(file.metadata.num_row_groups))
    if size > in_bytes("unpacked_mb"):
        raise LimitError(
            blob.name,
            f"{size >> 20:,} MB when unpacked",
            expected=f"at most {limit('unpacked_mb'):,} MB",
            todo=f"Split it, or raise {setting('unpacked_mb')}",
        )
    return file.read()


def _as_text(column: pa.ChunkedArray, name: str, file: str) -> pa.Array:
    """A column as text; lists and structs are kept for the reader of records."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = pa.chunked_array([chunk.dictionary_decode() for chunk in column.chunks], type=kind.value_type)
        kind = column.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return text_column(column)
    if pa.types.is_nested(kind):
        return column.combine_chunks()
    if pa.types.is_floating(kind):
        texts = text_column(column.cast(pa.float64()).cast(pa.string()))
        whole = pc.match_substring_regex(texts, r"^-?\d+$")  # Arrow shows 7.0 as 7: the point is what tells them apart
        return pc.if_else(whole, pc.binary_join_element_wise(texts, ".0", ""), texts)
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        try:
            return text_column(column.cast(pa.string()))
        except pa.ArrowInvalid:
            raise MalformedError(file, f"the column {name!r} holds bytes that are no text", expected="text") from None
    try:
        return text_column(column.cast(pa.string()))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise MalformedError(file, f"the column {name!r} is of the type {kind}", expected="text or numbers") from None


def _read_columnar(blob: Blob, role: Role) -> Reading:
    return understand(columnar_sheet(blob), role, blob.name, "Arrow" if blob.head(6) == b"ARROW1" else "Parquet")


COLUMNAR = Format(
    "parquet", "Parquet or Arrow", ("dataset", "run"), "query_id: string\ndoc_id: string\nscore: double",
    _is_columnar, _read_columnar, (".parquet", ".arrow", ".feather"), columnar_sheet,
)  # fmt: skip
