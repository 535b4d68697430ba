"""Does the answer hold for every kind of query? The difference within each slice, with its interval and its number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ragdash import stats
from ragdash.analysis.evaluate import Scores, orientation, relevant_counts
from ragdash.metrics import Metric

#: Below so many queries a slice is drawn grey: its interval says little.
SMALL = 20
#: A column with more values than this names queries, it does not group them.
MOST_VALUES = 30
LENGTH, RELEVANT = "query length", "relevant documents"
_NONE = "(none)"


@dataclass(frozen=True)
class Slice:
    """One group of queries. `p_corrected` is Benjamini and Hochberg's over all slices of the same column."""

    value: str
    queries: tuple[str, ...]
    mean_baseline: float
    mean: float
    low: float | None
    high: float | None
    p: float | None
    p_corrected: float | None
    counts: stats.Counts
    sign: float = 1.0

    @property
    def n(self) -> int:
        return len(self.queries)

    @property
    def difference(self) -> float:
        """Positive is better: `sign` is -1 for a metric of which less is."""
        return self.sign * (self.mean - self.mean_baseline)

    @property
    def small(self) -> bool:
        return self.n < SMALL


@dataclass(frozen=True)
class Slices:
    """All groups of one column, in the column's order; `contradicting` are those that say the opposite of the whole."""

    by: str
    rows: tuple[Slice, ...]
    total: float
    alpha: float

    @property
    def contradicting(self) -> tuple[Slice, ...]:
        """Slices whose difference is established after correction and whose sign is not that of all queries."""
        return tuple(
            row
            for row in self.rows
            if row.p_corrected is not None
            and row.p_corrected < self.alpha
            and row.n >= stats.MIN_QUERIES
            and row.difference * self.total < 0
        )


def columns(scores: Scores) -> list[str]:
    """What queries can be sliced by: metadata columns that group them, their length, their relevant documents.

    What puts all queries into one group is left out.
    """
    metadata = scores.experiment.dataset.queries.metadata
    usable = [str(name) for name in metadata.columns if 1 < metadata[name].nunique(dropna=False) <= MOST_VALUES]
    return [*usable, *(by for by in (LENGTH, RELEVANT) if len(set(labels(scores, by))) > 1)]


def labels(scores: Scores, by: str) -> list[str]:
    """The group of each counted query. Length `[n]`."""
    kept = np.flatnonzero(scores.counted)
    if by == LENGTH:
        words = np.array([len(scores.experiment.query_texts[i].split()) for i in kept.tolist()])
        return _binned(words, ((1, 3), (4, 6), (7, 10), (11, 20)), "word")
    if by == RELEVANT:
        relevant = relevant_counts(scores.experiment, scores.options.threshold)[kept]
        return _binned(relevant, ((0, 0), (1, 1), (2, 3), (4, 10)), "relevant document")
    queries = scores.experiment.dataset.queries
    column = pd.Series(queries.metadata[by].to_numpy(), index=queries.ids.to_pylist())
    values = column.reindex(scores.query_ids).tolist()
    return [_NONE if value is None or value != value or value == "" else str(value) for value in values]


def slices(scores: Scores, metric: Metric, baseline: str, run: str, by: str, alpha: float = 0.05) -> Slices:
    """The difference of `run` and `baseline` within each group of `by` (one of `columns`)."""
    groups = np.array(labels(scores, by), dtype=object)
    masks = {value: groups == value for value in dict.fromkeys(groups.tolist())}
    rows = [_slice(scores, metric, baseline, run, value, mask) for value, mask in masks.items()]
    corrected = stats.correct([row.p for row in rows], "bh")
    rows = [replace(row, p_corrected=p) for row, p in zip(rows, corrected)]
    order = _order(by)
    rows.sort(key=(lambda row: order(row.value)) if order else (lambda row: row.difference))
    return Slices(by, tuple(rows), whole(scores, metric, baseline, run).difference if scores.n else 0.0, alpha)


def whole(scores: Scores, metric: Metric, baseline: str, run: str) -> Slice:
    """All counted queries as one group."""
    return _slice(scores, metric, baseline, run, "all", np.ones(scores.n, dtype=bool))


def _slice(scores: Scores, metric: Metric, baseline: str, run: str, value: str, mask: NDArray[np.bool_]) -> Slice:
    """One group, its p not corrected for others."""
    one, other = scores.of(baseline, metric)[mask], scores.of(run, metric)[mask]
    d = scores.differences(baseline, run, metric)[mask]
    interval, p = stats.t_interval(d), stats.t_test(d).p
    ids = tuple(np.array(scores.query_ids, dtype=object)[mask].tolist())
    means = (float(one.mean()), float(other.mean())) if len(d) else (0.0, 0.0)
    return Slice(value, ids, *means, interval.low, interval.high, p, p, stats.counts(d), orientation(metric))


def _binned(values: NDArray[np.int64], bins: Sequence[tuple[int, int]], noun: str) -> list[str]:
    """Each number as the name of its bin: "1 word", "2 to 3 words", "more than 20 words"."""
    out = []
    for value in values.tolist():
        for low, high in bins:
            if value <= high:
                out.append(f"{low} {noun}{'' if low == 1 else 's'}" if low == high else f"{low} to {high} {noun}s")
                break
        else:
            out.append(f"more than {bins[-1][1]} {noun}s")
    return out


def _order(by: str):  # type: ignore[no-untyped-def]
    """Bins from small to large; named groups by their difference, the worst first."""
    if by not in (LENGTH, RELEVANT):
        return None
    return lambda value: 10**9 if value.startswith("more") else int(value.split()[0])
