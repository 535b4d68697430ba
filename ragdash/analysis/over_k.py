"""Does the answer depend on the cutoff? One metric, two runs, every cutoff that the runs are deep enough for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ragdash import stats
from ragdash.analysis.evaluate import Scores, orientation
from ragdash.metrics import Metric, score

CUTOFFS = (1, 2, 3, 5, 10, 20, 50, 100)


@dataclass(frozen=True)
class Cut:
    """What a curve runs over, ranks K or characters read, and how its places are called.

    `at` is the place in force, 0 where there is none.
    """

    at: int = 0
    by_characters: bool = False

    @property
    def axis(self) -> str:
        return "characters read" if self.by_characters else "K"

    def one(self, k: int) -> str:
        """ "K = 5", "3,000 characters"."""
        return f"{k:,} characters" if self.by_characters else f"K = {k}"

    def several(self, low: int, high: int) -> str:
        """ "K = 1 to 5", "250 to 3,000 characters"."""
        return f"{low:,} to {high:,} characters" if self.by_characters else f"K = {low} to {high}"

    def tick(self, k: int) -> str:
        """The place on an axis."""
        return f"{k:,}" if self.by_characters else str(k)


RANKS = Cut()


@dataclass(frozen=True)
class AtK:
    """The difference at one cutoff, with its interval where there is one (not corrected for the other cutoffs).

    `sign` is -1 for a metric of which less is better: positive differences and intervals are always better.
    """

    k: int
    mean_baseline: float
    mean: float
    low: float | None
    high: float | None
    sign: float = 1.0

    @property
    def difference(self) -> float:
        return self.sign * (self.mean - self.mean_baseline)

    @property
    def leads(self) -> int:
        """Who is ahead: 1 the contender, -1 the baseline, 0 where it cannot be told."""
        return stats.Interval(self.low, self.high, 0.95, "").side(self.difference)


def over_k(
    scores: Scores, metric: Metric, baseline: str, run: str, cutoffs: Sequence[int] = CUTOFFS, level: float = 0.95
) -> tuple[AtK, ...]:
    """`metric` at each of `cutoffs` down to the depth of the deeper run; empty where the metric takes no cutoff."""
    if not metric.block.takes_cutoff or not scores.n:
        return ()
    one, other = (scores.ranking(name) for name in (baseline, run))
    depth = max(int(one.depth.max(initial=0)), int(other.depth.max(initial=0)))
    wanted = sorted({k for k in cutoffs if k <= depth} | ({metric.k} if metric.k else set()))
    metrics = [metric.with_k(k) for k in wanted]
    before = score(one, metrics, scores.options.settings)[:, scores.counted]
    after = score(other, metrics, scores.options.settings)[:, scores.counted]
    out = []
    for k, a, b in zip(wanted, before, after):
        sign = orientation(metric)
        interval = stats.t_interval(stats.clean(sign * (b - a)), level)
        out.append(AtK(k, float(a.mean()), float(b.mean()), interval.low, interval.high, sign))
    return tuple(out)


def same_direction(curve: Sequence[AtK]) -> bool:
    """Whether no cutoff contradicts another: the intervals that exclude zero all lie on one side."""
    return len({one.leads for one in curve if one.leads}) <= 1


def spans(curve: Sequence[AtK]) -> list[tuple[int, int, int]]:
    """Neighbouring cutoffs with the same answer, as `(leads, first k, last k)`."""
    out: list[tuple[int, int, int]] = []
    for one in curve:
        if out and out[-1][0] == one.leads:
            out[-1] = (one.leads, out[-1][1], one.k)
        else:
            out.append((one.leads, one.k, one.k))
    return out


def means_over_k(
    scores: Scores, metric: Metric, cutoffs: Sequence[int] = CUTOFFS
) -> dict[str, list[tuple[int, float]]]:
    """For each run its mean at each cutoff that its rankings are deep enough for."""
    if not metric.block.takes_cutoff or not scores.n:
        return {}
    out = {}
    for name, ranking in zip(scores.experiment.run_names, scores.rankings):
        wanted = [k for k in cutoffs if k <= max(1, int(ranking.depth.max(initial=0)))]
        values = score(ranking, [metric.with_k(k) for k in wanted], scores.options.settings)[:, scores.counted]
        out[name] = [(k, float(np.mean(row))) for k, row in zip(wanted, values)]
    return out
