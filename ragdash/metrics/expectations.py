"""What does a metric score on average over all orders of tied documents? Exactly: closed forms and counting.

`Averaged` answers for every metric that is a sum over ranks: there a document weighs what the ranks of its group weigh
on average. The others have their own mean here (McSherry and Najork 2008 for the idea). In all of them a tied group
stands after `above` documents, has `size` documents, and each order is equally likely.

Counting takes time with the number of cells, size x judged documents. Groups of more than `MANY` cells, far from any
real list, are not counted out for infAP and IPrec: what varies little there is taken at its mean, and said below.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from ragdash.metrics.catalogue import expected
from ragdash.metrics.gains import ideal_err, satisfaction
from ragdash.metrics.positions import inferred_precision, to_find
from ragdash.metrics.rankings import Floats, Ints
from ragdash.metrics.view import Cutoff, Discount, Mask, View, ratio, summed

MANY = 1 << 19


class Averaged(View):
    """A view in which a hit's rank weighs what it weighs on average over all orders of its tied group."""

    def discounted(self, discount: Discount, k: Cutoff) -> Floats:
        last = self.above + self.size
        total = np.concatenate([[0.0], np.cumsum(discount(np.arange(1.0, np.max(last, initial=0) + 1)))])
        cut: Any = last if k is None else k[self.query] if isinstance(k, np.ndarray) else k
        mean: Floats = (total[np.minimum(last, cut)] - total[np.minimum(self.above, cut)]) / self.size
        return mean

    @property
    def above(self) -> Ints:
        """For each hit how many documents stand above its group."""
        return self.rankings.tie_first - 1

    @property
    def size(self) -> Ints:
        """For each hit how many documents its group has."""
        return self.rankings.tie_size

    @cached_property
    def group(self) -> tuple[Ints, Ints]:
        """For each hit the first row of its group and the row after its last one."""
        key = self.query * (int(np.max(self.above, initial=0)) + 1) + self.above
        return np.searchsorted(key, key, side="left"), np.searchsorted(key, key, side="right")

    def counts(self, mask: Mask) -> tuple[Ints, Ints]:
        """For each hit how many hits of `mask` are in its group, and how many in the groups above it."""
        total = np.concatenate([[0], np.cumsum(mask)])
        first, end = self.group
        start = np.searchsorted(self.query, self.query, side="left")
        return total[end] - total[first], total[first] - total[start]

    def groups(self, mask: Mask) -> Iterator[slice]:
        """The rows of each group that has a hit of `mask`, in order of query and rank."""
        first, end = self.group
        for start in np.unique(first[mask]).tolist():
            yield slice(start, int(end[start]))


class Crossing:
    """The tied group of each query that a cutoff divides, and how many of its relevant documents fall on which side."""

    def __init__(self, view: View, k: int, relevant: Mask) -> None:
        first, size = view.rankings.tie_first, view.rankings.tie_size
        self.member: Mask = (first <= k) & (first + size - 1 > k)
        self.rows: Mask = self.member & relevant
        n = view.n_queries
        self.there = np.zeros(n, dtype=bool)
        self.there[view.query[self.rows]] = True
        self.slots, self.size, self.above = (np.zeros(n, dtype=np.int64) for _ in range(3))
        self.slots[view.query[self.rows]] = k - first[self.rows] + 1
        self.size[view.query[self.rows]] = size[self.rows]
        self.above[view.query[self.rows]] = first[self.rows] - 1
        self.n_relevant = np.bincount(view.query[self.rows], minlength=n)
        self.least = np.maximum(0, self.n_relevant - (self.size - self.slots))
        self.most = np.minimum(self.n_relevant, self.slots)
        self.n_before = view.count(relevant & (first + size - 1 <= k), None).astype(np.int64)
        self.before = self.n_before[view.query]

    def chance(self, m: int) -> Floats:
        """Per query the chance that exactly `m` of the divided relevant documents stand above the cutoff."""
        possible = self.there & (m >= self.least) & (m <= self.most)
        log = np.full(len(self.there), -np.inf)
        size, relevant, slots = self.size[possible], self.n_relevant[possible], self.slots[possible]
        log[possible] = log_choose(relevant, m) + log_choose(size - relevant, slots - m) - log_choose(size, slots)
        chance: Floats = np.exp(log)
        return chance


def _log_factorials(n: int) -> Floats:
    out: Floats = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1.0, n + 1)))])
    return out


