"""What does a test answer with? One frozen record that carries its evidence."""

import sys
from dataclasses import dataclass
from typing import ClassVar

#: The smallest p that is ever returned: a p-value is never 0 (here: the smallest normal double).
SMALLEST_P = sys.float_info.min


@dataclass(frozen=True)
class TestResult:
    """One two-sided paired test on one set of differences.

    `p` is in (0, 1], or None with a `reason`. `n` counts all queries, `n_used` those the test looked at.
    `method` is a fragment of a sentence that names exactly what was done. `exact` is None where the word
    does not apply (t). `p_error` is the Monte Carlo standard error of p. `reason` says in words why p is
    None, or what to know about a p that exists.
    """

    __test__: ClassVar[bool] = False  # pytest takes every class called Test... for one of its own

    test: str
    n: int
    n_used: int
    statistic: float | None
    df: float | None
    p: float | None
    method: str
    exact: bool | None = None
    n_resamples: int | None = None
    seed: int | None = None
    p_error: float | None = None
    reason: str | None = None


def floored(p: float) -> tuple[float, str | None]:
    """A p-value in [SMALLEST_P, 1] and, where it had to be raised, the words for that."""
    if p < SMALLEST_P:
        return SMALLEST_P, f"p < {SMALLEST_P:.1e}, the smallest number that can be written"
    return min(float(p), 1.0), None
