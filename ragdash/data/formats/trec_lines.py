"""How is an odd TREC file read? Line by line: several blanks, comments, tags of several words, no Q0, any encoding."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from ragdash.data.columns import joined
from ragdash.data.findings import Finding
from ragdash.data.formats.base import Blob
from ragdash.data.formats.encoding import decoded, ends_within
from ragdash.data.formats.gathering import stem
from ragdash.data.formats.ranking import Rows, as_run
from ragdash.data.formats.trec_rows import RUN_FIELDS, is_row, is_row_without_q0, is_row_without_tag, number_in, split
from ragdash.data.nouns import Run
from ragdash.errors import EmptyFileError, MalformedError


@dataclass(frozen=True)
class _Line:
    number: int
    fields: list[str]


def _lines(blob: Blob, n_fields: int) -> tuple[Iterator[_Line], list[Finding]]:
    """The lines of any file that have fields, and what has to be said of it, in full once all lines were asked for."""
    text = decoded(blob)
    stream = io.TextIOWrapper(io.BytesIO(text.data), encoding="utf-8", newline=None)
    said = list(text.findings)

    def each() -> Iterator[_Line]:
        hidden: list[int] = []
        for number, line in enumerate(stream, start=1):
            if line.startswith("#"):
                if line[1:2].strip() and is_row(split(line, n_fields), n_fields):
                    hidden.append(number)
                continue
            fields = split(line, n_fields)
            if fields and any(fields):
                yield _Line(number, fields)
        if hidden:
            said.append(_like_rows(blob.name, hidden))

    return each(), said


def _like_rows(file: str, lines: Sequence[int]) -> Finding:
    """Lines behind a # that would be rows: a comment to trec_eval, and yet # may be the first sign of a query's id."""
    n = len(lines)
    message = (
        f"{file}: {n:,} {'line' if n == 1 else 'lines'} beginning with # (first line {lines[0]:,}) "
        f"{'reads' if n == 1 else 'read'} like {'a row' if n == 1 else 'rows'}; left out as "
        f"{'a comment' if n == 1 else 'comments'}, as trec_eval does. If # belongs to the ids, load the file as a "
        "table with a header."
    )
    return Finding("comment-like-row", "warning", message, file=file, count=n, lines=tuple(lines[:5]))


def _wrong(blob: Blob, line: _Line, n: int, fields: str, found: str = "") -> MalformedError:
    todo = f"Mend this line: {' '.join(line.fields)[:80]!r}"
    if ends_within(blob, line.number):
        todo = f"The file ends within this line ({' '.join(line.fields)[:80]!r}): download or export it again"
    return MalformedError(
        blob.name,
        found or f"{len(line.fields)} fields found",
        line=line.number,
        expected=f"{n} ({fields})",
        todo=todo,
    )


class Columns:
    """Text columns that grow line by line and are packed from time to time."""

    def __init__(self, n: int) -> None:
        self._open: list[list[str]] = [[] for _ in range(n)]
        self._packed: list[list[pa.Array]] = [[] for _ in range(n)]
        self.lines: list[int] = []

    def add(self, line: int, *values: str) -> None:
        for column, value in zip(self._open, values):
            column.append(value)
        self.lines.append(line)
        if len(self._open[0]) >= 1 << 18:
            self._pack()

    def _pack(self) -> None:
        for column, packed in zip(self._open, self._packed):
            packed.append(pa.array(column, type=pa.string()))
            column.clear()

    def columns(self) -> list[pa.Array]:
        self._pack()
        return [joined(packed) for packed in self._packed]


