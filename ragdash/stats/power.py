"""What can so many queries show, and how many would settle it? The power of the paired t-test."""

import functools
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, stats

from ragdash.stats.differences import Floats, clean, why_constant
from ragdash.stats.student import t_quantile

#: More queries than this are never advised; `queries_needed` answers None.
MOST_QUERIES = 10_000_000


def t_power(effect: float, n: int, alpha: float = 0.05) -> float:
    """The chance that a two-sided paired t-test of `n` queries finds a true `effect` (mean / sd) at level `alpha`.

    From the noncentral t distribution with noncentrality effect sqrt(n) (Cohen 1988; Sakai, Laboratory Experiments
    in Information Retrieval, 2018). In [0, 1]; 0 for one query, whose spread is unknown.
    """
    if n < 2:
        return 0.0
    return _power_at(abs(effect) * float(np.sqrt(n)), n - 1, alpha)


def _power_at(noncentrality: float, df: int, alpha: float) -> float:
    critical = -t_quantile(alpha / 2, df)
    right = float(stats.nct.sf(critical, df, noncentrality))
    # Significant, but with the wrong sign: scipy has NaN there from about 7 on, where the chance is below 1e-10.
    wrong = float(stats.nct.cdf(-critical, df, noncentrality)) if noncentrality < 7 else 0.0
    return min(1.0, right + wrong)


@functools.lru_cache(maxsize=4096)
def detectable_effect(n: int, power: float = 0.8, alpha: float = 0.05) -> float | None:
    """The smallest true mean / sd that `n` queries show with chance `power`; None for one query.

    Raises ValueError unless 0 < alpha < power < 1. Source: as `t_power`.
    """
    _check(power, alpha)
    if n < 2:
        return None
    top = 10.0
    while _power_at(top, n - 1, alpha) < power:
        top *= 2
    found = optimize.brentq(lambda nc: _power_at(nc, n - 1, alpha) - power, 0.0, top)
    return float(found) / float(np.sqrt(n))


def smallest_detectable(
    differences: ArrayLike, *, n: int | None = None, power: float = 0.8, alpha: float = 0.05
) -> float | None:
    """The smallest true mean difference, in the unit of the scores, that `n` queries show with chance `power`.

    `differences`: shape [queries], for their spread; `n` defaults to their number; `power` and `alpha` in (0, 1).
    None where the spread is unknown (one query, identical runs, equal differences), or n < 2.
    Raises ValueError as `clean` does, or on another power, alpha or n < 1. Source: as `t_power`.
    """
    d = clean(differences)
    if n is not None and n < 1:
        raise ValueError(f"n: at least 1 query; found {n}")
    effect = detectable_effect(d.size if n is None else n, power, alpha)
    if effect is None or why_constant(d):
        return None
    return effect * float(d.std(ddof=1))


def queries_needed(differences: ArrayLike, *, power: float = 0.8, alpha: float = 0.05) -> int | None:
    """How many queries like these show, with chance `power`, a true mean difference as large as the one seen.

    `differences`: shape [n]; `power` and `alpha` in (0, 1). The seen difference is itself uncertain, most of all when
    it is small: a plan for the next round, no judgment of this one (Hoenig and Heisey 2001). None where the spread is
    unknown, where the mean is 0, or where it would take more than ten million.
    Raises ValueError as `clean` does, or on another power or alpha. Source: as `t_power`.
    """
    d = clean(differences)
    _check(power, alpha)
    if why_constant(d):
        return None
    effect = float(d.mean() / d.std(ddof=1))
    low, high = 1, MOST_QUERIES
    if t_power(effect, high, alpha) < power:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if t_power(effect, middle, alpha) >= power else (middle, high)
    return high


def power_curve(
    differences: ArrayLike, ns: Sequence[int], *, difference: float | None = None, alpha: float = 0.05
) -> Floats | None:
    """The power at each number of queries in `ns`, each in [0, 1], for the seen mean difference or for `difference`.

    `differences`: shape [n], for the spread. None where the spread is unknown.
    Raises ValueError as `clean` does, or on another alpha. Source: as `t_power`.
    """
    d = clean(differences)
    _check(0.5, alpha)
    if why_constant(d):
        return None
    effect = (float(d.mean()) if difference is None else difference) / float(d.std(ddof=1))
    return np.array([t_power(effect, n, alpha) for n in ns])


def _check(power: float, alpha: float) -> None:
    if not 0 < alpha < 1:
        raise ValueError(f"alpha: between 0 and 1; found {alpha}")
    if not alpha < power < 1:
        raise ValueError(f"power: above alpha and below 1; found {power}")
