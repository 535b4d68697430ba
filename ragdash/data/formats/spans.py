"""What does a list of evidence say? Spans of documents, or words quoted from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ragdash.data.formats import words
from ragdash.data.formats.hits import hit_keys, is_scalar, place_of, text_of
from ragdash.data.formats.jsontext import Number
from ragdash.data.formats.words import find, find_all, plain

_AS_TEXTS = words.listed(
    "evidence evidences highlights excerpts quotes references supporting_evidence gold_evidence reference_contexts "
    "ground_truth_contexts gold_contexts relevant_excerpts relevant_highlights ground_truth_excerpts relevant_texts"
)


def lists_spans(value: Any) -> bool:
    """Whether every item has characters to begin and end at, and does not name a chunk: `{"start": 0, "end": 9}`."""
    if not isinstance(value, list) or not value or not all(isinstance(one, dict) for one in value):
        return False
    return all(_place(one) != (None, None) and not find(one, words.CHUNK_ID + words.SCORE) for one in value)


def lists_quotes(value: Any, key: str) -> bool:
    """Whether items are words of documents: texts of several words, or objects with one and no id of a chunk."""
    if not isinstance(value, list) or not value:
        return False
    if all(isinstance(one, dict) for one in value):
        return all(_quote(one) is not None and not find(one, words.CHUNK_ID + words.ID + words.SCORE) for one in value)
    if plain(key) not in _AS_TEXTS or not all(isinstance(one, str) and not isinstance(one, Number) for one in value):
        return False
    return sum(len(one.split()) > 2 for one in value) * 2 > len(value)


def spans_of(
    query_id: str, value: Any, document: str | None
) -> list[tuple[str, str | None, int | None, int | None, str | None]]:
    """The spans of a list: query, document (`document` where an item names none), begin, end, quote."""
    out: list[tuple[str, str | None, int | None, int | None, str | None]] = []
    for one in value or ():
        if isinstance(one, dict):
            begin, end = _place(one)
            name = find([key for key, held in one.items() if is_scalar(held)], words.PARENT + words.PARENT_PERHAPS)
            quote = _quote(one, name)
            if begin is not None or quote is not None:
                out.append((query_id, text_of(one[name]) if name else document, begin, end, quote))
        elif isinstance(one, str) and one.strip():
            out.append((query_id, document, None, None, str(one)))
    return out


def _place(item: Mapping[str, Any]) -> tuple[int | None, int | None]:
    return place_of(item, hit_keys(tuple(item))["place"])


def _quote(item: Mapping[str, Any], but: str | None = None) -> str | None:
    """The words that an item quotes; `but` is the key that names its document."""
    keys = [key for key in find_all(item, words.QUOTE) if key != but]
    return next((str(item[key]) for key in keys if isinstance(item[key], str) and item[key].strip()), None)
