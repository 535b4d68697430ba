"""The randomized Tukey HSD against all deals, and against the test for two runs."""

import itertools

import numpy as np
import pytest
from scipy import stats as scipy_stats

from ragdash import stats
from ragdash.stats import tukey as module


def all_deals(scores):
    """p of each pair when every order of the scores of every query is gone through."""
    columns = [list(itertools.permutations(column)) for column in scores.T]
    ranges = [np.ptp(np.mean(deal, axis=0)) for deal in itertools.product(*columns)]
    means = scores.mean(axis=1)
    return np.mean(np.array(ranges)[:, None, None] >= np.abs(means[:, None] - means[None, :]) - 1e-12, axis=0)


def test_within_monte_carlo_error_of_all_deals():
    scores = np.array([[1.0, 0.5, 0.2, 0.0], [0.5, 0.5, 0.1, 0.3], [0.0, 0.2, 0.0, 0.1]])  # 6^4 deals
    found = stats.tukey_hsd(scores, n_resamples=20_000)
    assert found.p == pytest.approx(all_deals(scores), abs=4 * found.p_error)


def test_with_two_runs_it_is_the_randomization_test():
    scores = np.random.default_rng(1).random((2, 14))
    found = stats.tukey_hsd(scores, n_resamples=20_000)
    assert found.p[0, 1] == pytest.approx(stats.randomization(scores[0] - scores[1]).p, abs=4 * found.p_error)


def test_the_matrix_is_symmetric_and_the_differences_are_not():
    scores = np.random.default_rng(2).random((5, 30))
    found = stats.tukey_hsd(scores, n_resamples=500)
    assert (found.p == found.p.T).all() and (np.diag(found.p) == 1).all()
    assert (found.differences == -found.differences.T).all()
    assert found.differences[1, 0] == pytest.approx(np.mean(scores[1] - scores[0]))


def test_the_seed_matters_and_repeats():
    scores = np.random.default_rng(3).random((4, 50))
    once, again, other = (stats.tukey_hsd(scores, n_resamples=700, seed=seed) for seed in (5, 5, 6))
    assert (once.p == again.p).all()
    assert (once.p != other.p).any()


def test_every_deal_is_as_likely():
    dealt = module._deal(np.tile([[0.0], [1.0], [2.0]], 60_000), np.random.default_rng(0))
    orders, counts = np.unique(dealt, axis=1, return_counts=True)
    assert orders.shape[1] == 6
    assert scipy_stats.chisquare(counts).pvalue > 0.001


def test_equal_runs_are_p_one_with_words():
    found = stats.tukey_hsd(np.tile([0.1, 0.7, 0.3], (3, 1)), n_resamples=99)
    assert (found.p == 1).all()
    assert "identical" in found.reason


def test_queries_on_which_all_agree_do_not_matter():
    scores = np.random.default_rng(4).random((3, 20))
    more = np.concatenate([scores, np.full((3, 100), 0.5)], axis=1)
    assert (stats.tukey_hsd(more, n_resamples=500).p == stats.tukey_hsd(scores, n_resamples=500).p).all()


def test_nonsense_is_refused():
    for wrong, said in (([[0.1, 0.2]], "two runs"), ([0.1], "dimensions"), ([[0.1], [float("nan")]], "NaN")):
        with pytest.raises(ValueError, match=said):
            stats.tukey_hsd(wrong)
