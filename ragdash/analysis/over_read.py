"""How much does each run read, and what does it find by then? Recall over characters read: the fair axis for chunkings.

At the same K larger chunks read more; at the same number of characters read they do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragdash import stats, wording
from ragdash.analysis.evaluate import Scores
from ragdash.analysis.over_k import AtK, Cut, over_k
from ragdash.metrics import Metric
from ragdash.metrics.spans import Spans
from ragdash.metrics.view import ratio

Floats = NDArray[np.float64]
#: Characters read at which recall is drawn, as far as runs go.
BUDGETS = (250, 500, 1_000, 1_500, 2_000, 3_000, 4_000, 5_000, 7_500, 10_000, 15_000, 20_000, 30_000, 50_000, 100_000)


def lost_chunks(scores: Scores, run: str, k: int | None) -> NDArray[np.bool_]:
    """Queries in whose first `k` results of `run` a chunk is at no known place. Shape `[n_axis]`."""
    spans = scores.ranking(run).spans
    out = np.zeros(scores.experiment.n_queries, dtype=bool)
    if spans is not None:
        out[spans.query[(spans.docs < 0) & (spans.rank <= (k or np.inf))]] = True
    return out


@dataclass(frozen=True)
class AtRead:
    """Recall of characters once `chars` characters are read: the mean over queries, and its interval."""

    chars: int
    mean: float
    low: float | None
    high: float | None


def over_read(scores: Scores, level: float = 0.95) -> dict[str, tuple[AtRead, ...]]:
    """For each run recall over characters read, up to the budget by which the longest list is read; {} without spans.

    Every run is drawn as far as any of them goes: the one that returns less has then read all it has.
    """
    ranked = [one.spans for one in scores.rankings if one.spans is not None]
    if not scores.n or len(ranked) < len(scores.rankings):
        return {}
    wanted = budgets(ranked)
    out = {}
    for name, spans in zip(scores.experiment.run_names, ranked):
        points = []
        for chars in wanted:
            values = _recall(scores, spans, chars)
            interval = stats.t_interval(values, level)
            points.append(AtRead(chars, float(values.mean()), interval.low, interval.high))
        out[name] = tuple(points)
    return out


def difference_over_read(scores: Scores, baseline: str, run: str, level: float = 0.95) -> tuple[AtK, ...]:
    """The difference in recall once so many characters are read: `k` of each point. Empty without spans."""
    one, other = (scores.ranking(name).spans for name in (baseline, run))
    if one is None or other is None or not scores.n:
        return ()
    out = []
    for chars in budgets([one, other]):
        before, after = (_recall(scores, part, chars) for part in (one, other))
        interval = stats.t_interval(stats.clean(after - before), level)
        out.append(AtK(chars, float(before.mean()), float(after.mean()), interval.low, interval.high))
    return tuple(out)


def _recall(scores: Scores, spans: Spans, chars: int) -> Floats:
    """The share of the evidence among the first characters read, over the queries that count."""
    return ratio(spans.covered_at(chars), spans.evidence_chars)[scores.counted]


def budgets(runs: Sequence[Spans]) -> list[int]:
    """The characters read at which runs are looked at: the usual ones, up to the first that reads every list whole."""
    longest = max(float(spans.read(None).max(initial=0)) for spans in runs)
    return [chars for chars in BUDGETS if chars < longest] + [chars for chars in BUDGETS if chars >= longest][:1]


def mean_read(scores: Scores, run: str, k: int | None) -> float | None:
    """How many characters the first `k` results of `run` have, on average over queries; None without spans."""
    spans = scores.ranking(run).spans
    return None if spans is None or not scores.n else float(spans.read(k)[scores.counted].mean())


def difference_curve(scores: Scores, metric: Metric, baseline: str, run: str, level: float = 0.95) -> tuple[AtK, ...]:
    """The difference over what the metric is cut at: characters read for a budget, ranks for every other cutoff."""
    if cut_of(metric).by_characters:
        return difference_over_read(scores, baseline, run, level)
    return over_k(scores, metric, baseline, run, level=level)


def cut_of(metric: Metric) -> Cut:
    """What the metric is cut at."""
    if metric.key == "BudgetRecall":
        return Cut(int(metric.arguments["chars"]), by_characters=True)
    return Cut(metric.k or 0)


#: Metrics that fall where less of the evidence is read, or later.
_OF_EVIDENCE = ("BudgetRecall", "CharRecall", "EvidenceFound", "SpanNDCG")


def why_less(scores: Scores, metric: Metric, run: str, query_ids: Iterable[str], what: str) -> str:
    """Why `run` does worse on these queries, as a sentence; `what` names them ("loss", "gain").

    Empty where the metric is about what reading costs, and where nothing is to be said.
    """
    spans = scores.ranking(run).spans
    at = np.array([scores.experiment.query_index[one] for one in query_ids], dtype=np.int64)
    if spans is None or metric.key not in _OF_EVIDENCE or not len(at):
        return ""
    ever = spans.covered(None)[at]
    never = int((ever == 0).sum())
    part = int(((ever > 0) & (ever < spans.evidence_chars[at])).sum())
    return wording.less_evidence(len(at), never, part, run, what)
