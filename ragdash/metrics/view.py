"""What do metrics share? One run seen under one threshold and one gain, with the common sums written once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ragdash.metrics.rankings import Floats, Ints, Rankings
from ragdash.metrics.spans import Spans

Gain = Literal["linear", "exponential"]
Discount = Callable[[Floats], Floats]
Cutoff = int | Ints | None
Mask = NDArray[np.bool_]

LARGEST_GAIN = 2.0**1000  # so that no sum of gains overflows: grades beyond it count as this much


@dataclass(frozen=True)
class Settings:
    """What holds for all metrics: the smallest grade that is relevant, and what a grade is worth to nDCG and DCG.

    `gain` is "linear" (the grade, as in trec_eval) or "exponential" (2^grade - 1, as in Burges et al. 2005).
    """

    threshold: float = 1.0
    gain: Gain = "linear"


def gains(grades: Floats, gain: Gain) -> Floats:
    """What each grade is worth: nothing below 0, and never more than `LARGEST_GAIN`."""
    if gain == "exponential":
        return np.exp2(np.clip(grades, 0.0, 1000.0)) - 1.0
    return np.clip(grades, 0.0, LARGEST_GAIN)


def flat(ranks: Floats) -> Floats:
    """Every rank counts the same."""
    return np.ones_like(ranks)


def log2(ranks: Floats) -> Floats:
    """The discount of DCG (Järvelin and Kekäläinen 2002, as trec_eval has it): 1 / log2(rank + 1)."""
    return 1.0 / np.log2(ranks + 1.0)


class View:
    """The judged documents of one run, under one threshold and one gain.

    Arrays over hits (retrieved and judged documents, by query and rank) have the shape `[n_hits]`, arrays over queries
    `[n_queries]`. A metric is a function of a view, a cutoff and its parameters.
    """

    def __init__(self, rankings: Rankings, settings: Settings) -> None:
        self.rankings = rankings
        self.settings = settings
        self.n_queries = rankings.n_queries
        self.query = rankings.query
        self.rank = rankings.rank
        self.grade = rankings.grade
        self.depth = rankings.depth

    # what is judged

    @cached_property
    def judged_query(self) -> Ints:
        """For each judgment the index of its query. Shape `[n_judgments]`."""
        judgments = self.rankings.judgments
        return np.repeat(np.arange(self.n_queries), np.diff(judgments.starts))

    @cached_property
    def judged_rank(self) -> Ints:
        """For each judgment its rank in the ideal order of its query, highest grade first. Shape `[n_judgments]`."""
        judgments = self.rankings.judgments
        return np.arange(1, len(judgments.grades) + 1) - judgments.starts[:-1][self.judged_query]

    @cached_property
    def judged_gain(self) -> Floats:
        """For each judgment its gain. Shape `[n_judgments]`."""
        return gains(self.rankings.judgments.grades, self.settings.gain)

    @cached_property
    def n_relevant(self) -> Ints:
        """How many documents of the query are judged relevant."""
        return self.n_judged(self.rankings.judgments.grades >= self.settings.threshold)

    @cached_property
    def n_nonrelevant(self) -> Ints:
        """How many documents of the query are judged not relevant; a grade below 0 is no judgment (trec_eval)."""
        grades = self.rankings.judgments.grades
        return self.n_judged((grades >= 0) & (grades < self.settings.threshold))

    def n_judged(self, mask: Mask) -> Ints:
        """How many of the query's judgments are in `mask`, which has the shape `[n_judgments]`."""
        return np.bincount(self.judged_query[mask], minlength=self.n_queries)

    def ideal(self, discount: Discount, k: int | None = None) -> Floats:
        """The discounted gain of the best order of all judged documents, up to rank `k`."""
        weights = self.judged_gain * discount(self.judged_rank.astype(np.float64))
        if k is not None:
            weights = np.where(self.judged_rank <= k, weights, 0.0)
        return summed(self.judged_query, weights, self.n_queries)

    @cached_property
    def spans(self) -> Spans:
        """Evidence and chunks as places in documents; none of either where they are not known."""
        return self.rankings.spans if self.rankings.spans is not None else Spans.none(self.n_queries)

    # what was retrieved

    @cached_property
    def all(self) -> Mask:
        """All hits."""
        return np.ones(len(self.rank), dtype=bool)

    @cached_property
    def relevant(self) -> Mask:
        """Hits that are relevant."""
        return self.grade >= self.settings.threshold

    @cached_property
    def nonrelevant(self) -> Mask:
        """Hits that are judged, and not relevant; a grade below 0 is no judgment (trec_eval)."""
        return (self.grade >= 0) & ~self.relevant

    @cached_property
    def gain(self) -> Floats:
        """The gain of each hit."""
        return gains(self.grade, self.settings.gain)

    def within(self, k: Cutoff) -> Mask:
        """Hits at rank `k` or above; `k` may differ from query to query (shape `[n_queries]`)."""
        if k is None:
            return self.all
        return self.rank <= (k[self.query] if isinstance(k, np.ndarray) else k)

    def discounted(self, discount: Discount, k: Cutoff) -> Floats:
        """What each hit's rank weighs, 0 beyond the cutoff."""
        return np.where(self.within(k), discount(self.rank.astype(np.float64)), 0.0)

    def sum(self, values: Any, discount: Discount = flat, k: Cutoff = None) -> Floats:
        """Per query the sum of `values` (one for each hit), each weighed by its rank, up to rank `k`."""
        return summed(self.query, values * self.discounted(discount, k), self.n_queries)

    def count(self, mask: Mask, k: Cutoff = None) -> Floats:
        """Per query how many hits of `mask` stand at rank `k` or above."""
        return self.sum(mask.astype(np.float64), flat, k)

    def running(self, mask: Mask) -> Ints:
        """For each hit, how many hits of `mask` its query has up to and including this one."""
        total = np.concatenate([[0], np.cumsum(mask)])
        first = np.searchsorted(self.query, self.query, side="left")
        counted: Ints = total[1:] - total[first]
        return counted

    @cached_property
    def found(self) -> Ints:
        """For each hit, how many relevant ones its query has up to and including this one."""
        return self.running(self.relevant)

    @cached_property
    def first(self) -> Floats:
        """Per query the rank of the first relevant document, infinite where there is none."""
        out = np.full(self.n_queries, np.inf)
        rows = np.flatnonzero(self.relevant)[::-1]
        out[self.query[rows]] = self.rank[rows]
        return out


def ratio(over: Any, under: Any) -> Floats:
    """`over / under`, and 0 where `under` is 0: what a query without relevant documents scores."""
    under = np.asarray(under, dtype=np.float64)
    over = np.broadcast_to(np.asarray(over, dtype=np.float64), under.shape)
    out: Floats = np.divide(over, under, out=np.zeros(under.shape), where=under > 0)
    return out


def summed(query: Ints, values: Any, n_queries: int) -> Floats:
    """Per query the sum of the rows' `values`, float64 `[n_queries]`."""
    out: Floats = np.bincount(query, weights=values, minlength=n_queries).astype(np.float64)
    return out
