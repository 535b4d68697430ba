"""How large is the difference? Intervals for the mean difference over the queries."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from ragdash.stats.differences import EPS, Floats, clean, clean_many, why_constant
from ragdash.stats.student import t_quantile

#: Resampled queries counted at a time: bounds the memory, changes no result.
COUNTS_BLOCK = 4_000_000

#: Comparisons multiplied at a time: bounds the memory, changes no result.
TEST_BLOCK = 512


@dataclass(frozen=True)
class Interval:
    """An interval for a mean difference, in the unit of the scores; both ends None, with a `reason`, if undefined."""

    low: float | None
    high: float | None
    level: float
    method: str
    reason: str | None = None
    n_resamples: int | None = None
    seed: int | None = None

    @property
    def ends(self) -> tuple[float, float] | None:
        """Both ends, or None where there is no interval."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    def side(self, mean: float) -> int:
        """Who is ahead: 1 where the interval lies above zero, -1 below, 0 where it holds zero.

        Without an interval (all differences equal) the sign of `mean`, the mean difference, says it.
        """
        if self.low is None or self.high is None:
            return int(np.sign(mean)) if abs(mean) > EPS else 0
        return 1 if self.low > 0 else -1 if self.high < 0 else 0

    @property
    def excludes_zero(self) -> bool | None:
        """Whether 0 lies outside; None where there is no interval."""
        if self.low is None or self.high is None:
            return None
        return self.low > 0 or self.high < 0


def t_interval(differences: ArrayLike, level: float = 0.95) -> Interval:
    """mean -+ t(df = n - 1) sd / sqrt(n): the interval that belongs to the paired t-test (Student 1908).

    `differences`: shape [n]; `level` in (0, 1). No interval for one query, identical runs or equal differences.
    The ends may lie beyond what a metric can reach. Raises ValueError as `clean` does, or on another level.
    """
    d = clean(differences)
    check_level(level)
    method = f"t interval, {level:.0%}"
    undefined = why_constant(d)
    if undefined:
        return Interval(None, None, level, method, undefined)
    half = t_quantile((1 + level) / 2, d.size - 1) * float(d.std(ddof=1) / np.sqrt(d.size))
    return Interval(float(d.mean()) - half, float(d.mean()) + half, level, method)


def bca_interval(differences: ArrayLike, level: float = 0.95, *, n_resamples: int = 10_000, seed: int = 0) -> Interval:
    """The bias-corrected and accelerated bootstrap interval of the mean (Efron 1987; Efron and Tibshirani 1993, 14.3).

    `differences`: shape [n]; `level` in (0, 1). The acceleration is the jackknife's, in closed form for a mean:
    sum((d - mean)^3) / (6 sum((d - mean)^2)^1.5). No interval for one query, identical runs or equal differences,
    nor where so few queries differ that the correction cannot be computed.
    Raises ValueError as `clean` does, on another level or on `n_resamples` < 1.
    """
    return bca_many(clean(differences)[None, :], level, n_resamples=n_resamples, seed=seed)[0]


def bca_many(
    differences: ArrayLike, level: float = 0.95, *, n_resamples: int = 10_000, seed: int = 0
) -> list[Interval]:
    """`bca_interval` of every row of `differences`, shape [comparisons, n], from shared resamples of the queries.

    A resample is a vector of counts, so all bootstrap means are one matrix product, done in blocks: about 250 MB at
    most beside the input. Each interval equals that of the row alone up to rounding. Raises ValueError likewise.
    """
    rows = clean_many(differences)
    check_level(level)
    if n_resamples < 1:
        raise ValueError(f"n_resamples: at least 1; found {n_resamples}")
    intervals: list[Interval] = []
    for start in range(0, rows.shape[0], TEST_BLOCK):
        block = rows[start : start + TEST_BLOCK]
        for row, means in zip(block, _bootstrap_means(block, n_resamples, seed)):
            intervals.append(_bca(row, means, level, n_resamples, seed))
    return intervals


def _bootstrap_means(rows: Floats, n_resamples: int, seed: int) -> Floats:
    """Means of resampled queries, shape [comparisons, n_resamples]."""
    means = np.empty((rows.shape[0], n_resamples))
    done = 0
    for counts in _resampled_counts(rows.shape[1], n_resamples, seed):
        means[:, done : done + counts.shape[0]] = rows @ counts.T / rows.shape[1]
        done += counts.shape[0]
    return means


def _resampled_counts(n: int, n_resamples: int, seed: int) -> Iterator[Floats]:
    """How often each of n queries is drawn, shape [resamples in the block, n]."""
    rng = np.random.default_rng(seed)
    size = max(1, COUNTS_BLOCK // n)
    for start in range(0, n_resamples, size):
        rows = min(size, n_resamples - start)
        drawn = rng.integers(0, n, size=(rows, n))
        drawn += np.arange(rows)[:, None] * n
        yield np.bincount(drawn.ravel(), minlength=rows * n).reshape(rows, n).astype(np.float64)


def _bca(d: Floats, means: Floats, level: float, n_resamples: int, seed: int) -> Interval:
    method = f"BCa bootstrap interval, {level:.0%}, {n_resamples:,} resamples"
    undefined = why_constant(d)
    if undefined:
        return Interval(None, None, level, method, undefined, n_resamples, seed)
    mean = d.mean()
    # Discrete scores put many bootstrap means exactly on the observed one: they count half, as in scipy.
    tolerance = 1e-11 * np.abs(d).mean()
    below = np.mean(means < mean - tolerance)
    up_to = np.mean(means <= mean + tolerance)
    bias = special.ndtri((below + up_to) / 2)
    centred = (d - mean) / np.abs(d - mean).max()
    acceleration = np.sum(centred**3) / (6 * np.sum(centred**2) ** 1.5)
    z = special.ndtri((1 + level) / 2)
    shares = [special.ndtr(bias + (bias + s * z) / (1 - acceleration * (bias + s * z))) for s in (-1, 1)]
    if not np.isfinite(shares).all():
        reason = "too few queries differ for the bootstrap's correction"
        return Interval(None, None, level, method, reason, n_resamples, seed)
    low, high = np.quantile(means, shares)
    return Interval(float(low), float(high), level, method, None, n_resamples, seed)


def check_level(level: float) -> None:
    """Raise ValueError unless `level` is in (0, 1)."""
    if not 0 < level < 1:
        raise ValueError(f"level: between 0 and 1; found {level}")


@dataclass(frozen=True)
class IntervalBlock:
    """One interval as it is offered."""

    key: str
    name: str
    function: Callable[..., Interval]
    sentence: str
    assumption: str
    reference: str


INTERVALS: Mapping[str, IntervalBlock] = {
    block.key: block
    for block in (
        IntervalBlock(
            "t", "t interval", t_interval,
            "The mean difference, give or take what its own spread allows.",
            "The mean of the differences is close to normal.",
            "Student (1908)",
        ),
        IntervalBlock(
            "bca", "BCa bootstrap", bca_interval,
            "Where the mean difference falls when the queries are drawn again and again from those at hand.",
            "The queries at hand stand for those to come; too narrow when they are few.",
            "Efron (1987)",
        ),
    )
}  # fmt: skip
