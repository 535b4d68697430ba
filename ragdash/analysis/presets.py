"""Which queries does a question lead to? Losses, gains, failures: masks over the counted queries, and their order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragdash import stats
from ragdash.analysis.evaluate import Scores, relevant_in
from ragdash.analysis.facts import first_relevant, relevant_between, spread, unjudged_in_top
from ragdash.metrics import Metric

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Asked:
    """What a preset looks at: the two runs, the metric, the cutoff."""

    scores: Scores
    metric: Metric
    baseline: str
    run: str
    k: int

    @property
    def difference(self) -> Floats:
        """Contender minus baseline. Shape `[n]`."""
        return differences(self.scores, self.metric, self.baseline, self.run)

    @property
    def threshold(self) -> float:
        return self.scores.options.threshold


@dataclass(frozen=True)
class Preset:
    """A named set of queries. `size` says how much a query belongs to it: the largest stands first."""

    label: str
    mask: Callable[[Asked], Mask]
    size: Callable[[Asked], Floats]


def differences(scores: Scores, metric: Metric, baseline: str, run: str) -> Floats:
    """Contender minus baseline, so that positive is better. Shape `[n]`."""
    return scores.differences(baseline, run, metric)


def _loss(asked: Asked) -> Floats:
    return -asked.difference


def _failing(asked: Asked) -> Mask:
    """Every run scores 0."""
    values = [asked.scores.of(name, asked.metric) for name in asked.scores.experiment.run_names]
    return np.asarray((np.array(values) <= stats.EPS).all(axis=0), dtype=bool)


def _relevant(asked: Asked) -> NDArray[np.int64]:
    """How many documents are relevant for each query by the contender's own judgments. Shape `[n_axis]`."""
    experiment = asked.scores.experiment
    return relevant_in(experiment.qrels_of(experiment.index_of(asked.run)), asked.threshold)


def _lost(asked: Asked) -> Mask:
    """The contender does not return a relevant document at any rank."""
    ranking = asked.scores.ranking(asked.run)
    returned = relevant_between(ranking, 0, int(ranking.depth.max(initial=0)), asked.threshold)
    out: Mask = (_relevant(asked) > returned)[asked.scores.counted]
    return out


def _nothing(asked: Asked) -> Mask:
    """The contender returns no relevant document at any rank, though there is one."""
    none = first_relevant(asked.scores.ranking(asked.run), asked.threshold) == 0
    out: Mask = (none & (_relevant(asked) > 0))[asked.scores.counted]
    return out


def _below(asked: Asked) -> Floats:
    """Relevant documents that the contender has just below the cutoff, at the ranks K + 1 to 2 K."""
    found = relevant_between(asked.scores.ranking(asked.run), asked.k, 2 * asked.k, asked.threshold)
    return found[asked.scores.counted].astype(np.float64)


def _unjudged(asked: Asked) -> Floats:
    """Documents in the top K of the two runs that nobody judged."""
    counts = [unjudged_in_top(asked.scores.ranking(name), asked.k) for name in (asked.baseline, asked.run)]
    return (counts[0] + counts[1])[asked.scores.counted].astype(np.float64)


def _spread(asked: Asked) -> Floats:
    return spread(asked.scores, asked.metric)


#: By the name that a link uses.
PRESETS: Mapping[str, Preset] = {
    "losses": Preset("Worst losses", lambda asked: asked.difference < 0, _loss),
    "gains": Preset("Biggest gains", lambda asked: asked.difference > 0, lambda asked: asked.difference),
    "same": Preset("Unchanged", lambda asked: asked.difference == 0, _loss),
    "failing": Preset("Fails in all runs", _failing, _loss),
    "nothing": Preset("Nothing relevant retrieved", _nothing, _loss),
    "lost": Preset("Misses a relevant document", _lost, _loss),
    "below": Preset("Just below K", lambda asked: _below(asked) > 0, _below),
    "unjudged": Preset("Most unjudged", lambda asked: _unjudged(asked) > 0, _unjudged),
    "disagree": Preset("Runs disagree most", lambda asked: _spread(asked) > stats.EPS, _spread),
    "all": Preset("All", lambda asked: np.ones(asked.scores.n, dtype=bool), _loss),
}


def masks(asked: Asked) -> dict[str, Mask]:
    """Every preset. Shapes `[n]`."""
    return {name: preset.mask(asked) for name, preset in PRESETS.items()}
