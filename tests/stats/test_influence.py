"""One query that carries it all: against leaving each out, one after the other."""

import numpy as np
import pytest

from ragdash import stats


def one_after_the_other(d):
    p = [stats.t_test(np.delete(d, i)).p for i in range(len(d))]
    return [1.0 if x is None else x for x in p]


@pytest.mark.parametrize("seed", range(20))
def test_equals_leaving_each_out(seed):
    d = np.random.default_rng(seed).choice([0, 0.1, 0.5, -0.3, 1.0], size=12)
    expected = one_after_the_other(d)
    found = stats.leave_one_out(d)
    assert found.p_without == pytest.approx(max(expected))
    assert expected[found.index] == pytest.approx(max(expected))
    assert found.difference == d[found.index]
    assert found.mean_without == pytest.approx(np.delete(d, found.index).mean())


def test_a_result_that_rests_on_one_query():
    d = [0.1, 0.12, 0.02, -0.1, 0.1, 0.08, 0.1, -0.02, 0.02, 0.12]
    found = stats.leave_one_out(d)
    assert found.p < 0.05 < found.p_without
    assert found.carried


def test_a_result_that_does_not():
    d = np.random.default_rng(0).normal(1, 0.5, size=30)
    assert stats.leave_one_out(d).carried is False
    assert stats.leave_one_out(np.random.default_rng(0).normal(0, 1, size=30)).carried is False  # nothing to carry


def test_what_is_left_may_have_no_p():
    found = stats.leave_one_out([0.0, 0.0, 0.0, 0.5])
    assert (found.index, found.p_without, found.carried) == (3, None, False)
    assert "identical" in found.reason


@pytest.mark.parametrize("d", [[0.5], [0.0] * 9, [0.1] * 9, [0.1, 0.4]])
def test_without_a_p_there_is_nothing_to_carry(d):
    found = stats.leave_one_out(d)
    assert (found.index, found.carried) == (None, None)
    assert found.reason
