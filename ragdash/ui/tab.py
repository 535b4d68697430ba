"""What was judged in this tab alone, where no workspace keeps it? By what was loaded; and who judges."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ragdash.store import Decision, Judgment
from ragdash.store.remarks import Pair

Said = tuple[tuple[Judgment, ...], dict[Pair, Decision]]


def said(source: str) -> Said:
    """Judgments in order, and what was decided between grades."""
    every: dict[str, Any] = st.session_state.get("_said", {})
    found: Said = every.get(source, ((), {}))
    return found


def say(source: str, judgment: Judgment) -> None:
    """Keep a judgment for this tab."""
    history, decisions = said(source)
    st.session_state.setdefault("_said", {})[source] = ((*history, judgment), decisions)


def decide(source: str, pair: Pair, decision: Decision) -> None:
    """Keep for this tab which grade counts."""
    history, decisions = said(source)
    st.session_state.setdefault("_said", {})[source] = (history, {**decisions, pair: decision})


def forget(source: str) -> None:
    """A workspace keeps them from now on."""
    st.session_state.get("_said", {}).pop(source, None)


def author(name: str | None = None) -> str:
    """The name that was typed last in this tab; `name` is the newest."""
    if name is not None:
        st.session_state["_author"] = name.strip()
    return str(st.session_state.get("_author", ""))
