"""What do metrics look at? The judged documents of each ranking: query, rank and grade, as integers and floats.

Everything a metric needs of a run of millions of rows are the few rows whose documents are judged, and how deep each
ranking goes. `ragdash.analysis.rank` makes this once per run; a metric is then a few lines of numpy over it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragdash.metrics.spans import Spans

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Judgments:
    """Grades of all judged documents: those of query `i` are `grades[starts[i]:starts[i + 1]]`, highest first.

    Shapes `[n_queries + 1]` and `[n_judgments]`; grades are finite, may be fractional or negative.
    """

    starts: Ints
    grades: Floats

    @property
    def n_queries(self) -> int:
        return len(self.starts) - 1

    @classmethod
    def of(cls, starts: Any, grades: Any) -> Judgments:
        """Grades in any order within their query."""
        starts, grades = np.asarray(starts, dtype=np.int64), np.asarray(grades, dtype=np.float64)
        query = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        return cls(starts, grades[np.lexsort((-grades, query))])


@dataclass(frozen=True)
class Rankings:
    """One run over one query axis: where its judged documents stand.

    For each retrieved document that is judged, ordered by query and rank: `query` (index on the axis), `rank` (1-based,
    duplicates removed and closed up), `grade`, and the tied group it stands in: `tie_first` (rank of its first
    document) and `tie_size` (documents in the group, 1 where nothing ties). Shapes `[n_hits]`. `judgment [n_hits]` is
    the row of the qrels that judges it, None where the rankings were not made from a run's own order.
    For each query: `depth`, the number of distinct documents retrieved, and `answered`, whether the run names it.
    Shapes `[n_queries]`. `spans` are the evidence and the chunks as places in documents, None where they are not known.
    """

    judgments: Judgments
    query: Ints
    rank: Ints
    grade: Floats
    depth: Ints
    answered: NDArray[np.bool_]
    tie_first: Ints
    tie_size: Ints
    judgment: Ints | None = None
    spans: Spans | None = None

    @property
    def n_queries(self) -> int:
        return self.judgments.n_queries
