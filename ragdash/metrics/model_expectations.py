"""What do the reading models that are no plain sums score on average over all orders of tied documents? Exactly."""

from __future__ import annotations

import numpy as np

from ragdash.metrics.catalogue import expected
from ragdash.metrics.expectations import MANY, Averaged, log_choose
from ragdash.metrics.models import Overlap, in_order
from ragdash.metrics.rankings import Floats
from ragdash.metrics.view import summed


@expected("Accuracy")
def accuracy(view: Averaged, k: int | None) -> Floats:
    """Of the documents in its own group, each that is not relevant stands above a relevant one half of the time."""
    in_group, before = view.counts(view.relevant)
    above = view.above - before + (view.size - in_group) / 2
    return in_order(view, view.count(view.relevant), summed(view.query, view.relevant * above, view.n_queries))


@expected("Compat")
def compatibility(view: Averaged, k: int | None, p: float, normalize: str) -> Floats:
    """The j-th of m documents of one grade is also the j-th of them in the ideal; its place has a known distribution.

    At place s of n with chance C(s-1, j-1) C(n-s, m-j) / C(n, m). Where these are more than `MANY`, at its mean place.
    """
    overlap = Overlap(view, p)
    met = np.zeros(view.n_queries)
    for rows in view.groups(view.grade > 0):
        query, above, n = int(view.query[rows.start]), int(view.above[rows.start]), int(view.size[rows.start])
        for grade in np.unique(view.grade[rows][view.grade[rows] > 0]).tolist():
            same = np.flatnonzero(view.grade[rows] == grade) + rows.start
            m = len(same)
            j, ideal = np.arange(1, m + 1)[:, None], (overlap.better[same] + np.sort(overlap.nth[same]))[:, None]
            if m * (n - m + 1) > MANY:
                place, chance = np.rint(j * (n + 1) / (m + 1)).astype(np.int64), np.ones((m, 1))
            else:
                place = j + np.arange(n - m + 1)[None, :]
                log = log_choose(place - 1, j - 1) + log_choose(n - place, m - j) - log_choose(np.array(n), np.array(m))
                chance = np.exp(log)
            weight = overlap.weight(np.maximum(above + place, ideal), np.full(place.shape, query))
            met[query] += float(np.sum(chance * weight))
    return overlap.scaled(met, normalize)
