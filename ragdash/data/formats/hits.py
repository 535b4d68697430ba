"""What does one object in a list of documents say? Its id, score, rank, grade and text, under any common name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any

from ragdash.data.formats import words
from ragdash.data.formats.words import find, find_all

INSIDE = words.listed("node document doc kwargs metadata payload fields source entity item chunk passage result obj")


def is_scalar(value: Any) -> bool:
    return isinstance(value, (str, bool)) and value != ""


def text_of(value: Any) -> str | None:
    """A scalar as the text of an id; None where there is none."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str) else None


@dataclass(frozen=True)
class Hit:
    """What an object in a list of documents says."""

    doc_id: str | None = None
    score: str | None = None
    score_name: str = ""
    rank: str | None = None
    grade: str | None = None
    title: str | None = None
    text: str | None = None
    query_id: str | None = None
    parent: str | None = None
    begin: int | None = None
    end: int | None = None


@lru_cache(maxsize=1024)
def hit_keys(keys: tuple[str, ...]) -> dict[str, list[str]]:
    """The keys of a hit that may hold each role, most telling first; made once per set of keys."""
    begin, end = find(keys, words.BEGIN), find(keys, words.END)
    ids = find_all(keys, words.DOC_ID) + find_all([key for key in keys if key != "key"], words.ID)
    if begin and end and not find(keys, words.CHUNK_ID) and find(keys, words.ID):
        ids.sort(key=lambda key: words.plain(key) not in words.ID)  # of a chunk with a place `doc_id` is the document
    return {
        "doc_id": ids,
        "parent": parent_keys(keys, ids[0] if ids else None),
        "place": [begin, end] if begin and end else [],
        "score": find_all(keys, words.SCORE)[:1]
        or [key for key in keys if words.is_distance(key)][:1]
        or [key for key in keys if words.is_score(key)][:1],
        "rank": find_all(keys, words.RANK),
        "grade": find_all(keys, words.GRADE)[:1],
        "title": find_all(keys, words.TITLE),
        "text": find_all(keys, words.TEXT),
        "query_id": find_all(keys, ("qid", "query_id")),
        "inside": find_all(keys, INSIDE),
    }


def parent_keys(keys: Iterable[str], own: str | None) -> list[str]:
    """The keys that may name the document from which a chunk is cut; `own` is the key of the chunk's id."""
    rest = [key for key in keys if key != own]
    if own is not None and words.plain(own) not in words.CHUNK_ID + words.ID:
        return [key for key in find_all(rest, words.PARENT) if words.plain(key).startswith(("parent", "ref_doc"))]
    return find_all(rest, words.PARENT + words.PARENT_PERHAPS)


def place_of(record: Mapping[str, Any], keys: Sequence[str]) -> tuple[int | None, int | None]:
    """The characters `begin` and `end` that two keys give; None where they are no range of whole numbers."""
    texts = [text_of(record[key]) or "" for key in keys]
    if len(texts) != 2 or not all(text.isdecimal() and len(text) < 16 for text in texts):
        return None, None
    begin, end = map(int, texts)
    return (begin, end) if begin < end else (None, None)


def identify(hit: Mapping[str, Any], depth: int = 0) -> Hit:
    """The id, score, rank, grade and text of a document in a list, also one or two objects deep."""
    keys = hit_keys(tuple(hit))
    doc_key = _first_scalar(hit, keys["doc_id"])
    score_key, grade_key = next(iter(keys["score"]), None), next(iter(keys["grade"]), None)
    found = Hit(
        doc_id=text_of(hit[doc_key]) if doc_key else None,
        score=number_text(hit, score_key),
        score_name=score_key or "",
        rank=_scalar_text(hit, keys["rank"]),
        grade=number_text(hit, grade_key),
        title=_scalar_text(hit, keys["title"], doc_key),
        text=_scalar_text(hit, keys["text"], doc_key),
        query_id=_scalar_text(hit, keys["query_id"]),
        parent=_short(_scalar_text(hit, keys["parent"], doc_key)),
    )
    begin, end = place_of(hit, keys["place"])
    if begin is not None:
        found = replace(found, begin=begin, end=end)
    if depth < 2:
        for name in keys["inside"]:
            if isinstance(hit[name], dict):
                inner = identify(hit[name], depth + 1)
                if found.doc_id and inner.parent is None and inner.doc_id != found.doc_id:
                    inner = replace(inner, parent=_short(inner.doc_id))
                pairs = zip(_fields(found), _fields(inner))
                found = Hit(*(one if one not in (None, "") else other for one, other in pairs))
    return found


def _short(text: str | None) -> str | None:
    """What may be an id: a text of several lines is none."""
    return None if text is None or len(text) > 300 or "\n" in text else text


def describes_hit(value: Any) -> bool:
    """Whether an object says of a document, which is the key it stands under, how good it is: `{"score": 0.9}`."""
    if not isinstance(value, dict) or not value:
        return False
    known = [words.plain(key) in _TOLD for key in value]
    return any(known) and all(isinstance(one, (str, bool)) or one is None for one in value.values())


_TOLD = frozenset(words.SCORE + words.GRADE + words.DISTANCE + words.RANK)


def identified(hit: Mapping[str, Any]) -> Hit:
    """What a hit says; its source is its id where it has none."""
    found = identify(hit)
    return found if found.doc_id is not None else replace(found, doc_id=source_of(hit))


def source_of(hit: Mapping[str, Any]) -> str | None:
    """Where a hit without an id comes from: LangChain's documents have `metadata.source` and nothing else."""
    for where in (hit, *(hit[name] for name in hit_keys(tuple(hit))["inside"])):
        name = first_of(where, words.SOURCE) if isinstance(where, dict) else None
        if name is not None and len(name) <= 300 and "\n" not in name:
            return name
    return None


def _first_scalar(record: Mapping[str, Any], keys: Sequence[str]) -> str | None:
    return next((key for key in keys if is_scalar(record[key])), None)


def _scalar_text(record: Mapping[str, Any], keys: Sequence[str], but: str | None = None) -> str | None:
    key = next((key for key in keys if key != but and is_scalar(record[key])), None)
    return None if key is None else text_of(record[key])


_FIELDS = fields(Hit)


def _fields(hit: Hit) -> tuple[Any, ...]:
    return tuple(getattr(hit, one.name) for one in _FIELDS)


def number_text(record: Mapping[str, Any], key: str | None) -> str | None:
    """A number as text; a value that is there but null is "", which counts as no number."""
    if key is None:
        return None
    value = record[key]
    return "" if value is None else text_of(value)


def first_of(record: Mapping[str, Any], names: Sequence[str]) -> str | None:
    key = find([key for key, value in record.items() if is_scalar(value)], names)
    return text_of(record[key]) if key else None


def common_query(hits: Iterable[Any]) -> str | None:
    """The query id that every hit of a list carries, where they agree."""
    ids = {identify(hit).query_id for hit in hits if isinstance(hit, dict)}
    return ids.pop() if len(ids) == 1 else None
