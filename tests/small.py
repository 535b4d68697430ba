"""Datasets and runs of a few documents, typed in: the paper on which the tests' sums are done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ragdash.data.experiment import Experiment, build
from ragdash.data.nouns import Dataset, Qrels, Queries, Run, Source

Grades = Mapping[str, Mapping[str, float]]
Lists = Mapping[str, Sequence[str]] | Mapping[str, Mapping[str, float]]


def dataset(grades: Grades, texts: Mapping[str, str] | None = None) -> Dataset:
    """Judgments as `{query: {document: grade}}`; a query without documents is stated without judgments."""
    rows = [(query, doc, grade) for query, docs in grades.items() for doc, grade in docs.items()]
    queries, docs, values = zip(*rows) if rows else ((), (), ())
    qrels = Qrels.of(queries, docs, values, empty=[query for query, judged in grades.items() if not judged])
    known = Queries.of(list(texts), list(texts.values())) if texts else Queries()
    return Dataset("small", qrels, known, sources=(Source("small.json"),))


def run(name: str, lists: Lists) -> Run:
    """A run as `{query: [documents in order]}` or `{query: {document: score}}`."""
    rows = [(query, doc) for query, docs in lists.items() for doc in docs]
    queries, docs = zip(*rows) if rows else ((), ())
    scored = [docs[doc] for docs in lists.values() if isinstance(docs, Mapping) for doc in docs]
    empty = [query for query, docs in lists.items() if not docs]
    source = Source(f"{name}.json")
    return Run.of(
        name, queries, docs, scored if len(scored) == len(rows) and rows else None, empty=empty, source=source
    )


def experiment(grades: Grades, **runs: Lists) -> Experiment:
    """One dataset and its runs, paired."""
    return build(dataset(grades), [run(name, lists) for name, lists in runs.items()])
