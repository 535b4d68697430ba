"""One JSON object that holds everything: `queries`, `qrels` and `corpus`, or a run, each as a list or by id."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ragdash.data.findings import Finding
from ragdash.data.formats import json_maps, json_records, json_tables, words
from ragdash.data.formats.base import Blob, Format, Reading, Role
from ragdash.data.formats.hits import identify, text_of
from ragdash.data.formats.json_maps import shape_of
from ragdash.data.formats.json_nested import lists_inside
from ragdash.data.formats.json_records import checked_role, is_flat, is_record
from ragdash.data.formats.jsontext import object_keys, parts
from ragdash.data.formats.merging import as_documents, merged
from ragdash.data.formats.words import listed, plain
from ragdash.data.nouns import Documents, Queries
from ragdash.errors import EmptyFileError, UnknownFormatError, WrongRoleError

_QUERIES = listed("queries questions topics query question")
_DOCUMENTS = listed("corpus documents docs passages collection chunks")
_JUDGED = words.RELEVANT + words.GRADED + listed("ground_truth ground_truths")
_RUNS = words.RETRIEVED + listed("run runs rankings scores system systems")
_ROWS = listed("data rows records items examples samples test_cases")
_NAMES = frozenset((*_QUERIES, *_DOCUMENTS, *_JUDGED, *_RUNS, *_ROWS))
_READERS = (json_records.RECORDS, json_maps.MAPS, json_tables.TABLES)


def _is_part(key: str, value: Any, role: Role) -> bool:
    """Whether a member has a telling name, and content that can be read under it."""
    name = plain(key)
    if name not in _NAMES or not value:
        return False
    if isinstance(value, list):
        first = next((one for one in value if isinstance(one, dict)), None)
        return first is not None and (is_record(first) or is_flat(first, role))
    if not isinstance(value, dict):
        return False
    few = list(value.values())[:20]
    return name in (*_QUERIES, *_DOCUMENTS) or all(map(shape_of, few)) or all(isinstance(one, list) for one in few)


def _recognise(blob: Blob, role: Role) -> float:
    """An object with a member of a telling name, unless its one list of records is all that there is."""
    top = object_keys(blob)
    named = [key for key, value in top.items() if _is_part(key, value, role)]
    if not named or len(named) > 12 or is_record(top):
        return 0.0
    records = [path for path, found in lists_inside(top) if is_record(found[0])]
    return 0.0 if records == named else 0.75


def _read(blob: Blob, role: Role) -> Reading:
    read: list[tuple[str, Reading]] = []
    other: list[str] = []
    for key, value, part in parts(blob):
        reading = _part(key, value, part, role) if _is_part(key, value, role) else None
        if reading is None:
            other.append(key)
        else:
            read.append((key, reading))
    if not read:
        raise UnknownFormatError(
            blob.name,
            f"none of its parts is known (keys {', '.join(other[:10])})",
            expected='{"queries": ..., "qrels": ...} with a list of objects or an object by query each'
            if role == "dataset"
            else '{"run": {"q1": {"doc_7": 0.93}}}',
        )
    said = [finding for _, reading in read for finding in reading.findings]
    message = f"{blob.name}: read {', '.join(key for key, _ in read)}"
    message += f"; not read: {', '.join(other[:10])}." if other else "."
    said.insert(0, Finding("nested-json", "info", message, file=blob.name, count=len(read)))
    runs = [
        run if len(read) == 1 or len(reading.runs) > 1 or plain(key) in _RUNS else run.named(key)
        for key, reading in read
        for run in reading.runs
    ]
    whole = merged(PARTS.title, blob.name, [reading for _, reading in read], tuple(runs), tuple(dict.fromkeys(said)))
    return checked_role(whole, role, blob.name)


def _part(key: str, value: Any, part: Blob, role: Role) -> Reading | None:
    """One member as nouns; None where it is something else, such as settings."""
    name = plain(key)
    if name in (*_QUERIES, *_DOCUMENTS) and isinstance(value, dict):
        return _by_id(value, name in _DOCUMENTS)
    sure, best = max(((one.recognise(part, role), one) for one in _READERS), key=lambda pair: pair[0])
    if sure < 0.5 or (role == "run" and name in (*_DOCUMENTS, *_JUDGED)):
        return None
    try:
        reading = best.read(part, role)
    except (EmptyFileError, UnknownFormatError, WrongRoleError):
        return None
    return as_documents(reading) if name in _DOCUMENTS else reading


def _by_id(value: dict[str, Any], documents: bool) -> Reading | None:
    """Texts by id, or objects with a text by id."""
    hits = [identify({"id": one, **text}) if isinstance(text, dict) else None for one, text in value.items()]
    texts = [text_of(text) if hit is None else hit.text for hit, text in zip(hits, value.values())]
    if documents:
        titles = [None if hit is None else hit.title for hit in hits]
        return Reading(PARTS.title, documents=Documents.of(list(value), texts, titles))
    texts = [_asked(text, shown) for text, shown in zip(value.values(), texts)]
    return Reading(PARTS.title, queries=Queries.of(list(value), texts)) if any(texts) else None


def _asked(value: Any, shown: str | None) -> str | None:
    """The text of a query: the value itself, or what an object says under a name for it."""
    if not isinstance(value, dict):
        return shown
    keys: Sequence[str] = words.find_all(value, words.QUERY_TEXT + words.TEXT + words.TITLE)
    return next((text_of(value[key]) for key in keys if text_of(value[key])), None)


PARTS = Format(
    "json-parts", "JSON object with queries, qrels and corpus, or a run inside", ("dataset", "run"),
    '{"queries": [{"query_id": "q1", "text": "How do I reset it?"}],\n'
    ' "qrels": [{"query_id": "q1", "doc_id": "doc_7", "relevance": 2}],\n'
    ' "corpus": [{"doc_id": "doc_7", "title": "Password", "text": "Open ..."}]}',
    _recognise, _read, (".json",),
)  # fmt: skip
