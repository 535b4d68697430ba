"""Which run leads at which cutoff? The mean of every run over K."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from ragdash import escape, wording
from ragdash.charts import theme
from ragdash.charts.theme import Chart, Ink

Curves = Mapping[str, Sequence[tuple[int, float]]]


def means_over_k(curves: Curves, inks: Mapping[str, Ink], metric: str, k: int) -> Chart:
    """One line a run; the chosen cutoff marked."""
    fig = theme.figure(height=360)
    every = sorted({at for curve in curves.values() for at, _ in curve})
    drawn = sorted(curves, key=lambda name: inks[name].color in (theme.BASELINE, theme.CONTENDER))
    for name in drawn:
        fig.add_scatter(
            x=[str(at) for at, _ in curves[name]],
            y=[mean for _, mean in curves[name]],
            mode="lines+markers",
            name=theme.label(name),
            line={"color": inks[name].color, "dash": inks[name].dash, "width": 2},
            marker={"symbol": inks[name].symbol, "size": [12 if at == k else 7 for at, _ in curves[name]]},
            hovertemplate=f"{theme.label(name)} at %{{x}}: %{{y:.3f}}<extra></extra>",
        )
    fig.update_layout(showlegend=True)
    fig.update_xaxes(
        title_text="K", type="category", categoryorder="array", categoryarray=[str(at) for at in every], showgrid=False
    )
    fig.update_yaxes(title_text=f"mean {escape.plotly(metric)}", tickformat=".2~f")
    rows = [{"run": name, "K": at, "mean": mean} for name in curves for at, mean in curves[name]]
    return Chart(title(curves), fig, pd.DataFrame(rows))


def title(curves: Curves) -> str:
    """ "rrf is best up to K = 5, dense from K = 10 on"."""
    best: dict[int, tuple[str, float]] = {}
    for name, curve in curves.items():
        for at, mean in curve:
            if at not in best or mean > best[at][1] + 1e-12:
                best[at] = (name, mean)
    spans: list[tuple[str, int, int]] = []
    for at in sorted(best):
        if spans and spans[-1][0] == best[at][0]:
            spans[-1] = (spans[-1][0], spans[-1][1], at)
        else:
            spans.append((best[at][0], at, at))
    if len(spans) == 1:
        return f"{theme.short(spans[0][0])} has the best mean at every K"
    if len(spans) > 3:
        names = list(dict.fromkeys(theme.short(name) for name, _, _ in spans))
        return f"Which run is best depends on K: {wording.listed(names)} take turns"
    told = []
    for i, (name, first, last) in enumerate(spans):
        where = f"up to K = {last}" if i == 0 else f"from K = {first} on" if i == len(spans) - 1 else (
            f"at K = {first}" if first == last else f"at K = {first} to {last}"
        )  # fmt: skip
        told.append(f"{theme.short(name)} {where}")
    return "Best mean: " + ", ".join(told)
