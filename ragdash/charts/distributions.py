"""Does the mean hide something? How per-query scores and their differences spread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ragdash import escape, wording
from ragdash.charts import theme
from ragdash.charts.theme import Chart, Ink

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

BARS = 60  # so many single queries can be told apart on a laptop; more are drawn as areas
POINTS = 400  # per line: more cannot be seen and would only travel
EPS = 1e-9


def sorted_differences(differences: Floats, queries: Sequence[str], baseline: str, contender: str) -> Chart:
    """Gains on one side, losses on the other, the unchanged middle collapsed to a label.

    A mark's `customdata` is the place of its query in `differences`.
    """
    gains = _places(differences, differences > EPS)
    losses = _places(differences, differences < -EPS)
    n, ties = len(differences), len(differences) - len(gains) - len(losses)
    fig = theme.figure(height=280)
    gap = (0.08 * (len(gains) + len(losses)) + 2) if ties else 0
    draw = _bars if len(gains) + len(losses) <= BARS else _area
    names = theme.label(baseline, 16), theme.label(contender, 16)
    draw(fig, np.arange(len(gains), dtype=np.float64) + 0.5, gains, differences, queries, theme.CONTENDER)
    draw(
        fig,
        np.arange(len(losses), dtype=np.float64) + len(gains) + gap + 0.5,
        losses,
        differences,
        queries,
        theme.BASELINE,
    )
    theme.zero_line(fig, "y")
    if ties:
        middle, text = len(gains) + gap / 2, f"{ties:,}<br>unchanged"
        fig.add_annotation(x=middle, y=0, text=text, showarrow=False, font={"size": 12, "color": theme.GREY}, yshift=24)
    width = len(gains) + gap + len(losses)
    fig.update_xaxes(showticklabels=False, showgrid=False, range=[-0.01 * width, 1.01 * width or 1])
    fig.update_yaxes(tickformat="+.1f", title_text="difference")
    fig.update_layout(margin={"b": 34})
    theme.ends(fig, f"{names[1]} gains", f"{names[1]} loses", -0.03)
    title = (
        f"{theme.short(contender)} gains on {len(gains):,}, loses on {len(losses):,} and is unchanged on {ties:,} "
        f"of {wording.count(n, 'question')}"
    )
    table = pd.DataFrame({"query": list(queries), "difference": differences})
    return Chart(title, fig, table.sort_values("difference", kind="stable"))


def _places(differences: Floats, mask: NDArray[np.bool_]) -> Ints:
    """Indices of the masked queries, the best first."""
    at = np.flatnonzero(mask)
    out: Ints = at[np.argsort(-differences[at], kind="stable")]
    return out


def _bars(fig, x: Floats, at: Ints, differences: Floats, queries: Sequence[str], color: str) -> None:  # type: ignore[no-untyped-def]
    fig.add_bar(
        x=x,
        y=differences[at],
        width=0.86,
        marker={"color": color, "line": {"width": 0}},
        customdata=at.tolist(),
        hovertext=[f"{theme.label(queries[i], 60)}<br>{wording.signed(float(differences[i]))}" for i in at],
        hoverinfo="text",
    )


def _area(fig, x: Floats, at: Ints, differences: Floats, queries: Sequence[str], color: str) -> None:  # type: ignore[no-untyped-def]
    """A filled line through at most POINTS of the queries, each of which can be picked."""
    kept = thinned(len(at), POINTS)
    fig.add_scatter(
        x=x[kept],
        y=differences[at[kept]],
        mode="lines+markers",
        line={"color": color, "width": 1.5},
        marker={"size": 5, "color": color, "opacity": 0.45},
        fill="tozeroy",
        customdata=at[kept].tolist(),
        hovertext=[f"{theme.label(queries[i], 60)}<br>{wording.signed(float(differences[i]))}" for i in at[kept]],
        hoverinfo="text",
    )


def thinned(n: int, most: int) -> Ints:
    """At most `most` of `n` places, evenly, both ends kept."""
    out: Ints = np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(np.int64)) if n else np.zeros(0, np.int64)
    return out


def groups(one: Floats, other: Floats) -> tuple[Floats, Floats, Ints, Ints]:
    """Queries with the same pair of scores as one point: `x [g], y [g], count [g], group of each query [n]`."""
    pairs = np.round(np.column_stack([one, other]), 9)
    distinct, inverse, counts = np.unique(pairs, axis=0, return_inverse=True, return_counts=True)
    x, y = distinct.astype(np.float64).T
    return x, y, counts.astype(np.int64), inverse.reshape(-1).astype(np.int64)


def scatter(one: Floats, other: Floats, baseline: str, contender: str, metric: str) -> Chart:
    """Baseline against contender. Queries with equal scores are one point, its area their number.

    A point's `customdata` is its group as `groups` numbers them.
    """
    x, y, counts, _ = groups(one, other)
    above, below = int((other - one > EPS).sum()), int((one - other > EPS).sum())
    fig = theme.figure(height=400)
    low, high = float(min(x.min(), y.min(), 0)), float(max(x.max(), y.max(), 1))
    fig.add_scatter(
        x=[low, high], y=[low, high], mode="lines", line={"color": theme.LINE, "width": 1.5}, hoverinfo="skip"
    )
    sizes = 7 + 22 * np.sqrt((counts - 1) / max(1, counts.max()))
    for color, mask in (  # one trace a colour: a list of thousands of colours is slow to check and to send
        (theme.GREY, np.abs(y - x) <= EPS),
        (theme.BASELINE, x - y > EPS),
        (theme.CONTENDER, y - x > EPS),
    ):
        at = np.flatnonzero(mask)
        if not len(at):
            continue
        fig.add_scatter(
            x=x[at],
            y=y[at],
            mode="markers",
            cliponaxis=False,
            marker={"size": sizes[at], "color": color, "opacity": 0.85, "line": {"width": 0}},
            customdata=at.tolist(),
            hovertext=[
                f"{wording.count(c, 'question')}<br>{a:.3f} → {b:.3f}"
                for a, b, c in zip(x[at].tolist(), y[at].tolist(), counts[at].tolist())
            ],
            hoverinfo="text",
        )
    pad = 0.04 * (high - low)
    for axis, name in ((fig.update_xaxes, baseline), (fig.update_yaxes, contender)):
        axis(range=[low - pad, high + pad], title_text=f"{escape.plotly(metric)}, {theme.label(name, 20)}")
    fig.update_layout(dragmode="select", margin={"t": 34})
    fig.add_annotation(
        text=f"▲ above: better on {above:,} · ▼ below: worse on {below:,}", xref="paper", yref="paper", x=0, y=1.02,
        xanchor="left", yanchor="bottom", showarrow=False, font={"size": 12},
    )  # fmt: skip
    on = int(len(one) - above - below)
    title = f"{above:,} questions lie above the diagonal, {below:,} below, {on:,} on it"
    return Chart(title, fig, pd.DataFrame({baseline: x, contender: y, "questions": counts}))


def spread(scores: Mapping[str, Floats], inks: Mapping[str, Ink], metric: str, title: str) -> Chart:
    """The share of questions that score at most so much, per run: a line that stays low is a run that does well."""
    fig = theme.figure(height=320)
    rows = []
    for name in _drawn_last(scores, inks):
        values, share = _steps(scores[name])
        rows.append(pd.DataFrame({"run": name, "score": values, "share at or below": share}))
        fig.add_scatter(
            x=values,
            y=share,
            mode="lines",
            line={"color": inks[name].color, "dash": inks[name].dash, "shape": "hv", "width": 2.2},
            name=theme.label(name),
            hovertemplate=f"{theme.label(name)}: %{{y:.0%}} score %{{x:.3f}} or less<extra></extra>",
        )
    fig.update_layout(showlegend=True, hovermode="closest")
    fig.update_xaxes(title_text=escape.plotly(metric), range=[-0.02, 1.02] if _unit(scores) else None)
    fig.update_yaxes(tickformat=".0%", range=[-0.02, 1.03], title_text="share of questions")
    return Chart(title, fig, pd.concat(rows, ignore_index=True))


def histogram(scores: Mapping[str, Floats], inks: Mapping[str, Ink], metric: str, title: str, bins: int = 10) -> Chart:
    """How many questions fall into each band of scores, binned here: bars side by side, a run a colour."""
    low = min(0.0, *(float(values.min()) for values in scores.values()))
    high = max(1.0, *(float(values.max()) for values in scores.values()))
    edges = np.linspace(low, high, bins + 1)
    fig = theme.figure(height=320)
    names = [f"{a:.1f} to {b:.1f}" for a, b in pairwise(edges.tolist())]
    table = pd.DataFrame({"score": names})
    for name, values in scores.items():
        counts = np.histogram(values, edges)[0]
        table[name] = counts
        fig.add_bar(
            x=(edges[:-1] + edges[1:]) / 2,
            y=counts,
            name=theme.label(name),
            marker={"color": inks[name].color, "line": {"width": 0}},
            customdata=names,
            hovertemplate=f"{theme.label(name)}: %{{y:,}} questions score %{{customdata}}<extra></extra>",
        )
    fig.update_layout(showlegend=True, barmode="group", bargap=0.2)
    fig.update_xaxes(title_text=escape.plotly(metric), tickvals=edges.tolist(), tickformat=".1f", showgrid=False)
    fig.update_yaxes(title_text="questions")
    return Chart(title, fig, table)


def spread_title(scores: Mapping[str, Floats], baseline: str, contender: str) -> str:
    """The finding of the spread: how often each of the two finds nothing, and how often it is perfect."""
    told = []
    for name in (contender, baseline):
        values = scores[name]
        none, full = int((values <= EPS).sum()), int((values >= 1 - EPS).sum())
        told.append(f"{theme.short(name)} scores 0 on {none:,} and 1 on {full:,}")
    return "; ".join(told)


def _drawn_last(scores: Mapping[str, Floats], inks: Mapping[str, Ink]) -> list[str]:
    """Grey runs first, so that the two compared lie on top."""
    return sorted(scores, key=lambda name: inks[name].color in (theme.BASELINE, theme.CONTENDER))


def _steps(values: Floats) -> tuple[Floats, Floats]:
    """The ECDF's steps, thinned to POINTS."""
    distinct, counts = np.unique(values, return_counts=True)
    share = np.cumsum(counts) / max(1, len(values))
    kept = thinned(len(distinct), POINTS)
    start = min(0.0, float(distinct[0]) if len(distinct) else 0.0)
    return np.concatenate([[start], distinct[kept]]), np.concatenate([[0.0], share[kept]])


def _unit(scores: Mapping[str, Floats]) -> bool:
    return all(len(values) == 0 or (values.min() >= 0 and values.max() <= 1) for values in scores.values())
