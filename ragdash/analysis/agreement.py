"""How alike are two runs? Overlap of their top K and rank-biased overlap, over all queries at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ragdash.analysis.evaluate import Scores
from ragdash.analysis.top import pool

Floats = NDArray[np.float64]


def overlap(scores: Scores, k: int) -> Floats:
    """Share of documents that two runs have in common in their top `k`, averaged over queries. Shape `[runs, runs]`.

    |A ∩ B| / max(|A|, |B|) per query; a query that both leave empty counts as 1.
    """
    n = len(scores.experiment.runs)
    pooled = pool(scores.experiment, list(range(n)), k, scores.options)
    sizes = [np.bincount(found.query, minlength=scores.experiment.n_queries) for found in pooled.tops]
    out = np.eye(n)
    for i in range(n):
        for j in range(i):
            both = np.isin(pooled.pairs[i], pooled.pairs[j])
            common = np.bincount(pooled.tops[i].query[both], minlength=scores.experiment.n_queries)
            longer = np.maximum(sizes[i], sizes[j])
            shares = np.where(longer > 0, common / np.maximum(longer, 1), 1.0)
            out[i, j] = out[j, i] = float(shares[scores.counted].mean()) if scores.n else 0.0
    return out


def rank_biased_overlap(scores: Scores, one: str, other: str, k: int, p: float = 0.9) -> Floats:
    """Rank-biased overlap of two runs for each counted query, extrapolated from depth `k`. Shape `[n]`, from 0 to 1.

    Webber, Moffat and Zobel (TOIS 2010), equation 23 (RBO_ext), for lists of equal depth: with the agreement
    A(d) = |A[1..d] ∩ B[1..d]| / d it is A(k) p^k + (1 - p) / p * sum over d of A(d) p^d. A list shorter than `k` agrees
    on nothing beyond its end.
    """
    experiment = scores.experiment
    pooled = pool(experiment, [experiment.index_of(one), experiment.index_of(other)], k, scores.options)
    (left, right), (a, b) = pooled.tops, pooled.pairs
    order = np.argsort(b, kind="stable")
    at = np.minimum(np.searchsorted(b[order], a), max(len(b) - 1, 0))
    found = b[order][at] == a if len(b) else np.zeros(len(a), dtype=bool)
    depth = np.maximum(left.rank[found], right.rank[order][at][found] if len(b) else left.rank[found])
    common = np.zeros((experiment.n_queries, k))
    np.add.at(common, (left.query[found], depth - 1), 1.0)
    common = np.cumsum(common, axis=1)
    ranks = np.arange(1, k + 1)
    agreement = common / ranks
    values: Floats = agreement[:, -1] * p**k + (1 - p) / p * (agreement * p**ranks).sum(axis=1)
    return values[scores.counted]
