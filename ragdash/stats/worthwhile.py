"""Is there no difference worth having? Two one-sided tests, and non-inferiority for a cheaper run."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ragdash.stats.differences import clean, why_constant
from ragdash.stats.intervals import Interval, t_interval
from ragdash.stats.student import above


@dataclass(frozen=True)
class Equivalence:
    """The answer of two one-sided tests. `equivalent` is None, with a `reason`, where they have none.

    `p_lower` belongs to "not worse by the band or more", `p_upper` to "not better by the band or more", `p` is the
    larger of them; `interval` is the one that lies within the band exactly when p <= alpha (90 % for alpha 0.05).
    """

    band: float
    alpha: float
    n: int
    p: float | None
    p_lower: float | None
    p_upper: float | None
    interval: Interval
    equivalent: bool | None
    method: str
    reason: str | None = None


@dataclass(frozen=True)
class NonInferiority:
    """The answer of one one-sided test: is the contender at most `margin` worse? None, with a `reason`, if unknown."""

    margin: float
    alpha: float
    n: int
    p: float | None
    interval: Interval
    non_inferior: bool | None
    method: str
    reason: str | None = None


def equivalence(differences: ArrayLike, band: float = 0.01, alpha: float = 0.05) -> Equivalence:
    """Two one-sided t-tests against -band and +band (Schuirmann 1987; Lakens 2017).

    `differences`: shape [n]; `band` > 0 in the unit of the scores, the largest mean difference that is not worth
    having; `alpha` in (0, 0.5). No answer for one query, identical runs or equal differences: identical scores on a
    few queries say little about the next one, so this is left to the reader. Where `why_too_few` has something to say,
    the answer is not to be trusted either.
    Raises ValueError as `clean` does, or on another band or alpha.
    """
    d = clean(differences)
    _check("band", band, alpha)
    method = f"two one-sided t-tests within +-{band:g}"
    interval = t_interval(d, 1 - 2 * alpha)
    undefined = why_constant(d)
    if undefined:
        return Equivalence(band, alpha, d.size, None, None, None, interval, None, method, undefined)
    lower, upper = above(d, -band), above(-d, -band)
    p = max(lower, upper)
    return Equivalence(band, alpha, d.size, p, lower, upper, interval, p <= alpha, method)


def non_inferiority(differences: ArrayLike, margin: float = 0.01, alpha: float = 0.05) -> NonInferiority:
    """One one-sided t-test: is the mean difference above -margin? For a run that has other merits, such as its price.

    `differences`: contender minus baseline, shape [n]; `margin` > 0 in the unit of the scores; `alpha` in (0, 0.5).
    No answer for one query, identical runs or equal differences.
    Raises ValueError as `clean` does, or on another margin or alpha. Source: as `equivalence`.
    """
    d = clean(differences)
    _check("margin", margin, alpha)
    method = f"one-sided t-test against -{margin:g}"
    interval = t_interval(d, 1 - 2 * alpha)
    undefined = why_constant(d)
    if undefined:
        return NonInferiority(margin, alpha, d.size, None, interval, None, method, undefined)
    p = above(d, -margin)
    return NonInferiority(margin, alpha, d.size, p, interval, p <= alpha, method)


def _check(name: str, band: float, alpha: float) -> None:
    if not (np.isfinite(band) and band > 0):
        raise ValueError(f"{name}: a number above 0, in the unit of the scores; found {band}")
    if not 0 < alpha < 0.5:
        raise ValueError(f"alpha: between 0 and 0.5; found {alpha}")
