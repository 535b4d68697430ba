"""How far apart are two runs on several metrics? Means and intervals side by side; nothing is tested here."""

from __future__ import annotations

from dataclasses import dataclass

from ragdash import stats
from ragdash.analysis.evaluate import Scores
from ragdash.metrics import Metric


@dataclass(frozen=True)
class Gap:
    """One metric: the means of both, the difference and its 95 % interval, not corrected for the other metrics."""

    metric: Metric
    mean_baseline: float
    mean: float
    ci: tuple[float, float] | None
    counts: stats.Counts

    @property
    def difference(self) -> float:
        return self.mean - self.mean_baseline


def gaps(scores: Scores, baseline: str, run: str) -> tuple[Gap, ...]:
    """One gap for each metric of `scores`."""
    out = []
    for metric in scores.metrics:
        one, other = scores.of(baseline, metric), scores.of(run, metric)
        d = stats.clean(other - one)
        interval = stats.t_interval(d)
        ci = None if interval.low is None or interval.high is None else (interval.low, interval.high)
        out.append(Gap(metric, float(one.mean()), float(other.mean()), ci, stats.counts(d)))
    return tuple(out)
