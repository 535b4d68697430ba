"""Is it real? Chance at work, the difference at every cutoff, and what this many questions can show."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ragdash import escape, wording
from ragdash.analysis.over_k import RANKS, AtK, Cut, spans
from ragdash.charts import theme
from ragdash.charts.theme import Chart

Floats = NDArray[np.float64]
BINS = 60
HALF = 20  # bins on either side of zero


def spread(differences: Floats, baseline: str, contender: str) -> Chart:
    """Every question's difference, binned here; the many that do not differ are a word, not a bar over all others."""
    differing = differences[differences != 0]
    far = 1.02 * max(float(np.abs(differing).max(initial=0)), 1e-6)
    counts, edges = np.histogram(differing, np.linspace(-far, far, 2 * HALF + 1))
    middle = (edges[:-1] + edges[1:]) / 2
    fig = theme.figure(height=280)
    fig.add_bar(
        x=middle,
        y=counts,
        marker={"color": np.where(middle > 0, theme.CONTENDER, theme.BASELINE).tolist(), "line": {"width": 0}},
        hovertext=[f"{wording.signed(x)}: {wording.count(int(y), 'question')}" for x, y in zip(middle, counts)],
        hoverinfo="text",
    )
    theme.zero_line(fig)
    mean = float(differences.mean()) if len(differences) else 0.0
    theme.across(fig, "x", mean, layer="above", line={"color": theme.FIELD, "width": 2.5})
    fig.add_annotation(
        x=mean, y=1, yref="paper", text=f" mean {wording.signed(mean)} ", showarrow=False,
        xanchor="right" if mean < 0 else "left", font={"size": 13},
    )  # fmt: skip
    fig.update_layout(bargap=0.05, margin={"b": 46})
    fig.update_xaxes(tickformat="+.2~f", showgrid=False)
    few = int(counts.max(initial=0)) <= 6  # else Plotly would write 1, 1, 2, 2, 3
    fig.update_yaxes(title_text="questions", tickformat=",d", rangemode="tozero", dtick=1 if few else None)
    theme.better(fig, baseline, contender, -0.13)
    table = pd.DataFrame({"from": edges[:-1], "to": edges[1:], "questions": counts})
    return Chart(spread_title(differences), fig, table)


def spread_title(differences: Floats) -> str:
    """Where half of the questions that differ lie, and how many do not differ."""
    differing = differences[differences != 0]
    same = len(differences) - len(differing)
    if not len(differing):
        return f"No question differs: all {len(differences):,} score the same"
    low, high = np.quantile(differing, (0.25, 0.75))
    unchanged = "; the others do not differ" if same else ""
    return (
        f"Of the {wording.count(len(differing), 'question')} that differ, half lie between {wording.signed(low)} and "
        f"{wording.signed(high)}{unchanged}"
    )


def chance(shuffled: Floats, observed: float) -> Chart:
    """Mean differences that arise when the two runs are swapped at random, and the one that was seen."""
    far = 1.1 * max(float(np.abs(shuffled).max(initial=0)), abs(observed), 1e-6)
    counts, edges = np.histogram(shuffled, np.linspace(-far, far, BINS + 1))
    middle = (edges[:-1] + edges[1:]) / 2
    share = counts / max(1, counts.sum())
    extreme = np.abs(middle) >= abs(observed) - 1e-12
    fig = theme.figure(height=280)
    fig.add_bar(
        x=middle,
        y=share,
        marker={"color": np.where(extreme, theme.FIELD, theme.GREY).tolist(), "line": {"width": 0}},
        hovertemplate="%{x:+.3f}: %{y:.1%} of the swaps<extra></extra>",
    )
    theme.zero_line(fig)
    theme.across(fig, "x", observed, layer="above", line={"color": theme.CONTENDER, "width": 2.5})
    side = "right" if observed < 0 else "left"
    fig.add_annotation(
        x=observed, y=1, yref="paper", text=f" seen {wording.signed(observed)} ", showarrow=False, xanchor=side,
        font={"size": 13},
    )  # fmt: skip
    fig.update_layout(bargap=0.02)
    fig.update_xaxes(tickformat="+.2~f", title_text="mean difference when runs are swapped at random", showgrid=False)
    fig.update_yaxes(tickformat=".0%")
    beyond = float((np.abs(shuffled) >= abs(observed) - 1e-12).mean())
    said = "Chance alone never gives" if beyond == 0 else f"Chance alone gives in {_share(beyond)} of the swaps"
    title = f"{said} a difference as large as {wording.number(abs(observed))}"
    return Chart(title, fig, pd.DataFrame({"from": edges[:-1], "to": edges[1:], "share of swaps": share}))


