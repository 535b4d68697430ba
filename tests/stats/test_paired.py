"""t, Wilcoxon and sign tests against scipy, against sums done by hand, and where they have no answer."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

from ragdash import stats


def drawn(seed, n, grid=None):
    rng = np.random.default_rng(seed)
    return rng.choice(grid, size=n) if grid else rng.normal(0.1, 1.0, size=n)


def enumerated(d, statistic):
    """Two-sided p by going through all signs of the non-zero differences."""
    used = d[d != 0]
    observed = statistic(used)
    values = [statistic(np.abs(used) * signs) for signs in itertools.product((1, -1), repeat=used.size)]
    return np.mean([abs(value) >= abs(observed) - 1e-12 for value in values])


def signed_rank(d):
    return float(np.sum(np.sign(d) * scipy_stats.rankdata(np.abs(d))))


# ---- t ----


def test_t_by_hand():
    # 1, 2, 3: mean 2, sd 1, t = 2 / (1 / sqrt(3)); with two degrees of freedom p = 1 - t / sqrt(t^2 + 2).
    result = stats.t_test([1.0, 2.0, 3.0])
    t = 2 * math.sqrt(3)
    assert result.statistic == pytest.approx(t)
    assert result.df == 2
    assert result.p == pytest.approx(1 - t / math.sqrt(t**2 + 2))


@pytest.mark.parametrize("seed", range(5))
def test_t_is_scipys_paired_test(seed):
    a, b = drawn(seed, 30), drawn(seed + 100, 30)
    expected = scipy_stats.ttest_rel(a, b)
    result = stats.t_test(a - b)
    assert (result.statistic, result.df, result.p) == pytest.approx((expected.statistic, expected.df, expected.pvalue))


@pytest.mark.parametrize(
    ("d", "reason"),
    [
        ([0.3], "one query"),
        ([0.0], "identical"),
        ([0.0, 0.0, 0.0], "identical"),
        ([0.1] * 8, "all differences equal"),
        ([0.3 - 0.2, 0.2 - 0.1, 0.9 - 0.8], "all differences equal"),
    ],
)
def test_t_has_no_answer_without_spread(d, reason):
    result = stats.t_test(d)
    assert (result.p, result.statistic, result.df) == (None, None, None)
    assert reason in result.reason


def test_a_p_too_small_to_write_is_floored_and_says_so():
    d = 1 + 0.001 * drawn(1, 7000)
    for result in (stats.t_test(d), stats.wilcoxon(d), stats.sign_test(d)):
        assert result.p == stats.SMALLEST_P
        assert "p < 2.2e-308" in result.reason


# ---- Wilcoxon ----


@pytest.mark.parametrize("n", [1, 2, 5, 20, 50])
def test_wilcoxon_without_ties_is_scipys_exact_test(n):
    d = drawn(n, n)
    expected = scipy_stats.wilcoxon(d, method="exact")
    result = stats.wilcoxon(d)
    assert (result.statistic, result.p) == pytest.approx((expected.statistic, expected.pvalue))
    assert result.exact


@pytest.mark.parametrize("zeros", ["wilcox", "pratt"])
@pytest.mark.parametrize("seed", range(5))
def test_wilcoxon_with_ties_is_exact_too(seed, zeros):
    d = drawn(seed, 10, [0, 0, 0.5, -0.5, 0.25, 1.0, -1.0])
    permuted = scipy_stats.PermutationMethod(n_resamples=np.inf)
    expected = scipy_stats.wilcoxon(d, zero_method=zeros, method=permuted)
    result = stats.wilcoxon(d, zeros=zeros)
    assert (result.statistic, result.p) == pytest.approx((expected.statistic, expected.pvalue))
    assert result.n_used == np.count_nonzero(d)
    if zeros == "wilcox":
        assert result.p == pytest.approx(enumerated(d, signed_rank))


def test_wilcoxon_of_many_is_scipys_approximation():
    d = drawn(3, 300, [0, 0.5, -0.5, 0.25, 1.0])
    for zeros in ("wilcox", "pratt"):
        expected = scipy_stats.wilcoxon(d, zero_method=zeros, method="asymptotic")
        result = stats.wilcoxon(d, zeros=zeros)
        assert (result.statistic, result.p) == pytest.approx((expected.statistic, expected.pvalue))
        assert result.exact is False


def test_exact_and_approximate_wilcoxon_meet():
    d = drawn(4, 50, [0.5, -0.5, 0.25, 1.0, -1.0])
    assert stats.wilcoxon(d).p == pytest.approx(scipy_stats.wilcoxon(d, method="asymptotic").pvalue, abs=0.02)


def test_wilcoxon_of_eight_equal_wins():
    result = stats.wilcoxon([0.1] * 8)
    assert (result.statistic, result.p) == (0.0, 0.0078125)  # 2 of 2^8


def test_rounding_noise_does_not_break_ties_of_size():
    noisy = [0.3 - 0.2, 0.1 - 0.2, 0.4 - 0.3, 0.5]
    assert stats.wilcoxon(noisy) == stats.wilcoxon([0.1, -0.1, 0.1, 0.5])


def test_an_unknown_handling_of_zeros_is_refused():
    with pytest.raises(ValueError, match="zeros"):
        stats.wilcoxon([0.1], zeros="zsplit")


# ---- sign ----


def test_sign_test_by_hand():
    # 4 wins, 1 loss: (C(5,4) + C(5,5)) / 2^5, doubled.
    result = stats.sign_test([0.1, 0.2, 0.3, 0.4, -9.0, 0.0])
    assert (result.statistic, result.n, result.n_used) == (4.0, 6, 5)
    assert result.p == pytest.approx(2 * (5 + 1) / 32)


@pytest.mark.parametrize("seed", range(3))
def test_sign_test_is_scipys_binomial(seed):
    d = drawn(seed, 60, [0, 0, 1, -1, 0.5])
    expected = scipy_stats.binomtest(int((d > 0).sum()), int((d != 0).sum())).pvalue
    assert stats.sign_test(d).p == expected


# ---- all of them ----


def test_all_ties_is_p_one_with_words():
    results = stats.run_tests([0.0] * 12)
    assert [results[key].p for key in ("randomization", "wilcoxon", "sign")] == [1.0, 1.0, 1.0]
    assert results["t"].p is None
    assert all("identical" in result.reason for result in results.values())


def test_one_query_that_differs_is_p_one():
    for d in ([0.5], [0.0, 0.0, -0.5]):
        results = stats.run_tests(d)
        assert [results[key].p for key in ("randomization", "wilcoxon", "sign")] == [1.0, 1.0, 1.0]


def test_the_register_tells_people_what_each_test_does():
    assert list(stats.TESTS) == ["t", "randomization", "wilcoxon", "sign"]
    for key, block in stats.TESTS.items():
        assert block(drawn(1, 25), n_resamples=99).test == key
        assert all((block.name, block.sentence.endswith("."), block.assumption.endswith("."), block.reference))
    assert stats.DEFAULT_TEST in stats.TESTS
    assert stats.DEFAULT_INTERVAL in stats.INTERVALS
    assert stats.DEFAULT_CORRECTION in stats.CORRECTIONS