def log_choose(n: Any, k: Any) -> Floats:
    """The logarithm of the number of ways to pick `k` of `n`."""
    log = _log_factorials(int(max(np.max(n, initial=0), np.max(k, initial=0))))
    out: Floats = log[n] - log[k] - log[n - k]
    return out


def _hypergeometric(n: int, marked: int, drawn: Ints, hits: Ints) -> Floats:
    """The chance that of `n` documents, some of them `marked`, `drawn` ones hold exactly `hits` marked ones."""
    out = np.zeros(drawn.shape)
    possible = (hits <= drawn) & (drawn - hits <= n - marked)
    drawn, hits = drawn[possible], hits[possible]
    some, others = np.full(len(hits), marked), np.full(len(hits), n - marked)
    ways = log_choose(some, hits) + log_choose(others, drawn - hits)
    out[possible] = np.exp(ways - log_choose(some + others, drawn))
    return out


# the first relevant document


class _First:
    """The first group of each query that holds a relevant document: rows of queries that have one."""

    def __init__(self, view: Averaged) -> None:
        rows = np.flatnonzero(view.relevant)
        self.query, at = np.unique(view.query[rows], return_index=True)
        rows = rows[at]
        in_group, _ = view.counts(view.relevant)
        self.above, self.size, self.relevant = view.above[rows], view.size[rows], in_group[rows]

    def later(self, place: Any, of: Any = slice(None)) -> Floats:
        """The chance that the first relevant document of the group stands after `place` (0 to `size`)."""
        size, relevant = self.size[of], self.relevant[of]
        log = _log_factorials(int(np.max(self.size, initial=0)))
        free = size - relevant
        possible = place <= free
        at = np.minimum(place, free)
        chance: Floats = np.where(possible, np.exp(log[free] - log[free - at] - log[size] + log[size - at]), 0.0)
        return chance

    def places(self, last: Any, most: int = 1 << 20) -> Iterator[tuple[Ints, Ints]]:
        """Rows and places 0 to `last`, some rows at a time so that no array grows beyond `most` by much."""
        length = np.maximum(last + 1, 0)
        total = np.concatenate([[0], np.cumsum(length)])
        begin = 0
        while begin < len(length):
            end = max(int(np.searchsorted(total, total[begin] + most, side="right")) - 1, begin + 1)
            row = np.repeat(np.arange(begin, end), length[begin:end])
            yield row, np.arange(len(row)) - np.repeat(total[begin:end] - total[begin], length[begin:end])
            begin = end


@expected("Success")
def success(view: Averaged, k: int | None) -> Floats:
    first = _First(view)
    out = np.zeros(view.n_queries)
    slots = first.size if k is None else np.clip(k - first.above, 0, first.size)
    out[first.query] = 1.0 - first.later(slots)
    return out


@expected("RR")
def reciprocal_rank(view: Averaged, k: int | None) -> Floats:
    first = _First(view)
    out = np.zeros(view.n_queries)
    last = first.size - first.relevant
    if k is not None:
        last = np.minimum(last, k - first.above - 1)
    for row, place in first.places(last):
        chance = first.later(place, row) - first.later(place + 1, row)
        out += summed(first.query[row], chance / (first.above[row] + place + 1), view.n_queries)
    return out


@expected("FirstRank")
def first_rank(view: Averaged, k: int) -> Floats:
    """The sum of the chances that the first relevant document stands after rank 0, 1, ... K."""
    first = _First(view)
    out = np.full(view.n_queries, k + 1.0)
    out[first.query] = np.minimum(first.above, k + 1)
    for row, place in first.places(np.minimum(first.size - first.relevant, k - first.above)):
        out += summed(first.query[row], first.later(place, row), view.n_queries)
    return out


# all relevant documents


def _precisions(view: Averaged, slots: Any, of: Any, before: Any, above: Any) -> Floats:
    """The sum of the precisions at `of` relevant documents that stand in any order among `slots` ranks after `above`.

    The document at place p is relevant with chance of/slots, and then finds `before` + 1 + (p-1)(of-1)/(slots-1)
    relevant ones up to itself; the sums over p are harmonic numbers.
    """
    harmonic = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, np.max(above + slots, initial=0) + 1))])
    inverse = harmonic[above + slots] - harmonic[above]  # sum of 1 / (above + p)
    linear = slots - (above + 1) * inverse  # sum of (p - 1) / (above + p)
    pairs = (of - 1) / np.maximum(slots - 1, 1)
    out: Floats = of / np.maximum(slots, 1) * ((before + 1) * inverse + pairs * linear)
    return out


