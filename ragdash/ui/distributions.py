"""What does the Distributions page do with a picked mark? It lists the questions behind it; a single one it opens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from ragdash import escape, wording
from ragdash.analysis.presets import differences
from ragdash.analysis.slices import SMALL, Slices
from ragdash.analysis.slices import columns as slice_columns
from ragdash.charts import cutoffs, theme
from ragdash.charts import reading as reading_charts
from ragdash.charts import slices as forest
from ragdash.ui import filters, frame, inspected, names, nav, session, tables
from ragdash.ui.picks import Picks

Floats = NDArray[np.float64]
#: Two buttons on the chart: a box to draw, or any outline.
LASSO = {"displayModeBar": True, "displaylogo": False, "modeBarButtons": [["select2d", "lasso2d"]]}
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
    hidden = net < 0.25 * float(sizes.sum())
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


def coarse(before: Floats, after: Floats) -> bool:
    """Whether each question is either found or not: every score of both runs is 0 or 1."""
    both = np.concatenate([before, after])
    return bool(len(both)) and bool((np.isclose(both, 0) | np.isclose(both, 1)).all())


def two_by_two(chosen: Picks, before: Floats, after: Floats) -> None:
    """Both, only one, only the other, neither: four counts, each of which opens its questions."""
    one, other = before > 0.5, after > 0.5
    run, baseline = names.said(chosen.contender, 24), names.said(chosen.baseline, 24)
    metric = escape.markdown(chosen.metric.label)
    only = int((other & ~one).sum()), int((one & ~other).sum())
    st.markdown(f"**{metric} is 1 for {run} alone on {only[0]:,}, for {baseline} alone on {only[1]:,}**")
    cells = (
        ((1, 1, one & other, "both runs"), (0, 1, other & ~one, f":orange[◆] only {run}")),
        ((1, 0, one & ~other, f":blue[●] only {baseline}"), (0, 0, ~one & ~other, "neither")),
    )
    for line in cells:
        with st.container(horizontal=True, gap="small"):
            for cell in line:
                _cell(chosen, *cell)


def _cell(chosen: Picks, first: int, second: int, mask: NDArray[np.bool_], label: str) -> None:
    """One of the four counts; `first` and `second` are the two runs' scores."""
    if st.button(
        f"**{int(mask.sum()):,}** {label}", key=f"cell_{first}{second}", disabled=not mask.any(), width="stretch",
        help="Show these questions",
    ):  # fmt: skip
        spans = [f"{chosen.baseline}:{first}..{first}", f"{chosen.contender}:{second}..{second}"]
        nav.go("pages/queries.py", session.only(show="all", score=spans))


def picked(chosen: Picks, by_query: Any, by_point: Any, group: NDArray[np.int64]) -> None:
    """The questions behind what was picked: one opens, several are listed."""
    kept = np.flatnonzero(chosen.scores.counted)
    at = [kept[i] for i in tables.picked_marks(by_query) if 0 <= i < len(kept)]
    points = tables.picked_marks(by_point)
    if points:
        at = kept[np.isin(group, points)].tolist()
    if not at:
        st.caption("Pick a bar or a point to see its questions; draw a box or a lasso to see several.")
        return
    table = inspected.facts(chosen)
    table = table[table.index.isin(at)]
    if len(table) == 1:
        nav.go("pages/query.py", session.only(query=table["query_id"].iloc[0], show="all"))
    st.markdown(f"**{wording.count(len(table), 'question')} picked**")
    rows = tables.window(table, 0)
    tables.open_picked(tables.queries(rows, chosen, "picked"), rows, **_nothing_but(show="all"))
    if len(table) > len(rows):
        st.caption(f"The first {len(rows)} of {len(table):,}.")


def _nothing_but(**changes: Any) -> dict[str, Any]:
    """Every filter taken out but these."""
    return {**dict.fromkeys(session.FILTERS), **changes}


