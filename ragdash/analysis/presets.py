"""Which queries does a question lead to? Losses, gains, failures: masks over the counted queries."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from ragdash import stats
from ragdash.analysis.evaluate import Scores, relevant_counts
from ragdash.metrics import Metric

Mask = NDArray[np.bool_]


def differences(scores: Scores, metric: Metric, baseline: str, run: str) -> NDArray[np.float64]:
    """Contender minus baseline, differences that are none at all set to 0. Shape `[n]`."""
    out: NDArray[np.float64] = stats.clean(scores.of(run, metric) - scores.of(baseline, metric))
    return out


def _losses(scores: Scores, metric: Metric, baseline: str, run: str) -> Mask:
    return differences(scores, metric, baseline, run) < 0


def _gains(scores: Scores, metric: Metric, baseline: str, run: str) -> Mask:
    return differences(scores, metric, baseline, run) > 0


def _same(scores: Scores, metric: Metric, baseline: str, run: str) -> Mask:
    return np.asarray(differences(scores, metric, baseline, run) == 0, dtype=bool)


def _failing(scores: Scores, metric: Metric, baseline: str, run: str) -> Mask:
    """Every run scores 0."""
    values = np.array([scores.of(name, metric) for name in scores.experiment.run_names])
    return np.asarray((values <= stats.EPS).all(axis=0), dtype=bool)


def _lost(scores: Scores, metric: Metric, baseline: str, run: str) -> Mask:
    """The contender does not return a relevant document at any rank."""
    ranking = scores.rankings[scores.experiment.index_of(run)]
    found = ranking.query[ranking.grade >= scores.options.threshold]
    returned = np.bincount(found, minlength=ranking.n_queries)
    out: Mask = (relevant_counts(scores.experiment, scores.options.threshold) > returned)[scores.counted]
    return out


def _all(scores: Scores, metric: Metric, baseline: str, run: str) -> Mask:
    return np.ones(scores.n, dtype=bool)


#: By the name that a link uses.
PRESETS: Mapping[str, Callable[[Scores, Metric, str, str], Mask]] = {
    "losses": _losses,
    "gains": _gains,
    "same": _same,
    "failing": _failing,
    "lost": _lost,
    "all": _all,
}


def masks(scores: Scores, metric: Metric, baseline: str, run: str) -> dict[str, Mask]:
    """Every preset. Shapes `[n]`."""
    return {name: preset(scores, metric, baseline, run) for name, preset in PRESETS.items()}
