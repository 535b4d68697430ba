"""What do we talk about? `Dataset` (queries, judgments, documents) and `Run`: frozen, columnar, ids as text.

Rows are always grouped by query: `starts[i]:starts[i + 1]` are the rows of query `i`. Arrays are not written to after
construction, so they may be shared by every session and cached by digest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ragdash.data.columns import Ints, group_rows, joined, positions, take, text_column
from ragdash.data.evidence import Evidence
from ragdash.data.findings import Finding

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Lines = Sequence[int] | NDArray[np.int32]


def _empty() -> pa.Array:
    return pa.nulls(0, pa.string())


def _frame(n_rows: int = 0) -> pd.DataFrame:
    """A table of `n_rows` without columns. pandas is imported here, not above: a run alone is read without it."""
    import pandas as pd

    return pd.DataFrame(index=range(n_rows))


@dataclass(frozen=True)
class Source:
    """Where something came from: the file's name, what it was recognised as, the SHA-256 of its bytes, its size."""

    file: str
    format: str = ""
    sha256: str = ""
    n_bytes: int = 0


@dataclass(frozen=True)
class Documents:
    """What files say of documents: `ids`, `titles`, `texts`, and where a chunk is cut from. All of one length.

    Titles and texts may be null. `parents` is the document that a chunk is cut from (null where none is known),
    `begins` and `ends` the half-open range of its characters (Unicode code points), -1 where it is not known.
    """

    ids: pa.Array = field(default_factory=_empty)
    titles: pa.Array = field(default_factory=_empty)
    texts: pa.Array = field(default_factory=_empty)
    parents: pa.Array = field(default_factory=_empty)
    begins: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    ends: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def __post_init__(self) -> None:
        for name in ("titles", "texts", "parents"):
            if not len(getattr(self, name)):
                object.__setattr__(self, name, pa.nulls(len(self.ids), pa.string()))
        for name in ("begins", "ends"):
            if not len(getattr(self, name)):
                object.__setattr__(self, name, np.full(len(self.ids), -1, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def located(self) -> bool:
        """Whether any chunk names the document that it is cut from."""
        return bool(self.parents.null_count < len(self))

    @classmethod
    def of(
        cls,
        ids: Any,
        texts: Any = None,
        titles: Any = None,
        parents: Any = None,
        begins: Any = None,
        ends: Any = None,
    ) -> Documents:
        """Columns to documents; of a document that occurs again the first row is kept."""
        ids = text_column(ids)
        titles, texts, parents = (
            pa.nulls(len(ids), pa.string()) if one is None else text_column(one) for one in (titles, texts, parents)
        )
        begins, ends = (
            np.full(len(ids), -1, dtype=np.int64) if one is None else np.asarray(one, dtype=np.int64)
            for one in (begins, ends)
        )
        distinct, starts, order = group_rows(ids)
        if len(distinct) == len(ids):
            return cls(ids, titles, texts, parents, begins, ends)
        first = starts[:-1] if order is None else order[starts[:-1]]
        return cls(distinct, take(titles, first), take(texts, first), take(parents, first), begins[first], ends[first])

    def under(self, ids: pa.Array) -> Documents:
        """The same documents under other ids, one for each row; of ids that became one the first row is kept."""
        return Documents.of(ids, self.texts, self.titles, self.parents, self.begins, self.ends)

    @classmethod
    def merged(cls, parts: Sequence[Documents]) -> Documents:
        """Several tables as one; of each document the first text, title and place that any of them has."""
        parts = [part for part in parts if len(part)]
        if len(parts) < 2:
            return parts[0] if parts else cls()
        ids, texts, titles, parents = (
            joined([getattr(part, name) for part in parts]) for name in ("ids", "texts", "titles", "parents")
        )
        begins, ends = (np.concatenate([getattr(part, name) for part in parts]) for name in ("begins", "ends"))
        distinct, starts, order = group_rows(ids)
        if len(distinct) == len(ids):
            return cls(ids, titles, texts, parents, begins, ends)
        order = np.arange(len(ids)) if order is None else order
        by_text, by_title = (order[_first_with(one, starts, order)] for one in (texts, titles))
        by_place = order[_first_with(parents, starts, order, begins >= 0)]
        return cls(
            distinct,
            take(titles, by_title),
            take(texts, by_text),
            take(parents, by_place),
            begins[by_place],
            ends[by_place],
        )

    def look_up(self, ids: Sequence[str]) -> dict[str, tuple[str | None, str | None]]:
        """`id -> (title, text)` for those of `ids` that are known."""
        wanted = positions(self.ids, text_column(ids))  # few are looked up among many: it is the few that are hashed
        at = np.flatnonzero(wanted >= 0)
        found = zip(wanted[at].tolist(), take(self.titles, at).to_pylist(), take(self.texts, at).to_pylist())
        return {ids[i]: (title, text) for i, title, text in found}


def _first_with(column: pa.Array, starts: Ints, order: Ints, best: Any = None) -> Ints:
    """For each group of rows the place in `order` of its first row that has a value (of `best` ones, if any has)."""
    has = column.is_valid().to_numpy(zero_copy_only=False)[order].astype(np.int64)
    if best is not None:
        has = has * (1 + best[order])
    group = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    ranked: Ints = np.lexsort((np.arange(len(order)), -has, group))[starts[:-1]]
    return ranked


@dataclass(frozen=True)
class Queries:
    """Queries as given: `ids`, `texts` (null where unknown) and one row of `metadata` (text or number) for each."""

    ids: pa.Array = field(default_factory=_empty)
    texts: pa.Array = field(default_factory=_empty)
    metadata: pd.DataFrame = field(default_factory=_frame)

    def __len__(self) -> int:
        return len(self.ids)

    @classmethod
    def of(cls, ids: Any, texts: Any = None, metadata: pd.DataFrame | None = None) -> Queries:
        """Columns to queries; of a query that occurs again the first row is kept."""
        ids = text_column(ids)
        texts = pa.nulls(len(ids), pa.string()) if texts is None else text_column(texts)
        metadata = _frame(len(ids)) if metadata is None else metadata
        distinct, starts, order = group_rows(ids)
        if len(distinct) == len(ids):
            return cls(ids, texts, metadata.reset_index(drop=True))
        first = starts[:-1] if order is None else order[starts[:-1]]
        return cls(distinct, take(texts, first), metadata.iloc[first].reset_index(drop=True))

    @classmethod
    def merged(cls, parts: Sequence[Queries]) -> Queries:
        """Several lists as one: a query has one row, its text and metadata from the first part that has them."""
        import pandas as pd

        parts = [part for part in parts if len(part)]
        if len(parts) < 2:
            return parts[0] if parts else cls()
        frames = [
            part.metadata.assign(**{"\0id": part.ids.to_pylist(), "\0text": part.texts.to_pylist()}) for part in parts
        ]
        table = pd.concat(frames, ignore_index=True).groupby("\0id", sort=False).first().reset_index()
        texts = [None if text is None or text != text else text for text in table["\0text"]]
        return cls.of(table["\0id"].tolist(), texts, table.drop(columns=["\0id", "\0text"]))


@dataclass(frozen=True)
class Qrels:
    """Judgments: for query `i`, the documents `doc_ids[starts[i]:starts[i + 1]]` have these `grades` (float64).

    A pair occurs once (the reader settles repeats and says so). A query may have no row: the dataset states it, without
    any judged document. `lines` gives the line of the file for each row where the format has lines.
    """

    query_ids: pa.Array = field(default_factory=_empty)
    starts: Ints = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    doc_ids: pa.Array = field(default_factory=_empty)
    grades: Floats = field(default_factory=lambda: np.zeros(0))
    lines: Lines | None = None

    def __len__(self) -> int:
        return len(self.doc_ids)

    @property
    def n_queries(self) -> int:
        return len(self.query_ids)

    @classmethod
    def of(cls, query_ids: Any, doc_ids: Any, grades: Any, *, lines: Any = None, empty: Sequence[str] = ()) -> Qrels:
        """Columns of equal length to judgments; `empty` are further queries without any judged document."""
        keys, starts, order = group_rows(text_column(query_ids))
        docs, grades = text_column(doc_ids), np.asarray(grades, dtype=np.float64)
        if order is not None:
            docs, grades = take(docs, order), grades[order]
            lines = None if lines is None else np.asarray(lines, dtype=np.int32)[order]
        keys, starts = _with_empty(keys, starts, empty)
        return cls(keys, starts, docs, grades, lines)

    def query_codes(self) -> Ints:
        """For each row the index of its query. Shape `[n_rows]`."""
        return np.repeat(np.arange(self.n_queries, dtype=np.int64), np.diff(self.starts))


@dataclass(frozen=True)
class Labels:
    """One of several sets of judgments of the same queries, from `files`; its name is after the first of them."""

    name: str
    qrels: Qrels
    files: tuple[str, ...] = ()


@dataclass(frozen=True)
class Dataset:
    """What is asked and what is right: judgments, queries with text and metadata, documents with text.

    `labels` are the sets of judgments that were made for different chunkings of the same documents, one a chunking;
    `qrels` then is their union, which no run should be scored against (`Experiment.qrels_of` gives each run its own).
    `evidence` are the spans of documents that answer each query. Both are empty where no file has them.
    """

    name: str
    qrels: Qrels = field(default_factory=Qrels)
    queries: Queries = field(default_factory=Queries)
    documents: Documents = field(default_factory=Documents)
    sources: tuple[Source, ...] = ()
    findings: tuple[Finding, ...] = ()
    evidence: Evidence = field(default_factory=Evidence)
    labels: tuple[Labels, ...] = ()

    @cached_property
    def sha256(self) -> str:
        """One digest over the content: the same judgments, queries and texts give the same digest in any format."""
        digest = hashlib.sha256()
        qrels = self.qrels
        for column in (qrels.query_ids, qrels.doc_ids, self.queries.ids, self.queries.texts, self.documents.ids):
            _feed(digest, column)
        for column in (self.documents.titles, self.documents.texts):
            _feed(digest, column)
        digest.update(qrels.starts.tobytes() + qrels.grades.tobytes())
        digest.update(self.queries.metadata.to_json(orient="split").encode())
        _feed_places(digest, self.documents)
        if len(self.evidence):
            for column in (self.evidence.query_ids, self.evidence.doc_ids, self.evidence.quotes):
                _feed(digest, column)
            for numbers in (self.evidence.starts, self.evidence.begins, self.evidence.ends):
                digest.update(numbers.tobytes())
        for one in self.labels:
            digest.update(one.name.encode())
            for column in (one.qrels.query_ids, one.qrels.doc_ids):
                _feed(digest, column)
            digest.update(one.qrels.starts.tobytes() + one.qrels.grades.tobytes())
        return digest.hexdigest()


@dataclass(frozen=True)
class Run:
    """One system's ranked output, in the order of its file within each query.

    `scores` is None where the file gives an order and no numbers; otherwise float64, finite. Where the file's numbers
    were distances the reader has turned their sign and said so. `documents` holds the texts that the file carried,
    `measurements` further numbers per query (`name -> float64 [n_queries]`, NaN where the file is silent). `texts` are
    those of single rows, where a file gives one document several: null where the text is that of `documents`, None
    where it is so for all rows.
    """

    name: str
    query_ids: pa.Array
    starts: Ints
    doc_ids: pa.Array
    scores: Floats | None = None
    source: Source = Source("")
    query_texts: pa.Array | None = None
    documents: Documents = field(default_factory=Documents)
    measurements: Mapping[str, Floats] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    lines: Lines | None = None
    texts: pa.Array | None = None

    def __len__(self) -> int:
        return len(self.doc_ids)

    @property
    def n_queries(self) -> int:
        return len(self.query_ids)

    @property
    def depths(self) -> Ints:
        """How many documents the file lists for each query. Shape `[n_queries]`."""
        return np.diff(self.starts)

    @classmethod
    def of(
        cls,
        name: str,
        query_ids: Any,
        doc_ids: Any,
        scores: Any = None,
        *,
        lines: Any = None,
        texts: pa.Array | None = None,
        empty: Sequence[str] = (),
        **rest: Any,
    ) -> Run:
        """Columns of equal length to a run; `empty` are queries answered with nothing. `rest` are further fields."""
        keys, starts, order = group_rows(query_ids if isinstance(query_ids, pa.Array) else text_column(query_ids))
        docs = text_column(doc_ids)
        scores = None if scores is None else np.asarray(scores, dtype=np.float64)
        if order is not None:
            docs = take(docs, order)
            scores = None if scores is None else scores[order]
            lines = None if lines is None else np.asarray(lines, dtype=np.int32)[order]
            texts = None if texts is None else take(texts, order)
        keys, starts = _with_empty(keys, starts, empty)
        return cls(name, keys, starts, docs, scores, lines=lines, texts=texts, **rest)

    def named(self, name: str) -> Run:
        """The same run under another name, its findings included."""
        return replace(self, name=name, findings=tuple(finding.of_run(name) for finding in self.findings))

    @cached_property
    def sha256(self) -> str:
        """One digest over the content (not the name): the same rows in the same order give the same digest."""
        digest = hashlib.sha256()
        _feed(digest, self.query_ids)
        _feed(digest, self.doc_ids)
        digest.update(self.starts.tobytes() + (b"" if self.scores is None else self.scores.tobytes()))
        for key in sorted(self.measurements):
            digest.update(key.encode() + self.measurements[key].tobytes())
        _feed_places(digest, self.documents)
        return digest.hexdigest()


def _with_empty(keys: pa.Array, starts: Ints, empty: Sequence[str]) -> tuple[pa.Array, Ints]:
    """Add queries without rows at the end, those that have rows aside."""
    if not len(empty):
        return keys, starts
    known = set(keys.to_pylist())
    new = [one for one in dict.fromkeys(empty) if one not in known]
    return joined([keys, text_column(new)]), np.concatenate([starts, np.full(len(new), starts[-1])])


def _feed_places(digest: Any, documents: Documents) -> None:
    """Add where chunks are cut from to a digest; nothing where no chunk is located."""
    if documents.located:
        _feed(digest, documents.ids)
        _feed(digest, documents.parents)
        digest.update(documents.begins.tobytes() + documents.ends.tobytes())


def _feed(digest: Any, column: pa.Array) -> None:
    """Add a text column to a digest: lengths and bytes, whatever its offsets and chunks."""
    column = column.cast(pa.large_string())
    digest.update(len(column).to_bytes(8, "little"))
    if not len(column):
        return
    offsets = np.frombuffer(column.buffers()[1], dtype=np.int64)[column.offset : column.offset + len(column) + 1]
    digest.update(np.diff(offsets).tobytes())
    values = column.buffers()[2]
    if values is not None:
        digest.update(memoryview(values)[offsets[0] : offsets[-1]])
    if column.null_count:
        digest.update(column.is_null().to_numpy(zero_copy_only=False).tobytes())
