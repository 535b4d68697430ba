"""How alike are runs? Overlap of their top K and rank-biased overlap, over all queries at once."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ragdash.analysis.evaluate import Scores
from ragdash.analysis.top import Pool, pool
from ragdash.data.columns import Ints

Floats = NDArray[np.float64]
Common = tuple[Ints, Ints]
P = 0.9
#: Rank-biased overlap looks no deeper: what stands below weighs less than 1 in 30,000.
DEEPEST = 100


@dataclass(frozen=True)
class Agreement:
    """Means over the counted queries for each pair of runs: `overlap` and `rbo`, both `[runs, runs]`."""

    names: tuple[str, ...]
    k: int
    overlap: Floats
    rbo: Floats

    def pairs(self) -> pd.DataFrame:
        """One row per pair, the most alike first: `run, other, overlap, rbo`."""
        rows = [
            (self.names[i], self.names[j], self.overlap[i, j], self.rbo[i, j])
            for i, j in combinations(range(len(self.names)), 2)
        ]
        table = pd.DataFrame(rows, columns=["run", "other", "overlap", "rank-biased overlap"])
        return table.sort_values("overlap", ascending=False, kind="stable", ignore_index=True)


def agreement(scores: Scores, k: int) -> Agreement:
    """Both measures for every pair of runs at cutoff `k`; the runs' lists are read once."""
    names = tuple(scores.experiment.run_names)
    pooled = pool(scores.experiment, list(range(len(names))), k, scores.options)
    shared, alike = np.eye(len(names)), np.eye(len(names))
    orders = [np.argsort(pairs, kind="stable") for pairs in pooled.pairs]
    for i, j in combinations(range(len(names)), 2):
        common = _common(pooled, i, j, orders[j])
        a, b = _shares(scores, pooled, i, j, common), _rbo(scores, common, min(k, DEEPEST), P)
        shared[i, j] = shared[j, i] = float(a.mean()) if scores.n else 0.0
        alike[i, j] = alike[j, i] = float(b.mean()) if scores.n else 0.0
    return Agreement(names, k, shared, alike)


def overlap(scores: Scores, k: int) -> Floats:
    """Share of documents that two runs have in common in their top `k`, averaged over queries. Shape `[runs, runs]`.

    |A ∩ B| / max(|A|, |B|) per query; a query that both leave empty counts as 1.
    """
    return agreement(scores, k).overlap


def _shares(scores: Scores, pooled: Pool, i: int, j: int, common: Common) -> Floats:
    """The overlap of runs `i` and `j` of the pool on each counted query. Shape `[n]`."""
    sizes = [np.bincount(pooled.tops[run].query, minlength=scores.experiment.n_queries) for run in (i, j)]
    both = np.bincount(common[0], minlength=scores.experiment.n_queries)
    longer = np.maximum(*sizes)
    shares: Floats = np.where(longer > 0, both / np.maximum(longer, 1), 1.0)
    return shares[scores.counted]


def rank_biased_overlap(scores: Scores, one: str, other: str, k: int, p: float = P) -> Floats:
    """Rank-biased overlap of two runs for each counted query, extrapolated from depth `k`. Shape `[n]`, from 0 to 1.

    Webber, Moffat and Zobel (TOIS 2010), equation 23 (RBO_ext), for lists of equal depth: with the agreement
    A(d) = |A[1..d] ∩ B[1..d]| / d it is A(k) p^k + (1 - p) / p * sum over d of A(d) p^d. A list shorter than `k` agrees
    on nothing beyond its end.
    """
    experiment = scores.experiment
    pooled = pool(experiment, [experiment.index_of(one), experiment.index_of(other)], k, scores.options)
    return _rbo(scores, _common(pooled, 0, 1, np.argsort(pooled.pairs[1])), k, p)


def _common(pooled: Pool, i: int, j: int, order: Ints) -> Common:
    """What runs `i` and `j` of the pool share: the query of each document, and the lower of its two ranks.

    `order` sorts the pairs of run `j`.
    """
    left, right, a, b = pooled.tops[i], pooled.tops[j], pooled.pairs[i], pooled.pairs[j]
    if not len(b):
        return left.query[:0], left.rank[:0]
    at = np.minimum(np.searchsorted(b[order], a), len(b) - 1)
    found = b[order][at] == a
    return left.query[found], np.maximum(left.rank[found], right.rank[order][at][found])


def _rbo(scores: Scores, common: Common, k: int, p: float) -> Floats:
    query, depth = common
    seen = depth <= k
    shared = np.zeros((scores.experiment.n_queries, k))
    np.add.at(shared, (query[seen], depth[seen] - 1), 1.0)
    ranks = np.arange(1, k + 1)
    agreed = np.cumsum(shared, axis=1) / ranks
    values: Floats = agreed[:, -1] * p**k + (1 - p) / p * (agreed * p**ranks).sum(axis=1)
    return values[scores.counted]
