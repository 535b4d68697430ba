"""Which queries differ? The one door through which per-query differences enter every test and interval."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

#: Two scores closer than this are a tie, for every test and every interval.
EPS = 1e-9

#: Larger than any score; beyond it cubes overflow and no result would be finite.
LARGEST = 1e100


@dataclass(frozen=True)
class Counts:
    """How many queries the contender won, tied and lost."""

    wins: int
    ties: int
    losses: int

    @property
    def n(self) -> int:
        """All queries."""
        return self.wins + self.ties + self.losses

    @property
    def differing(self) -> int:
        """The queries that say anything about a difference: wins and losses."""
        return self.wins + self.losses


def clean(differences: ArrayLike) -> Floats:
    """Differences (contender minus baseline, one a query, shape [n]) as float64, with ties set to exactly 0.

    A new array; |difference| < EPS is a tie. Raises ValueError unless the array is one-dimensional,
    not empty, finite and within +-1e100.
    """
    return _checked(differences, ndim=1, what="differences: one number a query, shape [n]")


def clean_many(differences: ArrayLike) -> Floats:
    """The same for several comparisons at once, shape [comparisons, n]."""
    return _checked(differences, ndim=2, what="differences: one row a comparison, shape [comparisons, n]")


def clean_scores(scores: ArrayLike) -> Floats:
    """Scores, shape [runs, queries], as float64. Raises ValueError on another shape, NaN, infinity or beyond 1e100."""
    array = np.array(scores, dtype=np.float64)
    _refuse_unusable(array, ndim=2, what="scores: one row a run, shape [runs, queries]")
    return array


def counts(differences: ArrayLike) -> Counts:
    """Wins, ties and losses among the differences, shape [n]; |difference| < EPS is a tie."""
    d = clean(differences)
    return Counts(wins=int(np.sum(d > 0)), ties=int(np.sum(d == 0)), losses=int(np.sum(d < 0)))


def why_constant(d: Floats) -> str | None:
    """Why clean differences have no spread to measure, in words; None if they have one."""
    if not d.any():
        return "identical: no query differs"
    if d.size == 1:
        return "one query: no spread can be measured"
    # Equal differences reach us with rounding noise (0.3 - 0.2 is not 0.2 - 0.1), so "equal" has a tolerance.
    if np.ptp(d) < max(EPS, 1e-12 * float(np.abs(d).max())):
        return "all differences equal: no spread can be measured"
    return None


def _checked(differences: ArrayLike, *, ndim: int, what: str) -> Floats:
    array = np.array(differences, dtype=np.float64)
    _refuse_unusable(array, ndim=ndim, what=what)
    array[np.abs(array) < EPS] = 0.0
    return array


def _refuse_unusable(array: Floats, *, ndim: int, what: str) -> None:
    if array.ndim != ndim:
        raise ValueError(f"{what}; found {array.ndim} dimensions")
    if array.size == 0:
        raise ValueError(f"{what}; found none")
    if not np.isfinite(array).all():
        raise ValueError(f"{what}; found NaN or infinity")
    if np.abs(array).max() > LARGEST:
        raise ValueError(f"{what}; found a number beyond {LARGEST:g}")
