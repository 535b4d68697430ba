"""What has one run said so far? Its rows, packed into columns from time to time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from ragdash.data.columns import text_column
from ragdash.data.findings import Finding

if TYPE_CHECKING:
    pass


_PACK = 200_000


@dataclass
class Results:
    """The rows of one run while it is being read."""

    query_ids: list[str] = field(default_factory=list)
    doc_ids: list[str] = field(default_factory=list)
    scores: list[str | None] = field(default_factory=list)
    ranks: list[str | None] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    parents: list[str | None] = field(default_factory=list)
    begins: list[int | None] = field(default_factory=list)
    ends: list[int | None] = field(default_factory=list)
    texts: list[str | None] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)
    answered: dict[str, int] = field(default_factory=dict)
    again: dict[str, int] = field(default_factory=dict)
    measurements: dict[str, dict[str, float]] = field(default_factory=dict)
    score_name: str = "score"
    packed: list[pa.Table] = field(default_factory=list)
    said: list[Finding] = field(default_factory=list)

    def answer(self, query_id: str, line: int) -> None:
        """A record for this query begins."""
        if len(self.query_ids) > _PACK:
            self._pack()
        if query_id in self.answered:
            self.again[query_id] = line
        else:
            self.answered[query_id] = line

    def _pack(self) -> None:
        """Put the rows so far into columns: a text in a list takes five times the memory."""
        columns = {
            "query_ids": text_column(self.query_ids),
            "doc_ids": text_column(self.doc_ids),
            "scores": text_column(self.scores),
            "ranks": text_column(self.ranks),
            "lines": pa.array(np.asarray(self.lines, dtype=np.int32)),
            "parents": text_column(self.parents),
            "begins": pa.array(self.begins, pa.int64()),
            "ends": pa.array(self.ends, pa.int64()),
            "texts": text_column(self.texts),
        }
        self.packed.append(pa.table(columns))
        self.query_ids, self.doc_ids, self.scores, self.ranks, self.lines = [], [], [], [], []
        self.parents, self.begins, self.ends, self.texts = [], [], [], []

    def table(self) -> pa.Table:
        """All rows as columns."""
        self._pack()
        return pa.concat_tables(self.packed)


def tells_apart(runs: Iterable[Results]) -> bool:
    """Whether runs answer a query twice: then their names tell systems apart, and not kinds of queries."""
    seen: set[str] = set()
    for one in runs:
        if not seen.isdisjoint(one.answered):
            return True
        seen.update(one.answered)
    return False


def joined_results(parts: Sequence[Results]) -> Results:
    """The results of several as one, in their order."""
    whole = Results(score_name=parts[0].score_name)
    for part in parts:
        whole.packed.append(part.table())
        whole.empty += part.empty
        whole.answered |= part.answered
        whole.again |= part.again
        whole.said += part.said
        for name, values in part.measurements.items():
            whole.measurements.setdefault(name, {}).update(values)
    return whole
