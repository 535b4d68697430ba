"""Could judging the unjudged documents change the answer? The difference under four ways of filling the holes.

An unjudged document counts as not relevant. If it is relevant after all, the run that returned it gains. The four ways:
none is relevant, all are, only those that help the contender, only those that help the baseline. A document in the top
K of both helps the run that ranks it higher. What is relevant gets the highest grade of the judgments, so that nothing
larger could come of it; what is not gets 0. "None" differs from the scores as they are for metrics that pass over
unjudged documents (bpref, Judged@K).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ragdash import stats
from ragdash.analysis.evaluate import Scores, orientation
from ragdash.analysis.top import Pool, pool
from ragdash.data.columns import Ints
from ragdash.metrics import Judgments, Metric, Rankings, score

Fill = Literal["now", "none", "all", "contender", "baseline"]
Floats = NDArray[np.float64]
#: The cutoff for metrics that look at the whole list.
WHOLE_LIST = 10


@dataclass(frozen=True)
class Filled:
    """The mean difference under one way of filling the holes, with its interval where there is one.

    `differences [n]` are those of the counted queries.
    """

    fill: Fill
    difference: float
    low: float | None
    high: float | None
    differences: Floats = field(repr=False)

    @classmethod
    def of(cls, fill: Fill, differences: Floats, level: float) -> Filled:
        interval = stats.t_interval(differences, level)
        mean = float(differences.mean()) if len(differences) else 0.0
        return cls(fill, mean, interval.low, interval.high, differences)

    @property
    def leads(self) -> int:
        """Who is ahead: 1 the contender, -1 the baseline, 0 where it cannot be told."""
        return stats.Interval(self.low, self.high, 0.95, "").side(self.difference)


@dataclass(frozen=True)
class Bounds:
    """What the holes hide. `n_unjudged` are distinct (query, document) pairs in the top `k` of the two runs.

    `now` are the scores as they are, `fills` the four ways; `holes [n]` says how many of the pairs each counted query
    has; `level` is that of the intervals.
    """

    k: int
    n_unjudged: int
    n_pooled: int
    now: Filled
    fills: tuple[Filled, ...]
    holes: Ints = field(repr=False)
    level: float = 0.95

    @property
    def lowest(self) -> float:
        return min(one.difference for one in self.fills)

    @property
    def highest(self) -> float:
        return max(one.difference for one in self.fills)

    @property
    def could_change(self) -> bool:
        """Whether some way of filling the holes gives another answer: ahead, behind or no telling."""
        return len({one.leads for one in (self.now, *self.fills)}) > 1

    @property
    def swing(self) -> Floats:
        """How far the holes can move the difference of each counted query. Shape `[n]`."""
        every = np.array([one.differences for one in (self.now, *self.fills)])
        out: Floats = every.max(axis=0) - every.min(axis=0)
        return out


def bounds(
    scores: Scores, metric: Metric, baseline: str, run: str, level: float = 0.95, pooled: Pool | None = None
) -> Bounds:
    """The difference of `run` and `baseline` on `metric` under the four ways, at the metric's own cutoff.

    `level` is that of the intervals which say who is ahead. `pooled` is the top K of the two runs, in this order,
    where it is known already.
    """
    k = metric.k or WHOLE_LIST
    experiment = scores.experiment
    places = [experiment.index_of(baseline), experiment.index_of(run)]
    if pooled is None:
        pooled = pool(experiment, places, k, scores.options)
    holes = np.union1d(pooled.unjudged(0), pooled.unjudged(1))
    for_contender = _higher_in(pooled, holes)
    settings = metric.settings(scores.options.settings)
    relevant = max(settings.threshold, float(experiment.qrels.grades.max(initial=1.0)), 1.0)
    other = 0.0 if settings.threshold > 0 else settings.threshold - 1.0
    queries = holes // pooled.width
    apart = len({experiment.label_of(place) for place in places}) > 1
    sides = [_Side(scores.rankings[place], pooled, i, holes, apart) for i, place in enumerate(places)]
    now = scores.differences(baseline, run, metric)
    filled = []
    ways: dict[Fill, NDArray[np.bool_]] = {
        "none": np.zeros(len(holes), dtype=bool),
        "all": np.ones(len(holes), dtype=bool),
        "contender": for_contender,
        "baseline": ~for_contender,
    }
    for name, way in ways.items():
        d = now
        if len(holes):
            grades = np.where(way, relevant, other)
            shared = None if apart else sides[0].judgments(grades)
            filled_in = [side.graded(grades, shared or side.judgments(grades)) for side in sides]
            after = [score(one, [metric], scores.options.settings)[0] for one in filled_in]
            d = stats.clean(orientation(metric) * (after[1] - after[0])[scores.counted])
        filled.append(Filled.of(name, d, level))
    counts = np.bincount(queries, minlength=experiment.n_queries)[scores.counted]
    n_pooled = len(np.union1d(*pooled.pairs))
    return Bounds(k, len(holes), n_pooled, Filled.of("now", now, level), tuple(filled), counts, level)


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


class _Side:
    """One run as if all holes were judged: where they stand is worked out once, what they are worth comes after.

    With `apart` the other run is judged by labels of its own: its holes are none of this run's documents.
    """

    def __init__(self, rankings: Rankings, pooled: Pool, i: int, holes: Ints, apart: bool) -> None:
        found, new = pooled.tops[i], ~pooled.judged[i]
        query = np.concatenate([rankings.query, found.query[new]])
        rank = np.concatenate([rankings.rank, found.rank[new]])
        self.order = np.lexsort((rank, query))
        self.hole = np.searchsorted(holes, pooled.pairs[i][new])
        ones = np.ones(int(new.sum()), dtype=np.int64)
        self.rankings = replace(
            rankings,
            query=query[self.order],
            rank=rank[self.order],
            tie_first=np.concatenate([rankings.tie_first, found.rank[new]])[self.order],
            tie_size=np.concatenate([rankings.tie_size, ones])[self.order],
            judgment=None,
        )
        self.grade = rankings.grade
        old = rankings.judgments
        self.mine = np.isin(holes, pooled.pairs[i]) if apart else np.ones(len(holes), dtype=bool)
        queries = holes[self.mine] // pooled.width
        judged = np.concatenate([np.repeat(np.arange(old.n_queries), np.diff(old.starts)), queries])
        self.by_query = np.argsort(judged, kind="stable")
        self.starts = np.concatenate([[0], np.cumsum(np.bincount(judged, minlength=old.n_queries))])

    def judgments(self, grades: Floats) -> Judgments:
        """All judgments with these grades of the holes. `grades` has the shape `[n_holes]`."""
        return Judgments.of(
            self.starts, np.concatenate([self.rankings.judgments.grades, grades[self.mine]])[self.by_query]
        )

    def graded(self, grades: Floats, judgments: Judgments) -> Rankings:
        """The rankings with these grades of the holes, which are among `judgments`."""
        return replace(
            self.rankings,
            judgments=judgments,
            grade=np.concatenate([self.grade, grades[self.hole]])[self.order],
        )
