"""How far apart are two runs on several metrics? Means and intervals side by side; nothing is tested here."""

from __future__ import annotations

from dataclasses import dataclass

from ragdash import stats
from ragdash.analysis.evaluate import Scores, orientation
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
        """Positive is better."""
        return orientation(self.metric) * (self.mean - self.mean_baseline)


def gaps(scores: Scores, baseline: str, run: str) -> tuple[Gap, ...]:
    """One gap for each metric of `scores`."""
    out = []
    for metric in scores.metrics:
        one, other = scores.of(baseline, metric), scores.of(run, metric)
        d = scores.differences(baseline, run, metric)
        out.append(Gap(metric, float(one.mean()), float(other.mean()), stats.t_interval(d).ends, stats.counts(d)))
    return tuple(out)
