"""What is unjudged, and what could it change? Computed once for each state of the judgments, and shared.

Which documents stand in the top K does not depend on judgments: it is worked out once, whatever is judged afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from ragdash.analysis.bounds import WHOLE_LIST, Bounds, bounds
from ragdash.analysis.compare import Testing
from ragdash.analysis.evaluate import Options, Scores, metric_of
from ragdash.analysis.judged import Judged
from ragdash.analysis.judging import Answer, Queue, queue
from ragdash.analysis.judging import answer as answer_of
from ragdash.analysis.over_k import means_over_k
from ragdash.analysis.top import Pool, pool
from ragdash.data.experiment import Experiment
from ragdash.metrics import Metric
from ragdash.ui import cached, picks
from ragdash.ui.picks import Picks


@dataclass(frozen=True)
class Unjudged:
    """The verdict as it is, how far judging could move it, and everything that is left to judge in any run."""

    answer: Answer
    bounds: Bounds
    queue: Queue

    @property
    def judged_share(self) -> float:
        """The share of the top K of the two runs that is judged, each pair counted once."""
        return 1 - self.bounds.n_unjudged / max(1, self.bounds.n_pooled)


def found(chosen: Picks) -> Unjudged:
    """For the two runs, the metric, the cutoff and the settings in force."""
    names = (chosen.baseline, chosen.contender, str(chosen.metric))
    key = cached.key_of(chosen.scores)
    return _found(key, names, chosen.testing.json(), chosen.scores, chosen.metric, chosen.testing)


@st.cache_resource(max_entries=16, show_spinner=False)
def _found(
    key: tuple[object, ...], names: tuple[str, ...], settings: dict[str, Any],
    _scores: Scores, _metric: Metric, _testing: Testing,
) -> Unjudged:  # fmt: skip
    baseline, contender, _ = names
    experiment = _scores.experiment
    now = answer_of(_scores, baseline, contender, _metric, _testing)
    k, options = _metric.k or WHOLE_LIST, _scores.options
    two = pooled(experiment, k, options, (experiment.index_of(baseline), experiment.index_of(contender)))
    room = bounds(_scores, _metric, baseline, contender, 1 - now.alpha, two)
    every = pooled(experiment, k, options)
    return Unjudged(now, room, queue(_scores, every, room))


def pooled(experiment: Experiment, k: int, options: Options, runs: tuple[int, ...] = ()) -> Pool:
    """The top `k` of these runs, or of all, with the judgments that count now."""
    plain = cached.without_judgments(experiment)
    keys = tuple(cached.run_key(plain, i, options) for i in range(len(plain.runs)))
    found = _pooled(keys, k, plain, options)
    if runs:
        found = _part(keys, k, runs, found)
    if isinstance(experiment, Judged):
        found = found.after(experiment.qrels, experiment.merged.query, experiment.merged.docs)
    return found


@st.cache_resource(max_entries=8, show_spinner="Looking for unjudged documents …")
def _pooled(key: tuple[object, ...], k: int, _experiment: Experiment, _options: Options) -> Pool:
    return pool(_experiment, list(range(len(_experiment.runs))), k, _options)


@st.cache_resource(max_entries=16, show_spinner=False)
def _part(key: tuple[object, ...], k: int, runs: tuple[int, ...], _pool: Pool) -> Pool:
    return _pool.of(*runs)


def before(chosen: Picks) -> float | None:
    """The difference from the files alone; None where no judgment made here counts."""
    plain = cached.without_judgments(chosen.experiment)
    if plain is chosen.experiment:
        return None
    scores = cached.scores(plain, [chosen.metric], chosen.options)
    return float(scores.differences(chosen.baseline, chosen.contender, chosen.metric).mean()) if scores.n else None


def shares(chosen: Picks) -> dict[str, list[tuple[int, float]]]:
    """For each run its mean Judged@K at each cutoff that is offered."""
    cutoffs = tuple(picks.cutoffs(chosen.experiment, chosen.k))
    return _shares(cached.key_of(chosen.scores), cutoffs, chosen.scores)


@st.cache_resource(max_entries=16, show_spinner=False)
def _shares(key: tuple[object, ...], cutoffs: tuple[int, ...], _scores: Scores) -> dict[str, list[tuple[int, float]]]:
    return means_over_k(_scores, metric_of("Judged@1"), cutoffs)
