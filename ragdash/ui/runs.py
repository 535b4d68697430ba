"""What does the Runs page say? On which questions the runs disagree most, and what a picked square opens."""

from __future__ import annotations

from typing import Any

import pandas as pd

from ragdash import escape, stats, wording
from ragdash.analysis.facts import SPREAD
from ragdash.charts import runs as charts
from ragdash.charts.theme import Chart, short
from ragdash.ui import selection, tables
from ragdash.ui.picks import Picks
from ragdash.ui.selection import Selection


def answer(chosen: Picks, found: Selection) -> str:
    """On how many of the filtered questions the runs differ, and on how many it matters which one is asked."""
    n, half = found.counts["disagree"], int((found.table[SPREAD] >= 0.5).sum())
    runs, among = wording.count(len(chosen.experiment.runs), "run"), selection.among(found)
    if not n:
        return f"The {runs} score the same on each of {among}"
    told = f"The {runs} differ on {n:,} of {among}"
    if chosen.show not in ("disagree", "all"):  # the table holds other questions than those
        return told
    return f"{told}, by 0.5 {escape.markdown(chosen.metric.label)} or more on {half:,}"


def squares(shown: pd.DataFrame, chosen: Picks) -> Chart:
    """The questions in view by runs, the runs by their mean."""
    means = chosen.scores.means().iloc[:, 0].sort_values(ascending=False, kind="stable")
    order = [str(name) for name in means.index]
    values = shown[[f"score: {name}" for name in order]].to_numpy(dtype=float)
    row = shown.iloc[0]
    high, low = order[int(values[0].argmax())], order[int(values[0].argmin())]
    text = escape.shortened(escape.one_line(str(row["query"])), 50)
    title = (
        f"“{text}”: {short(high)} {wording.number(float(values[0].max()))}, "
        f"{short(low)} {wording.number(float(values[0].min()))}"
    )
    if values[0].max() - values[0].min() <= stats.EPS:
        title = f"“{text}”: every run {wording.number(float(values[0].max()))}"
    return charts.heat_map(values, shown["query"].tolist(), order, chosen.metric.label, title)


def open_square(event: Any, shown: pd.DataFrame, chosen: Picks) -> None:
    """Go to the question of the square that was picked."""
    at = tables.picked_marks(event)
    if at and at[0] < len(shown):
        tables.open_query(str(shown["query_id"].iloc[at[0]]), show=chosen.show)


def reading(chosen: Picks) -> list[str]:
    """Details: how to read the pictures."""
    return [
        f"Squares: one row a question, one column a run, the run with the best mean first; darker is a higher "
        f"{escape.markdown(chosen.metric.label)}.",
        f"In common: documents of one run's top {chosen.k} that are in the other's, averaged over the questions.",
        "Rank-biased overlap (p = 0.9): the same, with more weight on the first ranks; 1 is the same order.",
    ]
