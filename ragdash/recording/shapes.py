"""What did a retriever return? Documents in any usual shape, recognised by what they have; nothing is imported."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from ragdash.errors import OptionError

Scores = Literal["similarity", "distance", "ignore"]
Where = str | Callable[[Any], Any] | None
#: Where an id is looked for: on the object, in its metadata, in a dictionary; the first that is there counts.
IDS = ("doc_id", "id", "_id", "document_id", "docid", "chunk_id", "node_id", "id_", "source", "path", "url")
SCORES = ("score", "similarity", "relevance_score", "rerank_score", "distance", "_distance")
TEXTS = ("text", "page_content", "content", "body", "chunk")
TITLES = ("title", "heading")


@dataclass(frozen=True)
class Result:
    """One document of an answer, as it goes into the file."""

    id: str
    score: float | None = None
    text: str | None = None
    title: str | None = None

    def json(self) -> dict[str, Any]:
        fields = {"id": self.id, "score": self.score, "title": self.title, "text": self.text}
        return {key: value for key, value in fields.items() if value is not None}


def listed(found: Any, k: int, scores: Scores) -> list[Any]:
    """The first `k` documents of an answer; a generator is not asked for more.

    A dictionary is put in the order of its numbers: falling, rising where they are distances, as it is where they are
    to be ignored.
    """
    if isinstance(found, Mapping):
        if not all(_is_number(value) for value in found.values()):
            raise OptionError(f"a dictionary of ids and scores was expected; its keys are {list(found)[:5]}.")
        sign = {"similarity": -1, "distance": 1, "ignore": 0}[scores]
        found = sorted(found.items(), key=lambda pair: sign * pair[1])
    if found is None or isinstance(found, str | bytes) or not isinstance(found, Iterable):
        raise OptionError(f"a list of documents was expected; found {type(found).__name__} ({str(found)[:60]!r}).")
    return [one for _, one in zip(range(k), found)]


def result(one: Any, doc_id: Where, scores: Scores) -> Result:
    """A document in any of the known shapes, recognised by what it has."""
    score: Any = None
    if isinstance(one, tuple | list) and len(one) == 2 and (_is_number(one[1]) or one[1] is None):
        one, score = one
    elif not isinstance(one, str | bytes | int) and not isinstance(one, tuple | list):
        score = _found(one, SCORES)
    node = _part(one, "node") or one  # LlamaIndex wraps its nodes
    identity = _id_of(one, node, doc_id)
    if identity is None or identity == "":
        hint = "Say where it is with doc_id=, a name in its metadata or a function."
        raise OptionError(f"no id in {_shown(one)}. {hint}")
    value = None
    if score is not None and scores != "ignore":
        value = -float(score) if scores == "distance" else float(score)
        if not math.isfinite(value):
            raise OptionError(f"the score of document {identity} is {score}, no finite number.")
    if isinstance(node, str | bytes | int):
        return Result(str(identity), value)
    return Result(str(identity), value, _text(node, TEXTS), _text(node, TITLES))


def check(results: list[Result], scores: Scores) -> None:
    """Scores for all or for none, and falling: else the run's order would not be the retriever's."""
    given = [result.score for result in results if result.score is not None]
    if given and len(given) < len(results):
        raise OptionError(f"{len(given)} of {len(results)} documents have a score. Give all of them one, or none.")
    for rank, (before, after) in enumerate(pairwise(given), start=1):
        if after > before:
            raise OptionError(
                f"scores get better down the list (rank {rank}: {before:g}, rank {rank + 1}: {after:g}). Where less is "
                "better pass scores='distance'; where the order alone counts scores='ignore'."
            )


def _id_of(one: Any, node: Any, doc_id: Any) -> Any:
    if callable(doc_id):
        return doc_id(one)
    if isinstance(one, str | int):
        return one
    if isinstance(one, bytes):
        return one.decode()
    return _found(node, (doc_id,) if doc_id else IDS)


def _found(one: Any, names: Iterable[str]) -> Any:
    """The first of `names` that the object, the dictionary or its metadata has."""
    metadata = _part(one, "metadata") or {}
    for name in names:
        for value in (_part(one, name), metadata.get(name) if isinstance(metadata, Mapping) else None):
            if value is not None and value != "" and not callable(value):
                return value
    return None


def _part(one: Any, name: str) -> Any:
    return one.get(name) if isinstance(one, Mapping) else getattr(one, name, None)


def _text(node: Any, names: Iterable[str]) -> str | None:
    value = _found(node, names)
    if value is None and names is TEXTS and callable(read := getattr(node, "get_content", None)):
        value = read()
    return value if isinstance(value, str) else None


def _is_number(value: Any) -> bool:
    return not isinstance(value, bool | str | bytes) and hasattr(value, "__float__")


def _shown(one: Any) -> str:
    if isinstance(one, Mapping):
        return f"a dictionary with the keys {list(one)[:8]}"
    metadata = _part(one, "metadata")
    extra = f" with the metadata {list(metadata)[:8]}" if isinstance(metadata, Mapping) else ""
    return f"a {type(one).__name__}{extra}"
