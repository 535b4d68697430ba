"""What do tables say of which a row is a query? Lists in cells, or one column a rank."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pyarrow as pa

from ragdash.data.columns import take
from ragdash.data.findings import Finding
from ragdash.data.formats.base import Reading
from ragdash.data.formats.cell_lists import cell_list
from ragdash.data.formats.gathering import Pile, stem
from ragdash.data.formats.numbers import looks_numeric
from ragdash.data.formats.ranking import Rows, as_run
from ragdash.data.formats.records import RecordReader
from ragdash.data.formats.sheet import cell, is_list
from ragdash.data.formats.table_columns import Columns
from ragdash.errors import EmptyFileError, MalformedError

_LISTS = ("relevant", "retrieved", "evidence")


_WORD = re.compile(r"[^\W\d_]{4,}[.,!?]?|[^\W\d_]+\.\w{2,4}")  # of a title, with the ending of its file
_NAMES = {"|": "bars", ";": "semicolons", "\n": "line breaks", ",": "commas", " ": "blanks"}


def lists(columns: Columns) -> Reading:
    """One row a query, with cells that hold lists: each row is read as a record."""
    pile = Pile(columns.file)
    reader = RecordReader(pile, stem(columns.file))
    split = {key: _separator(columns, columns.roles[key]) for key in _LISTS if key in columns.roles}
    as_lists = {columns.roles[key]: sign for key, sign in split.items()}
    columns.said += [found for name, sign in as_lists.items() if (found := split_cells(columns, name, sign))]
    for row in range(len(columns.sheet)):
        record: dict[str, Any] = {}
        for name, column in zip(columns.sheet.names, columns.sheet.columns):
            value = column[row].as_py()
            record[name] = (
                cell_list(value, as_lists[name]) if name in as_lists else cell(value, _is_number(columns, name))
            )
        if not reader.read(record, columns.line(row) or row + 1):
            raise MalformedError(
                columns.file, "a row without a query", line=columns.line(row), expected="a query in every row"
            )
    pile.findings[:0] = columns.said
    return pile.reading(columns.title)


def _is_number(columns: Columns, name: str) -> bool:
    if columns.sheet.numeric is not None:
        return name in columns.sheet.numeric
    return not is_list(columns.sheet[name]) and looks_numeric(columns.sheet[name])


def _separator(columns: Columns, name: str) -> str:
    column = columns.sheet[name]
    if is_list(column):
        return ""
    values = [one.strip() for one in column.to_pylist() if one]
    if values and all(one.startswith(("[", "{", "(")) for one in values):
        return "json"
    for sign in ("|", ";", "\n", ",", " "):
        if any(sign in one for one in values) and (sign not in (",", " ") or _are_ids(values, sign)):
            return sign
    return "|"


def _are_ids(values: list[str], sign: str) -> bool:
    """Whether what stands between the separators reads like ids, and not like the words of one title."""
    parts = [part.strip() for one in values for part in one.split(sign) if part.strip()]
    if sign == ",":
        return sum(" " in part for part in parts) <= len(parts) / 4
    return not any("," in one for one in values) and sum(map(bool, map(_WORD.fullmatch, parts))) <= len(parts) / 4


def split_cells(columns: Columns, name: str, sign: str) -> Finding | None:
    """How the cells of a column were taken apart, with the first one; and cells that may hold another separator."""
    if sign not in _NAMES:
        return None
    cells = [(row, one.strip()) for row, one in enumerate(columns.sheet[name].to_pylist()) if one]
    several = [one for _, one in cells if sign in one]
    others = [(row, one) for row, one in cells if sign not in one and re.search(r"[|;]|,\s?\S*\d", one)]
    if not several and not others:
        return None
    said = (
        f"{columns.file}: cells of {name!r} hold several ids between {_NAMES[sign]}, such as {several[0][:60]!r}."
        if several
        else f"{columns.file}: each cell of {name!r} was read as one id."
    )
    if not others:
        return Finding("split-cells", "info", said, file=columns.file, count=len(several), examples=(several[0][:60],))
    row, one = others[0]
    line = columns.line(row)
    where = "" if line is None else f" (line {line:,})"
    n = len(others)
    said += f" {n:,} {'cell was' if n == 1 else 'cells were'} read as one id and may hold several: {one[:60]!r}{where}."
    lines = () if line is None else (line,)
    return Finding("split-cells", "warning", said, file=columns.file, count=n, lines=lines, examples=(one[:60],))


def wide(columns: Columns) -> Reading:
    """One row a query and one column a rank, as confirmed by a person."""
    query_ids = columns.query_column()
    taken = {columns.roles[key] for key in ("query_id", "query") if key in columns.roles}
    wanted = [name for name in columns.sheet.names if name not in taken]
    if columns.roles["ranks"] not in ("*", ""):
        wanted = [name for name in wanted if name in columns.roles["ranks"].split("\n")]
    table = np.asarray([columns.sheet[name].to_pylist() for name in wanted], dtype=object).T
    flat = pa.array(table.ravel().tolist(), type=pa.string())
    rows = np.repeat(np.arange(len(query_ids)), len(wanted))
    held = np.asarray([bool(one) for one in flat.to_pylist()])
    docs, queries = flat.filter(pa.array(held)), take(query_ids, rows[held])
    lines = None if columns.sheet.lines is None else columns.sheet.lines[rows[held]]
    answered = set(queries.to_pylist())
    empty = [one for one in query_ids.to_pylist() if one not in answered]
    if not len(docs):
        raise EmptyFileError(columns.file, "no document in any column")
    run = as_run(Rows(queries, docs, order="list", lines=lines, empty=empty), stem(columns.file), columns.file)
    return Reading(columns.title, None, None, None, (run,), tuple(columns.said))
