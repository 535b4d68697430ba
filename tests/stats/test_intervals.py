"""Intervals of the mean difference against scipy, by hand, and where there are none."""

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

from ragdash import stats
from ragdash.stats import intervals as module

NORMAL = np.random.default_rng(2).normal(0.3, 1, size=40)
SKEWED = np.random.default_rng(3).exponential(1, size=40) - 0.5
COARSE = np.random.default_rng(4).choice([0, 0, 0, 1.0, -1.0, 0.5], size=60)


def test_t_interval_by_hand():
    # 1, 2, 3: mean 2, standard error 1 / sqrt(3), and t(0.975, 2 df) = 4.302652...
    interval = stats.t_interval([1.0, 2.0, 3.0])
    half = 4.302652729911275 / math.sqrt(3)
    assert (interval.low, interval.high) == pytest.approx((2 - half, 2 + half))


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_t_interval_is_scipys(level):
    expected = scipy_stats.ttest_1samp(NORMAL, 0).confidence_interval(level)
    interval = stats.t_interval(NORMAL, level)
    assert (interval.low, interval.high, interval.level) == pytest.approx((expected.low, expected.high, level))


@pytest.mark.parametrize("d", [NORMAL, SKEWED, COARSE], ids=["normal", "skewed", "coarse"])
def test_bca_is_scipys_within_monte_carlo_error(d):
    ours = stats.bca_interval(d, n_resamples=20_000)
    theirs = scipy_stats.bootstrap((d,), np.mean, n_resamples=20_000, method="BCa", rng=1).confidence_interval
    # An end is a quantile: its error is sqrt(q (1 - q) / R) over the density, here about 0.02 standard errors.
    tolerance = 0.12 * d.std() / math.sqrt(d.size)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=tolerance)


def test_bca_leans_towards_the_long_tail():
    bca, t = stats.bca_interval(SKEWED), stats.t_interval(SKEWED)
    assert bca.low > t.low and bca.high > t.high


def test_bca_many_equals_one_by_one_and_repeats():
    rows = np.stack([NORMAL, SKEWED, np.zeros(40)])
    together = stats.bca_many(rows, 0.9, n_resamples=2000, seed=7)
    for row, interval in zip(rows, together):
        alone = stats.bca_interval(row, 0.9, n_resamples=2000, seed=7)
        assert (interval.low, interval.high) == (pytest.approx(alone.low), pytest.approx(alone.high))
    assert stats.bca_interval(NORMAL, seed=1) == stats.bca_interval(NORMAL, seed=1)
    assert stats.bca_interval(NORMAL, seed=1) != stats.bca_interval(NORMAL, seed=2)


def test_block_sizes_do_not_matter(monkeypatch):
    rows = np.stack([NORMAL, SKEWED])
    expected = [(i.low, i.high) for i in stats.bca_many(rows, n_resamples=999)]
    monkeypatch.setattr(module, "COUNTS_BLOCK", 1000)
    monkeypatch.setattr(module, "TEST_BLOCK", 1)
    found = [(i.low, i.high) for i in stats.bca_many(rows, n_resamples=999)]
    assert np.array(found) == pytest.approx(np.array(expected))


@pytest.mark.parametrize("d", [NORMAL, SKEWED, COARSE], ids=["normal", "skewed", "coarse"])
def test_swapping_the_runs_mirrors_the_interval(d):
    for function in (stats.t_interval, stats.bca_interval):
        one, other = function(d), function(-d)
        assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=0.02 * d.std())


def test_the_t_interval_excludes_zero_exactly_when_the_t_test_is_significant():
    for seed in range(40):
        d = np.random.default_rng(seed).normal(0.35, 1, size=25)
        assert stats.t_interval(d).excludes_zero == (stats.t_test(d).p < 0.05)


@pytest.mark.parametrize(("d", "reason"), [([0.5], "one query"), ([0.0] * 9, "identical"), ([0.1] * 9, "equal")])
def test_no_spread_no_interval(d, reason):
    for block in stats.INTERVALS.values():
        interval = block.function(d)
        assert (interval.low, interval.high, interval.excludes_zero) == (None, None, None)
        assert reason in interval.reason


@pytest.mark.parametrize("level", [0, 1, 95])
def test_a_level_is_between_0_and_1(level):
    for block in stats.INTERVALS.values():
        with pytest.raises(ValueError, match="level"):
            block.function(NORMAL, level)
