"""What else was measured? Latency, cost, tokens: medians of each run, and of a pair on the same queries."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ragdash.analysis.evaluate import Scores

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Measured:
    """One measurement that both runs carry: medians over the `n` queries on which both have a number.

    `lower` and `higher` count the queries on which the contender's number is lower, or higher, than the baseline's.
    """

    name: str
    median_baseline: float
    median: float
    n: int
    lower: int
    higher: int


def values(scores: Scores, run: str, name: str) -> Floats:
    """One measurement of one run for each counted query, NaN where there is none. Shape `[n]`."""
    experiment = scores.experiment
    place = experiment.index_of(run)
    rows = experiment.rows[place][scores.counted]
    known = experiment.runs[place].measurements.get(name)
    out = np.full(len(rows), np.nan)
    if known is not None:
        out[rows >= 0] = known[rows[rows >= 0]]
    return np.where(np.isfinite(out), out, np.nan)


def names(scores: Scores) -> list[str]:
    """Every measurement that some run carries, in the order of the runs."""
    return list(dict.fromkeys(name for run in scores.experiment.runs for name in run.measurements))


def measured(scores: Scores, baseline: str, run: str) -> tuple[Measured, ...]:
    """What both runs measured, paired by query; nothing where no query has both numbers."""
    out = []
    for name in names(scores):
        one, other = values(scores, baseline, name), values(scores, run, name)
        both = ~np.isnan(one) & ~np.isnan(other)
        if not both.any():
            continue
        one, other = one[both], other[both]
        counts = int((other < one).sum()), int((other > one).sum())
        out.append(Measured(name, float(np.median(one)), float(np.median(other)), int(both.sum()), *counts))
    return tuple(out)


def medians(scores: Scores) -> pd.DataFrame:
    """One row a run, one column a measurement: its median over the counted queries, NaN where it has none."""
    table = {}
    for name in names(scores):
        column = [values(scores, run, name) for run in scores.experiment.run_names]
        table[name] = [float(np.nanmedian(one)) if (~np.isnan(one)).any() else np.nan for one in column]
    return pd.DataFrame(table, index=scores.experiment.run_names)
