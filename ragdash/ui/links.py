"""How does somebody else see exactly this? A link to look, a link to edit, and what whoever may only look is told."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode, urlsplit

import streamlit as st

from ragdash.analysis.spans import judges_documents
from ragdash.ui import picks, session
from ragdash.ui.picks import Picks
from ragdash.ui.shelf import SAMPLES

HERE = ("localhost", "127.0.0.1", "::1")


def link(**changes: Any) -> str:
    """The address of what is shown now, with everything that was picked; `changes` are put on top."""
    return f"{st.context.url or ''}?{urlencode(session.params(**changes), doseq=True)}"


def button() -> None:
    """Under the menu, on every page: the links, each with a button that copies it."""
    source, access = session.get("source"), session.access()
    if not source or session.lost():
        return
    with st.sidebar, st.popover("Copy link", icon=":material/link:", key="copy_link", width="stretch"):
        offer("menu")
        if source in SAMPLES:
            st.caption("The sample: everybody sees the same, and nobody changes it.")
        elif access is not None and access.private:
            st.caption("Nothing is kept on the server's disk: the link ends when the server stops.")


def offer(where: str) -> None:
    """The links themselves: this page, these runs, this metric, filter and question."""
    access = session.access()
    if access is None:
        _one("This view", link(), f"{where}_view")
    else:
        _one("To look: can change nothing", link(source=access.view_token), f"{where}_view")
        if access.may_edit:
            _one("To edit: files, notes, judgments", link(), f"{where}_edit")
    if urlsplit(st.context.url or "").hostname in HERE:
        st.caption("This address leads to this computer alone. For a team, see “Run it for a team” in the README.")


def _one(label: str, text: str, key: str) -> None:
    with st.container(key=f"link_{key}", gap=None):
        st.caption(label)
        st.code(text, language=None)


def to_judgments(label: str = "Judge them", query: str | None = None) -> None:
    """To the page that judges what is unjudged; at one question, where it is asked for."""
    st.page_link(
        "pages/judgments.py",
        label=label,
        icon=":material/fact_check:",
        query_params=session.params(judge=query, **({} if query is None else {"query": query})),
    )


def from_evidence(chosen: Picks) -> None:
    """Where a page has nothing for a metric over evidence: to the page that has it, or a metric over documents."""
    with st.container(horizontal=True, vertical_alignment="center", key="from_evidence", gap="small"):
        st.page_link(
            "pages/query.py", label="See the evidence of each question", icon=":material/search:",
            query_params=session.params(),
        )  # fmt: skip
        if judges_documents(chosen.experiment):
            st.button(
                f"Compare by {picks.at_k(picks.DEFAULT_METRIC, chosen.k).label}", key="by_documents",
                icon=":material/description:", on_click=session.put, kwargs={"metric": picks.DEFAULT_METRIC},
                help="By a metric that looks at documents and their judgments",
            )  # fmt: skip


def view_only() -> None:
    """Whoever came by a link that only looks is told so, and can go on with a copy."""
    access = session.access()
    if access is None or access.may_edit:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="view_only", gap="small"):
        st.markdown(
            ":material/visibility: **View only**: nothing here can be changed.",
            width="content",
        )
        st.button(
            "Make my own copy",
            icon=":material/content_copy:",
            type="tertiary",
            key="own_copy",
            on_click=session.copy,
            help="The same files, notes and judgments under a link of your own, to change as you like.",
        )
