"""JSON lists and JSON Lines: one object a query, a result, a judgment, a query text or a document."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from ragdash.data.formats import words
from ragdash.data.formats.base import Blob, Format, Reading, Role
from ragdash.data.formats.gathering import Pile, stem
from ragdash.data.formats.hits import common_query, is_scalar, text_of
from ragdash.data.formats.jsontext import Kind, Number, opened, peek, records, whole
from ragdash.data.formats.plan import plan
from ragdash.data.formats.records import RecordReader
from ragdash.data.formats.sheet import Sheet
from ragdash.data.formats.tables import understand
from ragdash.data.formats.words import find
from ragdash.data.limits import limit
from ragdash.errors import EmptyFileError, LimitError, MalformedError, UnknownFormatError, WrongRoleError

_IDS = words.QUERY_ID + words.DOC_ID + words.ID
_OF_JUDGMENTS = ("guessed-field", "grade-in-words", "blank-grade")


def is_record(record: dict[str, Any]) -> bool:
    known = plan(record)
    has_query = known.query_id is not None or known.query_text is not None
    hits = record[known.retrieved] if known.retrieved else None
    return known.tells and (has_query or (isinstance(hits, list) and common_query(hits) is not None))


def is_flat(record: dict[str, Any], role: Role) -> bool:
    scalars = [key for key, value in record.items() if is_scalar(value) or value is None]
    if find(scalars, words.DOC_ID) or find(scalars, words.QUERY_ID):
        return True
    has_id, has_text = find(scalars, words.ID), find(scalars, words.TEXT + words.TITLE + words.QUERY_TEXT)
    return bool((has_id and has_text) or find(scalars, words.QUERY_TEXT))


def recognise(blob: Blob, role: Role) -> float:
    """A list of objects or JSON Lines whose first objects speak of queries or documents."""
    seen = peek(blob)
    if seen.kind == "":
        return 0.0
    first = seen.records[:5]
    if not first:
        return 0.3 if seen.kind == "list" and not seen.sample else 0.0
    if any(is_record(record) for record in first):
        return 0.7 if seen.kind == "object" else 0.9
    if seen.kind == "object":
        return 0.3 if is_flat(first[0], role) else 0.0
    return 0.8 if any(is_flat(record, role) for record in first) else 0.2


def read(blob: Blob, role: Role) -> Reading:
    """All objects; those with lists are read one by one, flat ones as a table."""
    seen = peek(blob)
    text = opened(blob)
    values = _objects(records(text, blob.name, seen.kind), blob.name)
    title = "JSON Lines" if seen.kind == "lines" else "JSON list" if seen.kind == "list" else "JSON object"
    pile = Pile(blob.name, findings=list(text.findings))
    reader = RecordReader(pile, stem(blob.name))
    flat: list[dict[str, Any]] = []
    flat_lines: list[int] = []
    usual = next((one for one in seen.records[:5] if is_record(one)), None)
    kinds: set[tuple[str, ...]] = set()
    n = 0
    for line, record in values:
        n += 1
        if not flat and reader.read(record, line):
            continue
        if not flat and (n > 1 or usual is not None):
            raise MalformedError(
                blob.name,
                f"{_lacking(record)} (keys {', '.join(list(record)[:8])})",
                line=line,
                expected=f"the keys of the first objects ({', '.join(list(usual or seen.records[0])[:8])})",
                todo="Mend or delete it",
            )
        if tuple(record) not in kinds and is_record(record):
            raise MalformedError(
                blob.name,
                f"a list of documents (keys {', '.join(list(record)[:8])})",
                line=line,
                expected=f"one row a document, as before (keys {', '.join(list(flat[0])[:8])})",
                todo="Keep the two kinds in a file each",
            )
        kinds.add(tuple(record))
        flat.append(record)
        flat_lines.append(line)
    if not n:
        raise EmptyFileError(blob.name, "an empty list", expected="at least one object", todo="Export it again")
    if flat:
        table = to_sheet(flat, flat_lines, blob.name)
        if role == "run" and find(table.names, words.DOC_ID) is None:
            refuse_lists(flat[0], flat_lines[0], blob.name)
        reading = understand(table, role, blob.name, title)
        return Reading(
            title, reading.qrels, reading.queries, reading.documents, reading.runs,
            (*text.findings, *reading.findings), reading.unsure, reading.evidence,
        )  # fmt: skip
    return checked_role(pile.reading(title), role, blob.name)


def _lacking(record: dict[str, Any]) -> str:
    known = plan(record)
    if known.relevant is None and known.retrieved is None:
        return "no relevant documents and no results"
    return "the query is empty" if find(record, words.QUERY_TEXT + words.QUERY_ID) else "no query"


def refuse_lists(record: dict[str, Any], line: int, file: str) -> None:
    """Raise where results are there, and yet none that could be read: without ids, or under names that say nothing."""
    held = {key: value for key, value in record.items() if isinstance(value, (list, dict)) and value}
    if not held:
        return
    key = next(iter(words.find_all(held, words.RETRIEVED)), None)
    expected = '{"query": "...", "retrieved": [{"id": "doc_1", "score": 0.9}]}'
    if key is None:
        raise UnknownFormatError(
            file,
            f"keys {', '.join(list(record)[:8])}, and none of {', '.join(list(held)[:5])} is known as the results",
            line=line,
            expected=expected,
            todo="Rename the key to retrieved; where each key is a run of its own, write a file a run",
        )
    first = held[key][0] if isinstance(held[key], list) else held[key]
    shown = f"keys {', '.join(list(first)[:8])}" if isinstance(first, dict) else f"the first is {str(first)[:40]!r}"
    raise MalformedError(
        file, f"the results under {key!r} have no ids ({shown})", line=line, expected=expected,
        todo="Export the ids with the results",
    )  # fmt: skip


def begin(blob: Blob) -> tuple[Any, Pile, str]:
    """A whole JSON file, an empty pile for what it says, and the name it gives."""
    text = opened(blob)
    return whole(text, blob.name), Pile(blob.name, findings=list(text.findings)), stem(blob.name)


def export_again(blob: Blob, found: str, expected: str) -> MalformedError:
    """The file of a tool that is not as the tool writes it."""
    return MalformedError(blob.name, found, expected=expected, todo="Export it again")


def checked_role(reading: Reading, role: Role, file: str) -> Reading:
    """The reading, if it has what the slot takes."""
    if role == "run" and not reading.runs:
        raise WrongRoleError(
            file,
            "queries with their relevant documents, but no results of a run",
            expected='results, such as {"query": "...", "retrieved": ["doc_1", ...]}',
            todo="Load this file as the dataset",
        )
    if role == "dataset" and reading.qrels is None and reading.runs and not (reading.documents or reading.evidence):
        raise WrongRoleError(
            file,
            "results of a run, but no relevant documents",
            expected='a dataset, such as {"query": "...", "relevant_docs": ["doc_1", ...]}',
            todo="Load this file as a run",
        )
    if role == "run":
        said = tuple(one for one in reading.findings if one.code not in _OF_JUDGMENTS)
        return replace(reading, findings=said)
    return reading


def _objects(values: Iterable[tuple[int, Any]], file: str) -> Iterable[tuple[int, dict[str, Any]]]:
    for line, value in values:
        if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
            yield from ((line, one) for one in value)
        elif isinstance(value, dict):
            yield line, value
        else:
            raise MalformedError(
                file,
                f"{str(value)[:60]!r} where an object should be",
                line=line,
                expected='an object such as {"query": ...}',
            )


def to_sheet(rows: list[dict[str, Any]], lines: list[int], file: str) -> Sheet:
    """Flat objects as a table; `metadata` is unfolded, lists and objects are left out."""
    columns: dict[str, list[str | None]] = {}
    numeric: dict[str, bool] = {}
    beside: set[str] = set()
    for place, row in enumerate(rows):
        items = list(row.items())
        for key, value in row.items():
            if words.plain(key) == "metadata" and isinstance(value, dict):
                items += [(name, one) for name, one in value.items() if name not in row]
                if find([name for name, one in row.items() if is_scalar(one)], _IDS):
                    beside.update(name for name in value if name not in row)
        for key, value in items:
            if value is not None and not isinstance(value, (str, bool)):
                continue
            column = columns.get(key)
            if column is None:
                if len(columns) >= limit("columns"):
                    raise LimitError(
                        file,
                        f"more than {limit('columns'):,} different keys",
                        line=lines[place],
                        expected="objects of one shape",
                    )
                column = columns[key] = []
                numeric[key] = True
            if len(column) <= place:
                column.extend([None] * (place - len(column)))
                column.append(text_of(value))
                if value is not None and not isinstance(value, Number):
                    numeric[key] = False
    for column in columns.values():
        column.extend([None] * (len(rows) - len(column)))
    arrays = tuple(pa.array(column, type=pa.string()) for column in columns.values())
    names = frozenset(name for name, is_number in numeric.items() if is_number)
    further = frozenset(beside) & frozenset(columns)
    return Sheet(tuple(columns), arrays, np.asarray(lines, dtype=np.int32), names, beside=further)


def sheet(blob: Blob, role: Role = "dataset") -> Sheet:
    """A list of flat objects as a table, for a person to say which column is which."""
    kind: Kind = peek(blob).kind
    rows, lines = [], []
    for line, value in _objects(records(opened(blob), blob.name, kind), blob.name):
        rows.append(value)
        lines.append(line)
    return to_sheet(rows, lines, blob.name)


RECORDS = Format(
    key="json",
    title="JSON list or JSON Lines",
    roles=("dataset", "run"),
    sample='[{"query": "How do I reset my password?", "relevant_docs": ["doc_7", "doc_2"]},\n'
    ' {"query": "Where is my invoice?", "relevant_docs": ["doc_9"]}]',
    recognise=recognise,
    read=read,
    suffixes=(".json", ".jsonl", ".ndjson"),
    table=sheet,
)