@expected("AP")
def average_precision(view: Averaged, k: int | None) -> Floats:
    in_group, before = view.counts(view.relevant)
    slots = view.size if k is None else np.clip(k - view.above, 0, view.size)
    # a part of the group's ranks: each of its documents is there with chance slots / size
    harmonic = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, np.max(view.above + slots, initial=0) + 1))])
    inverse = harmonic[view.above + slots] - harmonic[view.above]
    linear = slots - (view.above + 1) * inverse
    each = ((before + 1) * inverse + (in_group - 1) / np.maximum(view.size - 1, 1) * linear) / view.size
    return ratio(summed(view.query, view.relevant * each, view.n_queries), view.n_relevant)


@expected("ContextPrecision")
def context_precision(view: Averaged, k: int | None) -> Floats:
    """Over each number of relevant documents that the divided group may have above the cutoff."""
    in_group, before = view.counts(view.relevant)
    whole = view.relevant if k is None else view.relevant & (view.above + view.size <= k)
    each = _precisions(view, view.size, in_group, before, view.above) / np.maximum(in_group, 1)
    above = summed(view.query, whole * each, view.n_queries)
    count = summed(view.query, whole, view.n_queries)
    if k is None:
        return ratio(above, count)
    cut = Crossing(view, k, view.relevant)
    out = np.where(cut.there, 0.0, ratio(above, count))
    for m in range(int(np.max(cut.most, initial=0)) + 1):
        divided = _precisions(view, cut.slots, np.full(view.n_queries, m), cut.n_before, cut.above)
        out += cut.chance(m) * ratio(above + divided, count + m)
    return out


@expected("bpref")
def bpref(view: Averaged, k: int | None) -> Floats:
    """A relevant document has each number of its group's useless ones above it equally often."""
    in_group, above = view.counts(view.nonrelevant)
    most = view.n_relevant[view.query]
    low = np.clip(np.minimum(above + in_group, most) - above + 1, 0, None)  # how many of these numbers are below R
    total = low * (2 * above + low - 1) / 2 + (in_group + 1 - low) * most
    share = total / (in_group + 1) / np.maximum(np.minimum(most, view.n_nonrelevant[view.query]), 1)
    return ratio(summed(view.query, view.relevant * (1.0 - share), view.n_queries), view.n_relevant)


@expected("infAP")
def inferred_ap(view: Averaged, k: int | None) -> Floats:
    """Over the place of the relevant document and the number of judged ones above it; the rest is linear in these."""
    pooled = view.grade < 0
    counts = [view.counts(mask) for mask in (view.relevant, view.nonrelevant, pooled)]
    out = np.zeros(view.n_queries)
    for rows in view.groups(view.relevant):
        row = rows.start
        (rel, rel0), (non, non0), (pool, pool0) = ((int(inside[row]), int(above[row])) for inside, above in counts)
        size, above = int(view.size[row]), int(view.above[row])
        judged = rel - 1 + non
        p: Any
        m: Any
        if size * (judged + 1) > MANY:  # the judged documents above at their mean
            p, chance = np.arange(float(size)), np.ones(1)
            m = p * judged / (size - 1)
        else:
            p, m = np.indices((size, judged + 1))  # documents above, judged ones among them
            chance = _hypergeometric(size - 1, judged, p, m)
        relevant_above = rel0 + m * (rel - 1) / max(judged, 1)  # the mean: the precision is linear in it, judged fixed
        unjudged_above = pool0 + (p - m) * pool / max(size - 1 - judged, 1)
        precision = inferred_precision(above + 1 + p, relevant_above, rel0 + non0 + m - relevant_above, unjudged_above)
        out[view.query[row]] += rel * np.sum(chance * precision) / size
    return ratio(out, view.n_relevant)


# grades


@expected("ERR")
def err(view: Averaged, k: int | None, max: float = 0.0) -> Floats:
    """Group by group: the chance to read past p documents is the mean product of p of their 1 - s."""
    satisfied = satisfaction(view, view.grade, max)
    out = np.zeros(view.n_queries)
    going_on = np.ones(view.n_queries)
    for rows in view.groups(satisfied > 0):
        query, above, size = int(view.query[rows.start]), int(view.above[rows.start]), int(view.size[rows.start])
        factors = 1.0 - satisfied[rows][satisfied[rows] > 0]
        last = size if k is None else int(np.clip(k - above, 0, size))
        past = _mean_products(factors, size, last)
        stops = (past[:-1] - past[1:]) / np.arange(above + 1, above + len(past))
        out[query] += going_on[query] * np.sum(stops)
        going_on[query] *= np.prod(factors)
    return out


