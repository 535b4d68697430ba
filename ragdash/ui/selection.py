"""Which queries remain when all filters are applied? The same answer on the Queries page and between queries."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from ragdash import escape
from ragdash.analysis.presets import masks
from ragdash.ui import cached, names, picks, session
from ragdash.ui.picks import Picks


@dataclass(frozen=True)
class Selection:
    """The filtered table, how many queries each preset holds, and how many there are in all."""

    table: pd.DataFrame
    counts: dict[str, int]
    total: int

    @property
    def ids(self) -> list[str]:
        """In the order of the table."""
        ids: list[str] = self.table["query_id"].tolist()
        return ids


def select(chosen: Picks) -> Selection:
    """Apply preset and search: losses and the rest worst first, gains best first."""
    table = cached.queries(chosen.scores, chosen.metric, chosen.baseline, chosen.contender)
    axis = np.flatnonzero(chosen.scores.counted)
    found = masks(chosen.scores, chosen.metric, chosen.baseline, chosen.contender)
    kept = table[table.index.isin(axis[found[chosen.show]])]
    if chosen.show == "gains":
        kept = kept.iloc[::-1]
    if chosen.search:
        wanted = folded(chosen.search)
        texts = (kept["query_id"] + " " + kept["query"]).map(folded)
        kept = kept[texts.str.contains(wanted, regex=False)]
    return Selection(kept, {show: int(mask.sum()) for show, mask in found.items()}, len(table))


def folded(text: str) -> str:
    """Case and accents do not matter."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in plain if not unicodedata.combining(sign))


def bar(chosen: Picks, selection: Selection) -> None:
    """Presets as pills, the search, and what they leave."""
    st.pills(
        "Show",
        list(picks.SHOWS),
        required=True,
        key=session.show("pick_show", chosen.show),
        format_func=lambda show: f"{picks.SHOWS[show]} {selection.counts[show]:,}",
        on_change=session.picked("pick_show", "show", also={"from": None}),
        label_visibility="collapsed",
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text_input(
            "Search in questions",
            placeholder="Search in questions and ids",
            key=session.show("pick_search", chosen.search),
            on_change=session.picked("pick_search", "search", str.strip, also={"from": None}),
            label_visibility="collapsed",
            icon=":material/search:",
            width=320,
        )
        chips(chosen, selection)


def chips(chosen: Picks, selection: Selection, *, preset: bool = False) -> None:
    """What filters, each with its own close mark, and "12 of 200 questions"."""
    st.markdown(f"**{len(selection.table):,}** of {selection.total:,} questions", width="content")
    if preset and chosen.show != "all":
        _chip(picks.SHOWS[chosen.show], "chip_show", show="all")
    if chosen.search:
        _chip(f"“{escape.markdown(escape.shortened(chosen.search, 30))}”", "chip_search", search=None)


def _chip(label: str, key: str, **change: str | None) -> None:
    st.button(
        label, icon=":material/close:", icon_position="right", key=key, help="Remove this filter",
        on_click=session.put, kwargs={**change, "from": None},
    )  # fmt: skip


def title(chosen: Picks, found: Selection) -> str:
    """The page's answer, escaped: how many questions it shows, and what they are."""
    run, baseline = names.said(chosen.contender), names.said(chosen.baseline)
    n, total = found.counts[chosen.show], f"{found.total:,} questions"
    metric = escape.markdown(chosen.metric.label)
    return {
        "losses": f"{run} is worse than {baseline} on {n:,} of {total}",
        "gains": f"{run} is better than {baseline} on {n:,} of {total}",
        "same": f"{run} and {baseline} score the same on {n:,} of {total}",
        "failing": f"Every run scores 0 on {n:,} of {total}",
        "lost": f"{run} does not return every relevant document on {n:,} of {total}",
        "all": f"{total}, by the difference on {metric}",
    }[chosen.show]


def why_empty(chosen: Picks, found: Selection) -> str:
    """Why the table is empty, escaped."""
    if chosen.search and found.counts[chosen.show]:
        return f"None of these {found.counts[chosen.show]:,} questions contains “{names.said(chosen.search)}”."
    return {
        "losses": "No question got worse. That is the good news; “All” shows every question.",
        "gains": "No question got better. “All” shows every question.",
        "same": "Every question changed.",
        "failing": "On every question at least one run finds something.",
        "lost": "Every relevant document is somewhere in the contender's lists.",
        "all": "No question counts under the settings in force.",
    }[chosen.show]


def reading(chosen: Picks) -> list[str]:
    """Details: what the columns are."""
    return [
        escape.markdown(f"Scores on {chosen.metric}; the difference is {chosen.contender} minus {chosen.baseline}."),
        "Relevant document not retrieved: the contender returns at least one relevant document at no rank at all.",
    ]
