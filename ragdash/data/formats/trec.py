"""Runs and judgments as trec_eval reads them: fields between blanks, no header.

A regular file (one blank or tab between fields, no comments) is parsed by Arrow, column-wise and in parallel. Anything
else is read line by line: several blanks, comments, tags of several words, a missing Q0 column, other encodings.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import csv

from ragdash.data.columns import Ints, joined, numbers_of, take, text_column
from ragdash.data.findings import Finding
from ragdash.data.formats.base import Blob, Format, Reading, Role
from ragdash.data.formats.encoding import decoded, head_text
from ragdash.data.formats.gathering import stem
from ragdash.data.formats.ranking import Rows, as_run
from ragdash.data.judgments import settle
from ragdash.data.nouns import Floats, Run, Source
from ragdash.errors import EmptyFileError, MalformedError, WrongRoleError

RUN_FIELDS = "query Q0 doc rank score tag"
QRELS_FIELDS = "query 0 doc grade"
RUN_COLUMNS = ("query", "q0", "doc", "rank", "score", "tag")
QRELS_COLUMNS = ("query", "iteration", "doc", "grade")
_SAMPLE = 20  # lines looked at to recognise a file
_ALL_RANKS = 32 << 20  # up to this size all ranks are compared with the scores, in larger files those of its head


# recognising


def _sample(blob: Blob) -> list[list[str]]:
    """The fields of the first lines, comments and blank lines aside."""
    head = head_text(blob, 1 << 15)
    lines = head.splitlines()[: None if len(head) < 1 << 14 else -1]
    kept = [line for line in lines if line.strip() and not line.startswith("#")]
    return [_split(line, 6) for line in kept[:_SAMPLE]]


def _split(line: str, n_fields: int) -> list[str]:
    """The fields of a line: between tabs where there are as many as there should be, else between any blanks."""
    if line.count("\t") == n_fields - 1:
        return [field.strip() for field in line.split("\t")]
    return line.split()


def _number(text: str) -> float | None:
    """The number that `text` is, NaN and infinity included; None where it is none."""
    try:
        return None if "_" in text else float(text)
    except ValueError:
        return None


def _is_whole(text: str) -> bool:
    number = _number(text)
    return number is not None and number.is_integer()


def _is_run_row(fields: Sequence[str]) -> bool:
    if len(fields) < 6 or not _is_whole(fields[3]):
        return False
    return _number(fields[4]) is not None or fields[1].upper() == "Q0"


def _is_row_without_q0(fields: Sequence[str]) -> bool:
    return len(fields) == 5 and _is_whole(fields[2]) and _number(fields[3]) is not None


def _is_row_without_tag(fields: Sequence[str]) -> bool:
    return len(fields) == 5 and fields[1].upper() in ("Q0", "0") and _number(fields[4]) is not None


def _is_qrels_row(fields: Sequence[str]) -> bool:
    return len(fields) == 4 and _number(fields[3]) is not None and (fields[1].upper() == "Q0" or _is_whole(fields[1]))


def _is_run(blob: Blob, role: Role) -> float:
    rows = _sample(blob)
    if not rows:
        return 0.0
    for fits, sure in ((_is_run_row, 0.95), (_is_row_of_five, 0.7)):
        share = sum(map(fits, rows)) / len(rows)
        if fits(rows[0]) and share > 0.5:
            return sure * share
    return 0.0


def _is_row_of_five(fields: Sequence[str]) -> bool:
    return _is_row_without_q0(fields) or _is_row_without_tag(fields)


def _is_qrels(blob: Blob, role: Role) -> float:
    rows = [fields[:4] if len(fields) > 4 and fields[4].startswith("#") else fields for fields in _sample(blob)]
    if not rows or not _is_qrels_row(rows[0]):
        return 0.0
    share = sum(map(_is_qrels_row, rows)) / len(rows)
    return 0.95 * share if share > 0.5 else 0.0


def _is_qrels3(blob: Blob, role: Role) -> float:
    head = head_text(blob, 1 << 15)
    rows = [_split(line, 3) for line in head.splitlines()[:_SAMPLE] if line.strip() and not line.startswith("#")]
    if role == "run" or not rows or not all(len(row) == 3 and "," not in row[0] for row in rows[:-1] or rows):
        return 0.0
    return 0.6 if all(_number(row[2]) is not None for row in rows[:-1] or rows) else 0.0


# reading regular files


def _regular(blob: Blob, columns: Sequence[str], types: dict[str, pa.DataType]) -> pa.Table | None:
    """The columns named in `types`, or None where the file is not as regular as it must be for Arrow."""
    head = blob.head(1 << 16)
    lines = head.splitlines()[: None if len(head) < 1 << 16 else -1]
    separator = b"\t" if lines and b"\t" in lines[0] else b" "
    for line in lines:
        fields = line.split(separator)
        if len(fields) != len(columns) or not all(fields) or line.startswith(b"#") or fields != line.split():
            return None
    if not lines:
        return None
    source = pa.OSFile(str(blob.path)) if blob.path is not None else pa.BufferReader(blob.buffer)
    try:
        return csv.read_csv(
            source,
            csv.ReadOptions(column_names=list(columns), block_size=1 << 22),
            csv.ParseOptions(
                delimiter=separator.decode(), quote_char=False, double_quote=False, ignore_empty_lines=False
            ),
            csv.ConvertOptions(
                column_types=types, include_columns=list(types), null_values=[], strings_can_be_null=False
            ),
        )
    except pa.ArrowInvalid:
        return None  # read line by line: either that can be done, or the message then names the line


def _fixed(column: pa.ChunkedArray) -> Any:
    """A column of numbers as one numpy array."""
    return numbers_of(pa.concat_arrays(column.chunks)) if column.num_chunks else np.zeros(0)


def _grouped(column: pa.ChunkedArray) -> tuple[list[str], Ints, Ints | None]:
    """A dictionary-encoded column as groups: its values, where the rows of each start, and the row order to apply.

    The order is None where equal values stand together, as nearly always; it is found by their few changes then.
    """
    place: dict[str, int] = {}
    parts, changes, offset, last = [], [np.zeros(1, dtype=np.int64)], 0, -1
    for chunk in column.chunks:
        known = np.array(
            [place.setdefault(value, len(place)) for value in chunk.dictionary.to_pylist()], dtype=np.int32
        )
        codes = numbers_of(chunk.indices)
        if not len(codes):
            continue
        parts.append((known, codes))
        if known[codes[0]] != last and offset:
            changes.append(np.array([offset]))
        changes.append(np.flatnonzero(codes[1:] != codes[:-1]) + 1 + offset)
        offset, last = offset + len(codes), known[codes[-1]]
    if sum(map(len, changes)) == len(place):
        return list(place), np.append(np.concatenate(changes), offset), None
    code = np.concatenate([known[codes] for known, codes in parts]) if parts else np.zeros(0, dtype=np.int32)
    starts = np.concatenate([[0], np.cumsum(np.bincount(code, minlength=len(place)))])
    few = len(place) < 1 << 16  # 16 bits are sorted by counting
    return list(place), starts, np.argsort(code.astype(np.uint16) if few else code, kind="stable")


def _regular_run(blob: Blob) -> Run | None:
    """The run of a regular file, without a copy of anything that need not be copied."""
    types = {"query": pa.dictionary(pa.int32(), pa.string()), "doc": pa.string(), "score": pa.float64()}
    if len(blob) <= _ALL_RANKS:
        types["rank"] = pa.float64()
    table = _regular(blob, RUN_COLUMNS, types)
    if table is None:
        return None
    columns = dict(zip(table.column_names, table.columns))
    del table
    docs = text_column(columns.pop("doc"))  # joined first, its parts freed: their memory then takes the joined scores
    scores: Floats = _fixed(columns.pop("score"))
    names, starts, order = _grouped(columns.pop("query"))
    if not len(scores) or not np.isfinite(scores).all() or any(name.startswith("#") for name in names):
        return None
    ranks = _fixed(columns.pop("rank")) if "rank" in columns else None
    name = stem(blob.name)
    lines: Any = range(1, len(scores) + 1)
    if order is not None:
        docs, scores, lines = take(docs, order), scores[order], (order + 1).astype(np.int32)
        ranks = None if ranks is None else ranks[order]
    run = Run(name, _texts(names), starts, docs, scores, lines=lines)
    return replace(run, findings=_about_ranks(run, ranks, blob))


def _texts(values: list[str]) -> pa.Array:
    """Texts as a column, built from bytes: `pyarrow.array` would import pandas first."""
    encoded = [value.encode() for value in values]
    offsets = np.zeros(len(values) + 1, dtype=np.int32)
    np.cumsum([len(one) for one in encoded], out=offsets[1:])
    return pa.Array.from_buffers(
        pa.string(), len(values), [None, pa.py_buffer(offsets), pa.py_buffer(b"".join(encoded))]
    )


def _about_ranks(run: Run, ranks: Floats | None, blob: Blob) -> tuple[Finding, ...]:
    """What the rank column says that the scores do not; of a large file, what its first lines say."""
    assert run.scores is not None
    if ranks is None:
        rows = [fields for fields in map(str.split, head_text(blob).splitlines()[:-1]) if len(fields) == 6]
        head = _Columns(4)
        for number, fields in enumerate(rows, start=1):
            head.add(number, fields[0], fields[2], fields[4], fields[3])
        queries = np.array([fields[0] for fields in rows])
        scores, ranks = (np.array([_number(fields[at]) or 0.0 for fields in rows]) for at in (4, 3))
        same = queries[1:] == queries[:-1]
        return as_run(Rows(*head.columns()), run.name, blob.name).findings if _odd(same, scores, ranks) else ()
    same = np.ones(len(run), dtype=bool)
    same[run.starts[:-1][run.depths > 0]] = False
    if not _odd(same[1:], run.scores, ranks):
        return ()
    query = take(run.query_ids, np.repeat(np.arange(run.n_queries), run.depths))
    scores_text, ranks_text = (pa.array(column).cast(pa.string()) for column in (run.scores, ranks))
    return as_run(Rows(query, run.doc_ids, scores_text, ranks_text), run.name, blob.name).findings


def _odd(same: Any, scores: Floats, ranks: Floats) -> bool:
    """Whether ranks contradict scores anywhere, or are all the same. `same` says of each row but the first whether it
    stands in the query of the row before."""
    rising = same & (ranks[1:] > ranks[:-1]) & (scores[1:] > scores[:-1])
    return bool(rising.any() or (same.any() and np.all(ranks == ranks[0])))


# reading line by line


@dataclass(frozen=True)
class _Line:
    number: int
    fields: list[str]


def _lines(blob: Blob, n_fields: int) -> tuple[Iterator[_Line], tuple[Finding, ...]]:
    """The lines of any file that have fields, and what had to be said about its encoding."""
    text = decoded(blob)
    stream = io.TextIOWrapper(io.BytesIO(text.data), encoding="utf-8", newline=None)

    def each() -> Iterator[_Line]:
        for number, line in enumerate(stream, start=1):
            if line.startswith("#"):
                continue
            fields = _split(line, n_fields)
            if fields and any(fields):
                yield _Line(number, fields)

    return each(), text.findings


def _wrong(blob: Blob, line: _Line, n: int, fields: str, found: str = "") -> MalformedError:
    return MalformedError(
        blob.name,
        found or f"{len(line.fields)} fields found",
        line=line.number,
        expected=f"{n} ({fields})",
        todo=f"Mend this line: {' '.join(line.fields)[:80]!r}",
    )


class _Columns:
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


def _irregular_run(blob: Blob) -> Run:
    lines, said = _lines(blob, 6)
    columns = _Columns(4)  # query, doc, score, rank
    pick: Callable[[_Line], Sequence[str]] | None = None
    without_q0 = 0
    for line in lines:
        if pick is None:
            no_q0 = _is_row_without_q0(line.fields) and not _is_row_without_tag(line.fields)
            pick = _five_fields(blob) if no_q0 else _six_fields(blob)
            without_q0 = line.number if no_q0 else 0
        columns.add(line.number, *pick(line))
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
        said += (Finding("no-q0-column", "warning", message, blob.name, run.name, len(columns.lines), (without_q0,)),)
    return replace(run, findings=tuple(one.of_run(run.name) for one in said) + run.findings)


def _six_fields(blob: Blob) -> Callable[[_Line], Sequence[str]]:
    """Query, document, score and rank of `query Q0 doc rank score tag`; the tag may be several words, or missing."""

    def pick(line: _Line) -> Sequence[str]:
        fields = line.fields
        shifted = len(fields) > 6 and _number(fields[5]) is not None
        if (len(fields) < 6 and not _is_row_without_tag(fields)) or shifted:
            raise _wrong(blob, line, 6, RUN_FIELDS)
        if _number(fields[4]) is None and _number(fields[4].replace(",", ".")) is None:
            raise _wrong(blob, line, 6, RUN_FIELDS, f"the score {fields[4][:40]!r} is no number")
        return fields[0], fields[2], fields[4], fields[3]

    return pick


def _five_fields(blob: Blob) -> Callable[[_Line], Sequence[str]]:
    """The same of `query doc rank score tag`."""

    def pick(line: _Line) -> Sequence[str]:
        if len(line.fields) != 5:
            raise _wrong(blob, line, 5, "query doc rank score tag, as on the first line")
        query, doc, rank, score, _ = line.fields
        if _number(score) is None:
            raise _wrong(blob, line, 5, "query doc rank score tag", f"the score {score[:40]!r} is no number")
        return query, doc, score, rank

    return pick


def _no_rows(blob: Blob) -> EmptyFileError:
    return EmptyFileError(blob.name, "the file has no rows", todo="Check that the right file was exported")


def _read_run(blob: Blob, role: Role) -> Reading:
    if role == "dataset":
        raise WrongRoleError(
            blob.name,
            f"a run ({RUN_FIELDS}), not judgments",
            expected=f"judgments, such as {QRELS_FIELDS}",
            todo="Load this file as a run",
        )
    run = _regular_run(blob) or _irregular_run(blob)
    run = replace(run, source=Source(blob.name, RUN.key, n_bytes=len(blob)))
    return Reading(RUN.title, runs=(run,), findings=run.findings)


def _read_qrels(blob: Blob, role: Role) -> Reading:
    return _judgments(blob, role, QRELS, QRELS_COLUMNS)


def _read_qrels3(blob: Blob, role: Role) -> Reading:
    return _judgments(blob, role, QRELS3, ("query", "doc", "grade"))


def _judgments(blob: Blob, role: Role, format: Format, names: Sequence[str]) -> Reading:
    if role == "run":
        raise WrongRoleError(
            blob.name,
            f"judgments ({len(names)} fields: {' '.join(names)}), no results",
            expected=f"a run, such as {RUN_FIELDS}",
            todo="Load this file with the dataset",
        )
    table = _regular(blob, names, {"query": pa.string(), "doc": pa.string(), "grade": pa.float64()})
    said: tuple[Finding, ...] = ()
    lines: Any
    if table is not None and len(table):
        query, doc, grade = text_column(table["query"]), text_column(table["doc"]), _fixed(table["grade"])
        lines = np.arange(1, len(grade) + 1, dtype=np.int32)
    if table is None or not len(table) or not np.isfinite(grade).all():
        (query, doc, grade, lines), said = _irregular_judgments(blob, names)
    qrels, settled = settle(query, doc, grade, lines, blob.name)
    return Reading(format.title, qrels=qrels, findings=said + settled)


def _irregular_judgments(blob: Blob, names: Sequence[str]) -> tuple[tuple[Any, Any, Any, Any], tuple[Finding, ...]]:
    n = len(names)
    columns, grades = _Columns(2), []
    each, said = _lines(blob, n)
    for line in each:
        fields = line.fields
        if len(fields) > n:  # what follows a blank and # is a comment; # inside an id is part of it
            comment = next((at for at, field in enumerate(fields) if field.startswith("#")), len(fields))
            fields = fields[:comment]
        if len(fields) != n:
            raise _wrong(blob, line, n, " ".join(names))
        grade = _number(fields[-1])
        if grade is None or not math.isfinite(grade):
            raise _wrong(blob, line, n, " ".join(names), f"the grade {fields[-1][:40]!r} is no number")
        columns.add(line.number, fields[0], fields[-2])
        grades.append(grade)
    if not grades:
        raise _no_rows(blob)
    query, doc = columns.columns()
    return (query, doc, np.asarray(grades), np.asarray(columns.lines, dtype=np.int32)), said


RUN = Format(
    key="trec-run",
    title="TREC run",
    roles=("run",),
    sample="q1 Q0 doc_7 1 12.5 bm25\nq1 Q0 doc_2 2 11.9 bm25\nq2 Q0 doc_4 1 9.3 bm25",
    recognise=_is_run,
    read=_read_run,
    suffixes=(".trec", ".run", ".txt", ".res"),
)

QRELS = Format(
    key="trec-qrels",
    title="TREC qrels",
    roles=("dataset",),
    sample="q1 0 doc_7 2\nq1 0 doc_2 0\nq2 0 doc_4 1",
    recognise=_is_qrels,
    read=_read_qrels,
    suffixes=(".qrels", ".qrel", ".txt"),
)

QRELS3 = Format(
    key="qrels-3-columns",
    title="Judgments in three columns without a header",
    roles=("dataset",),
    sample="q1 doc_7 2\nq1 doc_2 0\nq2 doc_4 1",
    recognise=_is_qrels3,
    read=_read_qrels3,
    suffixes=(".tsv", ".txt", ".qrels"),
)
