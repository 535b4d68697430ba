"""Which judgments were made here, which of them count, and are they switched on? The same answer for every page.

They are kept with the workspace. The sample is never changed: what is judged there is kept for this tab alone.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import streamlit as st

from ragdash import escape
from ragdash.analysis.judged import Pair, grades_in
from ragdash.data.experiment import Experiment
from ragdash.report.judgments import Said
from ragdash.store import Access, Decision, Judgment, Ruling, added, choice, decisions_of, rulings
from ragdash.store.remarks import latest
from ragdash.ui import cached, session, signin, tab
from ragdash.ui.shelf import Workspace, shelf

#: Under this key the URL says that judgments made here do not count.
SWITCH, OFF = "judged", "off"


@dataclass(frozen=True)
class Kept:
    """What was said in a workspace: the last word of each author on each document, and what was decided."""

    judgments: tuple[Judgment, ...] = ()
    decisions: Mapping[Pair, Decision] = field(default_factory=dict)


def kept() -> Kept:
    """What was said in the workspace that is shown, or in this tab."""
    access = session.access()
    if access is None:
        history, decisions = tab.said(session.get("source"))
        return Kept(latest(history), decisions)
    return _kept((access.workspace_id, access.private, shelf().store.changes(access)), access)


@st.cache_resource(max_entries=32, show_spinner=False)
def _kept(key: tuple[Any, ...], _access: Access) -> Kept:
    """Read once after each change: a workspace counts its changes."""
    store = shelf().store
    return Kept(store.judgments(_access), decisions_of(store.choices(_access)))


def on() -> bool:
    """Whether judgments made here count: yes, unless the link says otherwise."""
    said = session.get(SWITCH)
    if said not in ("", OFF):
        session.notice(
            f"The link asks for **judged = {escape.markdown(escape.shortened(said, 60))}**, which is not possible here "
            f"(expected: “{OFF}”, or nothing). Used instead: **judgments made here count**."
        )
        session.put(**{SWITCH: None})
        return True
    return said != OFF


def switch(count: bool) -> None:
    """Let the judgments made here count, or not."""
    session.put(**{SWITCH: None if count else OFF})


def ruled(experiment: Experiment) -> dict[Pair, Ruling]:
    """What counts for each document that was graded here. `experiment` may be the one with or without them."""
    said = kept()
    if not said.judgments:
        return {}
    pairs = [(one.query_id, one.doc_id) for one in said.judgments]
    return rulings(said.judgments, grades_in(cached.without_judgments(experiment), pairs), said.decisions)


def rows(experiment: Experiment) -> list[Said]:
    """The judgments made here as they leave the app, oldest first."""
    ruled_here, out = ruled(experiment), []
    for one in sorted(kept().judgments, key=lambda one: one.number):
        ruling = ruled_here.get((one.query_id, one.doc_id))
        counts = ruling is not None and one.grade is not None and one.grade == ruling.grade
        out.append(Said(one.query_id, one.doc_id, one.grade, one.author, one.at.isoformat(), counts))
    return out


def experiment(workspace: Workspace, remedies: list[str]) -> Experiment:
    """Dataset and runs, with the judgments made here where they count. Raises ExperimentError."""
    plain = cached.experiment(workspace, remedies)
    grades = added(ruled(plain))
    if not on():
        return cached.switched_off(plain, len(grades))
    return cached.with_judgments(plain, grades)


# What a person does. Each raises StoreError where it cannot be kept.


def author() -> str:
    """Who judges: who is signed in, else the name that was typed."""
    return signin.name() or tab.author()


def judge(pair: Pair, grade: float | None) -> Judgment:
    """Keep what somebody says of a document: a grade, or None for "cannot tell"."""
    access = session.access()
    if access is not None:
        return shelf().store.judge(access, *pair, grade, author=author())
    return _here(pair, grade, withdrawn=False)


def withdraw(pair: Pair) -> None:
    """Take back what this person said of a document."""
    access = session.access()
    if access is not None:
        shelf().store.withdraw(access, *pair, author=author())
    else:
        _here(pair, None, withdrawn=True)


def _here(pair: Pair, grade: float | None, *, withdrawn: bool) -> Judgment:
    history, _ = tab.said(session.get("source"))
    made = Judgment(len(history) + 1, *pair, grade, author(), datetime.now(UTC), withdrawn)
    tab.say(session.get("source"), made)
    return made


def decide(pair: Pair, grade: float, upto: int) -> None:
    """Which of several grades counts, whatever was said up to the judgment `upto`."""
    decision, access = Decision(grade, upto), session.access()
    if access is None:
        tab.decide(session.get("source"), pair, decision)
        return
    key, value = choice(pair, decision)
    shelf().store.choose(access, {key: value})


def mine(pair: Pair) -> Judgment | None:
    """What this person said of a document last."""
    by = author()
    return next((one for one in kept().judgments if (one.query_id, one.doc_id, one.author) == (*pair, by)), None)


def others(pair: Pair, grade: float, here: Container[int] = ()) -> Judgment | None:
    """The newest of other people's judgments of a document, where its grade differs; read anew, not from the page.

    People without a name may be several: what one of them said is another's, unless its number is among `here`.
    """
    access, by = session.access(), author()
    rows = kept().judgments if access is None else shelf().store.judgments(access)
    said = [one for one in rows if (one.query_id, one.doc_id) == pair and one.grade not in (None, grade)]
    strange = [one for one in said if one.author != by or not (by or one.number in here)]
    return max(strange, key=lambda one: one.number, default=None)


def keep_all() -> None:
    """A workspace of one's own out of the sample, with what was judged in this tab."""
    session.attempt(session.own)


def cannot_tell() -> set[Pair]:
    """Documents of which this person said that they cannot tell."""
    by = author()
    return {(one.query_id, one.doc_id) for one in kept().judgments if one.grade is None and one.author == by}
