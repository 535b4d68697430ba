"""How do runs stand in a paper or a wiki? Means with significance marks, as LaTeX or Markdown.

A dagger says that the run is better than the baseline after the correction, a double dagger that it is worse; the best
mean of each metric is bold. The settings in force stand in the caption.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ragdash import escape, stats, wording
from ragdash.analysis.compare import Comparisons
from ragdash.report.evidence import settings_of
from ragdash.report.tables import in_words

DIGITS = 3
_LATEX = {"better": r"$^{\dagger}$", "worse": r"$^{\ddagger}$"}
_SIGNS = {"better": "†", "worse": "‡"}
Cell = tuple[str, str, bool]


def cells(comparisons: Comparisons) -> dict[str, list[Cell]]:
    """For each run and metric `(mean, mark, best)`; `mark` is "better", "worse" or ""."""
    scores = comparisons.scores
    means = scores.means()
    verdicts = {(row.run, str(row.metric)): row.verdict for row in comparisons.rows}
    out: dict[str, list[Cell]] = {}
    best = {}
    for metric in scores.metrics:
        column = means[str(metric)]
        best[str(metric)] = column.max() if metric.block.higher_is_better else column.min()
    for run in scores.experiment.run_names:
        line: list[Cell] = []
        for metric in scores.metrics:
            value = float(means.loc[run, str(metric)])
            verdict = verdicts.get((run, str(metric)), "")
            mark = verdict if verdict in _SIGNS else ""
            line.append((wording.number(value, DIGITS), mark, abs(value - best[str(metric)]) < stats.EPS))
        out[run] = line
    return out


def latex(comparisons: Comparisons) -> str:
    """A `table` for a paper: needs the package booktabs."""
    names = [escape.latex(metric.label) for metric in comparisons.scores.metrics]
    lines = [r"\begin{table}", r"\centering", rf"\caption{{{escape.latex(caption(comparisons))}}}"]
    lines += [rf"\begin{{tabular}}{{l{'r' * len(names)}}}", r"\toprule"]
    lines += [" & ".join(["run", *names]) + r" \\", r"\midrule"]

    def bold(text: str) -> str:
        return rf"\textbf{{{text}}}"

    for run, row in cells(comparisons).items():
        shown = [_cell(cell, _LATEX, bold).replace("−", "$-$") for cell in row]
        lines.append(" & ".join([escape.latex(run), *shown]) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}"]) + "\n"


def markdown(comparisons: Comparisons) -> str:
    """The same table for a wiki or a pull request."""
    names = [escape.github(metric.label) for metric in comparisons.scores.metrics]
    lines = ["| run | " + " | ".join(names) + " |", "|---|" + "---:|" * len(names)]
    for run, row in cells(comparisons).items():
        shown = [_cell(cell, _SIGNS, lambda text: f"**{text}**") for cell in row]
        lines.append("| " + " | ".join([escape.github(run), *shown]) + " |")
    return "\n".join([*lines, "", escape.github(caption(comparisons))]) + "\n"


def _cell(cell: Cell, marks: Mapping[str, str], bold: Callable[[str], str]) -> str:
    text, mark, best = cell
    return (bold(text) if best else text) + marks.get(mark, "")


def caption(comparisons: Comparisons) -> str:
    """What the marks mean and every value in force."""
    testing, scores = comparisons.testing, comparisons.scores
    name = stats.CORRECTIONS[testing.correction].name
    said = ", ".join(f"{key} {in_words(value)}" for key, value in settings_of(scores, comparisons).items())
    return (
        f"Means over {wording.count(scores.n, 'query', 'queries')}. † better and ‡ worse than {comparisons.baseline} "
        f"({stats.TESTS[testing.test].name}, corrected: {name}, p ≤ {testing.alpha:g}). Settings: {said}."
    )
