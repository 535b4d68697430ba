"""What do ties hide? A metric under the worst, the expected and the best order of documents with equal scores.

Best and worst need no formula of their own: within a tied group the best order is by grade, highest first, then the
unjudged, and the worst is its reverse (moving a better document up never lowers a metric). They are scored as runs.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ragdash.metrics.catalogue import Metric
from ragdash.metrics.rankings import Floats, Rankings
from ragdash.metrics.view import Cutoff, Discount, Settings, View


def arranged(rankings: Rankings, best: bool) -> Rankings:
    """The same run with every tied group in its best or its worst order."""
    by_grade = np.lexsort((-rankings.grade if best else rankings.grade, rankings.tie_first, rankings.query))
    first, size, query = rankings.tie_first[by_grade], rankings.tie_size[by_grade], rankings.query[by_grade]
    row = np.arange(len(first))
    group = (query[1:] != query[:-1]) | (first[1:] != first[:-1])
    start = np.maximum.accumulate(np.where(np.concatenate([[True], group])[: len(row)], row, 0))
    place = row - start
    if not best:  # the judged documents stand at the end of the group
        judged = np.diff(np.append(np.flatnonzero(start == row), len(row)))
        place = place + size - np.repeat(judged, judged)
    return replace(rankings, rank=first + place, grade=rankings.grade[by_grade])


class Averaged(View):
    """A view in which a hit's rank weighs what it weighs on average over all orders of its tied group."""

    def discounted(self, discount: Discount, k: Cutoff) -> Floats:
        first, size = self.rankings.tie_first, self.rankings.tie_size
        last = first + size - 1
        total = np.concatenate([[0.0], np.cumsum(discount(np.arange(1.0, np.max(last, initial=0) + 1)))])
        cut = last if k is None else k[self.query] if isinstance(k, np.ndarray) else k
        mean: Floats = (total[np.minimum(last, cut)] - total[np.minimum(first - 1, cut)]) / size
        return mean


def tie_bounds(metric: Metric, rankings: Rankings, settings: Settings | None = None) -> tuple[Floats, Floats, Floats]:
    """`(worst, expected, best)` of `metric` over all orders of tied documents, each float64 `[n_queries]`.

    For a metric whose lower values are better, worst is the highest.
    """
    if not np.any(rankings.tie_size > 1):
        scores = metric(rankings, settings)
        return scores, scores, scores
    view = Averaged(rankings, metric.settings(settings or Settings()))
    function = metric.block.expected or metric.block.function
    return (
        metric(arranged(rankings, best=False), settings),
        function(view, metric.k, **metric.arguments),
        metric(arranged(rankings, best=True), settings),
    )
