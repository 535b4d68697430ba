"""What does a table say? Columns with settled roles become judgments, queries, documents or runs, a column at a time.

Serves every format that ends as a table of text: CSV, Parquet, Excel, flat JSON. Nothing loops over rows, save where
cells hold lists: then a row is a record, and there is one a query.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ragdash.data.columns import group_rows, take, text_column
from ragdash.data.findings import Finding
from ragdash.data.formats import words
from ragdash.data.formats.base import Reading, Role
from ragdash.data.formats.gathering import Pile, blank_documents, different_texts, stem, with_empty
from ragdash.data.formats.grades import grades_of
from ragdash.data.formats.numbers import looks_numeric, numbers
from ragdash.data.formats.ranking import Rows, as_run
from ragdash.data.formats.records import RecordReader
from ragdash.data.formats.sheet import (
    LONG_QRELS,
    LONG_RUN,
    RANKED,
    ROLES,
    Guess,
    Sheet,
    cell,
    cell_list,
    guess,
    is_list,
)
from ragdash.data.formats.words import plain
from ragdash.data.judgments import settle
from ragdash.data.nouns import Documents, Queries, Run
from ragdash.errors import EmptyFileError, MalformedError, UnknownFormatError, WrongRoleError

if TYPE_CHECKING:
    import pandas as pd


def understand(sheet: Sheet, role: Role, file: str, title: str, mapping: Mapping[str, str] | None = None) -> Reading:
    """A table as nouns. `mapping` gives the column of each role and overrules the guess as a whole."""
    if not len(sheet):
        raise EmptyFileError(
            file,
            f"a header ({', '.join(sheet.names[:8])}) and no rows" if sheet.names else "no rows",
            expected="at least one row",
            todo="Export it again, or leave it out",
        )
    found = guess(sheet, role)
    if mapping:
        roles = {key: column for key, column in mapping.items() if key in ROLES and column}
        unknown = [column for key, column in roles.items() if column not in sheet.names and key != "ranks"]
        if unknown:
            raise MalformedError(
                file, f"no column {unknown[0]!r}; there are {_names(sheet)}", todo="Pick the columns again"
            )
        found = Guess(roles)
    roles = found.roles
    said = list(sheet.findings)
    if found.why:
        said.append(
            Finding(
                "ambiguous-column",
                "warning",
                f"{file}: {found.why}. {roles['grade']!r} was taken; pick another one on the Data page.",
                file=file,
                examples=tuple(found.why.split(": ")[-1].split(", ")[:5]),
            )
        )
    said += _copies(sheet, roles, file) if not mapping else []
    worth = {key[6:]: float(value) for key, value in (mapping or {}).items() if key.startswith("grade:")}
    reader = _Columns(sheet, roles, role, file, title, said, worth)
    if "ranks" in roles:
        return reader.wide()
    if "relevant" in roles or "retrieved" in roles:
        return reader.lists()
    if "doc_id" in roles and ("query_id" in roles or "query" in roles):
        return reader.run() if role == "run" else reader.judgments()
    if role == "run":
        raise _no_run(sheet, roles, file)
    if "query_id" in roles or "query" in roles or "doc_id" in roles:
        return reader.texts()
    raise UnknownFormatError(
        file,
        f"columns {_names(sheet)}, none of which is known as a query or a document",
        expected=f"columns such as {LONG_QRELS}",
        todo="Rename the columns, or say on the Data page which is which",
    )


def _copies(sheet: Sheet, roles: Mapping[str, str], file: str) -> list[Finding]:
    """Columns whose name occurs twice; the first one plays the role."""
    names = [name for name in roles.values() if f"{name} (2)" in sheet.names and name != roles.get("grade")]
    return [
        Finding(
            "ambiguous-column",
            "warning",
            f"{file}: the column {name!r} occurs twice; the first one was taken.",
            file=file,
        )
        for name in names
    ]


def _no_run(sheet: Sheet, roles: Mapping[str, str], file: str) -> MalformedError | UnknownFormatError | WrongRoleError:
    """Why a table is no run: its width, its columns, or because it is a list of queries or documents."""
    n = len(sheet.names)
    others = [name for name in sheet.names if name not in roles.values()]
    ranked = [name for name in others if RANKED.match(plain(name))]
    expected = f"a long table, one row a result: {LONG_RUN}"
    if n > 3 and len(ranked) >= max(2, len(others) - 2) and _numbered(ranked):
        return UnknownFormatError(
            file,
            f"{n:,} columns found; this looks like a wide table with one column a rank ({', '.join(ranked[:4])}, ...)",
            expected=expected,
            todo="Confirm on the Data page that the columns are ranks, or make it long",
        )
    if n > 12:
        return UnknownFormatError(
            file,
            f"{n:,} columns found ({', '.join(sheet.names[:4])}, ...): it looks like a matrix, one column a document",
            expected=expected,
            todo="Make it long before loading it",
        )
    if (("query_id" in roles or "query" in roles) and "text" in roles) or "doc_id" in roles:
        return WrongRoleError(
            file,
            f"columns {_names(sheet)}: texts of {_texts_of(roles)}, no results",
            expected=expected,
            todo="Load this file with the dataset",
        )
    return UnknownFormatError(
        file,
        f"columns {_names(sheet)}: none is known as {'a document' if 'query_id' in roles else 'a query or a document'}",
        expected=expected,
        todo="Rename the columns, or say on the Data page which is which",
    )


def _texts_of(roles: Mapping[str, str]) -> str:
    if "doc_id" in roles or "title" in roles:
        return "documents"
    return "queries" if "query" in roles else "queries or documents"


def _numbered(names: Sequence[str]) -> bool:
    places = [int(match[2]) for name in names if (match := RANKED.match(plain(name)))]
    return places == list(range(places[0], places[0] + len(places))) and places[0] in (0, 1)


def _names(sheet: Sheet) -> str:
    shown = ", ".join(name[:40] for name in sheet.names[:10])
    return shown + (f", ... ({len(sheet.names):,} columns)" if len(sheet.names) > 10 else "")


@dataclass
class _Columns:
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

    def judgments(self) -> Reading:
        """One row a judgment; a row without a document states a query."""
        if "grade" not in self.roles and {"rank", "distance"} & set(self.roles):
            raise WrongRoleError(
                self.file,
                f"columns {_names(self.sheet)}: a ranking, no judgments",
                expected=f"a dataset, {LONG_QRELS}",
                todo="Load this file as a run",
            )
        query_ids, doc_ids = self.query_column(), pc.fill_null(self.column("doc_id"), "")
        grades = self.column("grade")
        kept, empty = self._rows_with_document(query_ids, doc_ids, grades)
        grades = pa.nulls(len(query_ids), pa.string()) if grades is None else pc.fill_null(grades, "")
        lines = self.sheet.lines
        judged, docs = query_ids, doc_ids
        if kept is not None:
            judged, docs, grades = take(judged, kept), take(docs, kept), take(grades, kept)
            lines = None if lines is None else lines[kept]
        self._looks_like_scores(grades)
        values, graded, said = grades_of(grades, lines, self.file, self.worth or None)
        self.said += said
        if graded is not None:
            judged, docs = take(judged, graded), take(docs, graded)
            lines = None if lines is None else lines[graded]
        qrels, settled = settle(judged, docs, values, lines, self.file)
        self.said += settled
        queries = self._queries(query_ids)
        unsure = frozenset() if "grade" in self.roles else frozenset({"qrels"})
        return Reading(
            self.title, with_empty(qrels, empty), queries, self._documents(doc_ids), (), tuple(self.said), unsure
        )

    def _rows_with_document(
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
                line=self._line(row),
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

    def _line(self, row: int) -> int | None:
        return int(self.sheet.lines[row]) if self.sheet.lines is not None else None

    def _looks_like_scores(self, grades: pa.Array) -> None:
        """A run in the dataset's slot: a column `score` with many different fractions."""
        if plain(self.roles.get("grade", "")) not in words.SCORE:
            return
        values = numbers(grades).values
        known = values[~np.isnan(values)]
        fractions = np.mean(known != np.round(known)) if len(known) else 0.0
        different = len(np.unique(known))
        few = len(known) < 10 and different > 2 and bool(np.all(known < 1))
        if fractions > 0.5 and (few or different > max(10, len(known) / 10)):
            raise WrongRoleError(
                self.file,
                f"the column {self.roles['grade']!r} holds {len(np.unique(known)):,} different fractions such as "
                f"{known[0]:g}: scores of a run, no grades",
                expected=f"a dataset, {LONG_QRELS}",
                todo="Load this file as a run",
            )

    def run(self) -> Reading:
        """One row a result; several runs where a column names them."""
        if "grade" in self.roles and not {"score", "distance", "rank"} & set(self.roles):
            raise WrongRoleError(
                self.file,
                f"columns {_names(self.sheet)}: judgments ({self.roles['grade']!r}), no results of a run",
                expected=f"a run, {LONG_RUN}",
                todo="Load this file as the dataset",
            )
        if {"query-id", "corpus-id", "score"} <= set(self.sheet.names) and self._whole_scores():
            raise WrongRoleError(
                self.file,
                "judgments in the layout of BEIR (query-id, corpus-id, score)",
                expected=f"a run, {LONG_RUN}",
                todo="Load this file as the dataset",
            )
        names = self.column("run")
        distinct = names.unique().to_pylist() if names is not None else []
        if len(distinct) > 1:
            rows = [
                (str(name), np.flatnonzero(pc.equal(names, name).to_numpy(zero_copy_only=False)))
                for name in distinct
                if name
            ]
            runs = [self._run(name, at) for name, at in rows]
        else:
            runs = [self._run(stem(self.file), None)]
        return Reading(self.title, None, None, None, tuple(runs), tuple(self.said))

    def _whole_scores(self) -> bool:
        values = numbers(pc.fill_null(self.sheet["score"], "")).values
        return bool(np.all(values == np.round(values)) and np.all(values < 10))

    def _run(self, name: str, at: NDArray[np.int64] | None) -> Run:
        def part(column: pa.Array | None) -> pa.Array | None:
            return column if column is None or at is None else take(column, at)

        query_ids, doc_ids = part(self.query_column()), pc.fill_null(part(self.column("doc_id")), "")
        assert query_ids is not None
        score_role = "score" if "score" in self.roles else "distance"
        scores, ranks, texts = part(self.column(score_role)), part(self.column("rank")), part(self.column("query"))
        lines = self.sheet.lines if at is None or self.sheet.lines is None else self.sheet.lines[at]
        kept, empty = self._rows_with_document(query_ids, doc_ids, scores if scores is not None else ranks, lines)
        query_texts: dict[str, str] = {}
        if texts is not None and "query_id" in self.roles:
            first = _first_rows(query_ids)
            pairs = zip(take(query_ids, first).to_pylist(), take(texts, first).to_pylist())
            query_texts = {one: text for one, text in pairs if text}
        measurements = self._measurements(query_ids, at)
        documents = self._documents(doc_ids, at)
        if kept is not None:
            query_ids, doc_ids = take(query_ids, kept), take(doc_ids, kept)
            scores, ranks = (None if one is None else take(one, kept) for one in (scores, ranks))
            lines = None if lines is None else lines[kept]
        rows = Rows(
            query_ids,
            doc_ids,
            None if scores is None else pc.fill_null(scores, ""),
            None if ranks is None else pc.fill_null(ranks, ""),
            self.roles.get(score_role, "score"),
            "rows",
            lines,
            empty,
            query_texts,
            measurements,
            documents or Documents(),
        )
        return as_run(rows, name, self.file)

    def _measurements(
        self, query_ids: pa.Array, at: NDArray[np.int64] | None
    ) -> dict[str, tuple[list[str], list[float]]]:
        """Further numeric columns that have one value a query: latency, cost, an answer's score."""
        out: dict[str, tuple[list[str], list[float]]] = {}
        first = _first_rows(query_ids)
        ids = take(query_ids, first).to_pylist()
        for name in self._further():
            column = self.sheet[name] if at is None else take(self.sheet[name], at)
            if looks_numeric(column) and _constant(query_ids, column):
                values = numbers(pc.fill_null(take(column, first), "")).values
                out[name] = (ids, values.tolist())
        return out

    def _further(self) -> list[str]:
        taken = set(self.roles.values())
        named = [name for name in self.sheet.names if name not in taken and not re.fullmatch(r"column \d+", name)]
        return [name for name in named if not is_list(self.sheet[name])]

    def _queries(self, query_ids: pa.Array) -> Queries | None:
        """One row a query: text, and the further columns that have one value a query. None where there is neither."""
        import pandas as pd

        first = _first_rows(query_ids)
        texts = self.column("query")
        if texts is not None and "query_id" in self.roles:
            self._same_texts(query_ids, texts)
        table = {name: self.sheet[name] for name in self._further() if _constant(query_ids, self.sheet[name])}

        frame = pd.DataFrame(
            {n: self._extra(n, take(c, first)) for n, c in table.items() if c.null_count < len(c)},
            index=range(len(first)),
        )
        frame = frame[[name for name in frame if not (frame[name].isna() | (frame[name] == "")).all()]]
        if texts is None and not len(frame.columns):
            return None
        return Queries.of(take(query_ids, first), None if texts is None else _filled(take(texts, first)), frame)

    def _extra(self, name: str, column: pa.Array) -> pd.Series[Any]:
        import pandas as pd

        if (self.sheet.numeric is None or name in self.sheet.numeric) and looks_numeric(column):
            return pd.Series(numbers(pc.fill_null(column, "")).values)
        return pd.Series(np.asarray(column.to_pylist(), dtype=object), dtype="object")

    def _same_texts(self, query_ids: pa.Array, texts: pa.Array) -> None:
        if not _constant(query_ids, texts):
            pairs = pa.table({"q": query_ids, "t": texts}).group_by(["q", "t"]).aggregate([])
            counts = pairs.group_by("q", use_threads=False).aggregate([([], "count_all")])
            several = counts.filter(pc.greater(counts["count_all"], 1))["q"].to_pylist()
            self.said.append(different_texts(self.file, several))

    def _documents(self, doc_ids: pa.Array, at: NDArray[np.int64] | None = None) -> Documents | None:
        texts, titles = self.column("text"), self.column("title")
        if texts is None and titles is None:
            return None
        if at is not None:
            texts, titles = (None if one is None else take(one, at) for one in (texts, titles))
        return Documents.of(doc_ids, *(None if one is None else _filled(one) for one in (texts, titles)))

    def texts(self) -> Reading:
        """A list of queries or of documents: ids and texts, no judgments."""
        if "doc_id" in self.roles:
            return Reading(
                self.title, None, None, self._documents(self.column("doc_id")) or Documents(), (), tuple(self.said)
            )
        ids = self.query_column()
        texts, titles = self.column("text"), self.column("title")
        if "query" not in self.roles and titles is not None and texts is not None:
            return Reading(
                self.title, None, None, Documents.of(ids, _filled(texts), _filled(titles)), (), tuple(self.said)
            )
        if "query" in self.roles:
            return Reading(self.title, None, self._queries(ids), None, (), tuple(self.said))
        if texts is None and titles is None:
            raise UnknownFormatError(
                self.file,
                f"columns {_names(self.sheet)}: ids of queries, but neither documents nor texts",
                expected=f"columns such as {LONG_QRELS}",
                todo="Rename the columns, or say on the Data page which is which",
            )
        queries = Queries.of(ids, _filled(texts if texts is not None else titles))
        unsure = frozenset({"queries"} if plain(self.roles["query_id"]) in words.ID else ())
        return Reading(self.title, None, queries, None, (), tuple(self.said), unsure)

    def lists(self) -> Reading:
        """One row a query, with cells that hold lists: each row is read as a record."""
        pile = Pile(self.file)
        reader = RecordReader(pile, stem(self.file))
        split = {key: self._separator(self.roles[key]) for key in ("relevant", "retrieved") if key in self.roles}
        as_lists = {self.roles[key]: sign for key, sign in split.items()}
        for row in range(len(self.sheet)):
            record: dict[str, Any] = {}
            for name, column in zip(self.sheet.names, self.sheet.columns):
                value = column[row].as_py()
                record[name] = (
                    cell_list(value, as_lists[name]) if name in as_lists else cell(value, self._is_number(name))
                )
            if not reader.read(record, self._line(row) or row + 1):
                raise MalformedError(
                    self.file, "a row without a query", line=self._line(row), expected="a query in every row"
                )
        pile.findings[:0] = self.said
        return pile.reading(self.title)

    def _is_number(self, name: str) -> bool:
        if self.sheet.numeric is not None:
            return name in self.sheet.numeric
        return not is_list(self.sheet[name]) and looks_numeric(self.sheet[name])

    def _separator(self, name: str) -> str:
        column = self.sheet[name]
        if is_list(column):
            return ""
        values = [one for one in column.to_pylist() if one]
        if values and all(one.lstrip().startswith(("[", "{")) for one in values):
            return "json"
        return next((sign for sign in ("|", ";", "\n", ",", " ") if any(sign in one.strip() for one in values)), "|")

    def wide(self) -> Reading:
        """One row a query and one column a rank, as confirmed by a person."""
        query_ids = self.query_column()
        taken = {self.roles[key] for key in ("query_id", "query") if key in self.roles}
        wanted = [name for name in self.sheet.names if name not in taken]
        if self.roles["ranks"] not in ("*", ""):
            wanted = [name for name in wanted if name in self.roles["ranks"].split("\n")]
        table = np.asarray([self.sheet[name].to_pylist() for name in wanted], dtype=object).T
        flat = pa.array(table.ravel().tolist(), type=pa.string())
        rows = np.repeat(np.arange(len(query_ids)), len(wanted))
        held = np.asarray([bool(one) for one in flat.to_pylist()])
        docs, queries = flat.filter(pa.array(held)), take(query_ids, rows[held])
        lines = None if self.sheet.lines is None else self.sheet.lines[rows[held]]
        answered = set(queries.to_pylist())
        empty = [one for one in query_ids.to_pylist() if one not in answered]
        if not len(docs):
            raise EmptyFileError(self.file, "no document in any column")
        run = as_run(Rows(queries, docs, order="list", lines=lines, empty=empty), stem(self.file), self.file)
        return Reading(self.title, None, None, None, (run,), tuple(self.said))


def _first_rows(keys: pa.Array) -> NDArray[np.int64]:
    """The first row of each distinct key, in order of appearance."""
    _, starts, order = group_rows(keys)
    out: NDArray[np.int64] = starts[:-1] if order is None else order[starts[:-1]]
    return out


def _filled(column: pa.Array) -> pa.Array:
    """A text column in which an empty cell is no text."""
    return pc.if_else(pc.equal(column, ""), pa.scalar(None, column.type), column)


def _constant(keys: pa.Array, column: pa.Array) -> bool:
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
