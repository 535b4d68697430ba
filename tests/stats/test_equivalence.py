"""Two one-sided tests: by hand, and through the interval that says the same."""

import math

import numpy as np
import pytest

from ragdash import stats


def test_by_hand():
    # Mean 0, sd 1, n = 3, band 5: t = 5 sqrt(3) on either side.
    # With 2 degrees of freedom the upper tail is (1 - t / sqrt(t^2 + 2)) / 2.
    found = stats.equivalence([-1.0, 0.0, 1.0], band=5)
    t = 5 * math.sqrt(3)
    tail = (1 - t / math.sqrt(t**2 + 2)) / 2
    assert (found.p_lower, found.p_upper, found.p) == pytest.approx((tail, tail, tail))
    assert found.equivalent


@pytest.mark.parametrize("seed", range(30))
def test_equivalent_exactly_when_the_90_percent_interval_is_within_the_band(seed):
    d = np.random.default_rng(seed).normal(0.1, 1, size=40)
    found = stats.equivalence(d, band=0.4)
    assert found.interval.level == pytest.approx(0.9)
    assert found.equivalent == (found.interval.low > -0.4 and found.interval.high < 0.4)
    assert stats.non_inferiority(d, margin=0.4).non_inferior == (found.interval.low > -0.4)


def test_a_better_run_is_not_inferior_and_not_equivalent():
    d = np.random.default_rng(1).normal(1.0, 0.5, size=50)
    assert stats.non_inferiority(d, margin=0.01).non_inferior
    assert not stats.equivalence(d, band=0.01).equivalent
    assert not stats.non_inferiority(-d, margin=0.01).non_inferior


@pytest.mark.parametrize(("d", "reason"), [([0.5], "one query"), ([0.0] * 9, "identical"), ([0.1] * 9, "equal")])
def test_no_spread_no_answer(d, reason):
    both = stats.equivalence(d), stats.non_inferiority(d)
    assert [found.p for found in both] == [None, None]
    assert both[0].equivalent is None and both[1].non_inferior is None
    assert all(reason in found.reason for found in both)


@pytest.mark.parametrize("band", [0, -0.1, float("nan"), float("inf")])
def test_a_band_has_a_width(band):
    with pytest.raises(ValueError, match="band"):
        stats.equivalence([0.1, 0.2], band=band)
    with pytest.raises(ValueError, match="margin"):
        stats.non_inferiority([0.1, 0.2], margin=band)
    with pytest.raises(ValueError, match="alpha"):
        stats.equivalence([0.1, 0.2], alpha=0.5)
