"""How much does it matter, free of the metric's unit? Effect sizes."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, special, stats

from ragdash.stats.differences import clean, counts, why_constant
from ragdash.stats.intervals import check_level


@dataclass(frozen=True)
class EffectSize:
    """An estimate with its interval; all None, with a `reason`, where there is none. `n` queries stand behind it."""

    value: float | None
    low: float | None
    high: float | None
    level: float
    n: int
    method: str
    reason: str | None = None


def standardised(differences: ArrayLike) -> float | None:
    """The value of `effect_size` without its interval, which takes a thousand times as long."""
    d = clean(differences)
    return None if why_constant(d) else float(d.mean() / d.std(ddof=1))


def effect_size(differences: ArrayLike, level: float = 0.95) -> EffectSize:
    """The standardised mean difference d_z = mean / sd (Cohen 1988), without unit; 0.2 is called small, 0.8 large.

    `differences`: shape [n]. The interval inverts the noncentral t distribution of t = d_z sqrt(n) (Cumming and Finch
    2001); beyond |t| = 30, where that is numerically out of reach, d_z -+ z sqrt(1/n + d_z^2 / 2n).
    None for one query, identical runs and equal differences. Raises ValueError as `clean` does, or on another level.
    """
    d = clean(differences)
    check_level(level)
    method = "standardised mean difference of pairs (d_z)"
    undefined = why_constant(d)
    if undefined:
        return EffectSize(None, None, None, level, d.size, method, undefined)
    value = float(d.mean() / d.std(ddof=1))
    t, tail = value * np.sqrt(d.size), (1 - level) / 2
    if abs(t) > 30:
        half = float(special.ndtri(1 - tail) * np.sqrt(1 / d.size + value**2 / (2 * d.size)))
        return EffectSize(value, value - half, value + half, level, d.size, f"{method}, large-sample interval")
    ends = [_noncentrality(abs(t), d.size - 1, share) / float(np.sqrt(d.size)) for share in (tail, 1 - tail)]
    low, high = ends if t >= 0 else (-ends[1], -ends[0])
    return EffectSize(value, low, high, level, d.size, f"{method}, noncentral t interval")


def _noncentrality(t: float, df: int, share: float) -> float:
    """The noncentrality at which a share of the noncentral t distribution lies above t >= 0."""
    # Wide enough for df = 1 at 99.9 %; below -7 scipy's function has gaps.
    return float(optimize.brentq(lambda nc: stats.nct.sf(t, df, nc) - share, -7.0, 4 * t + 10))


def win_share(differences: ArrayLike, level: float = 0.95) -> EffectSize:
    """The share of queries that the contender wins among those that differ, in [0, 1]; `n` counts those.

    `differences`: shape [n]. The interval is exact (Clopper and Pearson 1934): it holds at least its level, and
    agrees with the sign test. None where no query differs. Raises ValueError as `clean` does, or on another level.
    """
    tally = counts(differences)
    check_level(level)
    method = "share won among the queries that differ, Clopper-Pearson interval"
    if tally.differing == 0:
        return EffectSize(None, None, None, level, 0, method, "identical: no query differs")
    tail = (1 - level) / 2
    low = float(special.betaincinv(tally.wins, tally.losses + 1, tail)) if tally.wins else 0.0
    high = float(special.betaincinv(tally.wins + 1, tally.losses, 1 - tail)) if tally.losses else 1.0
    return EffectSize(tally.wins / tally.differing, low, high, level, tally.differing, method)
