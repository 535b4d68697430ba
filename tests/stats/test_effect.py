"""Effect sizes: by hand, and their intervals by what defines them."""

import numpy as np
import pytest
from scipy import stats as scipy_stats

from ragdash import stats


def test_d_z_by_hand():
    effect = stats.effect_size([1.0, 2.0, 3.0])  # mean 2, sd 1
    assert (effect.value, effect.n) == (pytest.approx(2.0), 3)


@pytest.mark.parametrize("n", [2, 3, 10, 200])
@pytest.mark.parametrize("shift", [-1.5, 0.0, 0.4])
def test_the_ends_put_t_at_the_edges_of_the_noncentral_distribution(n, shift):
    d = np.random.default_rng(n).normal(shift, 1, size=n)
    effect, t = stats.effect_size(d), scipy_stats.ttest_1samp(d, 0).statistic
    ends = np.array([effect.low, effect.high]) * np.sqrt(n)
    assert scipy_stats.nct.sf(t, n - 1, ends) == pytest.approx([0.025, 0.975], abs=1e-6)
    assert effect.low < effect.value < effect.high


def test_the_large_sample_interval_joins_on():
    d = np.random.default_rng(0).normal(0, 1, size=400)
    d = (d - d.mean()) / d.std(ddof=1)
    exact, approximate = (stats.effect_size(d + shift) for shift in (29.9 / 20, 30.1 / 20))
    assert "noncentral" in exact.method and "large-sample" in approximate.method
    assert (approximate.high - approximate.low) == pytest.approx(exact.high - exact.low, rel=0.02)


def test_swapping_the_runs_flips_the_effect():
    d = np.random.default_rng(0).normal(0.5, 1, size=20)
    one, other = stats.effect_size(d), stats.effect_size(-d)
    assert (one.value, one.low, one.high) == pytest.approx((-other.value, -other.high, -other.low))


def test_win_share_by_hand():
    # 3 of 4 that differ. Clopper-Pearson's lower end solves P(X >= 3 | 4, q) = 4 q^3 - 3 q^4 = 0.025.
    share = stats.win_share([0.5, 0.5, 0.1, -0.2, 0.0, 0.0])
    assert (share.value, share.n) == (0.75, 4)
    assert 4 * share.low**3 - 3 * share.low**4 == pytest.approx(0.025)
    assert share.high < 1


@pytest.mark.parametrize("wins", [0, 1, 7, 30])
def test_win_share_has_scipys_exact_interval(wins):
    share = stats.win_share([1.0] * wins + [-1.0] * (30 - wins), 0.9)
    expected = scipy_stats.binomtest(wins, 30).proportion_ci(0.9, method="exact")
    assert (share.low, share.high) == pytest.approx((expected.low, expected.high))


@pytest.mark.parametrize(("d", "reason"), [([0.5], "one query"), ([0.0] * 9, "identical"), ([0.1] * 9, "equal")])
def test_no_spread_no_effect_size(d, reason):
    effect = stats.effect_size(d)
    assert (effect.value, effect.low, effect.high) == (None, None, None)
    assert reason in effect.reason


def test_no_query_differs_no_share():
    assert stats.win_share([0.0, 0.0]).value is None
