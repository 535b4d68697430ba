"""How large is the difference, and where does the interval end? Dots and whiskers against the zero line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ragdash import wording
from ragdash.charts import theme
from ragdash.charts.theme import Chart


@dataclass(frozen=True)
class Whisker:
    """One line: what is compared, the difference, its interval where there is one."""

    name: str
    difference: float
    ci: tuple[float, float] | None
    color: str = theme.CONTENDER

    @property
    def excludes_zero(self) -> bool:
        return self.ci is not None and (self.ci[0] > 0 or self.ci[1] < 0)


def whiskers(rows: Sequence[Whisker], baseline: str, contender: str, band: float, title: str) -> Chart:
    """One line for each row, the first on top. Where the interval excludes zero it is coloured, and its dot filled."""
    fig = theme.figure(height=64 + 34 * len(rows))
    if band > 0:
        theme.across(fig, "x", -band, band, fillcolor=theme.BAND, line={"width": 0})
    theme.zero_line(fig)
    fig.add_traces([_whisker(place, row) for place, row in enumerate(rows)])
    said = [
        {"text": wording.signed(row.difference), "x": 1.0, "xref": "paper", "y": place, "xanchor": "left",
         "showarrow": False, "font": {"size": 13}, "xshift": 8}
        for place, row in enumerate(rows)
    ]  # fmt: skip
    fig.update_layout(margin={"r": 62, "b": 46}, annotations=said)
    fig.update_yaxes(
        tickvals=list(range(len(rows))),
        ticktext=[theme.label(row.name) for row in rows],
        range=[len(rows) - 0.5, -0.5],
        showgrid=False,
    )
    fig.update_xaxes(range=_span(rows, band), tickformat="+.2~f", nticks=7)
    theme.better(fig, baseline, contender, _below(len(rows)))
    table = pd.DataFrame(
        {
            "compared": [row.name for row in rows],
            "difference": [row.difference for row in rows],
            "low": [row.ci[0] if row.ci else None for row in rows],
            "high": [row.ci[1] if row.ci else None for row in rows],
        }
    )
    return Chart(title, fig, table)


def _whisker(place: int, row: Whisker) -> dict[str, Any]:
    color = row.color if row.excludes_zero else theme.GREY
    low, high = row.ci or (row.difference, row.difference)
    told = f" (between {wording.signed(low)} and {wording.signed(high)})" if row.ci else ""
    return {
        "type": "scatter",
        "x": [row.difference],
        "y": [place],
        "mode": "markers",
        "marker": {"color": color, "size": 11, "symbol": "circle" if row.excludes_zero else "circle-open"},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [high - row.difference],
            "arrayminus": [row.difference - low],
            "color": color,
            "thickness": 2.5,
            "width": 5,
        },
        "hovertemplate": f"{theme.label(row.name, 40)}: {wording.signed(row.difference)}{told}<extra></extra>",
    }


def _below(n: int) -> float:
    """Where the words under the axis stand, in shares of the plot's height: 24 pixels under it."""
    return -24 / max(1, 34 * n)


def _span(rows: Sequence[Whisker], band: float) -> list[float]:
    """All whiskers, with at least a third of the width on either side of zero."""
    ends = [end for row in rows for end in (*(row.ci or ()), row.difference)]
    low, high = max([-end for end in ends] + [2 * band, 0.01]), max([*ends, 2 * band, 0.01])
    return [-1.12 * max(low, high / 2), 1.12 * max(high, low / 2)]


def title(wins: int, losses: int, n: int, baseline: str, contender: str) -> str:
    """The finding in counts: "dense beats bm25 on 41 of 60 questions and loses on 12"."""
    run, other = theme.short(contender), theme.short(baseline)
    if wins == losses == 0:
        return f"{run} and {other} score the same on {wording.count(n, 'question')}"
    if wins >= losses:
        return f"{run} beats {other} on {wins:,} of {wording.count(n, 'question')} and loses on {losses:,}"
    return f"{other} beats {run} on {losses:,} of {wording.count(n, 'question')} and loses on {wins:,}"
