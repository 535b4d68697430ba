"""Which queries remain when all filters are applied? The same answer on every page that lists queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import streamlit as st

from ragdash import escape, wording
from ragdash.analysis.filters import Filters, keep
from ragdash.analysis.over_read import why_less
from ragdash.analysis.presets import PRESETS
from ragdash.ui import filters, inspected, links, names, picks, session
from ragdash.ui.filters import Chip
from ragdash.ui.picks import Picks


@dataclass(frozen=True)
class Selection:
    """The filtered table, how many queries each preset holds among the filtered, how many there are in all."""

    table: pd.DataFrame
    counts: dict[str, int]
    among: int
    total: int
    filters: Filters
    chips: Sequence[Chip]

    @property
    def ids(self) -> list[str]:
        """In the order of the table."""
        ids: list[str] = self.table["query_id"].tolist()
        return ids


def unless_picked(chosen: Picks, show: str) -> Picks:
    """The picks with another preset where the link names none."""
    return chosen if session.get("show") else replace(chosen, show=show)


def select(chosen: Picks) -> Selection:
    """Apply preset and filters. The order is the preset's own, or what was picked to sort by."""
    asked = inspected.asked(chosen)
    wanted, chips = filters.read(chosen)
    kept = keep(asked, wanted)
    found = inspected.presets(chosen)
    here = np.flatnonzero(kept & found[chosen.show])
    sizes = PRESETS[chosen.show].size(asked)[here]
    table = inspected.facts(chosen)
    table = table.loc[np.flatnonzero(chosen.scores.counted)[here[np.argsort(-sizes, kind="stable")]]]
    table = by_column(table, session.get("sort"), "sort")
    counts = {show: int((mask & kept).sum()) for show, mask in found.items()}
    return Selection(table, counts, int(kept.sum()), chosen.scores.n, wanted, chips)


def by_column(table: pd.DataFrame, sort: str, key: str) -> pd.DataFrame:
    """Sorted by the column that the URL names under `key`: "difference", or "-difference" with the largest first."""
    if not sort:
        return table
    column = sort.removeprefix("-")
    if column not in table:
        expected = f"a column: {', '.join(map(str, list(table)[:6]))}, ..."
        filters.refuse(key, sort, expected, "the order of the list")
        return table
    falling = sort.startswith("-")
    try:
        return table.sort_values(column, ascending=not falling, kind="stable", na_position="last")
    except TypeError:  # a column of words and numbers
        return table.sort_values(column, ascending=not falling, kind="stable", key=lambda values: values.astype(str))


#: Presets that look at documents and their judgments, and say nothing where the metric looks at evidence.
OF_DOCUMENTS = ("nothing", "lost", "below", "unjudged")


