"""Power: known table values, and the functions undoing each other."""

import numpy as np
import pytest

from ragdash import stats


@pytest.mark.parametrize(("effect", "n"), [(0.2, 199), (0.5, 34), (0.8, 15)])
def test_the_textbook_sample_sizes(effect, n):
    # G*Power 3.1, t tests, matched pairs, two-sided, alpha 0.05, power 0.80: 199, 34, 15 pairs.
    assert stats.t_power(effect, n) >= 0.8 > stats.t_power(effect, n - 1)


def test_no_effect_is_found_as_often_as_alpha_says():
    assert stats.t_power(0.0, 25) == pytest.approx(0.05)
    assert stats.t_power(0.0, 25, alpha=0.01) == pytest.approx(0.01)


def test_power_agrees_with_a_simulation():
    d = np.random.default_rng(0).normal(0.4, 1, size=(3000, 30))
    found = np.mean([stats.t_test(row).p <= 0.05 for row in d])
    assert found == pytest.approx(stats.t_power(0.4, 30), abs=4 * np.sqrt(0.25 / 3000))


@pytest.mark.parametrize("n", [2, 3, 10, 200, 7000])
@pytest.mark.parametrize("alpha", [0.05, 0.05 / 45])
def test_the_detectable_effect_has_the_power_asked_for(n, alpha):
    effect = stats.detectable_effect(n, power=0.8, alpha=alpha)
    assert stats.t_power(effect, n, alpha) == pytest.approx(0.8, abs=1e-4)


def test_smallest_detectable_is_in_the_unit_of_the_scores():
    d = np.random.default_rng(1).normal(0.0, 0.25, size=100)
    assert stats.smallest_detectable(d) == pytest.approx(stats.detectable_effect(100) * d.std(ddof=1))
    assert stats.smallest_detectable(10 * d) == pytest.approx(10 * stats.smallest_detectable(d))
    assert stats.smallest_detectable(d, n=400) < stats.smallest_detectable(d)


def test_queries_needed_is_the_first_number_that_is_enough():
    d = np.random.default_rng(2).normal(0.1, 0.5, size=60)
    n, effect = stats.queries_needed(d), d.mean() / d.std(ddof=1)
    assert stats.t_power(effect, n) >= 0.8 > stats.t_power(effect, n - 1)
    assert stats.queries_needed(-d) == n
    assert stats.queries_needed(d, power=0.95) > n


def test_the_curve_rises_with_the_number_of_queries():
    d = np.random.default_rng(3).normal(0.2, 1, size=50)
    curve = stats.power_curve(d, [1, 2, 10, 100, 1000, 100_000])
    assert curve[0] == 0 and curve[-1] == 1.0
    assert (np.diff(curve) >= 0).all()
    assert stats.power_curve(d, [100], difference=d.mean())[0] == curve[3]


@pytest.mark.parametrize("d", [[0.5], [0.0] * 9, [0.1] * 9])
def test_without_spread_nothing_can_be_planned(d):
    assert stats.smallest_detectable(d) is None
    assert stats.queries_needed(d) is None
    assert stats.power_curve(d, [10]) is None


def test_no_difference_is_never_settled():
    assert stats.queries_needed([1.0, -1.0, 0.5, -0.5]) is None
    assert stats.queries_needed(np.random.default_rng(0).permutation([1.0, -1.0] * 50 + [1e-6])) is None


def test_nonsense_is_refused():
    for call in (
        lambda: stats.queries_needed([0.1, 0.2], power=1.0),
        lambda: stats.queries_needed([0.1, 0.2], power=0.01),
        lambda: stats.smallest_detectable([0.1, 0.2], alpha=0),
        lambda: stats.smallest_detectable([0.1, 0.2], n=0),
    ):
        with pytest.raises(ValueError):
            call()
