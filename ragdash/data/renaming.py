"""What becomes of runs and judgments under other ids? Rows that become one are joined, the best place is kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ragdash.data.columns import group_rows, positions, take, text_column
from ragdash.data.evidence import Evidence
from ragdash.data.findings import Finding
from ragdash.data.judgments import pair_keys, settle
from ragdash.data.nouns import Dataset, Documents, Qrels, Queries, Run
from ragdash.data.remedies import Change


def renamed(run: Run, change: Change, queries: bool = True) -> Run:
    """A run with other ids; a document that occurs twice then is kept at its best place."""
    docs = change(run.doc_ids)
    changed = replace(run, doc_ids=docs, documents=_renamed_documents(run.documents, change, queries))
    if queries:
        ids = change(run.query_ids)
        distinct = len(ids.unique()) == len(ids)
        changed = replace(changed, query_ids=ids) if distinct else _regrouped(changed, ids)
    had = len(np.unique(pairs_of(run)))
    return without_duplicates(changed) if len(np.unique(pairs_of(changed))) < had else changed


def _renamed_documents(documents: Documents, change: Change, parents: bool) -> Documents:
    """Documents under other ids, and `parents` as well; where chunks become documents their places are no more."""
    ids = change(documents.ids)
    if not documents.located:
        return documents.under(ids)
    if parents:
        return replace(documents, parents=change(documents.parents)).under(ids)
    is_chunk = documents.parents.is_valid()
    order = np.argsort(is_chunk.to_numpy(zero_copy_only=False), kind="stable")  # a document's own text comes first
    return Documents.of(take(ids, order), take(documents.texts, order), take(documents.titles, order))


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
        texts=run.texts,
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
        texts=None if run.texts is None else take(run.texts, kept),
    )


def renamed_dataset(dataset: Dataset, change: Change, queries: bool = True) -> tuple[Dataset, Iterable[Finding]]:
    """A dataset with other ids of documents, and of queries; pairs that become the same are settled."""
    qrels = dataset.qrels
    docs = change(qrels.doc_ids)
    ids, asked = qrels.query_ids, dataset.queries
    if queries:
        ids, asked = change(ids), Queries.of(change(asked.ids), asked.texts, asked.metadata)
    documents = _renamed_documents(dataset.documents, change, queries)
    file = file_of(dataset) or dataset.name
    judged, settled = _renamed_qrels(qrels, ids, docs, file)
    labels, evidence = dataset.labels, dataset.evidence
    if queries:
        labels = tuple(
            replace(
                one, qrels=_renamed_qrels(one.qrels, change(one.qrels.query_ids), change(one.qrels.doc_ids), file)[0]
            )
            for one in labels
        )
        spans = change(take(evidence.query_ids, evidence.query_codes()))
        places = evidence.begins, evidence.ends, evidence.quotes
        evidence = Evidence.of(spans, change(evidence.doc_ids), *places) if len(evidence) else evidence
    else:
        labels = ()  # a document is judged by the chunks of every set
    changed = replace(dataset, qrels=judged, queries=asked, documents=documents, labels=labels, evidence=evidence)
    return changed, settled


def _renamed_qrels(qrels: Qrels, ids: pa.Array, docs: pa.Array, file: str) -> tuple[Qrels, Iterable[Finding]]:
    """Judgments under other ids; of pairs that became one the highest grade is kept."""
    rows = take(ids, qrels.query_codes())
    if len(ids.unique()) == len(ids) and len(np.unique(pair_keys(rows, docs))) == len(docs):
        return replace(qrels, query_ids=ids, doc_ids=docs), ()
    judged, settled = settle(rows, docs, qrels.grades, qrels.lines, file)
    rows = take(judged.query_ids, judged.query_codes())
    empty = text_column(ids).to_pylist()
    return Qrels.of(rows, judged.doc_ids, judged.grades, lines=judged.lines, empty=empty), settled


def file_of(dataset: Dataset) -> str | None:
    """The first file of a dataset, where it came from files."""
    return dataset.sources[0].file if dataset.sources else None