def bar(chosen: Picks, selection: Selection) -> None:
    """Presets as pills, the search, more filters, the order, and what they leave."""
    hidden = OF_DOCUMENTS if chosen.metric.block.needs_spans else ()
    st.pills(
        "Show",
        [show for show in picks.SHOWS if show not in hidden or show == chosen.show],
        required=True,
        key=session.show("pick_show", chosen.show),
        format_func=lambda show: f"{picks.SHOWS[show]} {selection.counts[show]:,}",
        on_change=session.picked("pick_show", "show", also={"from": None}),
        label_visibility="collapsed",
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.text_input(
            "Search in questions",
            placeholder="Search in questions and ids",
            key=session.show("pick_search", chosen.search),
            on_change=session.picked("pick_search", "search", str.strip, also={"from": None}),
            label_visibility="collapsed",
            icon=":material/search:",
            width=280,
        )
        filters.menu(chosen)
        order(list(selection.table), "sort", {name: column_name(name, chosen) for name in selection.table})
        chips(chosen, selection)


def column_name(column: str, chosen: Picks) -> str:
    """A column of the table as people read it, plain text."""
    kind, colon, run = str(column).partition(": ")
    mark = {chosen.baseline: "● ", chosen.contender: "◆ "}.get(run, "")
    return f"{mark}{escape.shortened(escape.one_line(run), 22)} {kind}" if colon else escape.one_line(str(column))


def order(columns: Sequence[str], key: str, labels: dict[str, str]) -> None:
    """What the table is sorted by, either way round."""
    now = session.get(key)
    column, falling = now.removeprefix("-"), now.startswith("-")
    options = ["", *columns]
    widget = session.show(f"pick_{key}", column if column in options else "")
    st.selectbox(
        "Sort by", options, key=widget, label_visibility="collapsed", width=230,
        format_func=lambda one: escape.shortened(f"Sorted by {labels[one]}", 44) if one else "Sorted as listed",
        on_change=session.picked(widget, key, lambda one: one or None, also={"from": None}),
    )  # fmt: skip
    st.button(
        "The other way round", icon=":material/south:" if falling else ":material/north:", key=f"turn_{key}",
        help="Largest first" if not falling else "Smallest first", disabled=column not in columns,
        on_click=session.put, kwargs={key: column if falling else f"-{column}", "from": None},
    )  # fmt: skip


def chips(chosen: Picks, selection: Selection, *, preset: bool = False) -> None:
    """ "12 of 200 questions", and what filters, each with its own close mark."""
    st.markdown(f"**{len(selection.table):,}** of {selection.total:,} questions", width="content")
    shown = [Chip(picks.SHOWS[chosen.show], {"show": "all"})] if preset and chosen.show != "all" else []
    filters.show([*shown, *selection.chips])


def title(chosen: Picks, found: Selection) -> str:
    """The page's answer, escaped: how many questions it shows, and what they are."""
    run, baseline = names.said(chosen.contender), names.said(chosen.baseline)
    n, of = found.counts[chosen.show], among(found)
    metric = escape.markdown(chosen.metric.label)
    return {
        "losses": f"{run} is worse than {baseline} on {n:,} of {of}",
        "gains": f"{run} is better than {baseline} on {n:,} of {of}",
        "same": f"{run} and {baseline} score the same on {n:,} of {of}",
        "failing": f"Every run scores 0 on {n:,} of {of}",
        "nothing": f"{run} returns nothing relevant on {n:,} of {of}",
        "lost": f"{run} misses at least one relevant document on {n:,} of {of}",
        "below": f"{run} has a relevant document just below rank {chosen.k} on {n:,} of {of}",
        "unjudged": f"Unjudged documents stand in the top {chosen.k} on {n:,} of {of}",
        "disagree": f"The runs differ on {n:,} of {of}",
        "all": f"{of}, by the difference on {metric}",
    }[chosen.show]


def among(found: Selection) -> str:
    """ "72 questions", "9 questions with category: errors", "14 filtered questions"."""
    if not found.filters:
        return wording.count(found.total, "question")
    if len(found.chips) == 1 and len(found.filters.slices) == 1:
        return f"{wording.count(found.among, 'question')} with {found.chips[0].label}"
    return wording.count(found.among, "filtered question")


def causes(chosen: Picks, found: Selection) -> None:
    """Why the questions shown got worse, or better, summed up from the ledger, with the way to its rows."""
    if chosen.show == "unjudged" and len(found.table) and not chosen.metric.block.needs_spans:
        links.to_judgments("Judge these documents")
        return
    change = "gained" if chosen.show == "gains" else "lost"
    sign = 1 if change == "gained" else -1
    changed = found.table.loc[sign * found.table["difference"] > 1e-9, "query_id"]
    if chosen.metric.block.needs_spans:
        worse, what = (chosen.contender, "loss") if change == "lost" else (chosen.baseline, "gain")
        told = why_less(chosen.scores, chosen.metric, worse, changed, what)
        if told:
            st.markdown(names.trimmed(told, chosen.experiment.run_names))
        return
    text = inspected.ledger(chosen).causes(changed, change)
    if not text:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(names.trimmed(text, chosen.experiment.run_names), width="content")
        st.page_link(
            "pages/ledger.py",
            label="See the documents",
            icon=":material/swap_vert:",
            query_params=session.params(show=chosen.show, change=change, cause=None, **{"from": None, "query": None}),
        )


def why_empty(chosen: Picks, found: Selection) -> str:
    """Why the table is empty, escaped."""
    if found.filters and not found.among:
        return "No question passes all filters: take one of them out."
    if found.filters:
        return f"None of the {wording.count(found.among, 'filtered question')} is of this kind; “All” shows them."
    return {
        "losses": "No question got worse. That is the good news; “All” shows every question.",
        "gains": "No question got better. “All” shows every question.",
        "same": "Every question changed.",
        "failing": "On every question at least one run finds something.",
        "nothing": "The contender returns something relevant for every question.",
        "lost": "Every relevant document is somewhere in the contender's lists.",
        "below": "The contender has no relevant document just below the cutoff.",
        "unjudged": "Every document in the top of both runs was judged.",
        "disagree": "All runs score the same on every question.",
        "all": "No question counts under the settings in force.",
    }[chosen.show]


def reading(chosen: Picks) -> list[str]:
    """Details: what the columns are."""
    scored = escape.markdown(
        f"Scores on {chosen.metric}; the difference is {chosen.contender} minus {chosen.baseline}."
    )
    if chosen.metric.block.needs_spans:
        return [
            scored,
            f"Evidence in top {chosen.k}: the share of its characters that the first {chosen.k} chunks have.",
            f"Characters in top {chosen.k}: how long these chunks are together.",
        ]
    return [
        scored,
        "First relevant: the rank of the first relevant document, – where none is returned.",
        "Misses a relevant document: the contender returns at least one relevant document at no rank at all.",
        f"Just below K: the contender has a relevant document at the ranks {chosen.k + 1} to {2 * chosen.k}.",
        "Most unjudged: documents in the top K of the two runs that nobody judged, counted together.",
        "Runs disagree most: by how far the best and the worst of all runs are apart.",
        "A click on a column's head sorts the rows in view; “Sorted by” sorts all of them.",
    ]
