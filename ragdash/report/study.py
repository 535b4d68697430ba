"""What is there to report on two runs? Everything that the pages show on one metric, computed once, for every paper."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from ragdash.analysis.bounds import WHOLE_LIST
from ragdash.analysis.compare import Comparison, Comparisons, Testing, compare
from ragdash.analysis.drilldown import query_table
from ragdash.analysis.evaluate import Scores, at_cutoff, metric_of, score_rankings
from ragdash.analysis.gaps import Gap, gaps
from ragdash.analysis.health import health
from ragdash.analysis.over_k import AtK
from ragdash.analysis.over_read import AtRead, difference_curve, over_read
from ragdash.analysis.trust import Check, checks
from ragdash.charts.theme import short
from ragdash.data.findings import Finding
from ragdash.errors import OptionError
from ragdash.metrics import Metric

WIDTH = 36  # of a name in a sentence
#: The usual metrics that stand beside the one that decides, where that looks at documents and where at evidence.
USUAL = ("nDCG", "Recall", "Precision", "F1", "RR", "Success")
USUAL_SPANS = ("BudgetRecall", "CharRecall", "EvidenceFound", "SpanNDCG", "CharPrecision", "CharIoU")


@dataclass(frozen=True)
class Study:
    """One contender against one baseline on one metric; every other run against the baseline for the correction.

    Of `scores` only the rankings are used, so that the same question gives the same answer whatever else was evaluated.
    """

    scores: Scores
    baseline: str
    contender: str
    metric: Metric
    testing: Testing

    def trimmed(self, text: str) -> str:
        """A sentence with the long names of runs in it shortened."""
        for name in sorted(self.scores.experiment.run_names, key=len, reverse=True):
            text = text.replace(name, short(name)) if len(name) > WIDTH else text
        return text

    @property
    def k(self) -> int:
        """Where lists are cut: the metric's cutoff, or ten."""
        return self.metric.k or WHOLE_LIST

    @cached_property
    def focus(self) -> Scores:
        """Scores on the metric that decides."""
        return self._scored([self.metric])

    @cached_property
    def wide(self) -> Scores:
        """Scores on the metric that decides and on the usual ones at its cutoff."""
        return self._scored(beside(self.metric, self.k))

    def _scored(self, metrics: list[Metric]) -> Scores:
        return score_rankings(self.scores.experiment, self.scores.rankings, metrics, self.scores.options)

    @cached_property
    def comparisons(self) -> Comparisons:
        """Every run against the baseline on the metric: the tests that the correction counts."""
        return compare(self.focus, self.baseline, self.testing)

    @property
    def row(self) -> Comparison:
        """The comparison that the report is about."""
        return self.comparisons.of(self.contender, self.metric)

    @cached_property
    def gaps(self) -> tuple[Gap, ...]:
        return gaps(self.wide, self.baseline, self.contender)

    @cached_property
    def checks(self) -> tuple[Check, ...]:
        return checks(self.focus, self.row, self.testing)

    @cached_property
    def curve(self) -> tuple[AtK, ...]:
        """The difference at each cutoff, at the level of the trust list, so that the two cannot disagree."""
        return difference_curve(self.focus, self.metric, self.baseline, self.contender, 1 - self.row.alpha)

    @cached_property
    def reading(self) -> dict[str, tuple[AtRead, ...]]:
        """Recall of every run over characters read; empty where the metric does not look at evidence."""
        return over_read(self.focus) if self.metric.block.needs_spans else {}

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        return health(self.focus)

    @cached_property
    def queries(self) -> pd.DataFrame:
        """One row per counted query, the contender's worst loss first."""
        return query_table(self.focus, str(self.metric), self.baseline, self.contender)


def beside(metric: Metric, k: int) -> list[Metric]:
    """The metric that decides, then the usual ones of its kind at the cutoff `k`."""
    usual = USUAL_SPANS if metric.block.needs_spans else USUAL
    return list(dict.fromkeys([metric, *(metric_of(at_cutoff(name, k)) for name in usual)]))


def study(
    scores: Scores,
    *,
    baseline: str | None = None,
    contender: str | None = None,
    metric: Metric | str | None = None,
    testing: Testing | None = None,
) -> Study:
    """A study with what was left open filled in: the first run, the best other run, the first metric.

    Raises OptionError where a run or a metric does not exist, or where there is nothing to compare.
    """
    names = scores.experiment.run_names
    if len(names) < 2:
        raise OptionError(f"There is one run, {names[0] if names else 'none'}: a comparison needs two.")
    chosen = scores.metrics[0] if metric is None else metric_of(metric) if isinstance(metric, str) else metric
    baseline = names[0] if baseline is None else baseline
    scores.experiment.index_of(baseline)
    if contender is None:
        contender = _best(Study(scores, baseline, "", chosen, testing or Testing()).focus, baseline)
    scores.experiment.index_of(contender)
    if contender == baseline:
        raise OptionError(f"{baseline} is both baseline and contender: name another run.")
    return Study(scores, baseline, contender, chosen, testing or Testing())


def _best(scores: Scores, baseline: str) -> str:
    """The run with the best mean beside the baseline, the first of several."""
    sign = 1 if scores.metrics[0].block.higher_is_better else -1
    means = scores.means().iloc[:, 0].fillna(0.0)
    rest = [name for name in scores.experiment.run_names if name != baseline]
    return max(rest, key=lambda name: sign * float(means[name]))
