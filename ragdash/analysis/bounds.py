"""Could judging the unjudged documents change the answer? The difference under four ways of filling the holes.

An unjudged document counts as not relevant. If it is relevant after all, the run that returned it gains. The four ways:
none is relevant (the scores as they are), all are, only those that help the contender, only those that help the
baseline. A document in the top K of both helps the run that ranks it higher. What is relevant gets the highest grade of
the judgments, so that nothing larger could come of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ragdash import stats
from ragdash.analysis.evaluate import Scores, orientation
from ragdash.analysis.top import Pool, pool
from ragdash.data.columns import Ints
from ragdash.metrics import Judgments, Metric, Rankings, Settings, score

Fill = Literal["none", "all", "contender", "baseline"]
Floats = NDArray[np.float64]
#: The cutoff for metrics that look at the whole list.
WHOLE_LIST = 10


@dataclass(frozen=True)
class Filled:
    """The mean difference under one way of filling the holes, with its interval where there is one."""

    fill: Fill
    difference: float
    low: float | None
    high: float | None

    @property
    def leads(self) -> int:
        """Who is ahead: 1 the contender, -1 the baseline, 0 where it cannot be told."""
        return stats.Interval(self.low, self.high, 0.95, "").side(self.difference)


@dataclass(frozen=True)
class Bounds:
    """What the holes hide. `n_unjudged` are distinct (query, document) pairs in the top `k` of the two runs."""

    k: int
    n_unjudged: int
    n_pooled: int
    fills: tuple[Filled, ...]

    @property
    def lowest(self) -> float:
        return min(one.difference for one in self.fills)

    @property
    def highest(self) -> float:
        return max(one.difference for one in self.fills)

    @property
    def could_change(self) -> bool:
        """Whether some way of filling the holes gives another answer: ahead, behind or no telling."""
        return len({one.leads for one in self.fills}) > 1


def bounds(scores: Scores, metric: Metric, baseline: str, run: str, level: float = 0.95) -> Bounds:
    """The difference of `run` and `baseline` on `metric` under the four ways, at the metric's own cutoff.

    `level` is that of the intervals which say who is ahead.
    """
    k = metric.k or WHOLE_LIST
    experiment = scores.experiment
    places = [experiment.index_of(baseline), experiment.index_of(run)]
    pooled = pool(experiment, places, k, scores.options)
    holes = np.union1d(pooled.unjudged(0), pooled.unjudged(1))
    for_contender = _higher_in(pooled, holes)
    fills: dict[Fill, Ints] = {
        "none": holes[:0],
        "all": holes,
        "contender": holes[for_contender],
        "baseline": holes[~for_contender],
    }
    settings = scores.options.settings
    filled = []
    for name, relevant in fills.items():
        after = [_scored(scores, pooled, i, places[i], relevant, metric, settings) for i in (0, 1)]
        d = stats.clean(orientation(metric) * (after[1] - after[0])[scores.counted])
        interval = stats.t_interval(d, level)
        filled.append(Filled(name, float(d.mean()) if len(d) else 0.0, interval.low, interval.high))
    return Bounds(k, len(holes), len(np.union1d(*pooled.pairs)), tuple(filled))


def _higher_in(pooled: Pool, holes: Ints) -> NDArray[np.bool_]:
    """For each hole whether the contender ranks it higher than the baseline. Shape `[n_holes]`."""
    far = np.iinfo(np.int64).max
    ranks = []
    for found, pairs in zip(pooled.tops, pooled.pairs):
        order = np.argsort(pairs, kind="stable")
        at = np.minimum(np.searchsorted(pairs[order], holes), max(len(pairs) - 1, 0))
        hit = pairs[order][at] == holes if len(pairs) else np.zeros(len(holes), dtype=bool)
        ranks.append(np.where(hit, found.rank[order][at] if len(pairs) else far, far))
    higher: NDArray[np.bool_] = ranks[1] < ranks[0]
    return higher


def _scored(
    scores: Scores, pooled: Pool, i: int, place: int, relevant: Ints, metric: Metric, settings: Settings
) -> Floats:
    """Scores of one run as if the pairs in `relevant` had the highest grade there is. Shape `[n_axis]`."""
    rankings, found = scores.rankings[place], pooled.tops[i]
    grades = scores.experiment.qrels.grades
    grade = max(metric.settings(settings).threshold, float(grades.max(initial=1.0)), 1.0)
    new = np.isin(pooled.pairs[i], relevant)
    query = np.concatenate([rankings.query, found.query[new]])
    rank = np.concatenate([rankings.rank, found.rank[new]])
    order = np.lexsort((rank, query))
    ones, n = np.ones(int(new.sum()), dtype=np.int64), int(new.sum())
    filled = replace(
        rankings,
        judgments=_with_more(rankings, relevant // max(1, len(pooled.documents)), grade),
        query=query[order],
        rank=rank[order],
        grade=np.concatenate([rankings.grade, np.full(n, grade)])[order],
        tie_first=np.concatenate([rankings.tie_first, found.rank[new]])[order],
        tie_size=np.concatenate([rankings.tie_size, ones])[order],
        judgment=None,
    )
    out: Floats = score(filled, [metric], settings)[0]
    return out


def _with_more(rankings: Rankings, queries: Ints, grade: float) -> Judgments:
    """The judgments with one more document of this grade for each of `queries`."""
    old = rankings.judgments
    query = np.concatenate([np.repeat(np.arange(old.n_queries), np.diff(old.starts)), queries])
    order = np.argsort(query, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(query, minlength=old.n_queries))])
    return Judgments.of(starts, np.concatenate([old.grades, np.full(len(queries), grade)])[order])
