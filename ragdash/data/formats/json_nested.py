"""A list of records one or two levels down in an object: OpenSearch judgments, answers of an API."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ragdash.data.findings import Finding
from ragdash.data.formats.base import Blob, Format, Reading, Role
from ragdash.data.formats.json_records import begin, checked_role, export_again, is_record
from ragdash.data.formats.jsontext import object_keys
from ragdash.data.formats.records import RecordReader
from ragdash.data.formats.words import plain


def lists_inside(value: Any, path: str = "", depth: int = 0) -> Iterator[tuple[str, list[Any]]]:
    """The lists of objects in an object, up to two levels down, by their path."""
    if depth > 2 or not isinstance(value, dict):
        return
    for key, inner in value.items():
        here = f"{path}.{key}" if path else key
        if isinstance(inner, list) and inner and isinstance(inner[0], dict):
            yield here, inner
        yield from lists_inside(inner, here, depth + 1)


def _is_nested(blob: Blob, role: Role) -> float:
    found = [path for path, listed in lists_inside(object_keys(blob)) if is_record(listed[0])]
    return 0.6 if len(found) == 1 else 0.0


def _read_nested(blob: Blob, role: Role) -> Reading:
    top, pile, name = begin(blob)
    path, listed = next((path, listed) for path, listed in lists_inside(top) if is_record(listed[0]))
    reader = RecordReader(pile, name)
    for record in listed:
        if not isinstance(record, dict) or not reader.read(record, 0):
            keys = ", ".join(record) if isinstance(record, dict) else str(record)[:40]
            raise export_again(
                blob, f"in {path}, an object without a query or documents (keys {keys})", f"keys {', '.join(listed[0])}"
            )
    if plain(path.rsplit(".", 1)[-1]) not in ("judgment_ratings", "queries", "data"):
        message = (
            f"{blob.name}: keys found: {', '.join(top)}; the {len(listed):,} objects under {path!r} "
            f"(keys {', '.join(listed[0])}) were read as queries."
        )
        pile.findings.append(Finding("nested-json", "warning", message, file=blob.name, count=len(listed)))
    return checked_role(pile.reading("nested JSON"), role, blob.name)


NESTED = Format(
    "json-nested", "JSON list inside an object (OpenSearch judgments, API answers)", ("dataset", "run"),
    '{"judgmentRatings": [\n  {"query": "towel", "ratings": [{"docId": "B07", "rating": "3.0"}]}]}',
    _is_nested, _read_nested, (".json",),
)  # fmt: skip
