"""What would Student say? t and its p, straight from scipy's distribution function: hundreds of pairs ask for it."""

import numpy as np
from scipy import special

from ragdash.stats.differences import Floats
from ragdash.stats.result import floored


def t_statistic(d: Floats, bound: float = 0.0) -> float:
    """(mean - bound) / (sd / sqrt(n)) of differences that have a spread (`why_constant` is None)."""
    return float((d.mean() - bound) / (d.std(ddof=1) / np.sqrt(d.size)))


def two_sided(t: float, df: int) -> tuple[float, str | None]:
    """The chance of so large a |t| under no difference, floored as `floored` says."""
    return floored(2 * float(special.stdtr(df, -abs(t))))


def above(d: Floats, bound: float) -> float:
    """p of the one-sided test for "the mean is above the bound"."""
    return floored(float(special.stdtr(d.size - 1, -t_statistic(d, bound))))[0]


def t_quantile(share: float, df: int) -> float:
    """The t below which a `share` of the distribution lies."""
    return float(special.stdtrit(df, share))
