"""Does one query carry the result? The t-test without each query in turn."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from ragdash.stats.differences import EPS, clean
from ragdash.stats.paired import t_test
from ragdash.stats.result import floored


@dataclass(frozen=True)
class LeaveOneOut:
    """The query whose removal raises p the most.

    `index` is its place among the differences, `difference` its own, `mean_without` and `p_without` what is left.
    `carried` says that the result is significant with it and not without it. All None, with a `reason`, if there is
    no p to begin with, or none is left. `hider` is the place of the query whose removal makes a result significant that
    is not, None where there is no such query.
    """

    index: int | None
    difference: float | None
    p: float | None
    p_without: float | None
    mean_without: float | None
    carried: bool | None
    alpha: float
    reason: str | None = None
    hider: int | None = None


def leave_one_out(differences: ArrayLike, alpha: float = 0.05) -> LeaveOneOut:
    """Whether a significant paired t-test rests on a single query: the test without each query in turn.

    `differences`: shape [n]; `alpha` in (0, 1), taken as given (hand over a smaller one to allow for a correction).
    Where what is left is constant and not 0, its p is that of the sign flips, 2 / 2^(n - 1); where it is 0, none.
    Raises ValueError as `clean` does.
    """
    d = clean(differences)
    whole = t_test(d)
    if whole.p is None:
        return LeaveOneOut(None, None, None, None, None, None, alpha, whole.reason)
    if d.size == 2:
        return LeaveOneOut(None, None, whole.p, None, None, None, alpha, "two queries: one is no test")
    n = d.size - 1
    means = (d.sum() - d) / n
    centred = d - d.mean()
    # Leaving out x takes (x - mean)^2 (n + 1) / n from the sum of squares.
    squares = np.maximum(np.sum(centred**2) - centred**2 * (n + 1) / n, 0.0)
    spread = np.sqrt(squares / (n - 1) / n)
    constant = spread <= 1e-9 * np.abs(d).max()
    alike = np.where(np.abs(means) < EPS, 1.0, 2.0 ** (1 - n))
    p = np.where(constant, alike, 2 * special.stdtr(n - 1, -np.abs(means) / np.where(constant, 1.0, spread)))
    index, hider = int(np.argmax(p)), int(np.argmin(p))
    left = np.delete(d, index)
    without = t_test(left)
    p_without = without.p if without.p is not None else floored(float(p[index]))[0] if left.any() else None
    return LeaveOneOut(
        index=index,
        difference=float(d[index]),
        p=whole.p,
        p_without=p_without,
        mean_without=float(means[index]),
        carried=whole.p <= alpha and (p_without is None or p_without > alpha),
        hider=hider if whole.p > alpha and p[hider] <= alpha else None,
        alpha=alpha,
        reason=without.reason,
    )
