"""How does a result look as text? One table of values as plain text, CSV, Markdown or LaTeX, settings named in each."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
from tabulate import tabulate

from ragdash import escape, wording
from ragdash.analysis.compare import Comparisons
from ragdash.analysis.evaluate import Scores
from ragdash.data.experiment import Experiment
from ragdash.data.findings import Finding
from ragdash.data.nouns import Run

TextFormat = Literal["table", "csv", "markdown", "latex"]
_STYLES = {"table": "simple", "markdown": "pipe", "latex": "latex_booktabs"}
_MARKS = {"error": "✕", "warning": "!", "info": "·"}


def depths(run: Run) -> tuple[int, int | float, int]:
    """Smallest, median and largest number of documents that the file lists for a query."""
    if not run.n_queries:
        return 0, 0, 0
    median = float(np.median(run.depths))
    return int(run.depths.min()), int(median) if median.is_integer() else median, int(run.depths.max())


def runs_table(experiment: Experiment) -> pd.DataFrame:
    """One row per run: what was read."""
    rows = []
    for run in [*experiment.runs, *experiment.set_aside]:
        low, median, high = depths(run)
        state = "scored" if run in experiment.runs else "set aside"
        rows.append([run.name, run.source.file, run.source.format, run.n_queries, len(run), low, median, high, state])
    columns = ["run", "file", "format", "queries", "rows", "depth_min", "depth_median", "depth_max", "state"]
    return pd.DataFrame(rows, columns=columns)


def means_table(scores: Scores) -> pd.DataFrame:
    """One row per run: `run`, then each metric's mean."""
    table = scores.means()
    return table.reset_index(names="run")


def per_query_table(scores: Scores) -> pd.DataFrame:
    """One row per run and query: `run, query_id`, then each metric's score."""
    wide = scores.frame().pivot(index=["run", "query_id"], columns="metric", values="score")
    order = pd.MultiIndex.from_product([scores.experiment.run_names, scores.query_ids])
    return wide.reindex(order)[[str(metric) for metric in scores.metrics]].reset_index(names=["run", "query_id"])


def comparison_table(comparisons: Comparisons) -> pd.DataFrame:
    """One row per pair and metric, what a reader compares first; the whole evidence is in the JSON."""
    rows = []
    for row in comparisons.rows:
        counts = row.counts
        rows.append(
            {
                "baseline": row.baseline,
                "run": row.run,
                "metric": str(row.metric),
                "n": row.n,
                "mean_baseline": row.mean_baseline,
                "mean": row.mean,
                "difference": row.difference,
                "ci_low": None if row.ci is None else row.ci[0],
                "ci_high": None if row.ci is None else row.ci[1],
                "wins": counts.wins,
                "ties": counts.ties,
                "losses": counts.losses,
                "p": row.chosen.p,
                "p_corrected": row.p_corrected,
                "verdict": row.verdict,
            }
        )
    return pd.DataFrame(rows)


def findings_table(findings: Sequence[Finding]) -> pd.DataFrame:
    """One row per finding."""
    columns = ["severity", "code", "file", "run", "count", "lines", "examples", "message", "remedy"]
    rows = [
        [one.severity, one.code, one.file, one.run, one.count, ", ".join(map(str, one.lines)),
         ", ".join(one.examples), one.message, one.remedy]
        for one in findings
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)


def render(table: pd.DataFrame, form: TextFormat, settings: Mapping[str, Any], notes: Sequence[str] = ()) -> str:
    """`table` in one of the text formats, the settings in force and `notes` with it.

    CSV keeps full precision and carries the settings as columns, so that it stays one table; the others round to four
    decimals and say the settings underneath.
    """
    if form == "csv":
        return _csv(
            table.assign(**{key: in_words(value) for key, value in settings.items() if key not in table.columns})
        )
    shown = table.map(_cell if form == "table" else lambda value: _cell(_safe(value, form)))
    for column in shown.columns.intersection(["p", "p_corrected"]):
        shown[column] = table[column].map(_p)
    align = ["right" if pd.api.types.is_numeric_dtype(table[column]) else "left" for column in table.columns]
    headers = [str(column) for column in table.columns]
    body = tabulate(
        shown.to_numpy().tolist(), headers, tablefmt=_STYLES[form], colalign=align or None, disable_numparse=True
    )
    said = ", ".join(f"{key} {in_words(value)}" for key, value in settings.items())
    if form == "latex":
        return "\n".join([body.replace("−", "$-$"), *(f"% {line}" for line in [f"Settings: {said}.", *notes])]) + "\n"
    lines = [f"Settings: {said}.", *notes]
    if form == "markdown":
        return "\n".join([body, "", *(f"- {escape.github(line)}" for line in lines)]) + "\n"
    return "\n".join([body, "", *lines]) + "\n"


def notes(findings: Sequence[Finding]) -> list[str]:
    """A line for each finding, its severity first as a sign."""
    return [f"{_MARKS[finding.severity]} {finding.message}" for finding in findings]


def in_words(value: Any) -> str:
    """A setting's value in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " and ".join(map(str, value)) or "none" if isinstance(value, list) else str(value)


def _csv(table: pd.DataFrame) -> str:
    out = io.StringIO()
    table.map(escape.csv_cell).to_csv(out, index=False, lineterminator="\n")
    return out.getvalue()


def _safe(value: Any, form: TextFormat) -> Any:
    if not isinstance(value, str):
        return value
    return escape.github(value) if form == "markdown" else escape.one_line(value)


def _p(value: Any) -> str:
    """A p-value to four decimals, and never 0."""
    return "< 0.0001" if value is not None and value < 0.00005 else _cell(value)


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value
    if value is None or value != value:
        return "–"
    if isinstance(value, float):
        return wording.number(value, 4)
    return str(value)
