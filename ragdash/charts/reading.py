"""How much of the evidence is found by how much reading? Recall of every run over characters read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import plotly.graph_objects as go

from ragdash.analysis.over_read import AtRead
from ragdash.charts import theme
from ragdash.charts.theme import Chart, Ink

Curves = Mapping[str, Sequence[AtRead]]
APART = 1.9  # times as far as the one before is the next budget that is written at the axis


def over_read(curves: Curves, inks: Mapping[str, Ink], chars: int = 0) -> Chart:
    """One line a run; bands are the 95 % intervals of baseline and contender; the chosen budget `chars` is marked."""
    fig = theme.figure(height=360)
    compared = (theme.BASELINE, theme.CONTENDER)
    drawn = sorted(curves, key=lambda name: inks[name].color in compared)
    for name in drawn:
        if inks[name].color in compared:
            _band(fig, curves[name], inks[name].color)
    for name in drawn:
        curve, ink = curves[name], inks[name]
        fig.add_scatter(
            x=[one.chars for one in curve],
            y=[one.mean for one in curve],
            mode="lines+markers",
            name=theme.label(name),
            line={"color": ink.color, "dash": ink.dash, "width": 2},
            marker={"symbol": ink.symbol, "size": [12 if one.chars == chars else 7 for one in curve]},
            hovertemplate=f"{theme.label(name)} after %{{x:,}} characters: %{{y:.3f}}<extra></extra>",
        )
    fig.update_layout(showlegend=True)
    ticks = _spread([one.chars for one in next(iter(curves.values()))])
    fig.update_xaxes(title_text="characters read", type="log", tickvals=ticks, ticktext=[f"{one:,}" for one in ticks])
    fig.update_xaxes(showgrid=False)
    fig.update_yaxes(title_text="share of the evidence read", tickformat=".0%", rangemode="tozero")
    rows = [
        {"run": name, "characters read": one.chars, "recall": one.mean, "low": one.low, "high": one.high}
        for name in curves
        for one in curves[name]
    ]
    return Chart(title(curves), fig, pd.DataFrame(rows))


def _band(fig: go.Figure, curve: Sequence[AtRead], color: str) -> None:
    """The interval of each point, as one area."""
    low = [(one.chars, max(one.low, 0.0)) for one in curve if one.low is not None]
    high = [(one.chars, min(one.high, 1.0)) for one in curve if one.high is not None]
    if len(low) < 2:
        return
    red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    x, y = zip(*low, *reversed(high))
    fig.add_scatter(
        x=list(x), y=list(y), fill="toself", fillcolor=f"rgba({red},{green},{blue},0.14)", mode="lines",
        line={"width": 0, "color": color}, hoverinfo="skip", showlegend=False,
    )  # fmt: skip


def _spread(ticks: Sequence[int]) -> list[int]:
    """Budgets that have room for a label each."""
    out: list[int] = []
    for one in ticks:
        if not out or one >= APART * out[-1]:
            out.append(one)
    return out


def title(curves: Curves) -> str:
    """ "Most evidence at equal reading: dense up to 1,000 characters, bm25 from 1,500 characters on"."""
    best: list[tuple[str, int, int]] = []
    for points in zip(*curves.values()):
        top = max(one.mean for one in points)
        name = next(name for name, one in zip(curves, points) if one.mean >= top - 1e-12)
        chars = points[0].chars
        if best and best[-1][0] == name:
            best[-1] = (name, best[-1][1], chars)
        else:
            best.append((name, chars, chars))
    if len(best) == 1:
        return f"{theme.short(best[0][0])} has read the most evidence, however much is read"
    if len(best) > 3:
        return "Which run has read the most evidence depends on how much is read"
    told = []
    for i, (name, first, last) in enumerate(best):
        if i == len(best) - 1:
            where = f"from {first:,} characters on"
        elif i == 0:
            where = f"up to {last:,} characters"
        else:
            where = f"at {first:,}" if first == last else f"from {first:,} to {last:,}"
        told.append(f"{theme.short(name)} {where}")
    return f"Most evidence at equal reading: {', '.join(told)}"