@expected("nERR")
def nerr(view: Averaged, k: int | None, max: float = 0.0) -> Floats:
    return ratio(err(view, k, max=max), ideal_err(view, k, max))


def _mean_products(factors: Floats, n: int, last: int) -> Floats:
    """For p = 0 to `last` the mean product of p of `n` factors, all but `factors` being 1; ends where it is nothing."""
    upto = min(last, 4096)
    while True:
        mean = np.ones(upto + 1)
        for used, factor in enumerate(factors.tolist(), start=n - len(factors) + 1):
            p = np.arange(1, min(used, upto) + 1)
            mean[1 : len(p) + 1] = p / used * factor * mean[: len(p)] + (1 - p / used) * mean[1 : len(p) + 1]
        if upto == last or mean[-1] < 1e-15:
            return mean
        upto = min(last, 4 * upto)


# the best precision from some relevant document on


@expected("IPrec")
def interpolated_precision(view: Averaged, k: int | None, recall: float) -> Floats:
    return _best_after(view, to_find(view, recall))


@expected("IPrec11")
def eleven_point(view: Averaged, k: int | None) -> Floats:
    return sum((_best_after(view, to_find(view, j / 10)) for j in range(11)), np.zeros(view.n_queries)) / 11


def _best_after(view: Averaged, wanted: Floats) -> Floats:
    """The mean of the best precision at any relevant document from the `wanted`-th of its query on."""
    in_group, before = view.counts(view.relevant)
    per_query: dict[int, list[tuple[int, int, int, int]]] = {}
    for rows in view.groups(view.relevant):
        row = rows.start
        group = (int(view.above[row]), int(view.size[row]), int(in_group[row]), int(before[row]))
        per_query.setdefault(int(view.query[row]), []).append(group)
    out = np.zeros(view.n_queries)
    for query, groups in per_query.items():
        out[query] = _mean_best(tuple(groups), float(wanted[query]))
    return out


@lru_cache(maxsize=1 << 14)
def _mean_best(groups: tuple[tuple[int, int, int, int], ...], wanted: float) -> float:
    """The mean of the largest precision over groups `(above, size, relevant, found before)`: from its distribution."""
    if sum(size * relevant for _, size, relevant, _ in groups) > MANY // 256:
        return _best_mean(groups, wanted)
    values = [
        (before + j) / (above + np.arange(j, size - relevant + j + 1))
        for above, size, relevant, before in groups
        for j in range(1, relevant + 1)
        if before + j >= wanted
    ]
    if not values:
        return 0.0
    value = np.unique(np.concatenate(values))
    below = np.ones(len(value))
    for above, size, relevant, before in groups:
        below *= _chance_below(value, above, size, relevant, before, wanted)
    return float(value[0] * below[0] + np.sum(value[1:] * np.diff(below)))


def _best_mean(groups: tuple[tuple[int, int, int, int], ...], wanted: float) -> float:
    """The largest precision with each relevant document at its mean place: a little below the mean of the largest."""
    best = 0.0
    for above, size, relevant, before in groups:
        found = np.arange(1, relevant + 1)
        precision = (before + found) / (above + found * (size + 1) / (relevant + 1))
        best = max(best, float(np.max(precision, initial=0.0, where=before + found >= wanted)))
    return best


def _chance_below(value: Floats, above: int, size: int, relevant: int, before: int, wanted: float) -> Floats:
    """The chance that no precision that counts in this group exceeds each `value`, from place to place.

    `chance[v, j]`: the first places hold j relevant documents, none of them too early for value v.
    """
    j = np.arange(1, relevant + 1)
    earliest = np.where(before + j >= wanted, (before + j) / value[:, None] - above, 0.0)
    chance = np.zeros((len(value), relevant + 1))
    chance[:, 0] = 1.0
    for place in range(1, size + 1):
        left = size - place + 1
        hit = (relevant - np.arange(relevant + 1)) / left
        moved = chance[:, :-1] * hit[:-1] * (place >= earliest - 1e-9)
        chance *= np.clip(1.0 - hit, 0.0, None)
        chance[:, 1:] += moved
    out: Floats = chance[:, -1]
    return out
