"""Which words of which document answer a query? Evidence spans, and where the rows of a run are cut from.

Places are half-open ranges of characters (Unicode code points) of a document; -1 where they are not known. No row is
ever written to after construction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from ragdash.data.columns import Ints, group_rows, joined, positions, take, text_column


def _no_text() -> pa.Array:
    return pa.nulls(0, pa.string())


def _no_place() -> Ints:
    return np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class Evidence:
    """Spans that answer: those of query `i` are the rows `starts[i]:starts[i + 1]` of the other columns.

    `doc_ids` names the document (null where a quote was given without one), `begins` and `ends` are half-open
    characters of it, both -1 where a quote has not been located; `quotes` are the words as given (null where only
    places were). Shapes: `query_ids [n_queries]`, `starts [n_queries + 1]`, the others `[n_spans]`.
    """

    query_ids: pa.Array = field(default_factory=_no_text)
    starts: Ints = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    doc_ids: pa.Array = field(default_factory=_no_text)
    begins: Ints = field(default_factory=_no_place)
    ends: Ints = field(default_factory=_no_place)
    quotes: pa.Array = field(default_factory=_no_text)

    def __len__(self) -> int:
        """How many spans."""
        return len(self.doc_ids)

    @property
    def n_queries(self) -> int:
        return len(self.query_ids)

    @classmethod
    def of(cls, query_ids: Any, doc_ids: Any, begins: Any = None, ends: Any = None, quotes: Any = None) -> Evidence:
        """Columns of equal length, a row a span, to evidence; a place that is not given is -1, a quote null."""
        keys, starts, order = group_rows(text_column(query_ids))
        docs = text_column(doc_ids)
        unknown = np.full(len(docs), -1, dtype=np.int64)
        begins = unknown if begins is None else np.asarray(begins, dtype=np.int64)
        ends = unknown if ends is None else np.asarray(ends, dtype=np.int64)
        quotes = pa.nulls(len(docs), pa.string()) if quotes is None else text_column(quotes)
        if order is not None:
            docs, quotes, begins, ends = take(docs, order), take(quotes, order), begins[order], ends[order]
        return cls(keys, starts, docs, begins, ends, quotes)

    @classmethod
    def merged(cls, parts: Sequence[Evidence]) -> Evidence:
        """Spans of several files as one; a span that two of them give counts once."""
        if len(parts) < 2:
            return parts[0] if parts else cls()
        queries = joined([take(one.query_ids, one.query_codes()) for one in parts])
        docs, quotes = (joined([getattr(one, name) for one in parts]) for name in ("doc_ids", "quotes"))
        begins, ends = (np.concatenate([getattr(one, name) for one in parts]) for name in ("begins", "ends"))
        return cls.of(queries, docs, begins, ends, quotes).distinct()

    def distinct(self) -> Evidence:
        """Each span once: the first of those with the same query, document and place (or quote, where it has none)."""
        quotes = self.quotes.to_pylist()
        seen: dict[tuple[object, ...], int] = {}
        rows = zip(self.query_codes().tolist(), self.doc_ids.to_pylist(), self.begins.tolist(), self.ends.tolist())
        for row, (query, doc, begin, end) in enumerate(rows):
            seen.setdefault((query, doc, begin, end, None if begin >= 0 else quotes[row]), row)
        kept = np.array(list(seen.values()), dtype=np.int64)
        if len(kept) == len(self):
            return self
        places = take(self.doc_ids, kept), self.begins[kept], self.ends[kept], take(self.quotes, kept)
        return Evidence.of(take(self.query_ids, self.query_codes()[kept]), *places)

    def along(self, query_ids: pa.Array) -> Evidence:
        """The same spans for the queries `query_ids`, in their order; a query without any has none."""
        at = positions(query_ids, self.query_ids)
        counts = np.where(at >= 0, np.diff(self.starts)[np.maximum(at, 0)] if self.n_queries else 0, 0)
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        first = self.starts[np.maximum(at, 0)]
        rows = np.repeat(first - starts[:-1], counts) + np.arange(starts[-1])
        return Evidence(
            query_ids,
            starts,
            take(self.doc_ids, rows),
            self.begins[rows],
            self.ends[rows],
            take(self.quotes, rows),
        )

    def query_codes(self) -> Ints:
        """For each span the index of its query. Shape `[n_spans]`."""
        return np.repeat(np.arange(self.n_queries, dtype=np.int64), np.diff(self.starts))


@dataclass(frozen=True)
class Locations:
    """Where rows are cut from: row `i` is characters `begins[i]:ends[i]` of the document `codes[i]`.

    Codes count in one list of documents that is common to all runs and to the evidence (`Experiment.parents`); -1 in
    any column where it is not known. Each has the shape `[n_rows]`, in the order of the rows of the run's file.
    """

    codes: Ints
    begins: Ints
    ends: Ints

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def known(self) -> Any:
        """Rows of which document, begin and end are known: a mask of shape `[n_rows]`."""
        return (self.codes >= 0) & (self.begins >= 0) & (self.ends >= 0)
