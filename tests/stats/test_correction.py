"""Corrections by hand and against scipy."""

import numpy as np
import pytest
from scipy import stats as scipy_stats

from ragdash import stats


def test_holm_by_hand():
    # Sorted 0.01, 0.03, 0.04: times 3, 2, 1, and never less than the one before.
    assert stats.correct([0.04, 0.01, 0.03], "holm") == pytest.approx([0.06, 0.03, 0.06])


def test_bonferroni_by_hand():
    assert stats.correct([0.04, 0.01, 0.5], "bonferroni") == pytest.approx([0.12, 0.03, 1.0])


def test_none_leaves_them():
    assert stats.correct([0.04, None, 0.5], "none") == [0.04, None, 0.5]


@pytest.mark.parametrize("method", stats.CORRECTIONS)
def test_what_has_no_p_is_not_counted(method):
    p = [0.04, 0.01, 0.03]
    with_gaps = stats.correct([None, 0.04, None, 0.01, 0.03], method)
    assert with_gaps[0] is None and with_gaps[2] is None
    assert [q for q in with_gaps if q is not None] == stats.correct(p, method)
    assert stats.correct([None, None], method) == [None, None]
    assert stats.correct([], method) == []


def test_benjamini_hochberg_is_scipys():
    p = np.random.default_rng(0).uniform(0.001, 1, size=45)
    assert stats.correct(p.tolist(), "bh") == pytest.approx(scipy_stats.false_discovery_control(p).tolist())


def test_order_of_strictness():
    p = np.random.default_rng(1).uniform(0.001, 0.2, size=20).tolist()
    none, bh, holm, bonferroni = (np.array(stats.correct(p, m)) for m in ("none", "bh", "holm", "bonferroni"))
    assert (none <= bh).all() and (bh <= holm + 1e-15).all() and (holm <= bonferroni + 1e-15).all()


def test_one_p_is_its_own_correction():
    for method in stats.CORRECTIONS:
        assert stats.correct([0.03], method) == pytest.approx([0.03])


def test_nonsense_is_refused():
    with pytest.raises(ValueError, match="one of holm"):
        stats.correct([0.1], "sidak")
    for p in (0.0, 1.5, float("nan")):
        with pytest.raises(ValueError, match="p-values"):
            stats.correct([p], "holm")
