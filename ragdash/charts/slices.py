"""Does the answer hold for every kind of question? One dot and whisker a group, the whole on top."""

from __future__ import annotations

import pandas as pd

from ragdash import escape, wording
from ragdash.analysis.slices import Slice, Slices
from ragdash.charts import theme
from ragdash.charts.theme import Chart

ROW = 30


def forest(found: Slices, whole: Slice, baseline: str, contender: str) -> Chart:
    """The difference in each group with its interval. A dot's `customdata` is its place in `found.rows`, or -1.

    Coloured by the run that is better where that holds after correction; an open grey dot where a group is small.
    """
    rows = [whole, *found.rows]
    fig = theme.figure(height=70 + ROW * len(rows))
    theme.zero_line(fig)
    theme.across(fig, "y", 0.5, layer="above", line={"color": theme.GRID, "width": 1})
    for place, row in enumerate(rows):
        sure = row.p_corrected is not None and row.p_corrected < found.alpha
        thin = 1.2 if row.small else 2.2
        better = theme.CONTENDER if row.difference > 0 else theme.BASELINE
        color = better if sure and not row.small else theme.GREY
        low, high = (row.difference if end is None else end for end in (row.low, row.high))
        fig.add_scatter(
            x=[row.difference],
            y=[place],
            mode="markers",
            marker={
                "color": color,
                "size": 13 if place == 0 else 10,
                "symbol": "diamond" if place == 0 else "circle-open" if row.small else "circle",
                "line": {"width": 2, "color": color},
            },
            error_x={
                "type": "data", "symmetric": False, "array": [high - row.difference],
                "arrayminus": [row.difference - low], "color": color, "thickness": thin, "width": 4,
            },
            customdata=[place - 1],
            hovertext=_hover(row, sure),
            hoverinfo="text",
        )  # fmt: skip
        fig.add_annotation(
            text=wording.signed(row.difference) + (" ✱" if sure else ""), x=1.0, xref="paper", y=place,
            xanchor="left", xshift=8, showarrow=False, font={"size": 13},
        )  # fmt: skip
    fig.update_yaxes(
        tickvals=list(range(len(rows))),
        ticktext=[f"{theme.label(row.value, 20)} ({row.n:,})" for row in rows],
        range=[len(rows) - 0.5, -0.5],
        showgrid=False,
    )
    low, high = _span(rows)
    fig.update_xaxes(range=[low, high], tickformat="+.2~f", nticks=7)
    fig.update_layout(margin={"r": 72, "b": 46})
    theme.better(fig, baseline, contender, -24 / (ROW * len(rows)))
    return Chart(title(found, contender), fig, table(found, baseline, contender))


def _hover(row: Slice, sure: bool) -> str:
    between = "" if row.low is None or row.high is None else (
        f" (between {wording.signed(row.low)} and {wording.signed(row.high)})"
    )  # fmt: skip
    counts = row.counts
    return (
        f"{theme.label(row.value, 40)}, {wording.count(row.n, 'question')}<br>{wording.signed(row.difference)}{between}"
        f"<br>{counts.wins:,} better, {counts.ties:,} the same, {counts.losses:,} worse"
        + ("<br>beyond chance after correction" if sure else "<br>could be chance")
    )


def _span(rows: list[Slice]) -> tuple[float, float]:
    """Every dot, and of small groups' long whiskers as much as twice the widest of what can be relied upon."""
    dots = [row.difference for row in rows]
    ends = [end for row in rows if not row.small for end in (row.low, row.high) if end is not None]
    low, high = min([*dots, *ends, -0.02]), max([*dots, *ends, 0.02])
    if not ends:
        ends = [end for row in rows for end in (row.low, row.high) if end is not None]
        low, high = max(min([low, *ends]), -1.0), min(max([high, *ends]), 1.0)
    pad = 0.08 * (high - low)
    return low - pad, high + pad


def title(found: Slices, contender: str) -> str:
    """ "dense loses most on errors (−0.317, 9 questions) and gains most on identity (+0.401, 8 questions)"."""
    rows = sorted(found.rows, key=lambda row: row.difference)
    name = theme.short(contender)
    worst, best = rows[0], rows[-1]

    def told(row: Slice) -> str:
        value = escape.shortened(escape.one_line(row.value), 30)
        return f"{value} ({wording.signed(row.difference)}, {wording.count(row.n, 'question')})"

    if worst.difference < 0 < best.difference:
        return f"{name} loses most on {told(worst)} and gains most on {told(best)}"
    if len(rows) == 1:
        return f"There is one group: {told(best)}"
    if worst.difference >= 0:
        return f"{name} loses in no group: least gain on {told(worst)}, most on {told(best)}"
    return f"{name} gains in no group: least loss on {told(best)}, most on {told(worst)}"


def table(found: Slices, baseline: str, contender: str) -> pd.DataFrame:
    """The twin of the picture."""
    return pd.DataFrame(
        [
            {
                found.by: row.value,
                "questions": row.n,
                f"mean: {baseline}": row.mean_baseline,
                f"mean: {contender}": row.mean,
                "difference": row.difference,
                "low": row.low,
                "high": row.high,
                "better": row.counts.wins,
                "same": row.counts.ties,
                "worse": row.counts.losses,
                "p": row.p,
                "p corrected": row.p_corrected,
            }
            for row in found.rows
        ]
    )
