"""What does a table look like, and what was understood? For the pickers that ask which column is which."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ragdash.data.formats.base import Blob, Format, Role
from ragdash.data.formats.json_records import RECORDS, is_record
from ragdash.data.formats.json_tables import TABLES
from ragdash.data.formats.jsontext import peek
from ragdash.data.formats.numbers import numbers
from ragdash.data.formats.sheet import Sheet, guess
from ragdash.data.intake import recognise
from ragdash.errors import FileError

_LABELS = 12  # words that a scale of grades may have
_HEAD = 1_000  # rows from which it is told that a column holds few words
_TITLES = ("CSV", "TSV", "Parquet", "Arrow", "Excel workbook", TABLES.title)


@dataclass(frozen=True)
class Preview:
    """A table as read and as understood; `labels` are the words of each column that holds few of them."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    mapping: Mapping[str, str]
    sure: bool
    why: str
    shape_key: str
    n_rows: int
    n_columns: int
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def preview(blob: Blob, role: Role, n_rows: int = 8, n_columns: int = 40) -> Preview | None:
    """The first rows of a table and the guess; None where the file is no table."""
    try:
        chosen = recognise(blob, role)
        table: Sheet | None = chosen.table(blob, role) if chosen.table is not None and _flat(chosen, blob) else None
    except FileError:
        return None
    if table is None or not table.names:
        return None
    found = guess(table, role)
    shown = table.names[:n_columns]
    cells = [[_shown(value) for value in column[:n_rows].to_pylist()] for column in table.columns[:n_columns]]
    words = {name: _words(column) for name, column in zip(shown, table.columns)} if role == "dataset" else {}
    return Preview(
        shown,
        tuple(zip(*cells)),
        found.roles,
        found.sure,
        found.why,
        f"{role}:{table.shape_key}",
        len(table),
        len(table.names),
        {name: found for name, found in words.items() if found},
    )


def as_table(title: str) -> bool:
    """Whether what a file was recognised as (`Source.format`) is a table, of which columns can be picked."""
    return title in _TITLES or title.startswith("CSV, ")


def _flat(chosen: Format, blob: Blob) -> bool:
    """Whether a list of objects is a table: none of the first objects holds a list of documents."""
    return chosen is not RECORDS or not any(is_record(one) for one in peek(blob).records[:5])


def _words(column: Any) -> tuple[str, ...]:
    """The distinct words of a column that holds few, and one at least that is no number."""
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return ()
    if len(column[:_HEAD].unique()) > _LABELS:
        return ()
    texts = pc.utf8_trim_whitespace(column.drop_null()).unique()
    texts = texts.filter(pc.not_equal(texts, ""))
    if not 0 < len(texts) <= _LABELS or not numbers(texts).bad.any() or any(len(one) > 60 for one in texts.to_pylist()):
        return ()
    return tuple(texts.to_pylist())


def _shown(value: Any) -> str:
    return "" if value is None else str(value)[:200]
