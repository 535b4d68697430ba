"""Whatever the scores: no NaN, no infinity, no p of 0, no warning, and what must not matter does not."""

import dataclasses
import itertools
import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ragdash import stats

SIZES = st.integers(1, 40)
COARSE = arrays(np.float64, SIZES, elements=st.sampled_from([0, 0, 1, -1, 0.5, -0.5, 1 / 3, 0.2, -0.2, 1e-10]))
CONSTANT = st.builds(np.full, SIZES, st.sampled_from([0.0, 0.1, -1.0, 1e-9, 1e90]))
NEARLY = st.builds(lambda n, c, e: c + e * np.arange(n), SIZES, st.floats(-1, 1), st.sampled_from([1e-17, 1e-12, 1e-8]))
ANY = arrays(np.float64, SIZES, elements=st.floats(-1e100, 1e100))
TINY = arrays(np.float64, SIZES, elements=st.floats(-1e-8, 1e-8))
DIFFERENCES = st.one_of(COARSE, CONSTANT, NEARLY, ANY, TINY)


def everything(d):
    yield from stats.run_tests(d, n_resamples=200).values()
    yield stats.wilcoxon(d, zeros="pratt")
    yield from (stats.t_interval(d), stats.bca_interval(d, n_resamples=200))
    yield from (stats.effect_size(d), stats.win_share(d))
    yield from (stats.equivalence(d), stats.non_inferiority(d))
    yield stats.leave_one_out(d)


def numbers(result):
    for field in dataclasses.fields(result):
        value = getattr(result, field.name)
        if dataclasses.is_dataclass(value):
            yield from numbers(value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield field.name, value


@settings(max_examples=150, deadline=None)
@given(DIFFERENCES)
def test_every_number_is_finite_and_every_p_is_a_probability_above_0(d):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for result in everything(d):
            for name, value in numbers(result):
                assert type(value) in (int, float), (result, name)
                assert math.isfinite(value), (result, name)
                if name in ("p", "p_lower", "p_upper", "p_without"):
                    assert 0 < value <= 1, (result, name)


@settings(max_examples=150, deadline=None)
@given(DIFFERENCES)
def test_what_is_missing_has_a_reason(d):
    for result in everything(d):
        missing = getattr(result, "p", 0) is None or getattr(result, "value", 0) is None
        missing = missing or getattr(result, "low", 0) is None
        if missing:
            assert result.reason


@settings(max_examples=100, deadline=None)
@given(DIFFERENCES)
def test_power_is_a_probability_and_plans_are_finite(d):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        least, needed = stats.smallest_detectable(d), stats.queries_needed(d)
        curve = stats.power_curve(d, [1, 2, 5, 50, 5000])
    assert least is None or (math.isfinite(least) and least > 0)
    assert needed is None or needed >= 2
    assert curve is None or ((curve >= 0) & (curve <= 1)).all()


@settings(max_examples=100, deadline=None)
@given(COARSE, st.randoms())
def test_swapping_runs_and_shuffling_queries_keep_every_p(d, random):
    shuffled = d.copy()
    random.shuffle(shuffled)
    before = stats.run_tests(d, n_resamples=200)
    for other in (-d, shuffled):
        after = stats.run_tests(other, n_resamples=200)
        for key in before:
            assert (before[key].p is None) == (after[key].p is None)
            assert before[key].p is None or after[key].p == pytest.approx(before[key].p, rel=1e-9)


@settings(max_examples=100, deadline=None)
@given(COARSE, st.sampled_from([1e-3, 100.0, 1e6]))
def test_the_unit_of_the_scores_does_not_matter(d, factor):
    d = np.where(np.abs(d) < 1e-6, 0, d)  # the tie threshold is in the unit of the scores
    before, after = stats.run_tests(d, n_resamples=200), stats.run_tests(factor * d, n_resamples=200)
    for key in before:
        assert (before[key].p is None) == (after[key].p is None)
        assert before[key].p is None or after[key].p == pytest.approx(before[key].p, rel=1e-6)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.one_of(st.none(), st.floats(stats.SMALLEST_P, 1)), max_size=50),
    st.sampled_from(list(stats.CORRECTIONS)),
)
def test_a_correction_raises_every_p_and_keeps_their_order(p_values, method):
    corrected = stats.correct(p_values, method)
    assert [p is None for p in corrected] == [p is None for p in p_values]
    pairs = sorted((p, q) for p, q in zip(p_values, corrected) if p is not None)
    assert all(p <= q * (1 + 1e-12) and 0 < q <= 1 for p, q in pairs)
    assert all(a[1] <= b[1] * (1 + 1e-12) for a, b in itertools.pairwise(pairs))
