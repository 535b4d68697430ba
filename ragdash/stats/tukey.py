"""Which of several runs differ, all pairs at once? The randomized Tukey HSD."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ragdash.stats.differences import EPS, Floats, clean_scores

#: Queries dealt at a time, over all deals of a block; fits the cache. Part of the result, as the random stream is.
BLOCK = 32_768


@dataclass(frozen=True)
class TukeyResult:
    """p for every pair of runs, already safe for all pairs: no further correction.

    `p` and `differences` have shape [runs, runs]: row minus column; p is 1 on the diagonal. `p_error` is the largest
    Monte Carlo standard error in the matrix.
    """

    p: NDArray[np.float64]
    differences: NDArray[np.float64]
    n: int
    method: str
    n_resamples: int
    seed: int
    p_error: float
    reason: str | None = None


def tukey_hsd(scores: ArrayLike, *, n_resamples: int = 10_000, seed: int = 0) -> TukeyResult:
    """The randomized Tukey HSD (Carterette, TOIS 2012, algorithm 1).

    `scores`: shape [runs, queries], two runs or more. If all runs were equal, the scores of a query could be dealt out
    to the runs in any order. So they are dealt `n_resamples` times, and each time the largest mean minus the smallest
    is kept; a pair's p = (how often that reaches the pair's difference + 1) / (n_resamples + 1). Means within 1e-9
    are equal. Raises ValueError on one run, another shape, NaN or infinity, or `n_resamples` < 1.
    """
    table = clean_scores(scores)
    runs, n = table.shape
    if runs < 2:
        raise ValueError("scores: two runs or more; found one")
    if n_resamples < 1:
        raise ValueError(f"n_resamples: at least 1; found {n_resamples}")
    means = table.mean(axis=1)
    differences = means[:, None] - means[None, :]
    needed = np.abs(differences) - max(EPS, 1e-11 * float(np.abs(table).max()))
    differing = table[:, np.ptp(table, axis=0) >= EPS]  # dealing equal scores changes nothing
    ranges = np.sort(_ranges(differing, n_resamples, seed)) / n if differing.size else np.zeros(n_resamples)
    hits = n_resamples - np.searchsorted(ranges, needed.ravel(), side="left").reshape(runs, runs)
    p = (hits + 1) / (n_resamples + 1)
    error = float(np.sqrt(p * (1 - p) / n_resamples).max())
    method = f"randomized Tukey HSD over {runs} runs, {n_resamples:,} random deals"
    reason = None if differing.size else "identical: no query differs"
    return TukeyResult(p, differences, n, method, n_resamples, seed, error, reason)


def _ranges(table: Floats, n_resamples: int, seed: int) -> Floats:
    """Largest minus smallest sum of each deal, shape [n_resamples]."""
    rng = np.random.default_rng(seed)
    runs, n = table.shape
    size = max(1, BLOCK // n)
    found = [np.ptp(_deal(np.tile(table, size), rng).reshape(runs, size, n).sum(axis=2), axis=0)
             for _ in range(0, n_resamples, size)]  # fmt: skip
    return np.concatenate(found)[:n_resamples]


def _deal(table: Floats, rng: np.random.Generator) -> Floats:
    """Shuffle every column in place, all of them at once: Fisher and Yates, five times as fast as `rng.permuted`."""
    flat, width = table.reshape(-1), table.shape[1]
    columns = np.arange(width)
    for last in range(table.shape[0] - 1, 0, -1):
        chosen = rng.integers(0, last + 1, size=width, dtype=np.uint16) * np.int64(width) + columns
        kept = flat[chosen]
        flat[chosen] = table[last]
        table[last] = kept
    return table
