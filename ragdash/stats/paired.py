"""Is the difference more than chance? The classical paired tests, and the register of all tests.

To add a test: one function from differences to `TestResult`, one `TestBlock` in `TESTS`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from ragdash.stats.differences import Floats, clean, why_constant
from ragdash.stats.result import TestResult, floored
from ragdash.stats.signflips import randomization
from ragdash.stats.student import t_statistic, two_sided

#: Up to so many non-zero differences the exact distribution of Wilcoxon's W is computed (scipy's limit as well).
WILCOXON_EXACT = 50


def t_test(differences: ArrayLike) -> TestResult:
    """Student's paired t-test, two-sided: t = mean / (sd / sqrt(n)), df = n - 1 (Student 1908).

    `differences`: contender minus baseline, shape [n], any unit. p is None, with a reason, for one query,
    for identical runs and where all differences are equal, as the spread is then 0 or unknown.
    Raises ValueError as `clean` does.
    """
    d = clean(differences)
    method = "paired t-test, two-sided"
    undefined = why_constant(d)
    if undefined:
        return TestResult("t", d.size, d.size, None, None, None, method, reason=undefined)
    t, df = t_statistic(d), d.size - 1
    p, reason = two_sided(t, df)
    return TestResult("t", d.size, d.size, t, float(df), p, method, reason=reason)


def wilcoxon(differences: ArrayLike, *, zeros: Literal["wilcox", "pratt"] = "wilcox") -> TestResult:
    """Wilcoxon's signed-rank test, two-sided; the statistic is min(W+, W-) (Wilcoxon 1945).

    `differences`: shape [n]. `zeros` says what happens to ties: "wilcox" drops them before ranking, "pratt" ranks
    them and drops their ranks (Pratt 1959); `n_used` counts the non-zero ones either way. Equal |differences| share
    their mean rank; |differences| are compared to 9 decimals, so that rounding noise does not break ties.
    Up to 50 non-zero differences p is exact: all 2^n_used signs of these very ranks, counted by convolution, which
    holds with shared ranks too. Beyond: scipy's normal approximation with tie correction. All ties: p = 1.
    Raises ValueError as `clean` does, or on another `zeros`.
    """
    if zeros not in ("wilcox", "pratt"):
        raise ValueError(f'zeros: "wilcox" or "pratt"; found {zeros!r}')
    d = clean(differences)
    d = np.sign(d) * np.round(np.abs(d), 9)
    method = f"Wilcoxon signed-rank, {'zeros dropped' if zeros == 'wilcox' else 'zeros ranked, then dropped (Pratt)'}"
    used = int(np.count_nonzero(d))
    if used == 0:
        return TestResult("wilcoxon", d.size, 0, 0.0, None, 1.0, method, True, reason="identical: no query differs")
    if used <= WILCOXON_EXACT:
        statistic, p = _exact_signed_rank(d if zeros == "pratt" else d[d != 0])
        method += ", exact over all signs"
    else:
        answer = stats.wilcoxon(d, zero_method=zeros, method="asymptotic")
        statistic, p = float(answer.statistic), float(answer.pvalue)
        method += ", normal approximation"
    p, reason = floored(p)
    return TestResult("wilcoxon", d.size, used, statistic, None, p, method, used <= WILCOXON_EXACT, reason=reason)


def _exact_signed_rank(d: Floats) -> tuple[float, float]:
    """min(W+, W-) and its exact two-sided p, given the ranks at hand."""
    ranks = stats.rankdata(np.abs(d))
    positive, negative = float(ranks[d > 0].sum()), float(ranks[d < 0].sum())
    smaller = min(positive, negative)
    doubled = np.rint(2 * ranks[d != 0]).astype(int)  # mean ranks are halves; doubled they index an array
    chance = np.ones(1)
    for rank in doubled:  # chance[s] = probability that the doubled rank sum is s
        longer = np.zeros(chance.size + rank)
        longer[: chance.size] += chance / 2
        longer[rank:] += chance / 2
        chance = longer
    return smaller, min(1.0, 2 * float(chance[: round(2 * smaller) + 1].sum()))


def sign_test(differences: ArrayLike) -> TestResult:
    """The sign test: wins among the queries that differ against a fair coin, exact binomial, two-sided.

    `differences`: shape [n]. The statistic is the number of wins. All ties: p = 1, with a reason.
    Raises ValueError as `clean` does. Source: Conover, Practical Nonparametric Statistics, 3.4.
    """
    d = clean(differences)
    wins, used = int(np.sum(d > 0)), int(np.count_nonzero(d))
    method = "sign test over the queries that differ, exact binomial"
    if used == 0:
        return TestResult("sign", d.size, 0, 0.0, None, 1.0, method, True, reason="identical: no query differs")
    p, reason = floored(float(stats.binomtest(wins, used).pvalue))
    return TestResult("sign", d.size, used, float(wins), None, p, method, True, reason=reason)


@dataclass(frozen=True)
class TestBlock:
    """One test as it is offered: its key, its name for people, its function, what it asks and assumes, its source."""

    __test__: ClassVar[bool] = False

    key: str
    name: str
    function: Callable[..., TestResult]
    sentence: str
    assumption: str
    reference: str
    resamples: bool = False

    def __call__(self, differences: ArrayLike, *, n_resamples: int = 100_000, seed: int = 0) -> TestResult:
        """Run the test; the two options matter only to a test that resamples."""
        if self.resamples:
            return self.function(differences, n_resamples=n_resamples, seed=seed)
        return self.function(differences)


TESTS: Mapping[str, TestBlock] = {
    block.key: block
    for block in (
        TestBlock(
            "t", "Paired t-test", t_test,
            "Asks whether the mean difference is large against its own spread.",
            "The mean of the differences is close to normal; fails when only a handful of queries differ.",
            "Student (1908); for retrieval: Urbano, Lima and Hanjalic (SIGIR 2019)",
        ),
        TestBlock(
            "randomization", "Fisher randomization", randomization,
            "Asks how often swapping the two runs at random, query by query, gives so large a mean difference.",
            "If the runs were equal, each query's difference could as well have had the other sign.",
            "Fisher (1935); for retrieval: Smucker, Allan and Carterette (CIKM 2007)",
            resamples=True,
        ),
        TestBlock(
            "wilcoxon", "Wilcoxon signed-rank", wilcoxon,
            "Asks the same of the ranks of the differences: many small wins can outweigh a few large losses.",
            "The differences are symmetric around their median; says nothing about the mean if they are not.",
            "Wilcoxon (1945); on zeros Pratt (1959)",
        ),
        TestBlock(
            "sign", "Sign test", sign_test,
            "Asks whether one run wins more queries than a fair coin would give it, whatever the size of the wins.",
            "None beyond independent queries; ties are left out.",
            "Conover, Practical Nonparametric Statistics (1999)",
        ),
    )
}  # fmt: skip


def run_tests(differences: ArrayLike, *, n_resamples: int = 100_000, seed: int = 0) -> dict[str, TestResult]:
    """Every test of `TESTS` on the same differences, shape [n], by key. Raises ValueError as `clean` does."""
    return {key: block(differences, n_resamples=n_resamples, seed=seed) for key, block in TESTS.items()}
