"""Where people, or people and files, grade a document differently: which grade counts, and was anybody asked?

Nobody's word is overwritten: every grade stays where it was said. Until somebody decides, the file's grade counts, and
among people the newest. A decision holds until somebody says something else afterwards.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ragdash.store.remarks import Judgment, Pair

PREFIX = "judged:"


@dataclass(frozen=True)
class Decision:
    """`grade` counts for a pair, over everything that was said up to the judgment `upto`."""

    grade: float
    upto: int


@dataclass(frozen=True)
class Ruling:
    """What counts for one pair. `said` are the grades of people, oldest first; `in_file` is that of the files.

    `disputed`: there is more than one grade; `is_open`: and nobody has decided.
    """

    grade: float
    said: tuple[Judgment, ...]
    in_file: float | None
    disputed: bool
    is_open: bool

    @property
    def newest(self) -> Judgment:
        return self.said[-1]


def rulings(
    judgments: Iterable[Judgment], in_file: Mapping[Pair, float], decisions: Mapping[Pair, Decision]
) -> dict[Pair, Ruling]:
    """One ruling for each pair that somebody graded, in the order in which they were judged first.

    `judgments` are the last words of each author (`Store.judgments`); `in_file` the grades of the files, of any pairs.
    """
    said: dict[Pair, list[Judgment]] = {}
    for row in sorted(judgments, key=lambda one: one.number):
        if row.grade is not None:
            said.setdefault((row.query_id, row.doc_id), []).append(row)
    return {pair: _ruling(tuple(rows), in_file.get(pair), decisions.get(pair)) for pair, rows in said.items()}


def _ruling(said: tuple[Judgment, ...], in_file: float | None, decision: Decision | None) -> Ruling:
    grades = {float(row.grade) for row in said if row.grade is not None}
    grades |= set() if in_file is None else {in_file}
    if len(grades) == 1:
        return Ruling(grades.pop(), said, in_file, False, False)
    if decision is not None and decision.grade in grades and _holds(decision, said):
        return Ruling(decision.grade, said, in_file, True, False)
    newest = said[-1].grade
    assert newest is not None
    return Ruling(newest if in_file is None else in_file, said, in_file, True, True)


def _holds(decision: Decision, said: tuple[Judgment, ...]) -> bool:
    """Whether nobody has said another grade since."""
    return all(row.number <= decision.upto or row.grade == decision.grade for row in said)


def added(found: Mapping[Pair, Ruling]) -> dict[Pair, float]:
    """The grades that count and are not what the files say anyway."""
    return {pair: one.grade for pair, one in found.items() if one.grade != one.in_file}


def choice(pair: Pair, decision: Decision) -> tuple[str, dict[str, Any]]:
    """A decision as a choice that `Store.choose` keeps."""
    key = hashlib.sha256("\0".join(pair).encode("utf-8", "surrogatepass")).hexdigest()[:24]
    value = {"query_id": pair[0], "doc_id": pair[1], "grade": decision.grade, "upto": decision.upto}
    return f"{PREFIX}{key}", value


def decisions_of(choices: Mapping[str, Any]) -> dict[Pair, Decision]:
    """The decisions among the choices of a workspace; what is none of ours is passed over."""
    out = {}
    for key, value in choices.items():
        if not key.startswith(PREFIX) or not isinstance(value, dict):
            continue
        query, doc, grade, upto = (value.get(one) for one in ("query_id", "doc_id", "grade", "upto"))
        if not isinstance(query, str) or not isinstance(doc, str) or not isinstance(upto, int):
            continue
        if isinstance(grade, int | float) and math.isfinite(grade):
            out[query, doc] = Decision(float(grade), upto)
    return out
