"""Which ranks tie, once copies and a query's own document are left out?"""

import numpy as np
import pytest

from ragdash.analysis.order import tied_at
from ragdash.data.nouns import Run


@pytest.mark.parametrize(
    ("docs", "scores", "k", "drop_self", "tied"),
    [
        ("abc", [3, 2, 2], 1, False, False),
        ("abc", [3, 2, 2], 2, False, True),
        ("abc", [2, 3, 2], 2, False, True),  # in any order of the rows
        ("aab", [3, 3, 2], 1, False, False),  # a copy has no rank
        ("qab", [3, 2, 2], 1, True, True),  # nor has the query's own document
        ("qab", [3, 2, 2], 2, True, False),
        ("ab", [2, 2], 2, False, False),  # nothing stands at rank 3
    ],
)
def test_tied_around_a_rank(docs: str, scores: list[float], k: int, drop_self: bool, tied: bool) -> None:
    run = Run.of("run", ["q"] * len(docs), list(docs), scores)
    rows = np.array([0, -1])  # the second query of the axis was not answered
    assert tied_at(run, rows, k, drop_self=drop_self).tolist() == [tied, False]


def test_scores_that_differ_beyond_32_bits_tie_as_trec_eval_9_has_it() -> None:
    run = Run.of("run", ["q", "q"], ["a", "b"], [0.1 + 1e-12, 0.1])
    assert not tied_at(run, np.array([0]), 1)[0]
    assert tied_at(run, np.array([0]), 1, float32_ties=True)[0]
