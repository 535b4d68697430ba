"""How much room do unjudged documents leave? The difference now, if all of them were relevant, and if none were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from ragdash import escape, wording
from ragdash.analysis.bounds import Bounds
from ragdash.charts import cutoffs, theme
from ragdash.charts.theme import Chart, Ink

HEIGHT = 60  # of the plot, in pixels


@dataclass(frozen=True)
class Mark:
    """One mark of the bar: a sign that stands for it in text, what it is, and the difference there."""

    sign: str
    name: str
    difference: float


def marks(found: Bounds, before: float | None = None) -> list[Mark]:
    """Now, if none of the unjudged documents were relevant, if all were; and where judging here began.

    `before` is the difference from the files alone, where judgments made here count beside them.
    """
    fills = {one.fill: one.difference for one in found.fills}
    out = [
        Mark("◆", "now", found.now.difference),
        Mark("○", "if none were relevant", fills["none"]),
        Mark("▲", "if all were relevant", fills["all"]),
    ]
    return out if before is None else [*out, Mark("│", "before judging here", before)]


_DRAWN = {"◆": ("diamond", 13), "○": ("circle-open", 17), "▲": ("triangle-up", 13), "│": ("line-ns-open", 22)}


def room(found: Bounds, baseline: str, contender: str, before: float | None = None) -> Chart:
    """One bar from the lowest to the highest difference that judging could lead to, with its marks."""
    fig = theme.figure(height=HEIGHT + 54)
    theme.zero_line(fig)
    fig.add_scatter(
        x=[found.lowest, found.highest],
        y=[0, 0],
        mode="lines",
        line={"color": theme.LINE, "width": 12},
        opacity=0.45,
        hoverinfo="skip",
    )
    every = marks(found, before)
    for mark in reversed(every):
        symbol, size = _DRAWN[mark.sign]
        color = theme.FIELD if mark.sign in "◆│" else theme.LINE
        fig.add_scatter(
            x=[mark.difference],
            y=[0],
            mode="markers",
            name=mark.name,
            marker={"symbol": symbol, "color": color, "size": size, "line": {"width": 2, "color": color}},
            hovertemplate=f"{mark.name}: {wording.signed(mark.difference)}<extra></extra>",
        )
    fig.update_yaxes(visible=False, range=[-1, 1])
    fig.update_xaxes(
        range=_span([found.lowest, found.highest, *(mark.difference for mark in every)]), tickformat="+.2~f", nticks=7
    )
    fig.update_layout(margin={"b": 46})
    theme.better(fig, baseline, contender, -24 / HEIGHT)
    return Chart(title(found, baseline, contender), fig, table(found, baseline, contender, before))


def _span(values: Sequence[float]) -> list[float]:
    """Everything, with at least a quarter of the width on either side of zero."""
    low, high = max([-one for one in values] + [0.01]), max([*values, 0.01])
    return [-1.12 * max(low, high / 3), 1.12 * max(high, low / 3)]


def between(found: Bounds) -> str:
    """ "between −0.100 and +0.150"."""
    return f"between {wording.signed(found.lowest)} and {wording.signed(found.highest)}"


def title(found: Bounds, baseline: str, contender: str) -> str:
    """The finding: where the difference can lie, and who would be ahead there."""
    if not found.n_unjudged:
        return f"Nothing is unjudged: the difference is {wording.signed(found.now.difference)}"
    leads = {one.leads for one in (found.now, *found.fills)}
    names = {1: theme.short(contender), -1: theme.short(baseline)}
    if len(leads) == 1:
        only = leads.pop()
        who = f"{names[only]} is ahead all the same" if only else "neither run is ahead beyond chance"
        return f"Whatever is judged, the difference lies {between(found)}: {who}"
    ahead = [names[one] for one in (1, -1) if one in leads]
    who = "either run could be ahead" if len(ahead) == 2 else f"{ahead[0]} could be ahead, or no run beyond chance"
    return f"Judging can lead the difference {between(found)}: {who}"


def table(found: Bounds, baseline: str, contender: str, before: float | None) -> pd.DataFrame:
    """One row for each mark, with the interval that says who is ahead."""
    said = {
        "now": "now",
        "none": "if none were relevant",
        "all": "if all were relevant",
        "contender": f"if only those were that help {contender}",
        "baseline": f"if only those were that help {baseline}",
    }
    names = {1: contender, -1: baseline, 0: "neither beyond chance"}
    rows: list[tuple[str, float, float | None, float | None, str]] = [
        (said[one.fill], one.difference, one.low, one.high, names[one.leads]) for one in (found.now, *found.fills)
    ]
    if before is not None:
        rows.append(("before judging here", before, None, None, ""))
    return pd.DataFrame(rows, columns=["what", "difference", "low", "high", "ahead"])


def shares(curves: Mapping[str, Sequence[tuple[int, float]]], inks: Mapping[str, Ink], k: int) -> Chart:
    """The judged share of every run over K."""
    chart = cutoffs.means_over_k(curves, inks, "judged share", k)
    chart.figure.update_yaxes(range=[0, 1.04], tickformat=".0%", title_text="judged share of the top K")
    chart.figure.update_layout(height=300)
    chart.figure.update_traces(hovertemplate="%{fullData.name} at %{x}: %{y:.1%}<extra></extra>")
    return replace(chart, title=shares_title(curves, k), table=chart.table.rename(columns={"mean": "judged share"}))


def shares_title(curves: Mapping[str, Sequence[tuple[int, float]]], k: int) -> str:
    """ "lsa has the fewest judged: 62 % of its top 10"."""
    here = {name: dict(curve).get(k) for name, curve in curves.items()}
    known = {name: share for name, share in here.items() if share is not None}
    if not known:
        return "How much of each run's top is judged"
    if min(known.values()) >= 1:
        return f"Every document in the top {k} of every run is judged"
    least = min(known, key=lambda name: known[name])
    run = escape.one_line(theme.short(least))
    return f"{run} has the fewest judged: {wording.share(known[least])} of its top {k}"
