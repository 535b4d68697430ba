"""Fisher's randomization test against enumeration, against scipy, and for what must not matter."""

import itertools
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import stats as scipy_stats

import ragdash.stats
from ragdash import stats
from ragdash.stats import signflips as module

GRID = [0, 0, 0.5, -0.5, 1 / 3, -1 / 3, 0.2, 1.0, -1.0]


def drawn(seed, n):
    return np.random.default_rng(seed).choice(GRID, size=n)


def by_enumeration(d):
    sums = [abs(np.dot(signs, d)) for signs in itertools.product((1, -1), repeat=len(d))]
    return np.mean(np.array(sums) >= abs(np.sum(d)) - 1e-12)


def test_by_hand():
    # 3 differences, all wins: of the 8 sign vectors only +++ and --- reach the sum.
    result = stats.randomization([0.1, 0.2, 0.4])
    assert (result.p, result.exact, result.n_used) == (2 / 8, True, 3)
    assert result.method.endswith("all 8 sign flips enumerated")
    assert (result.n_resamples, result.seed, result.p_error) == (None, None, None)


@pytest.mark.parametrize("seed", range(8))
def test_equals_enumeration_with_ties_of_every_kind(seed):
    d = drawn(seed, 11)
    assert stats.randomization(d).p == by_enumeration(d)


def test_equals_scipys_exact_test():
    d = np.random.default_rng(5).normal(0.4, 1, size=12)
    expected = scipy_stats.permutation_test((d,), np.mean, permutation_type="samples", n_resamples=np.inf)
    assert stats.randomization(d).p == pytest.approx(expected.pvalue)


def test_zeros_do_not_count_against_enumeration():
    d = np.concatenate([drawn(1, 9), np.zeros(500)])
    result = stats.randomization(d)
    assert result.exact
    assert result.p == by_enumeration(drawn(1, 9))


@pytest.mark.parametrize("seed", range(4))
def test_sampling_agrees_with_enumeration_within_its_own_error(seed):
    d = np.random.default_rng(seed).normal(0.2, 1, size=18)
    exact = stats.randomization(d).p
    sampled = stats.randomization_many(d[None], n_resamples=50_000, seed=seed, enumerated=0)[0]
    assert sampled.exact is False
    assert abs(sampled.p - exact) < 4 * sampled.p_error
    assert sampled.p_error == pytest.approx(np.sqrt(sampled.p * (1 - sampled.p) / 50_000))


def test_sampling_agrees_with_scipy_within_its_own_error():
    d = np.random.default_rng(9).normal(0.1, 1, size=200)
    expected = scipy_stats.permutation_test(
        (d,), lambda x, axis: x.mean(axis), permutation_type="samples", n_resamples=20_000, vectorized=True, rng=1
    )
    assert abs(stats.randomization(d, n_resamples=20_000).p - expected.pvalue) < 5 * np.sqrt(0.25 / 20_000)


def test_the_smallest_sampled_p_counts_the_observed_data():
    result = stats.randomization(1 + 0.01 * drawn(2, 100), n_resamples=999)
    assert result.p == 1 / 1000


def test_equal_sums_count_as_hits_when_sampled():
    # 30 wins of 30, all of the same size: only the two extreme vectors reach it; with 15 and 15, all do.
    assert stats.randomization([0.1] * 30, n_resamples=999).p == 1 / 1000
    assert stats.randomization([0.1] * 15 + [-0.1] * 15, n_resamples=999).p == 1.0


def test_looking_up_and_multiplying_agree(monkeypatch):
    rows = np.stack([drawn(s, 611) for s in range(10)])
    multiplied = stats.randomization_many(rows, n_resamples=1500)
    monkeypatch.setattr(module, "FEW", 100)
    assert stats.randomization_many(rows, n_resamples=1500) == multiplied


@pytest.mark.parametrize("n", [15, 40])
def test_order_sign_scale_and_added_ties_do_not_matter(n):
    rng = np.random.default_rng(n)
    d = rng.normal(0.2, 1, size=n)
    p = stats.randomization(d, n_resamples=3000).p
    for same in (-d, rng.permutation(d), 1e6 * d, 1e-3 * d, np.concatenate([d, np.zeros(70)])):
        assert stats.randomization(same, n_resamples=3000).p == p


def test_the_seed_matters_and_repeats():
    d = np.random.default_rng(0).normal(0.1, 1, size=60)
    once, again, other = (stats.randomization(d, n_resamples=5000, seed=s) for s in (1, 1, 2))
    assert once == again
    assert once.p != other.p
    assert once.seed == 1


def test_many_equals_one_by_one():
    rows = np.stack([drawn(s, 300) for s in range(12)] + [np.zeros(300), np.eye(300)[0]])
    together = stats.randomization_many(rows, n_resamples=2500, seed=3)
    assert together == [stats.randomization(row, n_resamples=2500, seed=3) for row in rows]


def test_block_sizes_do_not_matter(monkeypatch):
    rows = np.random.default_rng(1).normal(0.05, 1, size=(7, 500))
    expected = [r.p for r in stats.randomization_many(rows, n_resamples=1500)]
    monkeypatch.setattr(module, "QUERY_BLOCK", 64)
    monkeypatch.setattr(module, "TEST_BLOCK", 3)
    assert [r.p for r in stats.randomization_many(rows, n_resamples=1500)] == expected


def test_the_number_of_threads_does_not_matter():
    program = (
        "import numpy as np; from ragdash import stats;"
        "rows = np.random.default_rng(1).normal(0.02, 1, size=(20, 3000));"
        "print([r.p for r in stats.randomization_many(rows, n_resamples=3000)])"
    )
    root = str(Path(ragdash.stats.__file__).parents[2])
    printed = set()
    for threads in ("1", "2"):
        limits = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), threads)
        printed.add(
            subprocess.run(
                [sys.executable, "-c", program],
                env={**os.environ, **limits, "PYTHONPATH": root},
                capture_output=True,
                text=True,
                check=True,
            ).stdout
        )
    assert len(printed) == 1


def test_more_resamples_continue_the_same_stream():
    d = np.random.default_rng(1).normal(size=50)
    few = stats.randomization_distribution(d, n_resamples=1500)
    many = stats.randomization_distribution(d, n_resamples=4000)
    assert few == pytest.approx(many[:1500])


@pytest.mark.parametrize("n", [10, 80])
def test_the_distribution_is_the_one_that_p_came_from(n):
    d = np.random.default_rng(n).normal(0.3, 1, size=n)
    means = stats.randomization_distribution(d, n_resamples=4000)
    hits = np.sum(np.abs(means) >= abs(d.mean()) - 1e-12)
    result = stats.randomization(d, n_resamples=4000)
    assert result.p == (hits / means.size if result.exact else (hits + 1) / 4001)
    assert means.shape == ((2**n,) if result.exact else (4000,))


def test_the_distribution_of_nothing_is_zero():
    assert stats.randomization_distribution([0.0, 0.0]).tolist() == [0.0]


def test_no_resamples_are_refused():
    for function in (stats.randomization, stats.randomization_distribution):
        with pytest.raises(ValueError, match="n_resamples"):
            function([0.1] * 30, n_resamples=0)
