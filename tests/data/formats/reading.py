"""Short ways for the tests to read a text as a file."""

from __future__ import annotations

from ragdash.data import intake
from ragdash.data.formats.base import Blob, Reading, Role
from ragdash.data.nouns import Qrels, Run


def read(text: str | bytes, role: Role = "run", name: str = "file.txt", **mapping: str) -> Reading:
    data = text.encode() if isinstance(text, str) else text
    return intake.read(Blob(name, data), role, mapping or None)


def only_run(text: str | bytes, name: str = "file.txt", **mapping: str) -> Run:
    (run,) = read(text, "run", name, **mapping).runs
    return run


def ranking(run: Run) -> dict[str, list[str]]:
    """Query to documents, in the order that the reader gave."""
    docs = run.doc_ids.to_pylist()
    return {q: docs[run.starts[i] : run.starts[i + 1]] for i, q in enumerate(run.query_ids.to_pylist())}


def judged(qrels: Qrels | None) -> dict[str, dict[str, float]]:
    """Query to document to grade."""
    assert qrels is not None
    docs, grades = qrels.doc_ids.to_pylist(), qrels.grades.tolist()
    return {
        q: dict(zip(docs[qrels.starts[i] : qrels.starts[i + 1]], grades[qrels.starts[i] : qrels.starts[i + 1]]))
        for i, q in enumerate(qrels.query_ids.to_pylist())
    }


def codes(reading: Reading | Run) -> list[str]:
    found = (
        reading.findings
        if isinstance(reading, Run)
        else [*reading.findings, *(f for r in reading.runs for f in r.findings)]
    )
    return [finding.code for finding in found]
