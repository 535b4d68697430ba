"""How good is each run on each query? Rankings once per run, then every metric from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ragdash import stats
from ragdash.analysis.rank import rank_run
from ragdash.analysis.spans import SPAN_METRICS, check_spans, judged_by_spans, spans_of
from ragdash.data.experiment import Experiment, build
from ragdash.data.nouns import Dataset, Qrels, Run
from ragdash.errors import ExperimentError, OptionError
from ragdash.metrics import CATALOGUE, Metric, Rankings, Settings, UnknownMetric, parse, score

Floats = NDArray[np.float64]
_CHOICES = {
    "gain": ("linear", "exponential"),
    "missing": ("zero", "common"),
    "no_relevant": ("zero", "exclude"),
    "ties": ("double", "float32"),
}
DEFAULT_METRICS = ("nDCG@10", "Recall@10", "Precision@10", "RR@10", "Success@10", "Judged@10")


@dataclass(frozen=True)
class Options:
    """What a score depends on beside the files; named in every output.

    `threshold`: smallest grade that counts as relevant. `gain`: of nDCG and DCG. `missing`: judged queries that a run
    did not answer score zero, or only queries answered by all runs count. `no_relevant`: queries without any relevant
    document score zero, or are left out. `ties`: scores compared as doubles (trec_eval 10) or as 32-bit floats
    (trec_eval 9). `drop_self`: documents whose id is the query's id are left out.
    """

    threshold: float = 1.0
    gain: Literal["linear", "exponential"] = "linear"
    missing: Literal["zero", "common"] = "zero"
    no_relevant: Literal["zero", "exclude"] = "zero"
    ties: Literal["double", "float32"] = "double"
    drop_self: bool = False

    def __post_init__(self) -> None:
        if not np.isfinite(self.threshold):
            raise OptionError(f"The threshold is a grade, a number such as 1 or 0.5, not {self.threshold}.")
        for field, allowed in _CHOICES.items():
            if getattr(self, field) not in allowed:
                raise OptionError(f"{field} is {' or '.join(allowed)}, not {getattr(self, field)!r}.")

    @property
    def settings(self) -> Settings:
        """The part that metrics look at."""
        return Settings(threshold=self.threshold, gain=self.gain)

    def json(self) -> dict[str, Any]:
        """As CONTRACT's `settings`."""
        out = asdict(self)
        precision = "" if self.ties == "double" else " as 32-bit floats"
        out["ties"] = f"score desc{precision}, doc_id desc"
        if self.threshold == int(self.threshold):
            out["threshold"] = int(self.threshold)
        return out


@dataclass(frozen=True)
class Scores:
    """Per-query scores of every run on every metric, complete by construction.

    `values` has shape `[n_runs, n_metrics, n_axis]` over all judged queries; `counted [n_axis]` says which of them
    enter means and tests under the options. Everything below returns the counted queries only.
    """

    experiment: Experiment
    rankings: tuple[Rankings, ...]
    metrics: tuple[Metric, ...]
    options: Options
    values: Floats
    counted: NDArray[np.bool_]

    @property
    def n(self) -> int:
        """Queries that count."""
        return int(self.counted.sum())

    @property
    def query_ids(self) -> list[str]:
        return [one for one, kept in zip(self.experiment.query_ids, self.counted.tolist()) if kept]

    def ranking(self, run: str) -> Rankings:
        """Where the judged documents of one run stand."""
        return self.rankings[self.experiment.index_of(run)]

    def of(self, run: str, metric: Metric | str) -> Floats:
        """Scores of one run on one metric. Shape `[n]`."""
        out: Floats = self.values[self.experiment.index_of(run), self.metric_index(metric)][self.counted]
        return out

    def differences(self, baseline: str, run: str, metric: Metric | str) -> Floats:
        """Contender minus baseline on each counted query, so that positive is better. Shape `[n]`.

        For a metric of which less is better the sign is turned; differences below 1e-9 are 0. Raises OptionError where
        the numbers are too large to be subtracted and squared.
        """
        index = self.metric_index(metric)
        values = orientation(self.metrics[index]) * (self.of(run, metric) - self.of(baseline, metric))
        if len(values) and np.abs(values).max() > stats.LARGEST:
            raise OptionError(f"{self.metrics[index]}: numbers beyond {stats.LARGEST:g} cannot be compared.")
        return stats.clean(values) if len(values) else values

    def metric_index(self, metric: Metric | str) -> int:
        """Place of a metric among `metrics`. Raises OptionError where it was not evaluated."""
        wanted = metric_of(metric) if isinstance(metric, str) else metric
        if wanted not in self.metrics:
            raise OptionError(f"{wanted} was not evaluated. Evaluated: {', '.join(map(str, self.metrics))}.")
        return self.metrics.index(wanted)

    def means(self) -> pd.DataFrame:
        """One row per run, one column per metric; NaN only where no query counts."""
        kept = self.values[:, :, self.counted]
        table = kept.mean(axis=2) if self.n else np.full(kept.shape[:2], np.nan)
        return pd.DataFrame(table, index=self.experiment.run_names, columns=[str(metric) for metric in self.metrics])

    def frame(self) -> pd.DataFrame:
        """Tidy: `run, query_id, metric, score`, one row per score."""
        runs, metrics, ids = self.experiment.run_names, [str(metric) for metric in self.metrics], self.query_ids
        return pd.DataFrame(
            {
                "run": np.repeat(runs, len(metrics) * len(ids)),
                "query_id": np.tile(ids, len(runs) * len(metrics)),
                "metric": np.tile(np.repeat(metrics, len(ids)), len(runs)),
                "score": self.values[:, :, self.counted].ravel(),
            }
        )