def slices(chosen: Picks) -> None:
    """The difference in each group of questions; a group opens its questions."""
    options = slice_columns(chosen.scores)
    if not options:
        frame.nothing("The dataset says nothing by which the questions could be grouped.")
        return
    by = session.get("by")
    if by and by not in options:
        filters.refuse("by", by, f"a column: {', '.join(options[:8])}", options[0])
    by = by if by in options else options[0]
    found, whole = inspected.slices_by(chosen, by)
    with st.container(horizontal=True, vertical_alignment="bottom", key="slices"):
        st.selectbox(
            "Groups of questions by", options, key=session.show("pick_by", by), width=200,
            on_change=session.picked("pick_by", "by"), format_func=lambda one: escape.shortened(escape.one_line(one)),
        )  # fmt: skip
        opened = st.selectbox(
            "Open a group", [row.value for row in found.rows], index=None, key=f"open_slice_{by}", width=200,
            placeholder="Open a group", label_visibility="collapsed",
            format_func=lambda one: escape.shortened(escape.one_line(one), 40),
        )  # fmt: skip
    event = frame.chart(forest.forest(found, whole, chosen.baseline, chosen.contender), "forest", select=True)
    marks = [i for i in tables.picked_marks(event) if i < len(found.rows)]
    if marks:
        opened = found.rows[marks[0]].value if marks[0] >= 0 else ""
    if marks or opened:
        nav.go("pages/queries.py", session.only(show="all", slice=[f"{by}:{opened}"] if opened else None))
    contradictions(found)
    small = sum(row.small for row in found.rows)
    st.caption(
        "✱ beyond chance after correction for all groups (Benjamini and Hochberg)."
        + (f" Open grey dots: fewer than {SMALL} questions, too few to rely on." if small else "")
    )


def contradictions(found: Slices) -> None:
    """A warning where groups say the opposite of the whole."""
    if found.contradicting:
        told = wording.listed([f"{names.said(row.value)} ({wording.signed(row.difference)})"
                               for row in found.contradicting])  # fmt: skip
        st.warning(
            f"The total hides this: over all questions the difference is {wording.signed(found.total)}, "
            f"but it goes the other way for {told}, and that is no accident.",
            icon=":material/call_split:",
        )
        return
    other = [row for row in found.rows if row.difference * found.total < 0 and row.p_corrected is not None
             and row.p_corrected < found.alpha]  # fmt: skip
    if other:
        told = wording.listed([f"{names.said(row.value)} ({wording.signed(row.difference)}, "
                               f"{wording.count(row.n, 'question')})" for row in other])  # fmt: skip
        st.warning(
            f"Against the total ({wording.signed(found.total)}): {told}. Few questions, yet more than chance gives.",
            icon=":material/call_split:",
        )


def over_k(chosen: Picks) -> None:
    """The mean of every run over K, and over characters read where the metric looks at evidence."""
    curves, read = inspected.curves(chosen), inspected.reading(chosen)
    inks = theme.inks(chosen.experiment.run_names, chosen.baseline, chosen.contender)
    if read:
        chars = int(chosen.metric.arguments.get("chars", 0))
        frame.chart(reading_charts.over_read(read, inks, chars), "over_read")
    if not curves or max(map(len, curves.values())) < 2:
        if not read:
            frame.nothing("This metric has no cutoff to vary.")
        return
    label = chosen.metric.block.label
    frame.chart(cutoffs.means_over_k(curves, inks, label, chosen.metric.k or 0), "means_over_k")


def reading() -> list[str]:
    """Details: how to read the pictures."""
    return [
        "Sorted differences: one mark a question, the contender's gains on the left, its losses on the right.",
        "Run against run: questions with the same two scores are one point; its area is their number.",
        "Groups: the mean difference with its 95 % interval (t); p by the paired t-test, corrected for all groups.",
        "Characters read: chunks are read in rank order, what stands in two of them twice; bands are 95 % intervals.",
        "Cumulative: the share of questions that score at most so much; the lower line does better.",
    ]