def run_by_lines(blob: Blob) -> Run:
    lines, said = _lines(blob, 6)
    columns = Columns(4)  # query, doc, score, rank
    pick: Callable[[_Line], Sequence[str]] | None = None
    without_q0 = 0
    for line in lines:
        if pick is None:
            no_q0 = is_row_without_q0(line.fields) and not is_row_without_tag(line.fields)
            pick = _five_fields(blob) if no_q0 else _six_fields(blob)
            without_q0 = line.number if no_q0 else 0
        picked = pick(line)
        if not picked[0] or not picked[1]:
            raise _wrong(blob, line, 6, RUN_FIELDS, f"the {'document' if picked[0] else 'query'} id is empty")
        columns.add(line.number, *picked)
    if not columns.lines:
        raise _no_rows(blob)
    query, doc, score, rank = columns.columns()
    rows = Rows(query, doc, score, rank, lines=np.asarray(columns.lines, dtype=np.int32))
    run = as_run(rows, stem(blob.name), blob.name)
    if without_q0:
        message = (
            f"{blob.name} line {without_q0:,} has 5 fields instead of 6; "
            "the Q0 column is missing, and the file was read as query doc rank score tag."
        )
        said.append(Finding("no-q0-column", "warning", message, blob.name, run.name, len(columns.lines), (without_q0,)))
    return replace(run, findings=tuple(one.of_run(run.name) for one in said) + run.findings)


def _six_fields(blob: Blob) -> Callable[[_Line], Sequence[str]]:
    """Query, document, score and rank of `query Q0 doc rank score tag`; the tag may be several words, or missing."""

    tagless: bool | None = None

    def pick(line: _Line) -> Sequence[str]:
        nonlocal tagless
        fields = line.fields
        tagless = len(fields) == 5 if tagless is None else tagless
        shifted = len(fields) > 6 and number_in(fields[5]) is not None
        if (len(fields) < 6 and not (tagless and is_row_without_tag(fields))) or shifted:
            raise _wrong(blob, line, 6, RUN_FIELDS)
        if number_in(fields[4]) is None and number_in(fields[4].replace(",", ".")) is None:
            raise _wrong(blob, line, 6, RUN_FIELDS, f"the score {fields[4][:40]!r} is no number")
        return fields[0], fields[2], fields[4], fields[3]

    return pick


def _five_fields(blob: Blob) -> Callable[[_Line], Sequence[str]]:
    """The same of `query doc rank score tag`."""

    def pick(line: _Line) -> Sequence[str]:
        if len(line.fields) != 5:
            raise _wrong(blob, line, 5, "query doc rank score tag, as on the first line")
        query, doc, rank, score, _ = line.fields
        if number_in(score) is None:
            raise _wrong(blob, line, 5, "query doc rank score tag", f"the score {score[:40]!r} is no number")
        return query, doc, score, rank

    return pick


def _no_rows(blob: Blob) -> EmptyFileError:
    return EmptyFileError(blob.name, "the file has no rows", todo="Check that the right file was exported")


def judgments_by_lines(blob: Blob, names: Sequence[str]) -> tuple[tuple[Any, Any, Any, Any], tuple[Finding, ...]]:
    n = len(names)
    columns, grades = Columns(2), []
    each, said = _lines(blob, n)
    for line in each:
        fields = line.fields
        if len(fields) > n:  # what follows a blank and # is a comment; # inside an id is part of it
            comment = next((at for at, field in enumerate(fields) if field.startswith("#")), len(fields))
            fields = fields[:comment]
        if len(fields) != n:
            raise _wrong(blob, line, n, " ".join(names))
        grade = number_in(fields[-1])
        if grade is None or not math.isfinite(grade):
            raise _wrong(blob, line, n, " ".join(names), f"the grade {fields[-1][:40]!r} is no number")
        if not fields[0] or not fields[-2]:
            raise _wrong(blob, line, n, " ".join(names), f"the {'document' if fields[0] else 'query'} id is empty")
        columns.add(line.number, fields[0], fields[-2])
        grades.append(grade)
    if not grades:
        raise _no_rows(blob)
    query, doc = columns.columns()
    return (query, doc, np.asarray(grades), np.asarray(columns.lines, dtype=np.int32)), tuple(said)