def _share(value: float) -> str:
    return f"{value:.0%}" if value >= 0.1 else f"{value:.1%}" if value >= 0.001 else "fewer than 0.1%"


def over_k(curve: Sequence[AtK], metric: str, baseline: str, contender: str, k: int, cut: Cut = RANKS) -> Chart:
    """The difference at every cutoff with its band; the cutoff `k` is marked."""
    fig = theme.figure(height=280)
    at = [cut.tick(one.k) for one in curve]
    low = [one.difference if one.low is None else one.low for one in curve]
    high = [one.difference if one.high is None else one.high for one in curve]
    fig.add_scatter(
        x=[*at, *reversed(at)],
        y=[*high, *reversed(low)],
        fill="toself",
        fillcolor=theme.BAND,
        line={"width": 0},
        hoverinfo="skip",
        mode="lines",
    )
    theme.zero_line(fig, "y")
    fig.add_scatter(
        x=at,
        y=[one.difference for one in curve],
        mode="lines+markers",
        line={"color": theme.CONTENDER, "width": 2},
        marker={"size": [13 if one.k == k else 8 for one in curve], "color": theme.CONTENDER},
        hovertext=[f"{cut.one(one.k)}: {wording.signed(one.difference)}" for one in curve],
        hoverinfo="text",
    )
    fig.update_xaxes(title_text=cut.axis, type="category", showgrid=False)
    fig.update_yaxes(tickformat="+.2~f", title_text=f"difference in {escape.plotly(metric)}")
    table = pd.DataFrame(
        {
            cut.axis: [one.k for one in curve],
            baseline: [one.mean_baseline for one in curve],
            contender: [one.mean for one in curve],
            "difference": [one.difference for one in curve],
            "low": [one.low for one in curve],
            "high": [one.high for one in curve],
        }
    )
    return Chart(over_k_title(curve, baseline, contender, cut), fig, table)


def over_k_title(curve: Sequence[AtK], baseline: str, contender: str, cut: Cut = RANKS) -> str:
    """ "dense leads up to K = 5, cannot be told apart from K = 10 on"."""
    names = {1: theme.short(contender), -1: theme.short(baseline)}
    found = spans(curve)
    if len(found) == 1:
        lead, first, last = found[0]
        ends = cut.several(first, last) if cut.by_characters else f"{first} to {last}"
        return (
            f"{names[lead]} leads at every cutoff from {ends}" if lead
            else f"The two cannot be told apart at any cutoff from {ends}"
        )  # fmt: skip
    told = []
    for i, (lead, first, last) in enumerate(found):
        if i == len(found) - 1:
            where = f"from {cut.one(first)} on"
        elif first == last:
            where = f"at {cut.one(first)}"
        elif i == 0:
            where = f"up to {cut.one(last)}"
        else:
            where = f"at {cut.several(first, last)}"
        told.append(f"{names[lead]} leads {where}" if lead else f"the two cannot be told apart {where}")
    title = "; ".join(told)
    return title[0].upper() + title[1:] if not found[0][0] else title


def power(ns: Sequence[int], chance_of: Floats, n: int, difference: float) -> Chart:
    """How likely a true difference of this size is noticed, by the number of questions."""
    fig = theme.figure(height=280)
    fig.add_scatter(
        x=list(ns),
        y=chance_of,
        mode="lines",
        line={"color": theme.FIELD, "width": 2.5},
        hovertemplate="%{x:,} questions: noticed %{y:.0%} of the time<extra></extra>",
    )
    theme.across(fig, "y", 0.8, layer="above", line={"color": theme.LINE, "width": 1, "dash": "dot"})
    here = float(np.interp(n, ns, chance_of))
    fig.add_scatter(
        x=[n], y=[here], mode="markers+text", marker={"size": 11, "color": theme.FIELD},
        text=[f"you: {n:,}"], textposition="bottom right", hoverinfo="skip", cliponaxis=False,
    )  # fmt: skip
    fig.update_xaxes(type="log", title_text="questions", tickformat=",d", nticks=6)
    fig.update_yaxes(range=[-0.04, 1.05], tickformat=".0%")
    title = (
        f"With {n:,} questions a true difference of {wording.number(abs(difference))} is noticed {here:.0%} of the time"
    )
    return Chart(title, fig, pd.DataFrame({"questions": list(ns), "chance to notice": chance_of}))
