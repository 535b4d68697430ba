"""With three runs and more: which of them cannot be told apart from the best?"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ragdash import stats
from ragdash.analysis.compare import Testing, family
from ragdash.analysis.evaluate import Scores, orientation
from ragdash.metrics import Metric

#: Scores that the Tukey test deals out in all: bounds its time to about two seconds.
DEALT = 50_000_000


@dataclass(frozen=True)
class Standing:
    """One run's place: its mean, its difference to the best run (0 or worse), the corrected p, and whether it leads.

    `p_corrected` is None for the best run itself and where the test has no answer.
    """

    run: str
    mean: float
    difference: float
    p_corrected: float | None
    leading: bool


@dataclass(frozen=True)
class Standings:
    """Runs from best to worst; `n_tests` are the pairs that the correction counts."""

    rows: tuple[Standing, ...]
    n_tests: int

    @property
    def leading(self) -> tuple[str, ...]:
        """Names of the runs that cannot be told apart from the best, the best first."""
        return tuple(row.run for row in self.rows if row.leading)


def standings(scores: Scores, metric: Metric, testing: Testing) -> Standings:
    """Runs by their mean on `metric`, and the leading group: those that the verdict's test cannot tell from it.

    The best run is chosen by looking, so tests against it alone would find differences too easily: the correction
    counts every pair of runs, whichever of them is the best. With too few queries, or too few that differ, no run is
    behind.
    """
    names = scores.experiment.run_names
    pairs = list(combinations(names, 2))
    differences = {pair: scores.differences(*pair, metric) for pair in pairs}
    _, found, n_tests = family(list(differences.values()), testing) if pairs else ([], [], 0)
    corrected = dict(zip(pairs, found))
    means = {name: float(scores.of(name, metric).mean()) for name in names}
    order = sorted(names, key=lambda name: -orientation(metric) * means[name])
    best = order[0]
    rows = [Standing(best, means[best], 0.0, None, True)]
    for name in order[1:]:
        pair = (best, name) if (best, name) in corrected else (name, best)
        p, enough = corrected[pair], stats.why_too_few(differences[pair], testing.alpha) is None
        behind = enough and p is not None and p <= testing.alpha
        rows.append(Standing(name, means[name], -abs(float(differences[pair].mean())), p, not behind))
    return Standings(tuple(rows), n_tests)


def tukey(scores: Scores, metric: Metric, testing: Testing) -> stats.TukeyResult:
    """The randomized Tukey HSD (Carterette 2012) over all runs on `metric`: safe for every pair at once."""
    table = np.array([scores.of(name, metric) for name in scores.experiment.run_names])
    n_resamples = int(np.clip(DEALT / max(1, table.size), 999, 10_000))
    return stats.tukey_hsd(table, n_resamples=n_resamples, seed=testing.seed)
