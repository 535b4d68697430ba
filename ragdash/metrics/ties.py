"""What do ties hide? A metric under the worst, the expected and the best order of documents with equal scores.

Best and worst need no formula of their own: within a tied group the best order is by grade, highest first, then the
unjudged, and the worst is its reverse (moving a better document up never lowers a metric, `FRONT_LOADED` aside). They
are scored as runs. The mean over all orders is exact as well, see `expectations`; nothing is sampled.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ragdash.metrics import model_expectations  # noqa: F401  (its means enter the catalogue)
from ragdash.metrics.catalogue import Metric
from ragdash.metrics.expectations import MANY, Averaged, Crossing
from ragdash.metrics.positions import inferred_precision
from ragdash.metrics.rankings import Floats, Rankings
from ragdash.metrics.view import Settings, View

FRONT_LOADED = ("ContextPrecision",)  # fewer relevant documents above the cutoff may score higher


def tie_bounds(metric: Metric, rankings: Rankings, settings: Settings | None = None) -> tuple[Floats, Floats, Floats]:
    """`(worst, expected, best)` of `metric` over all orders of tied documents, each float64 `[n_queries]`.

    For a metric whose lower values are better, worst is the highest. A metric over evidence knows one order of chunks
    only, that of its spans: for it this is no answer, and nobody should ask.
    """
    if not np.any(rankings.tie_size > 1):
        scores = metric(rankings, settings)
        return scores, scores, scores
    view = Averaged(rankings, metric.settings(settings or Settings()))
    function = metric.block.expected or metric.block.function
    mean = function(view, metric.k, **metric.arguments)
    if metric.key in FRONT_LOADED and metric.k is not None:
        worst, best = (_over_counts(metric, metric.k, rankings, settings, best=best) for best in (False, True))
    elif metric.key == "infAP":
        worst, best = (metric(_among_unjudged(view, best=best), settings) for best in (False, True))
    else:
        worst, best = (metric(arranged(rankings, best=best), settings) for best in (False, True))
    return worst, mean, best


def arranged(rankings: Rankings, best: bool) -> Rankings:
    """The same run with every tied group in its best or its worst order."""
    by_grade = np.lexsort((-rankings.grade if best else rankings.grade, rankings.tie_first, rankings.query))
    first, size, query = rankings.tie_first[by_grade], rankings.tie_size[by_grade], rankings.query[by_grade]
    row = np.arange(len(first))
    new = np.ones(len(first), dtype=bool)
    new[1:] = (query[1:] != query[:-1]) | (first[1:] != first[:-1])
    place = row - np.maximum.accumulate(np.where(new, row, 0))
    if not best:  # the judged documents stand at the end of their group
        judged = np.diff(np.append(np.flatnonzero(new), len(row)))
        place = place + size - np.repeat(judged, judged)
    return replace(rankings, rank=first + place, grade=rankings.grade[by_grade], judgment=None)


def _over_counts(metric: Metric, k: int, rankings: Rankings, settings: Settings | None, *, best: bool) -> Floats:
    """The best or worst value where the number of relevant documents above the cutoff is itself open.

    Of the group that the cutoff divides every possible number is tried; all other groups are in one order.
    """
    ranked = arranged(rankings, best=True)  # relevant documents first: the j-th of a group is the j-th to be placed
    view = View(ranked, metric.settings(settings or Settings()))
    cut = Crossing(view, k, view.relevant)
    nth = ranked.rank - ranked.tie_first + 1
    outside = arranged(rankings, best=best)
    still = View(outside, view.settings)
    out = np.where(cut.there, -np.inf if best else np.inf, metric(outside, settings))
    for m in range(int(np.max(cut.most, initial=0)) + 1):
        last = cut.slots[ranked.query] - (0 if best else m)
        place = np.where(nth <= m, nth + (0 if best else last), cut.slots[ranked.query] + nth - m)
        inside = View(replace(ranked, rank=ranked.tie_first + place - 1), view.settings)
        divided = inside.sum(cut.rows * (cut.before + nth) / inside.rank, k=k)
        whole = ~Crossing(still, k, still.relevant).member & still.relevant
        above = still.sum(whole * still.found / still.rank, k=k)
        count = still.count(whole, k) + m
        value = np.divide(above + divided, count, out=np.zeros(len(count)), where=count > 0)
        possible = cut.there & (m >= cut.least) & (m <= cut.most)
        better = possible & ((value > out) if best else (value < out))
        out = np.where(better, value, out)
    return out


def _among_unjudged(view: Averaged, *, best: bool) -> Rankings:
    """The best or worst order for infAP, to which pooled documents with a grade below 0 are better than nothing.

    Where they tie with relevant ones, the order of the two kinds is found by the value of each step: so many relevant
    and so many pooled documents placed, either kind next. Useless and unknown documents stand behind (worst: before).
    """
    ranked = arranged(view.rankings, best=best)
    pooled = ranked.grade < 0
    if not pooled.any():
        return ranked
    now = Averaged(ranked, view.settings)
    rank = ranked.rank.copy()
    (_, rel0), (_, non0), (_, pool0) = (now.counts(mask) for mask in (now.relevant, now.nonrelevant, pooled))
    for rows in now.groups(now.relevant):
        group = np.arange(rows.start, rows.stop)
        good, open_, bad = group[now.relevant[rows]], group[pooled[rows]], group[now.nonrelevant[rows]]
        above, size, row = int(now.above[rows.start]), int(now.size[rows.start]), rows.start
        if len(good) * len(open_) > MANY:
            continue
        ahead = above if best else above + size - len(good) - len(open_)
        useless = int(non0[row]) + (0 if best else len(bad))
        value = np.zeros((len(good) + 1, len(open_) + 1))
        good_next = np.zeros(value.shape, dtype=bool)  # whether a relevant document was the last one placed
        for g, o in np.ndindex(value.shape):
            steps = []
            if g:
                step = inferred_precision(ahead + g + o, int(rel0[row]) + g - 1, useless, int(pool0[row]) + o)
                steps.append((value[g - 1, o] + step, True))
            if o:
                steps.append((value[g, o - 1], False))
            if steps:
                value[g, o], good_next[g, o] = max(steps) if best else min(steps)
        g, o = len(good), len(open_)
        while g + o:
            if good_next[g, o]:
                rank[good[g - 1]] = ahead + g + o
                g -= 1
            else:
                rank[open_[o - 1]] = ahead + g + o
                o -= 1
        rank[bad] = ahead + len(good) + len(open_) + 1 + np.arange(len(bad)) if best else ahead - np.arange(len(bad))
    order = np.lexsort((rank, ranked.query))
    return replace(ranked, rank=rank[order], grade=ranked.grade[order])
