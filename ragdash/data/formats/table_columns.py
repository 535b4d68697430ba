"""What do the columns of a table with settled roles have in common? Queries, documents, and the rows that name one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ragdash.data.columns import group_rows, positions, take, text_column
from ragdash.data.findings import Finding
from ragdash.data.formats.base import Role
from ragdash.data.formats.gathering import blank_documents, different_documents
from ragdash.data.formats.numbers import numbers
from ragdash.data.formats.placing import placed_ids
from ragdash.data.formats.sheet import Sheet, is_list
from ragdash.data.nouns import Documents
from ragdash.errors import MalformedError

#: Columns that nobody named: ours, and those of pandas and R.
_NAMELESS = re.compile(
    r"column \d+|Unnamed: \d+(_level_\d+)?|__index_level_\d+__|level_\d+|\.\.\.\d+|(?i:q0|iter(ation)?)"
)


@dataclass
class Columns:
    """The columns of one table, with their roles settled."""

    sheet: Sheet
    roles: Mapping[str, str]
    role: Role
    file: str
    title: str
    said: list[Finding]
    worth: Mapping[str, float]

    def column(self, role: str) -> pa.Array | None:
        return self.sheet[self.roles[role]] if role in self.roles else None

    def query_column(self) -> pa.Array:
        ids = self.column("query_id")
        return pc.fill_null(text_column(ids if ids is not None else self.column("query")), "")

    def rows_with_document(
        self, query_ids: pa.Array, doc_ids: pa.Array, numbered: pa.Array | None, lines: Any = None
    ) -> tuple[NDArray[np.int64] | None, list[str]]:
        """The rows that name a document (None: all), and the queries that are only stated.

        A row without a document but with a number (a grade or a score) has lost its document, and is told.
        """
        without = pc.equal(doc_ids, "").to_numpy(zero_copy_only=False)
        nameless = pc.equal(query_ids, "").to_numpy(zero_copy_only=False)
        if nameless.any():
            row = int(np.flatnonzero(nameless)[0])
            raise MalformedError(
                self.file,
                f"{int(nameless.sum()):,} {'row' if nameless.sum() == 1 else 'rows'} without a query id",
                line=self.line(row),
                expected="a query id in every row",
                todo="Fill it in or delete the row",
            )
        if not without.any():
            return None, []
        kept = np.flatnonzero(~without)
        if numbered is not None:
            lost = without & pc.not_equal(pc.fill_null(numbered, ""), "").to_numpy(zero_copy_only=False)
            lines = self.sheet.lines if lines is None else lines
            if lost.any():
                rows = np.flatnonzero(lost)
                self.said.append(blank_documents(self.file, [0] * len(rows) if lines is None else lines[rows].tolist()))
        if not len(kept):
            raise MalformedError(
                self.file, f"the column {self.roles['doc_id']!r} is empty in every row", expected="document ids"
            )
        return kept, query_ids.filter(pa.array(without)).unique().to_pylist()

    def line(self, row: int) -> int | None:
        return int(self.sheet.lines[row]) if self.sheet.lines is not None else None

    def further(self) -> list[str]:
        taken = set(self.roles.values())
        named = [name for name in self.sheet.names if name not in taken and not _NAMELESS.fullmatch(name)]
        return [name for name in named if not is_list(self.sheet[name])]

    def documents(self, doc_ids: pa.Array, at: NDArray[np.int64] | None = None) -> Documents | None:
        texts, titles = (self.part(role, at) for role in ("text", "title"))
        ids, chunks = self.placed(doc_ids, at)
        if texts is None and titles is None:
            return chunks if len(chunks) else None
        if texts is not None and (several := _with_texts(ids, filled(texts))):
            found = different_documents(self.file, several)
            self.said += [found] if found not in self.said else []
        told = Documents.of(ids, *(None if one is None else filled(one) for one in (texts, titles)))
        return Documents.merged([told, chunks])

    def other_texts(
        self, doc_ids: pa.Array, documents: Documents | None, at: NDArray[np.int64] | None = None
    ) -> pa.Array | None:
        """The texts of rows that are not the one `documents` has of their id, null elsewhere; None without any."""
        texts = self.part("text", at)
        if texts is None or documents is None:
            return None
        texts = filled(texts).cast(pa.string())
        known = take(documents.texts, positions(doc_ids, documents.ids)).cast(pa.string())
        own = pc.if_else(pc.fill_null(pc.not_equal(texts, known), True), texts, pa.scalar(None, pa.string()))
        return own if own.null_count < len(own) else None

    def part(self, role: str, at: NDArray[np.int64] | None) -> pa.Array | None:
        """The column of a role, at the rows `at` (None: all)."""
        column = self.column(role)
        return column if column is None or at is None else take(column, at)

    def placed(self, doc_ids: pa.Array, at: NDArray[np.int64] | None = None) -> tuple[pa.Array, Documents]:
        """The ids of the rows as chunks, and where these are cut from, as the table's columns say."""
        parents = self.part("parent", at)
        if parents is None and "begin" not in self.roles:
            return doc_ids, Documents()
        places = (self.place("begin", at), self.place("end", at))
        return placed_ids(doc_ids, None if parents is None else filled(parents), *places)

    def place(self, role: str, at: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """The numbers of a column as places, -1 where a cell holds none or there is no such column."""
        column = self.part(role, at)
        return np.full(len(self.sheet), -1, dtype=np.int64) if column is None else _whole(column)


def _with_texts(ids: pa.Array, texts: pa.Array) -> list[str]:
    """The ids that have more than one text."""
    if len(ids.unique()) == len(ids):
        return []
    pairs = pa.table({"id": ids, "text": texts}).filter(pc.is_valid(texts)).group_by(["id", "text"]).aggregate([])
    counts = pairs.group_by("id", use_threads=False).aggregate([([], "count_all")])
    several: list[str] = counts.filter(pc.greater(counts["count_all"], 1))["id"].to_pylist()
    return several


def _whole(column: pa.Array) -> NDArray[np.int64]:
    """Numbers as places: -1 where a cell holds none."""
    values = numbers(pc.fill_null(column, "")).values
    return np.where(np.isfinite(values) & (values >= 0), np.nan_to_num(values), -1).astype(np.int64)


def names_of(sheet: Sheet) -> str:
    shown = ", ".join(name[:40] for name in sheet.names[:10])
    return shown + (f", ... ({len(sheet.names):,} columns)" if len(sheet.names) > 10 else "")


def first_rows(keys: pa.Array) -> NDArray[np.int64]:
    """The first row of each distinct key, in order of appearance."""
    _, starts, order = group_rows(keys)
    out: NDArray[np.int64] = starts[:-1] if order is None else order[starts[:-1]]
    return out


def filled(column: pa.Array) -> pa.Array:
    """A text column in which an empty cell is no text."""
    return pc.if_else(pc.equal(column, ""), pa.scalar(None, column.type), column)


def constant(keys: pa.Array, column: pa.Array) -> bool:
    """Whether `column` has one value for each key; a cell left blank below it counts as the same."""
    if is_list(column):
        return False
    distinct, starts, order = group_rows(keys)
    if len(distinct) == len(keys):
        return True
    values = column if order is None else take(column, order)
    values = pc.fill_null(values, "")
    blank = pc.equal(values, "").to_numpy(zero_copy_only=False)
    codes = values.dictionary_encode().indices.to_numpy(zero_copy_only=False)
    first = np.repeat(codes[starts[:-1]], np.diff(starts))
    return bool(np.all((codes == first) | blank))
