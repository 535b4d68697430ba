"""Where do many runs differ? Queries by runs as squares that can be picked; how alike each two runs are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ragdash import escape
from ragdash.analysis.agreement import Agreement
from ragdash.charts import theme
from ragdash.charts.theme import Chart

Floats = NDArray[np.float64]
ROW = 20


def heat_map(values: Floats, queries: Sequence[str], runs: Sequence[str], metric: str, title: str) -> Chart:
    """Scores as squares, darker is higher. `values` is `[queries, runs]`; `customdata` is the place of the query."""
    n, width = values.shape
    fig = theme.figure(height=110 + ROW * n)
    high = max(1.0, float(values.max(initial=1.0)))
    y, x = (part.ravel() for part in np.mgrid[0:n, 0:width])
    fig.add_scatter(
        x=x,
        y=y,
        mode="markers",
        marker={
            "symbol": "square",
            "size": ROW - 5,
            "color": [_shade(value / high) for value in values.ravel().tolist()],
            "line": {"width": 1, "color": "rgba(128,138,150,0.55)"},
        },
        customdata=y.tolist(),
        hovertext=[
            f"{theme.label(queries[i], 60)}<br>{theme.label(runs[j])}: {values[i, j]:.3f}"
            for i, j in zip(y.tolist(), x.tolist())
        ],
        hoverinfo="text",
    )
    fig.update_xaxes(
        tickvals=list(range(width)), ticktext=[theme.label(run, 16) for run in runs], side="top", showgrid=False,
        range=[-0.6, max(width, 8) - 0.4], tickangle=-50 if width > 2 else 0, ticklabeloverflow="allow",
    )  # fmt: skip
    fig.update_yaxes(
        tickvals=list(range(n)), ticktext=[theme.label(text, 34) for text in queries], showgrid=False,
        range=[n - 0.4, -0.6],
    )  # fmt: skip
    table = pd.DataFrame({"query": list(queries), **{run: values[:, j] for j, run in enumerate(runs)}})
    return Chart(title, fig, table)


def _shade(share: float) -> str:
    """One hue from nearly nothing to full: legible on light and on dark."""
    return f"rgba(15,118,110,{0.04 + 0.96 * min(max(share, 0.0), 1.0):.2f})"


def alike(found: Agreement) -> Chart:
    """Each two runs as a square with the share of documents that they have in common."""
    n = len(found.names)
    fig = theme.figure(height=90 + 38 * n)
    y, x = (part.ravel() for part in np.mgrid[0:n, 0:n])
    off = x != y
    y, x = y[off], x[off]
    shares = found.overlap[y, x]
    fig.add_scatter(
        x=x,
        y=y,
        mode="markers+text",
        marker={"symbol": "square", "size": 34, "color": [f"rgba(128,138,150,{0.06 + 0.5 * s:.2f})" for s in shares]},
        text=[f"{share:.0%}" for share in shares] if n <= 12 else None,
        textfont={"size": 12},
        hovertext=[
            f"{theme.label(found.names[i])} and {theme.label(found.names[j])}<br>"
            f"{found.overlap[i, j]:.0%} of the top {found.k} in common<br>rank-biased overlap {found.rbo[i, j]:.3f}"
            for i, j in zip(y.tolist(), x.tolist())
        ],
        hoverinfo="text",
    )
    ticks = [theme.label(name, 16) for name in found.names]
    fig.update_xaxes(tickvals=list(range(n)), ticktext=ticks, side="top", showgrid=False, range=[-0.6, n - 0.4],
                     tickangle=-50, ticklabeloverflow="allow")  # fmt: skip
    fig.update_yaxes(tickvals=list(range(n)), ticktext=ticks, showgrid=False, range=[n - 0.4, -0.6])
    return Chart(alike_title(found), fig, found.pairs())


def alike_title(found: Agreement) -> str:
    """Which two runs are most and which least alike."""
    pairs = found.pairs()
    most, least = pairs.iloc[0], pairs.iloc[-1]

    def told(row: pd.Series) -> str:
        names = [escape.shortened(escape.one_line(str(row[key])), 28) for key in ("run", "other")]
        return f"{names[0]} and {names[1]} ({row['overlap']:.0%} of the top {found.k} in common)"

    if len(pairs) == 1:
        return f"How alike: {told(most)}"
    return f"Most alike: {told(most)}; least: {told(least)}"
