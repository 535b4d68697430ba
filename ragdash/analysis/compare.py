"""Is a run better than another, by how much, and is that real? One row per pair and metric, with its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from threading import Lock
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ragdash import stats, wording
from ragdash.analysis.evaluate import Scores, orientation
from ragdash.errors import OptionError
from ragdash.metrics import Metric
from ragdash.stats import TestResult

Floats = NDArray[np.float64]
ALL = "all"
#: With so many queries the two one-sided tests hold their level even where only a few queries differ.
ENOUGH_TO_BE_EQUIVALENT = 50


@dataclass(frozen=True)
class Testing:
    """How differences are tested; named in every output.

    `band` is the largest difference, either way, that is not worth a change: two runs within it are "equivalent".
    `n_resamples` and `seed` are those of the randomization test; see `resamples`.
    """

    __test__: ClassVar[bool] = False  # pytest takes every class called Test... for one of its own

    test: str = stats.DEFAULT_TEST
    correction: str = stats.DEFAULT_CORRECTION
    alpha: float = 0.05
    band: float = 0.01
    n_resamples: int = stats.DEFAULT_RESAMPLES
    seed: int = 0

    def __post_init__(self) -> None:
        if self.test not in stats.TESTS:
            raise OptionError(f"There is no test named {self.test!r}. The tests are: {', '.join(stats.TESTS)}.")
        if self.correction not in stats.CORRECTIONS:
            raise OptionError(f"There is no correction {self.correction!r}: {', '.join(stats.CORRECTIONS)}.")
        if not 0 < self.alpha < 0.5:
            raise OptionError(f"alpha is a probability above 0 and below 0.5, not {self.alpha}.")
        if self.seed < 0 or self.n_resamples < 1:
            raise OptionError("The seed is 0 or more, and there is at least one resample.")
        if not 0 <= self.band < 1:
            raise OptionError(f"The band of no worthwhile difference is between 0 and 1, not {self.band}.")

    def resamples(self, n: int) -> int:
        """How many sign vectors are drawn for `n` queries: `n_resamples`; of the default, fewer for many queries.

        With more than 700 queries the default is `stats.MOST_SIGNS` signs in all, and never below 10,000 vectors.
        """
        if self.n_resamples != stats.DEFAULT_RESAMPLES:
            return self.n_resamples
        return int(np.clip(stats.MOST_SIGNS // max(1, n), 10_000, self.n_resamples))

    def json(self) -> dict[str, Any]:
        return {
            "test": self.test,
            "correction": self.correction,
            "alpha": self.alpha,
            "band": self.band,
            "n_resamples": self.n_resamples,
            "seed": self.seed,
        }


@dataclass(frozen=True)
class Comparison:
    """One contender against one baseline on one metric. `difference` is contender minus baseline, positive is better.

    `alpha` is the level that this test must reach when it stands alone among `n_tests` (Bonferroni's share): checks of
    the verdict use it, so that they do not find more than the verdict does.
    """

    baseline: str
    run: str
    metric: Metric
    differences: Floats
    mean_baseline: float
    mean: float
    ci: tuple[float, float] | None
    ci_method: str
    tests: Mapping[str, TestResult]
    test: str
    p_corrected: float | None
    n_tests: int
    alpha: float
    effect_size: float | None
    verdict: wording.Verdict
    why: str
    caveats: tuple[str, ...]

    @property
    def n(self) -> int:
        return len(self.differences)

    @property
    def difference(self) -> float:
        """Mean of the differences: positive is better."""
        return orientation(self.metric) * (self.mean - self.mean_baseline)

    @property
    def relative(self) -> float | None:
        """Difference as a share of the baseline's mean; None where that is 0."""
        return self.difference / self.mean_baseline if abs(self.mean_baseline) > stats.EPS else None

    @property
    def counts(self) -> stats.Counts:
        return stats.counts(self.differences)

    @property
    def chosen(self) -> TestResult:
        """The result of the test that decides."""
        return self.tests[self.test]

    @property
    def sentence(self) -> str:
        """The verdict in words; with very few queries without the interval, which then is wider than the scores."""
        ci = self.ci if self.n >= stats.MIN_QUERIES else None
        return wording.verdict_sentence(
            self.verdict, self.run, self.baseline, self.metric.label, self.difference, ci, self.why
        )

    def json(self) -> dict[str, Any]:
        """As CONTRACT's `comparisons`."""
        wins, ties, losses = self.counts.wins, self.counts.ties, self.counts.losses
        return {
            "baseline": self.baseline,
            "run": self.run,
            "metric": str(self.metric),
            "n": self.n,
            "mean_baseline": self.mean_baseline,
            "mean": self.mean,
            "difference": self.difference,
            "relative": self.relative,
            "ci": None if self.ci is None else list(self.ci),
            "ci_method": self.ci_method,
            "wins": wins,
            "ties": ties,
            "losses": losses,
            "statistic": self.chosen.statistic,
            "df": self.chosen.df,
            "p": self.chosen.p,
            "p_corrected": self.p_corrected,
            "effect_size": self.effect_size,
            "tests": {key: test_json(result) for key, result in self.tests.items()},
            "verdict": self.verdict,
            "sentence": self.sentence,
            "caveats": list(self.caveats),
        }


def test_json(result: TestResult) -> dict[str, Any]:
    """One test's evidence as plain values."""
    return {
        "statistic": result.statistic,
        "df": result.df,
        "p": result.p,
        "n": result.n,
        "n_used": result.n_used,
        "exact": result.exact,
        "method": result.method,
        "n_resamples": result.n_resamples,
        "seed": result.seed,
        "p_error": result.p_error,
        "reason": result.reason,
    }


@dataclass(frozen=True)
class Comparisons:
    """All comparisons that were asked for together: the family that the correction counts."""

    scores: Scores
    baseline: str
    testing: Testing
    rows: tuple[Comparison, ...]

    def of(self, run: str, metric: Metric | str, baseline: str | None = None) -> Comparison:
        """The comparison of `run` on `metric`. Raises OptionError where there is none."""
        for row in self.rows:
            if row.run == run and str(row.metric) == str(metric) and baseline in (None, row.baseline):
                return row
        raise OptionError(f"{run} was not compared on {metric}.")

    def frame(self) -> pd.DataFrame:
        """One row per contender and metric."""
        table = pd.DataFrame([row.json() for row in self.rows])
        return table.drop(columns=["tests"]) if len(table) else table

    def json(self) -> list[dict[str, Any]]:
        return [row.json() for row in self.rows]


def compare(scores: Scores, baseline: str, testing: Testing | None = None, **changes: Any) -> Comparisons:
    """Compare every other run with `baseline` on every metric; `baseline="all"` compares every pair.

    `changes` are fields of `Testing`. The correction counts every test of the result, the randomization tests included
    that decide where the chosen test has no answer. Raises OptionError where the
    baseline is no run or there is nothing to compare.
    """
    try:
        testing = replace(testing or Testing(), **changes)
    except TypeError as error:
        raise OptionError(f"{error}. What can be set: {', '.join(Testing().json())}.") from error
    names = scores.experiment.run_names
    if len(names) < 2:
        raise OptionError(f"{f'There is one run, {names[0]}' if names else 'There is no run'}: a comparison needs two.")
    if baseline == ALL and ALL not in names:
        pairs = list(combinations(names, 2))
    else:
        scores.experiment.index_of(baseline)
        pairs = [(baseline, name) for name in names if name != baseline]
    jobs = [(one, other, metric) for one, other in pairs for metric in scores.metrics]
    differences = [scores.differences(one, other, metric) for one, other, metric in jobs]
    tests, corrected, n_tests = family(differences, testing)
    rows = [
        _row(scores, job, d, result, p, n_tests, testing)
        for job, d, result, p in zip(jobs, differences, tests, corrected)
    ]
    return Comparisons(scores, baseline, testing, tuple(rows))


class _Flips:
    """The randomization tests of a family, made when the first of them is asked for: they share the sign flips."""

    def __init__(self, differences: Floats, testing: Testing) -> None:
        self._differences, self._testing, self._lock = differences, testing, Lock()
        self._found: list[TestResult] | None = None

    def of(self, row: int) -> TestResult:
        with self._lock:
            if self._found is None:
                n_resamples = self._testing.resamples(self._differences.shape[1])
                self._found = stats.randomization_many(
                    self._differences, n_resamples=n_resamples, seed=self._testing.seed
                )
            return self._found[row]


class _Tests(Mapping[str, TestResult]):
    """Every test on one set of differences, in the order of `stats.TESTS`; each is made when it is asked for."""

    def __init__(self, d: Floats, flips: _Flips, row: int) -> None:
        self._d, self._flips, self._row = d, flips, row
        self._others: dict[str, TestResult] = {}

    def __getitem__(self, key: str) -> TestResult:
        if key == "randomization":
            return self._flips.of(self._row)
        if key not in self._others:
            self._others[key] = stats.TESTS[key](self._d)
        return self._others[key]

    def __iter__(self) -> Iterator[str]:
        return iter(stats.TESTS)

    def __len__(self) -> int:
        return len(stats.TESTS)


def family(
    differences: Sequence[Floats], testing: Testing
) -> tuple[list[Mapping[str, TestResult]], list[float | None], int]:
    """Tests that are asked together: those of each set of differences, its corrected p, and how many p there are.

    p is that of the test that decides. Each test is made when it is asked for; the sign flips are shared by all sets.
    Raises OptionError where there is nothing to compare.
    """
    if not differences or not len(differences[0]):
        raise OptionError("No query counts: there is nothing to compare.")
    flips = _Flips(np.array(differences), testing)
    tests: list[Mapping[str, TestResult]] = [_Tests(d, flips, row) for row, d in enumerate(differences)]
    deciding = [_deciding(d, one, testing).p for d, one in zip(differences, tests)]
    return tests, stats.correct(deciding, testing.correction), sum(p is not None for p in deciding)


def _row(
    scores: Scores,
    job: tuple[str, str, Metric],
    d: Floats,
    tests: Mapping[str, TestResult],
    p_corrected: float | None,
    n_tests: int,
    testing: Testing,
) -> Comparison:
    baseline, run, metric = job
    interval = stats.t_interval(d)
    verdict, why = decide(d, tests, p_corrected, n_tests, testing)
    if not met(scores, baseline, run):
        verdict, why = "untestable", wording.none_in_common()
    mean_baseline = float(scores.of(baseline, metric).mean())
    return Comparison(
        baseline=baseline,
        run=run,
        metric=metric,
        differences=d,
        mean_baseline=mean_baseline,
        mean=float(scores.of(run, metric).mean()),
        ci=interval.ends,
        ci_method=interval.method,
        tests=tests,
        test=testing.test,
        p_corrected=p_corrected,
        n_tests=n_tests,
        alpha=alone(n_tests, testing),
        effect_size=stats.standardised(d),
        verdict=verdict,
        why=why,
        caveats=(*_labels_differ(scores, baseline, run, metric), *_caveats(d, tests, mean_baseline, testing, metric)),
    )


def met(scores: Scores, baseline: str, run: str) -> bool:
    """Whether any counted query was answered by both runs."""
    one, other = (scores.ranking(name).answered for name in (baseline, run))
    return bool(np.any(one & other & scores.counted))


def _deciding(d: Floats, tests: Mapping[str, TestResult], testing: Testing) -> TestResult:
    """The chosen test, or the randomization test where that has no answer as all differences are equal."""
    chosen = tests[testing.test]
    return tests["randomization"] if chosen.p is None and len(d) > 1 and np.any(d) else chosen


def decide(
    d: Floats, tests: Mapping[str, TestResult], p_corrected: float | None, n_tests: int, testing: Testing
) -> tuple[wording.Verdict, str]:
    """The verdict on one set of differences and, where it is no plain yes or no, why.

    In this order: nothing to test; no difference worth having (two one-sided tests against the band); too few queries,
    or too few that differ; a difference that chance does not explain after correction; otherwise undecided.
    """
    n = len(d)
    if n < 2:
        return "untestable", wording.one_question(stats.MIN_QUERIES)
    if not np.any(d):
        return ("equivalent" if n >= stats.MIN_QUERIES else "undecided"), wording.all_the_same()
    too_few = why_too_few(d, testing.alpha)
    enough = too_few is None or n >= ENOUGH_TO_BE_EQUIVALENT
    if testing.band > 0 and enough and stats.equivalence(d, band=testing.band, alpha=testing.alpha).equivalent:
        return "equivalent", wording.within(testing.band)
    if too_few is not None:
        return "undecided", too_few
    if p_corrected is not None and p_corrected <= testing.alpha:
        return ("better" if d.mean() > 0 else "worse"), ""
    p = _deciding(d, tests, testing).p
    needed = stats.queries_needed(d, alpha=alone(n_tests, testing))
    more = None if needed is None else max(0, needed - n)
    return "undecided", wording.would_settle(more, n, enough_alone=p is not None and p <= testing.alpha)


def why_too_few(d: Floats, alpha: float) -> str | None:
    """`stats.why_too_few` as a sentence about questions; None where there are enough."""
    if stats.why_too_few(d, alpha) is None:
        return None
    if len(d) < stats.MIN_QUERIES:
        return wording.too_few(len(d), stats.MIN_QUERIES)
    differing = stats.counts(d).differing
    return wording.too_few_differ(differing, stats.smallest_p(differing))


def alone(n_tests: int, testing: Testing) -> float:
    """The level that one of several tests must reach when no other does: Bonferroni's share, Holm's first step."""
    return testing.alpha / max(1, n_tests) if testing.correction in ("holm", "bonferroni") else testing.alpha


def _labels_differ(scores: Scores, baseline: str, run: str, metric: Metric) -> tuple[str, ...]:
    """That the two runs are scored against different judgments, which moves what a metric counts."""
    experiment = scores.experiment
    if metric.block.needs_spans:
        return ()
    names = [experiment.label_of(experiment.index_of(one)) or "all judgments" for one in (baseline, run)]
    if names[0] == names[1]:
        return ()
    return (f"The labels differ: {baseline} is scored against {names[0]}, {run} against {names[1]}.",)


def _caveats(
    d: Floats, tests: Mapping[str, TestResult], mean_baseline: float, testing: Testing, metric: Metric
) -> tuple[str, ...]:
    """What a reader must know before trusting the row."""
    out = []
    constant = stats.standardised(d) is None  # else every test has an answer; the randomization test always has
    for key in stats.TESTS:
        if key != testing.test and (key == "randomization" or not constant):
            continue
        result = tests[key]
        if result.p is None or (result.reason and key == testing.test):
            out.append(f"{stats.TESTS[key].name}: {result.reason}")
    too_few = why_too_few(d, testing.alpha)
    if len(d) == 1:
        out.append("One query: no significance test.")
    elif too_few is not None:
        out.append(too_few)
    if _deciding(d, tests, testing) is not tests[testing.test]:
        out.append(f"The randomization test decides instead: p {wording.p_value(tests['randomization'].p)}.")
    if abs(mean_baseline) <= stats.EPS:
        out.append("The baseline's mean is 0: relative change is not defined.")
    if not metric.block.higher_is_better:
        out.append(f"Less {metric.label} is better: the difference is turned, so that plus is better.")
    return tuple(dict.fromkeys(out))