def orientation(metric: Metric) -> float:
    """1 where more of the metric is better, -1 where less is."""
    return 1.0 if metric.block.higher_is_better else -1.0


def metric_of(name: str) -> Metric:
    """A metric by any of its names. Raises OptionError with the nearest known ones."""
    try:
        return parse(name)
    except UnknownMetric as error:
        raise OptionError(str(error)) from error


def rankings_of(experiment: Experiment, run: int, options: Options) -> Rankings:
    """Where the judged documents of one run stand, and its chunks in their documents: the slow step, once per run."""
    ranked = rank_run(
        experiment.qrels_of(run),
        experiment.runs[run],
        experiment.rows[run],
        float32_ties=options.ties == "float32",
        drop_self=options.drop_self,
    )
    return replace(ranked, spans=spans_of(experiment, run, options))


def counted_queries(
    experiment: Experiment, rankings: Sequence[Rankings], options: Options, metrics: Sequence[Metric] = ()
) -> NDArray[np.bool_]:
    """Which judged queries enter means and tests. Shape `[n_axis]`.

    Where queries with nothing to find are left out, that is a relevant document for metrics over documents, evidence
    for metrics over evidence, and both where `metrics` are of both kinds.
    """
    counted = np.ones(experiment.n_queries, dtype=bool)
    if options.missing == "common":
        for ranking in rankings:
            counted &= ranking.answered
    if options.no_relevant == "exclude":
        kinds = {metric.block.needs_spans for metric in metrics} or {False}
        if False in kinds:
            counted &= relevant_counts(experiment, options.threshold) > 0
        if True in kinds:
            counted &= np.diff(experiment.evidence.starts) > 0
    return counted


def relevant_counts(experiment: Experiment, threshold: float) -> NDArray[np.int64]:
    """Relevant documents of each judged query; the fewest where runs have judgments of their own. Shape `[n_axis]`."""
    out: NDArray[np.int64] = np.min([relevant_in(one, threshold) for one in experiment.judged_by.values()], axis=0)
    return out


def relevant_in(qrels: Qrels, threshold: float) -> NDArray[np.int64]:
    """How many documents of each query are relevant. Shape `[n_queries]`."""
    relevant = np.concatenate([[0], np.cumsum(qrels.grades >= threshold)])
    out: NDArray[np.int64] = relevant[qrels.starts[1:]] - relevant[qrels.starts[:-1]]
    return out


def score_rankings(
    experiment: Experiment, rankings: Sequence[Rankings], metrics: Sequence[Metric], options: Options
) -> Scores:
    """All metrics over rankings that are at hand: what the dashboard calls when a metric or a cutoff changes.

    Raises OptionError where a metric needs evidence that is not there.
    """
    check_spans(experiment, metrics)
    shape = (len(rankings), len(metrics), experiment.n_queries)
    values = np.empty(shape)
    for i, ranking in enumerate(rankings):
        values[i] = score(ranking, metrics, options.settings)
    counted = counted_queries(experiment, rankings, options, metrics)
    return Scores(experiment, tuple(rankings), tuple(metrics), options, values, counted)


def default_metrics(experiment: Experiment) -> tuple[str, ...]:
    """What is scored where nobody names a metric: metrics over evidence where judgments of ids cannot serve."""
    if not judged_by_spans(experiment):
        return DEFAULT_METRICS
    return tuple(at_cutoff(name, 10) for name in SPAN_METRICS)


def at_cutoff(name: str, k: int) -> str:
    """A metric's name with the cutoff `k`, where it takes one."""
    return f"{name}@{k}" if CATALOGUE[name].takes_cutoff else name


def evaluate_experiment(
    experiment: Experiment, metrics: Sequence[Metric | str] | None = None, options: Options | None = None
) -> Scores:
    """Rank every run of the experiment and score it, on `default_metrics` where none is named."""
    options = options or Options()
    metrics = default_metrics(experiment) if metrics is None else metrics
    chosen = tuple(dict.fromkeys(metric_of(one) if isinstance(one, str) else one for one in metrics))
    check_spans(experiment, chosen)
    rankings = [rankings_of(experiment, i, options) for i in range(len(experiment.runs))]
    return score_rankings(experiment, rankings, chosen, options)


def evaluate(
    dataset: Dataset,
    runs: Sequence[Run] | Run,
    metrics: Sequence[Metric | str] | str | None = None,
    *,
    apply: Sequence[str] = (),
    **options: Any,
) -> Scores:
    """Pair, rank and score: the whole way from nouns to per-query scores.

    `runs` is one run or several; `metrics` are names (`"nDCG@10"`, any alias) or `Metric` values, without them the
    usual ones (over evidence, where judgments of ids cannot serve); `apply` are remedies;
    `options` are the fields of `Options`. Raises OptionError and ExperimentError.
    """
    runs = [runs] if isinstance(runs, Run) else list(runs)
    metrics = [metrics] if isinstance(metrics, str | Metric) else metrics
    try:
        chosen = replace(Options(), **options)
    except TypeError as error:
        raise OptionError(f"{error}. The options are: {', '.join(asdict(Options()))}.") from error
    experiment = build(dataset, runs, apply)
    refuse_misread(experiment)
    return evaluate_experiment(experiment, metrics, chosen)


def refuse_misread(experiment: Experiment) -> None:
    """Raise ExperimentError where a run would only be scored because it was misread: never a table of zeros."""
    faults = [finding for finding in experiment.findings if finding.severity == "error"]
    if faults:
        raise ExperimentError("\n".join(fault.message for fault in faults))
