"""With three runs and more: which of them cannot be told apart from the best?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ragdash import stats
from ragdash.analysis.compare import Testing
from ragdash.analysis.evaluate import Scores
from ragdash.metrics import Metric

#: Scores dealt out in all: bounds the time of the test to about two seconds.
DEALT = 50_000_000


@dataclass(frozen=True)
class Standing:
    """One run's place: its mean, its difference to the best run, and whether it belongs to the leading group."""

    run: str
    mean: float
    difference: float
    p: float
    leading: bool


@dataclass(frozen=True)
class Standings:
    """Runs from best to worst; `method` says how the leading group was found."""

    rows: tuple[Standing, ...]
    method: str

    @property
    def leading(self) -> tuple[str, ...]:
        """Names of the runs that cannot be told apart from the best, the best first."""
        return tuple(row.run for row in self.rows if row.leading)


def standings(scores: Scores, metric: Metric, testing: Testing) -> Standings:
    """Runs by their mean on `metric`, and the leading group.

    The best run is chosen by looking, so a test against it alone would find differences too easily; the randomized
    Tukey HSD (Carterette 2012) is safe for every pair, whichever is best. With too few queries all runs lead.
    """
    names = scores.experiment.run_names
    table = np.array([scores.of(name, metric) for name in names])
    n_resamples = int(np.clip(DEALT / max(1, table.size), 999, 10_000))
    result = stats.tukey_hsd(table, n_resamples=n_resamples, seed=testing.seed)
    sign = 1.0 if metric.block.higher_is_better else -1.0
    means = table.mean(axis=1)
    order = np.argsort(-sign * means, kind="stable").tolist()
    best = order[0]
    rows = []
    for i in order:
        behind = result.p[best, i] < testing.alpha and scores.n >= stats.MIN_QUERIES
        rows.append(
            Standing(names[i], float(means[i]), float(means[i] - means[best]), float(result.p[best, i]), not behind)
        )
    return Standings(tuple(rows), result.method)
