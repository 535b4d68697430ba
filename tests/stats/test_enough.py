"""When a verdict would be too bold."""

import pytest

from ragdash import stats


@pytest.mark.parametrize(("differing", "p"), [(0, 1.0), (1, 1.0), (2, 0.5), (4, 0.125), (6, 0.03125)])
def test_the_smallest_p_is_the_one_of_all_wins(differing, p):
    assert stats.smallest_p(differing) == p
    assert stats.randomization([0.1] * differing + [0.0]).p == p
    assert stats.sign_test([0.1] * differing + [0.0]).p == p


def test_the_smallest_p_never_reaches_zero():
    assert stats.smallest_p(10_000) > 0


def test_min_differing_is_what_it_takes_to_reach_0_05():
    assert stats.smallest_p(stats.MIN_DIFFERING) <= 0.05 < stats.smallest_p(stats.MIN_DIFFERING - 1)


def test_too_few_has_words():
    assert stats.why_too_few([0.1, 0.2] * 3) == "too few to say: 6 of the 10 queries that it takes at least"
    only_four = stats.why_too_few([0.5] * 4 + [0.0] * 96)
    assert only_four == "too few to say: only 4 queries differ, and no exact test of so few can go below 0.125"
    assert "1 query differs" in stats.why_too_few([0.5] + [0.0] * 96)
    assert stats.why_too_few([0.5] * 6 + [0.0] * 94) is None
    assert "only 6" in stats.why_too_few([0.5] * 6 + [0.0] * 94, alpha=0.01)
    assert stats.why_too_few([0.0] * 100) is None  # enough to look at; that they are identical is said elsewhere
