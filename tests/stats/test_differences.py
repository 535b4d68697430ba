"""What counts as a difference, and what is refused."""

import numpy as np
import pytest

from ragdash import stats


def test_smaller_than_a_billionth_is_a_tie():
    d = stats.clean([0.5, 9.9e-10, -9.9e-10, 1e-9, -0.25])
    assert d.tolist() == [0.5, 0.0, 0.0, 1e-9, -0.25]
    assert stats.counts(d) == stats.Counts(wins=2, ties=2, losses=1)
    assert (stats.counts(d).n, stats.counts(d).differing) == (5, 3)


def test_the_input_is_left_alone():
    given = np.array([1e-12, 0.5])
    stats.clean(given)
    assert given.tolist() == [1e-12, 0.5]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ([0.1, float("nan")], "NaN or infinity"),
        ([0.1, float("inf")], "NaN or infinity"),
        ([[0.1, 0.2]], "2 dimensions"),
        (0.1, "0 dimensions"),
        ([], "found none"),
        ([1e101], "beyond 1e+100"),
    ],
)
def test_unusable_differences_are_refused_in_words(wrong, said):
    for function in (stats.clean, stats.counts, stats.t_test, stats.randomization, stats.wilcoxon, stats.sign_test):
        with pytest.raises(ValueError, match=said.replace("+", r"\+")):
            function(wrong)
