"""A table in JSON: columns of values, what pandas writes, or a list of rows. Read like any other table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from ragdash.data.formats.base import Blob, Format, Reading, Role
from ragdash.data.formats.dialect import header_of
from ragdash.data.formats.hits import text_of
from ragdash.data.formats.json_records import export_again
from ragdash.data.formats.jsontext import Number, opened, peek, whole
from ragdash.data.formats.positional import positional_names
from ragdash.data.formats.sheet import Sheet, unique_headers
from ragdash.data.formats.tables import understand
from ragdash.data.formats.words import KNOWN, plain

_FEWEST = 2  # columns of a table that are known by name


def _is_table(blob: Blob, role: Role) -> float:
    seen = peek(blob)
    if seen.kind == "object" and isinstance(seen.sample, dict):
        if isinstance(seen.sample.get("columns"), list) and isinstance(seen.sample.get("data"), list):
            return 0.75
        columns = [key for key, value in seen.sample.items() if _is_column(value)]
        known = sum(plain(key) in KNOWN for key in columns)
        return 0.85 if known >= _FEWEST and len(columns) == len(seen.sample) else 0.0
    rows = seen.sample if seen.kind == "list" and isinstance(seen.sample, list) else []
    is_rows = len(rows) > 1 and all(isinstance(row, list) and len(row) == len(rows[0]) for row in rows[:20])
    return 0.6 if is_rows and len(rows[0]) > 1 and all(_is_cell(one) for row in rows[:20] for one in row) else 0.0


def _is_column(value: Any) -> bool:
    if isinstance(value, dict):  # pandas: {"0": ..., "1": ...}
        return list(value) == [str(i) for i in range(len(value))] and all(map(_is_cell, value.values()))
    return isinstance(value, list) and all(map(_is_cell, value))


def _is_cell(value: Any) -> bool:
    return value is None or isinstance(value, (str, bool))


def sheet(blob: Blob, role: Role = "dataset") -> Sheet:
    """The table with every cell as it stands."""
    text = opened(blob)
    top = whole(text, blob.name)
    if isinstance(top, list):
        rows = [row for row in top if isinstance(row, list)]
        first = [[text_of(one) or "" for one in row] for row in rows[:40]]
        header = header_of(first)
        names, sure = (header, True) if header else positional_names(first, role)
        return _by_rows(names, rows[1:] if header else rows, blob, sure)
    if isinstance(top.get("columns"), list) and isinstance(top.get("data"), list):
        return _by_rows([text_of(one) or "" for one in top["columns"]], top["data"], blob, True)
    columns = {key: list(value.values() if isinstance(value, dict) else value) for key, value in top.items()}
    lengths = {key: len(column) for key, column in columns.items()}
    if len(set(lengths.values())) > 1:
        shown = ", ".join(f"{key} {n:,}" for key, n in lengths.items())
        raise export_again(blob, f"columns of different length ({shown})", "columns of one length")
    return _sheet(tuple(columns), list(columns.values()), True)


def _by_rows(names: Sequence[str], rows: Sequence[Any], blob: Blob, sure: bool) -> Sheet:
    for place, row in enumerate(rows, start=1):
        if not isinstance(row, list) or len(row) != len(names) or not all(map(_is_cell, row)):
            raise export_again(
                blob, f"row {place:,} is not a list of {len(names):,} values: {str(row)[:60]}", "rows of one length"
            )
    return _sheet(tuple(names), [list(column) for column in zip(*rows)] or [[] for _ in names], sure)


def _sheet(names: tuple[str, ...], columns: Sequence[list[Any]], sure: bool) -> Sheet:
    numeric = [all(one is None or isinstance(one, Number) for one in column) for column in columns]
    names = unique_headers(names)
    arrays = tuple(pa.array([text_of(one) for one in column], type=pa.string()) for column in columns)
    numbers = frozenset(name for name, is_number in zip(names, numeric) if is_number)
    return Sheet(names, arrays, None, numbers, (), sure)


def _read(blob: Blob, role: Role) -> Reading:
    return understand(sheet(blob, role), role, blob.name, TABLES.title)


TABLES = Format(
    "json-table", "JSON table (columns, or rows; pandas)", ("dataset", "run"),
    '{"query_id": ["q1", "q1"], "doc_id": ["doc_7", "doc_2"], "score": [0.93, 0.87]}',
    _is_table, _read, (".json",), sheet,
)  # fmt: skip
