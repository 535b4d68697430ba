"""What did people say? Notes on queries and judgments of documents: rows that are added and never overwritten.

Who changes a note adds a row that replaces another; two people who change the same note at once leave two notes. Who
judges again adds a row; the latest row of each author counts, and where authors differ both can be read.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

Pair = tuple[str, str]


@dataclass(frozen=True)
class Note:
    """A remark on one query (or on the whole, where `query_id` is ""). `number` names it within its workspace."""

    number: int
    query_id: str
    text: str
    tags: tuple[str, ...]
    author: str
    at: datetime
    replaces: int | None = None
    removed: bool = False


@dataclass(frozen=True)
class Judgment:
    """What somebody said of a document: a `grade`, or None for "cannot tell"; `withdrawn` takes back what they said."""

    number: int
    query_id: str
    doc_id: str
    grade: float | None
    author: str
    at: datetime
    withdrawn: bool = False


def standing(history: Iterable[Note]) -> tuple[Note, ...]:
    """The notes that stand: neither replaced nor removed."""
    rows = list(history)
    replaced = {row.replaces for row in rows}
    return tuple(row for row in rows if row.number not in replaced and not row.removed)


def latest(history: Iterable[Judgment]) -> tuple[Judgment, ...]:
    """The last word of each author on each pair; what was withdrawn is left out."""
    last = {(row.query_id, row.doc_id, row.author): row for row in sorted(history, key=lambda row: row.number)}
    return tuple(row for row in last.values() if not row.withdrawn)
