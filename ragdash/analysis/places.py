"""Where do single documents stand in one run? Looked up as they are judged, without ranking the run again."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ragdash.analysis.evaluate import Options
from ragdash.analysis.rank import rank_run
from ragdash.data.columns import Ints, take, text_column
from ragdash.data.nouns import Qrels, Run


@dataclass(frozen=True)
class Found:
    """Where documents stand in one run: `rank` (0 where it does not return it) and their tied group. Each `[n]`."""

    rank: Ints
    tie_first: Ints
    tie_size: Ints


class Places:
    """Where do single documents stand in one run? Each is looked up once, among the rows of its query only.

    Safe to be asked from several threads.
    """

    def __init__(self, run: Run, rows: Ints, options: Options) -> None:
        self.run, self.rows = run, rows
        self.float32, self.drop_self = options.ties == "float32", options.drop_self
        self._known: dict[tuple[int, str], tuple[int, int, int]] = {}
        self._lock = threading.Lock()

    def of(self, query: Ints, docs: Sequence[str]) -> Found:
        """The places of pairs (a place on the axis and a document id)."""
        pairs = list(zip(query.tolist(), docs))
        with self._lock:
            self._look_up([pair for pair in dict.fromkeys(pairs) if pair not in self._known])
            found = np.array([self._known[pair] for pair in pairs], dtype=np.int64).reshape(-1, 3)
        return Found(found[:, 0], found[:, 1], found[:, 2])

    def _look_up(self, pairs: Sequence[tuple[int, str]]) -> None:
        self._known.update(dict.fromkeys(pairs, (0, 0, 0)))
        pairs = sorted(pair for pair in pairs if self.rows[pair[0]] >= 0)
        if not pairs:
            return
        axis, which = np.unique([query for query, _ in pairs], return_inverse=True)
        part = _part(self.run, self.rows[axis])
        starts = np.concatenate([[0], np.cumsum(np.bincount(which, minlength=len(axis)))])
        asked = Qrels(part.query_ids, starts, text_column([doc for _, doc in pairs]), np.zeros(len(pairs)))
        ranked = rank_run(asked, part, np.arange(len(axis)), float32_ties=self.float32, drop_self=self.drop_self)
        assert ranked.judgment is not None
        places = zip(
            ranked.judgment.tolist(), ranked.rank.tolist(), ranked.tie_first.tolist(), ranked.tie_size.tolist()
        )
        for row, rank, first, size in places:
            self._known[pairs[row]] = (rank, first, size)


def _part(run: Run, queries: Ints) -> Run:
    """The run's rows of these queries alone."""
    size = run.depths[queries]
    starts = np.concatenate([[0], np.cumsum(size)])
    rows = np.arange(starts[-1]) - np.repeat(starts[:-1] - run.starts[queries], size)
    scores = None if run.scores is None else run.scores[rows]
    return Run(run.name, take(run.query_ids, queries), starts, take(run.doc_ids, rows), scores)
