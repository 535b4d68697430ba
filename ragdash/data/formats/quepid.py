"""Quepid: a case with its ratings, and a snapshot of results. Queries are known by their text."""

from __future__ import annotations

from ragdash.data.formats.base import Blob, Format, Reading, Role
from ragdash.data.formats.hits import identify, text_of
from ragdash.data.formats.json_records import begin, checked_role, export_again
from ragdash.data.formats.jsontext import object_keys
from ragdash.data.formats.records import RecordReader


def _is_quepid_case(blob: Blob, role: Role) -> float:
    queries = object_keys(blob).get("queries")
    first = queries[0] if isinstance(queries, list) and queries else None
    return 0.95 if isinstance(first, dict) and "query_text" in first and "docs" not in object_keys(blob) else 0.0


def _read_quepid_case(blob: Blob, role: Role) -> Reading:
    top, pile, name = begin(blob)
    reader = RecordReader(pile, name)
    for query in top["queries"]:
        text = text_of(query.get("query_text")) if isinstance(query, dict) else None
        if text is None:
            raise export_again(blob, "a query without query_text", '{"query_text": "...", "ratings": [...]}')
        extras = {
            key: query[key] for key in ("information_need", "notes") if isinstance(query.get(key), str) and query[key]
        }
        pile.query(text, text, extras)
        reader.relevant(text, query.get("ratings") or [], None, 0)
    return checked_role(pile.reading("Quepid case"), role, blob.name)


def _is_quepid_snapshot(blob: Blob, role: Role) -> float:
    top = object_keys(blob)
    docs = top.get("docs")
    if not isinstance(docs, dict) or not docs:
        return 0.0
    first = next(iter(docs.values()))
    hit = first[0] if isinstance(first, list) and first else {}
    return 0.95 if isinstance(hit, dict) and {"explain", "fields", "rated_only"} & set(hit) else 0.0


def _read_quepid_snapshot(blob: Blob, role: Role) -> Reading:
    top, pile, name = begin(blob)
    texts = {
        text_of(one.get("query_id")): text_of(one.get("query_text"))
        for one in top.get("queries") or ()
        if isinstance(one, dict)
    }
    results = pile.results(name)
    for query_id, hits in top["docs"].items():
        text = texts.get(query_id) or query_id
        pile.query(text, text)
        results.answer(text, 0)
        shown = [identify(hit) for hit in hits or () if isinstance(hit, dict) and hit.get("rated_only") is not True]
        for hit in shown:
            if hit.doc_id is not None:
                pile.hit(results, text, hit.doc_id, None, None, 0)
                pile.document(hit.doc_id, hit.title, hit.text)
        if not shown:
            results.empty.append(text)
    return checked_role(pile.reading("Quepid snapshot"), role, blob.name)


QUEPID_CASE = Format(
    "quepid-case", "Quepid case (ratings)", ("dataset",),
    '{"case_name": "shop", "queries": [\n  {"query_text": "projector", "ratings": [{"doc_id": "7", "rating": 3}]}]}',
    _is_quepid_case, _read_quepid_case, (".json",),
)  # fmt: skip
QUEPID_SNAPSHOT = Format(
    "quepid-snapshot", "Quepid snapshot", ("run",),
    '{"name": "vector", "docs": {"11": [{"id": "7", "explain": {}, "rated_only": false}]},\n'
    ' "queries": [{"query_id": 11, "query_text": "projector"}]}',
    _is_quepid_snapshot, _read_quepid_snapshot, (".json",),
)  # fmt: skip
