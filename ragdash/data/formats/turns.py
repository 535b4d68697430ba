"""Conversations as TREC CAsT writes them: topics with turns, a query each."""

from __future__ import annotations

from ragdash.data.formats.base import Blob, Format, Reading, Role
from ragdash.data.formats.hits import text_of
from ragdash.data.formats.json_records import begin, checked_role
from ragdash.data.formats.jsontext import peek


def _is_turns(blob: Blob, role: Role) -> float:
    first = next(iter(peek(blob).records), {})
    return 0.95 if isinstance(first.get("turn"), list) and "number" in first else 0.0


def _read_turns(blob: Blob, role: Role) -> Reading:
    topics, pile, _ = begin(blob)
    for topic in topics if isinstance(topics, list) else [topics]:
        number = text_of(topic.get("number"))
        for turn in topic.get("turn") or ():
            text = next((text_of(turn[key]) for key in _UTTERANCES if text_of(turn.get(key))), None)
            pile.query(f"{number}_{text_of(turn.get('number'))}", text, {"topic": str(number)})
    return checked_role(pile.reading("topics with turns"), role, blob.name)


_UTTERANCES = ("manual_rewritten_utterance", "utterance", "raw_utterance", "automatic_rewritten_utterance", "query")


TURNS = Format(
    "topics-json", "topics with turns (TREC CAsT)", ("dataset",),
    '[{"number": 106, "turn": [\n  {"number": 1, "raw_utterance": "What is ...?"}]}]',
    _is_turns, _read_turns, (".json",),
)  # fmt: skip
