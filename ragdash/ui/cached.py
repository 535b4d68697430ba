"""What was computed already? The one shelf of caches, keyed by digests of content.

`cache_resource`, not `cache_data`: objects are shared and never copied; nobody writes to them. Arguments with a leading
underscore are not part of the key, `key` and the small values beside it are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from ragdash import stats
from ragdash.analysis import judged
from ragdash.analysis.compare import Comparison, Comparisons, Testing, compare
from ragdash.analysis.drilldown import QueryView, query_table
from ragdash.analysis.drilldown import query_view as query_view_of
from ragdash.analysis.evaluate import Options, Scores, rankings_of, score_rankings
from ragdash.analysis.gaps import Gap
from ragdash.analysis.gaps import gaps as gaps_of
from ragdash.analysis.health import health
from ragdash.analysis.leaders import Standings, standings
from ragdash.analysis.leaders import tukey as tukey_of
from ragdash.analysis.magnitude import Magnitude
from ragdash.analysis.magnitude import magnitude as magnitude_of
from ragdash.analysis.over_k import AtK
from ragdash.analysis.over_read import difference_curve
from ragdash.analysis.places import Places
from ragdash.analysis.trust import Check
from ragdash.analysis.trust import checks as checks_of
from ragdash.data.chunkmap import opened
from ragdash.data.effect import effect as effect_of
from ragdash.data.experiment import Experiment, build
from ragdash.data.findings import Finding
from ragdash.data.intake import Part
from ragdash.metrics import Metric, Rankings
from ragdash.report import html
from ragdash.report.contents import Contents
from ragdash.report.study import Study
from ragdash.ui.shelf import Workspace

SWAPS = 20_000  # for the picture; the test itself uses more


def experiment(workspace: Workspace, apply: Sequence[str] = ()) -> Experiment:
    """Dataset and runs on one query axis. Raises ExperimentError."""
    sources = [*(part.source for part in workspace.parts), *(run.source for run in workspace.runs)]
    files = tuple(f"{source.sha256}/{source.file}" for source in sources)  # findings speak of files
    return _experiment(workspace.sha256, files, tuple(apply), workspace)


@st.cache_resource(max_entries=8, show_spinner="Pairing runs with the dataset …")
def _experiment(key: str, files: tuple[str, ...], apply: tuple[str, ...], _workspace: Workspace) -> Experiment:
    return build(_workspace.dataset, _workspace.runs, [opened(_workspace.parts, one) for one in apply])


def with_judgments(experiment: Experiment, added: Mapping[tuple[str, str], float]) -> Experiment:
    """The experiment with judgments made in the app. Pairing, ranks and texts are those that are there already."""
    if not added:
        return experiment
    return _judged(identity(experiment), judged.digest(added), experiment, added)


@st.cache_resource(max_entries=8, show_spinner=False)
def _judged(key: str, digest: str, _experiment: Experiment, _added: Mapping[tuple[str, str], float]) -> Experiment:
    return judged.with_judgments(_experiment, _added)


@st.cache_resource(max_entries=8, show_spinner=False)
def _switched_off(key: str, n: int, _experiment: Experiment) -> Experiment:
    return judged.not_counted(_experiment, n)


def switched_off(experiment: Experiment, n: int) -> Experiment:
    """The experiment without the `n` judgments made in the app, which it names."""
    return _switched_off(identity(experiment), n, experiment) if n else experiment


def without_judgments(experiment: Experiment) -> Experiment:
    """The experiment with the judgments of the files alone."""
    return experiment.base if isinstance(experiment, judged.Judged) else experiment


def identity(experiment: Experiment) -> str:
    """One digest over all that a page says of an experiment: its scores, and the findings that name files and runs
    which take no part in them."""
    said = [experiment.sha256, *(one.message for one in experiment.findings)]
    said += [run.name for run in experiment.set_aside]
    return hashlib.sha256("\0".join(said).encode()).hexdigest()


def scores(experiment: Experiment, metrics: Sequence[Metric], options: Options) -> Scores:
    """Per-query scores; rankings are kept per run, so that a new metric or cutoff does not rank again."""
    return _scores(identity(experiment), tuple(map(str, metrics)), options.json(), experiment, tuple(metrics), options)


@st.cache_resource(max_entries=64, show_spinner="Scoring …")
def _scores(
    key: str,
    names: tuple[str, ...],
    settings: dict[str, object],
    _experiment: Experiment,
    _metrics: tuple[Metric, ...],
    _options: Options,
) -> Scores:
    plain = without_judgments(_experiment)
    rankings = tuple(_rankings(*run_key(plain, i, _options), plain, i, _options) for i in range(len(plain.runs)))
    if isinstance(_experiment, judged.Judged):
        rankings = _extended(identity(_experiment), _options.ties, _options.drop_self, _experiment, rankings, _options)
    return score_rankings(_experiment, rankings, _metrics, _options)


def run_key(experiment: Experiment, run: int, options: Options) -> tuple[str, str, tuple[str, ...], str, bool]:
    """What the ranks of one run depend on."""
    one = experiment.runs[run]
    labels = experiment.bound[run : run + 1]
    return experiment.dataset.sha256, one.sha256, (*experiment.remedies, *labels), options.ties, options.drop_self


@st.cache_resource(max_entries=8, show_spinner=False)
def _extended(
    key: str, ties: str, drop_self: bool,
    _experiment: judged.Judged, _rankings: tuple[Rankings, ...], _options: Options,
) -> tuple[Rankings, ...]:  # fmt: skip
    plain = _experiment.base
    places = [_places(*run_key(plain, i, _options), plain, i, _options) for i in range(len(plain.runs))]
    return judged.extended_all(_experiment, _rankings, places)


@st.cache_resource(max_entries=64, show_spinner=False)
def _places(
    dataset: str, run: str, remedies: tuple[str, ...], ties: str, drop_self: bool,
    _experiment: Experiment, _run: int, _options: Options,
) -> Places:  # fmt: skip
    return Places(_experiment.runs[_run], _experiment.rows[_run], _options)


@st.cache_resource(max_entries=64, show_spinner="Ranking …")
def _rankings(
    dataset: str,
    run: str,
    remedies: tuple[str, ...],
    ties: str,
    drop_self: bool,
    _experiment: Experiment,
    _run: int,
    _options: Options,
) -> Rankings:
    return rankings_of(_experiment, _run, _options)


@st.cache_resource(max_entries=128, show_spinner=False)
def _effect(key: str, aside: tuple[str, ...], remedy: str, _experiment: Experiment, _parts: tuple[Part, ...]) -> str:
    runs = [*_experiment.runs, *_experiment.set_aside]
    return effect_of(_experiment.dataset, runs, opened(_parts, remedy)).sentence


def effect(experiment: Experiment, remedy: str, workspace: Workspace | None = None) -> str:
    """What one more remedy would do to the run that it concerns most, or a mapping file of `workspace`. Raises
    OptionError."""
    aside = tuple(run.sha256 for run in experiment.set_aside)
    parts = () if workspace is None else workspace.parts
    kept = "".join(part.source.sha256 for part in parts) if "@" in remedy else ""
    return _effect(identity(experiment) + kept, aside, remedy, experiment, parts)


def comparisons(scores: Scores, baseline: str, testing: Testing) -> Comparisons:
    """Every run against the baseline on every metric of `scores`: one family for the correction."""
    return _comparisons(key_of(scores), baseline, testing.json(), scores, testing)


@st.cache_resource(max_entries=64, show_spinner="Testing …")
def _comparisons(
    key: tuple[object, ...], baseline: str, settings: dict[str, object], _scores: Scores, _testing: Testing
) -> Comparisons:
    return compare(_scores, baseline, _testing)


def comparison(scores: Scores, baseline: str, contender: str, metric: Metric, testing: Testing) -> Comparison:
    """One row of `comparisons`."""
    return comparisons(scores, baseline, testing).of(contender, metric)


@st.cache_resource(max_entries=64, show_spinner=False)
def _health(key: tuple[object, ...], _scores: Scores) -> tuple[Finding, ...]:
    return health(_scores)


def findings(scores: Scores) -> tuple[Finding, ...]:
    """Everything that is odd about the data, for the cutoffs in `scores`."""
    return _health(key_of(scores), scores)


@st.cache_resource(max_entries=16, show_spinner=False)
def _table(key: tuple[object, ...], metric: str, baseline: str, contender: str, _scores: Scores) -> pd.DataFrame:
    return query_table(_scores, metric, baseline, contender)


def queries(scores: Scores, metric: Metric, baseline: str, contender: str) -> pd.DataFrame:
    """One row per counted query, worst first. Shared: copy before changing."""
    return _table(key_of(scores), str(metric), baseline, contender, scores)


@st.cache_resource(max_entries=32, show_spinner=False)
def _over_k(
    key: tuple[object, ...], metric: str, baseline: str, contender: str, level: float, _scores: Scores
) -> tuple[AtK, ...]:
    return difference_curve(_scores, _scores.metrics[_scores.metric_index(metric)], baseline, contender, level)


def differences_over_k(scores: Scores, row: Comparison) -> tuple[AtK, ...]:
    """The difference at each cutoff that the runs are deep enough for, as strictly as the verdict is."""
    return _over_k(key_of(scores), str(row.metric), row.baseline, row.run, 1 - row.alpha, scores)


@st.cache_resource(max_entries=32, show_spinner=False)
def _standings(
    key: tuple[object, ...], metric: str, settings: dict[str, object], _scores: Scores, _testing: Testing
) -> Standings:
    return standings(_scores, _scores.metrics[_scores.metric_index(metric)], _testing)


def leaders(scores: Scores, metric: Metric, testing: Testing) -> Standings:
    """Runs from best to worst, and those that cannot be told apart from the best."""
    return _standings(key_of(scores), str(metric), replace(testing).json(), scores, testing)


@st.cache_resource(max_entries=32, show_spinner=False)
def _tukey(
    key: tuple[object, ...], metric: str, settings: dict[str, object], _scores: Scores, _testing: Testing
) -> stats.TukeyResult:
    return tukey_of(_scores, _scores.metrics[_scores.metric_index(metric)], _testing)


def tukey(scores: Scores, metric: Metric, testing: Testing) -> stats.TukeyResult:
    """The randomized Tukey HSD over all runs."""
    return _tukey(key_of(scores), str(metric), testing.json(), scores, testing)


def key_of(scores: Scores) -> tuple[object, ...]:
    return identity(scores.experiment), tuple(map(str, scores.metrics)), tuple(sorted(scores.options.json().items()))


@st.cache_resource(max_entries=64, show_spinner=False)
def _gaps(key: tuple[object, ...], baseline: str, contender: str, _scores: Scores) -> tuple[Gap, ...]:
    return gaps_of(_scores, baseline, contender)


def gaps(scores: Scores, baseline: str, contender: str) -> tuple[Gap, ...]:
    """Means, difference and interval on every metric of `scores`."""
    return _gaps(key_of(scores), baseline, contender, scores)


@st.cache_resource(max_entries=32, show_spinner=False)
def _checks(
    key: tuple[object, ...], names: tuple[str, ...], settings: dict[str, object],
    _scores: Scores, _row: Comparison, _testing: Testing,
) -> tuple[Check, ...]:  # fmt: skip
    return checks_of(_scores, _row, _testing)


def checks(scores: Scores, row: Comparison, testing: Testing) -> tuple[Check, ...]:
    """What to distrust about the comparison."""
    names = (row.baseline, row.run, str(row.metric), str(row.n_tests))
    return _checks(key_of(scores), names, testing.json(), scores, row, testing)


def query_view(scores: Scores, query_id: str) -> QueryView:
    """One query in all runs; reads the rows of that query only, so it is not kept."""
    return query_view_of(scores, query_id)


@st.cache_resource(max_entries=16, show_spinner=False)
def _by_chance(key: str, seed: int, _differences: NDArray[np.float64]) -> NDArray[np.float64]:
    return stats.randomization_distribution(_differences, n_resamples=SWAPS, seed=seed)


def by_chance(row: Comparison, testing: Testing) -> NDArray[np.float64]:
    """Mean differences when the runs are swapped at random on each query."""
    return _by_chance(_digest(row.differences), testing.seed, row.differences)


def power(row: Comparison) -> tuple[list[int], NDArray[np.float64]] | None:
    """Numbers of queries, and the chance to notice the seen difference with so many, as strictly as the verdict is."""
    ns = sorted({int(n) for n in np.geomspace(5, max(1000, 4 * row.n), 60)} | {row.n})
    curve = stats.power_curve(row.differences, ns, alpha=row.alpha)
    return None if curve is None else (ns, curve)


@st.cache_resource(max_entries=32, show_spinner=False)
def _magnitude(
    key: str, metric: str, alpha: float, settings: dict[str, object], _row: Comparison, _testing: Testing
) -> Magnitude:
    return magnitude_of(_row, _testing)


def magnitude(row: Comparison, testing: Testing) -> Magnitude:
    """How large the difference is in every way that is offered."""
    return _magnitude(_digest(row.differences), str(row.metric), row.alpha, testing.json(), row, testing)


def _digest(values: NDArray[np.float64]) -> str:
    return hashlib.sha256(values.tobytes()).hexdigest()


def study(scores: Scores, baseline: str, contender: str, metric: Metric, testing: Testing) -> Study:
    """What the report and the tables are made of; each part is computed when it is asked for, and once."""
    return _study(key_of(scores), str(metric), baseline, contender, testing.json(), scores, metric, testing)


@st.cache_resource(max_entries=8, show_spinner=False)
def _study(
    key: tuple[object, ...], name: str, baseline: str, contender: str, settings: dict[str, object],
    _scores: Scores, _metric: Metric, _testing: Testing,
) -> Study:  # fmt: skip
    return Study(_scores, baseline, contender, _metric, _testing)


def report(study: Study, contents: Contents) -> str:
    """The report as HTML, also for the preview. Raises OptionError."""
    names = (str(study.metric), study.baseline, study.contender, repr(contents))
    return _report(key_of(study.scores), names, study.testing.json(), study, contents)


@st.cache_resource(max_entries=16, show_spinner="Writing the report …")
def _report(
    key: tuple[object, ...], names: tuple[str, ...], settings: dict[str, object], _study: Study, _contents: Contents
) -> str:
    return html.report(_study, _contents)
