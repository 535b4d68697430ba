"""What does the Distributions page do with a picked mark? It lists the questions behind it; a single one it opens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from ragdash import wording
from ragdash.analysis.presets import differences
from ragdash.ui import cached, names, nav, session, tables
from ragdash.ui.picks import Picks

Floats = NDArray[np.float64]
KINDS = {"spread": "Cumulative", "histogram": "Histogram"}


def texts(chosen: Picks) -> list[str]:
    """The counted queries' texts, on the axis of the scores."""
    every = chosen.experiment.query_texts
    return [every[i] for i in np.flatnonzero(chosen.scores.counted).tolist()]


def difference(chosen: Picks) -> Floats:
    """Contender minus baseline per counted query."""
    return differences(chosen.scores, chosen.metric, chosen.baseline, chosen.contender)


def answer(chosen: Picks, before: Floats, after: Floats) -> str:
    """Whether few large differences or many small ones make the mean."""
    d = difference(chosen)
    run, baseline = names.said(chosen.contender), names.said(chosen.baseline)
    changed = int((d != 0).sum())
    if not changed:
        return f"{run} and {baseline} score the same on every question"
    net = abs(float(d.sum()))
    sizes = np.sort(np.abs(d[d != 0]))[::-1]
    half = int(np.searchsorted(np.cumsum(sizes), sizes.sum() / 2)) + 1
    mean = wording.signed(float(d.mean()))
    hidden = net < 0.5 * float(sizes.sum())
    tail = "gains and losses largely cancel" if hidden and (d < 0).any() and (d > 0).any() else (
        f"half of all change comes from {wording.count(half, 'question')}"
    )  # fmt: skip
    return f"{run} moves the mean by {mean}: {changed:,} of {len(d):,} questions change, and {tail}"


def kind() -> str:
    """Cumulative or histogram."""
    st.segmented_control(
        "How the scores spread", list(KINDS), key="spread_kind", format_func=lambda one: KINDS[one], default="spread",
        required=True, label_visibility="collapsed",
    )  # fmt: skip
    return str(st.session_state["spread_kind"])


def shown(values: Mapping[str, Floats], chosen: Picks, kind: str) -> dict[str, Floats]:
    """All runs as lines; as bars only the two that are compared."""
    if kind == "histogram":
        return {name: values[name] for name in (chosen.baseline, chosen.contender)}
    return dict(values)


def picked(chosen: Picks, by_query: Any, by_point: Any, group: NDArray[np.int64]) -> None:
    """The questions behind what was picked: one opens, several are listed."""
    kept = np.flatnonzero(chosen.scores.counted)
    marks = _custom(by_query)
    at = [kept[i] for i in marks if 0 <= i < len(kept)]
    points = _custom(by_point)
    if points:
        at = kept[np.isin(group, points)].tolist()
    if not at:
        st.caption("Pick a bar or a point to see its questions; draw a box in the chart to see several.")
        return
    table = cached.queries(chosen.scores, chosen.metric, chosen.baseline, chosen.contender)
    table = table[table.index.isin(at)]
    if len(table) == 1:
        nav.go("pages/query.py", session.params(query=table["query_id"].iloc[0], show="all", search=None))
    st.markdown(f"**{wording.count(len(table), 'question')} picked**")
    rows = tables.window(table, 0)
    tables.open_picked(tables.queries(rows, chosen, "picked"), rows, show="all", search=None)
    if len(table) > len(rows):
        st.caption(f"The first {len(rows)} of {len(table):,}.")


def _custom(event: Any) -> list[int]:
    """The marks' own numbers; a flat scalar may come wrapped in a list."""
    points = event["selection"]["points"] if event else []
    found = [point.get("customdata") for point in points]
    flat = [one[0] if isinstance(one, list | tuple) else one for one in found]
    return [int(one) for one in flat if one is not None]


def reading() -> list[str]:
    """Details: how to read the pictures."""
    return [
        "Sorted differences: one mark a question, the contender's gains on the left, its losses on the right.",
        "Run against run: questions with the same two scores are one point; its area is their number.",
        "Cumulative: the share of questions that score at most so much; the lower line does better.",
    ]
