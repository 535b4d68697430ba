"""How does a run look, everywhere? One colour, dash and marker for each run; one figure to start from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from ragdash import escape

BASELINE = "#0072B2"
CONTENDER = "#D55E00"
GREY = "#8a94a0"
LINE = "rgba(128,138,150,0.9)"
GRID = "rgba(128,138,150,0.22)"
BAND = "rgba(128,138,150,0.16)"
FIELD = "#0f766e"  # what belongs to no run: a distribution, a power curve
#: Further runs that were picked: of Okabe and Ito's set what is left when baseline and contender are taken.
PICKED = ("#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8c6bd1", "#a0753a")
DASHES = ("dash", "dot", "dashdot", "longdash", "longdashdot", "6px,2px")
SYMBOLS = ("square", "diamond", "triangle-up", "cross", "x", "star")


#: Letters of the words at both ends of an axis that stand beside each other on a telephone.
BESIDE = 26
LINE_HEIGHT = 16  # pixels


@dataclass(frozen=True)
class Ink:
    """How one run is drawn."""

    color: str
    dash: str = "solid"
    symbol: str = "circle"


@dataclass(frozen=True)
class Chart:
    """A picture with its finding and its table twin. `title` is plain text: the answer, in words with numbers."""

    title: str
    figure: go.Figure
    table: pd.DataFrame

    def titled(self) -> go.Figure:
        """The figure with its finding on top, for a page that has no other place for it."""
        return go.Figure(self.figure).update_layout(title_text=escape.plotly(self.title), margin_t=56)


def inks(names: Sequence[str], baseline: str, contender: str, picked: Sequence[str] = ()) -> dict[str, Ink]:
    """One ink for each run: baseline blue, contender vermilion, others grey until picked; none shares dash and marker.

    A run keeps its dash and marker whatever else is picked: they follow its place among all runs.
    """
    out: dict[str, Ink] = {}
    for i, name in enumerate(names):
        color = PICKED[i % len(PICKED)] if name in picked else GREY
        out[name] = Ink(color, DASHES[i % len(DASHES)], SYMBOLS[i % len(SYMBOLS)])
    out[baseline] = Ink(BASELINE)
    out[contender] = Ink(CONTENDER, "solid", "diamond")
    return out


def figure(height: int, **layout: Any) -> go.Figure:
    """An empty figure that is legible on light and on dark: no ground of its own, grey lines, room for labels."""
    axis = {
        "gridcolor": GRID,
        "zeroline": False,
        "automargin": True,
        "linecolor": GRID,
        "ticks": "",
        "fixedrange": True,
    }
    plain = {
        "height": height,
        "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"size": 13},
        "hoverlabel": {"font": {"size": 13}, "align": "left"},
        "legend": {"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0, "title": {"text": ""},
                   "itemsizing": "constant"},
        "showlegend": False,
        "dragmode": False,
        "bargap": 0.15,
        "xaxis": axis,
        "yaxis": axis,
    }  # fmt: skip
    fig = go.Figure(layout=plain)  # at once: Plotly takes 5 times as long for one property after the other
    return fig.update_layout(**layout) if layout else fig


def short(name: str, width: int = 36) -> str:
    """A name that fits: one line, both ends kept. Plain text."""
    return escape.shortened(escape.one_line(name), width)


def label(name: str, width: int = 24) -> str:
    """A run's or query's name for a place in a picture: short and inert."""
    return escape.plotly(short(name, width))


def better(fig: go.Figure, baseline: str, contender: str, y: float) -> None:
    """Words at the ends of an axis of differences: which run is better there."""
    width = 14 if len(baseline) + len(contender) <= BESIDE - 14 else 22
    ends(fig, f"{label(baseline, width)} better", f"{label(contender, width)} better", y)


def ends(fig: go.Figure, left: str, right: str, y: float) -> None:
    """Words at the ends of an axis: what it means to be there. Long ones stand one under the other."""
    beside = len(left) + len(right) <= BESIDE
    room = 0 if beside else LINE_HEIGHT
    for text, at, anchor, shift in ((f"◀ {left}", 0.0, "left", 0), (f"{right} ▶", 1.0, "right", -room)):
        fig.add_annotation(
            {"text": text, "xref": "paper", "yref": "paper", "x": at, "y": y, "xanchor": anchor, "yanchor": "top",
             "showarrow": False, "font": {"size": 12, "color": GREY}, "yshift": shift}
        )  # fmt: skip
    if room:
        below = float(fig.layout.margin.b or 0)
        fig.update_layout(margin={"b": below + room}, height=float(fig.layout.height) + room)


def zero_line(fig: go.Figure, axis: str = "x") -> None:
    """No difference, drawn."""
    across(fig, axis, 0.0, line={"color": LINE, "width": 1.5})


def across(fig: go.Figure, axis: str, at: float, to: float | None = None, **drawn: Any) -> None:
    """A line at a place of one axis, or a band from `at` to `to`, over the whole of the other; under the data.

    As Plotly's `add_vline` and `add_vrect`, which take ten times as long.
    """
    other = "y" if axis == "x" else "x"
    place = {f"{axis}0": at, f"{axis}1": at if to is None else to, f"{other}0": 0, f"{other}1": 1}
    kind = "line" if to is None else "rect"
    fig.add_shape({"type": kind, "layer": "below", "xref": "x", "yref": "y", **place, f"{other}ref": f"{other} domain",
                   **drawn})  # fmt: skip
