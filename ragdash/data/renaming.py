"""What becomes of runs and judgments under other ids? Rows that become one are joined, the best place is kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ragdash.data.columns import group_rows, positions, take, text_column
from ragdash.data.findings import Finding
from ragdash.data.judgments import pair_keys, settle
from ragdash.data.nouns import Dataset, Documents, Qrels, Queries, Run
from ragdash.data.remedies import Change


def renamed(run: Run, change: Change, queries: bool = True) -> Run:
    """A run with other ids; a document that occurs twice then is kept at its best place."""
    docs = change(run.doc_ids)
    texts = (
        None
        if run.documents is None
        else Documents.of(change(run.documents.ids), run.documents.texts, run.documents.titles)
    )
    changed = replace(run, doc_ids=docs, documents=texts)
    if queries:
        ids = change(run.query_ids)
        distinct = len(ids.unique()) == len(ids)
        changed = replace(changed, query_ids=ids) if distinct else _regrouped(changed, ids)
    had = len(np.unique(pairs_of(run)))
    return without_duplicates(changed) if len(np.unique(pairs_of(changed))) < had else changed


def _regrouped(run: Run, ids: pa.Array) -> Run:
    """Two queries became one: their rows are joined, measurements of the first kept."""
    rows = take(ids, np.repeat(np.arange(run.n_queries), run.depths))
    distinct, starts, order = group_rows(ids)
    first = starts[:-1] if order is None else order[starts[:-1]]
    empty = distinct.to_pylist()
    out = Run.of(
        run.name,
        rows,
        run.doc_ids,
        run.scores,
        lines=run.lines,
        empty=empty,
        source=run.source,
        documents=run.documents,
        findings=run.findings,
    )
    back = first[positions(out.query_ids, distinct)]
    return replace(
        out,
        query_texts=None if run.query_texts is None else take(run.query_texts, back),
        measurements={key: values[back] for key, values in run.measurements.items()},
    )


def pairs_of(run: Run) -> NDArray[np.int64]:
    """One number for each row of a run: rows with the same number are the same (query, document)."""
    codes = np.repeat(np.arange(run.n_queries, dtype=np.int64), run.depths)
    docs = run.doc_ids.dictionary_encode()
    pairs: NDArray[np.int64] = codes * max(len(docs.dictionary), 1) + docs.indices.to_numpy(zero_copy_only=False)
    return pairs


def without_duplicates(run: Run) -> Run:
    """Each document once a query: the row with the best score, the first of equals."""
    pairs = pairs_of(run)
    place = np.arange(len(pairs)) if run.scores is None else np.lexsort((np.arange(len(pairs)), -run.scores))
    _, first = np.unique(pairs[place], return_index=True)
    kept = np.sort(place[first])
    if len(kept) == len(pairs):
        return run
    codes = np.repeat(np.arange(run.n_queries), run.depths)[kept]
    starts = np.concatenate([[0], np.cumsum(np.bincount(codes, minlength=run.n_queries))]).astype(np.int64)
    lines = None if run.lines is None else np.asarray(run.lines)[kept]
    return replace(
        run,
        starts=starts,
        doc_ids=take(run.doc_ids, kept),
        scores=None if run.scores is None else run.scores[kept],
        lines=lines,
    )


def renamed_dataset(dataset: Dataset, change: Change, queries: bool = True) -> tuple[Dataset, Iterable[Finding]]:
    """A dataset with other ids of documents, and of queries; pairs that become the same are settled."""
    qrels = dataset.qrels
    docs = change(qrels.doc_ids)
    ids, asked = qrels.query_ids, dataset.queries
    if queries:
        ids, asked = change(ids), Queries.of(change(asked.ids), asked.texts, asked.metadata)
    documents = Documents.of(change(dataset.documents.ids), dataset.documents.texts, dataset.documents.titles)
    rows = take(ids, qrels.query_codes())
    settled: Iterable[Finding] = ()
    if len(ids.unique()) < len(ids) or len(np.unique(pair_keys(rows, docs))) < len(docs):
        judged, settled = settle(rows, docs, qrels.grades, qrels.lines, file_of(dataset) or dataset.name)
        empty = text_column(ids).to_pylist()
        rows = take(judged.query_ids, judged.query_codes())
        judged = Qrels.of(rows, judged.doc_ids, judged.grades, lines=judged.lines, empty=empty)
    else:
        judged = replace(qrels, query_ids=ids, doc_ids=docs)
    return replace(dataset, qrels=judged, queries=asked, documents=documents), settled


def file_of(dataset: Dataset) -> str | None:
    """The first file of a dataset, where it came from files."""
    return dataset.sources[0].file if dataset.sources else None
