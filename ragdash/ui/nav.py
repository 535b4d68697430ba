"""Which pages are there, in which order, and how does one lead to another?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

import streamlit as st


@dataclass(frozen=True)
class Place:
    """One page: its file, its name in the menu, the question it answers."""

    file: str
    title: str
    icon: str
    question: str


SECTIONS: dict[str, tuple[Place, ...]] = {
    "Load": (Place("pages/data.py", "Data", ":material/upload_file:", "Did it read my files correctly?"),),
    "Decide": (
        Place("pages/verdict.py", "Verdict", ":material/gavel:", "Should we switch?"),
        Place("pages/significance.py", "Significance", ":material/query_stats:", "Is it real?"),
    ),
    "Inspect": (
        Place("pages/distributions.py", "Distributions", ":material/equalizer:", "Does the mean hide something?"),
        Place("pages/queries.py", "Queries", ":material/list:", "Which questions, and what do they have in common?"),
        Place("pages/query.py", "Query", ":material/search:", "What fell out, and what pushed it down?"),
        Place("pages/ledger.py", "Lost and gained", ":material/swap_vert:", "Which documents were lost or gained?"),
        Place("pages/runs.py", "Runs", ":material/grid_on:", "Where do the runs differ?"),
        Place("pages/judgments.py", "Judgments", ":material/fact_check:", "Can I trust the labels?"),
    ),
    "Share": (Place("pages/share.py", "Share", ":material/ios_share:", "What do I send?"),),
    "Help": (Place("pages/metrics.py", "Metrics", ":material/menu_book:", "What do the numbers mean?"),),
}
PLACES: dict[str, Place] = {place.file: place for places in SECTIONS.values() for place in places}


def pages() -> dict[str, list[Any]]:
    """For `st.navigation`, without icons: Streamlit would fetch one from outside as the tab's favicon."""
    return {
        section: [
            st.Page(place.file, title=place.title, help=place.question, default=place.title == "Data")
            for place in places
        ]
        for section, places in SECTIONS.items()
    }


def register() -> Any:
    """Tell Streamlit the pages and return the one that was asked for. The menu is drawn by `menu`: its links carry
    what was picked, which Streamlit's own menu drops."""
    st.session_state["_nav"] = True
    return st.navigation(pages(), position="hidden")


def ensure() -> None:
    """First thing in every page: until the pages are registered, Streamlit runs a deep link's file without app.py."""
    if not st.session_state.get("_nav"):
        register()
        st.rerun()


def menu(params: dict[str, Any]) -> None:
    """The menu at the side. `params` is what every link carries along."""
    with st.sidebar:
        st.markdown("### ragdash")
        for section, places in SECTIONS.items():
            st.caption(section)
            for place in places:
                st.page_link(
                    place.file, label=place.title, icon=place.icon, help=place.question, query_params=params,
                    width="stretch",
                )  # fmt: skip


def go(file: str, params: dict[str, Any]) -> NoReturn:
    """Leave for another page, with everything that was picked."""
    st.switch_page(file, query_params=params)
