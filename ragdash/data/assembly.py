"""How do several files become one dataset? Judgments joined, queries and documents told apart, one split of several."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ragdash.data.columns import positions, take
from ragdash.data.evidence import Evidence
from ragdash.data.findings import Finding
from ragdash.data.formats.base import Reading
from ragdash.data.formats.gathering import stem
from ragdash.data.judgments import join_judgments
from ragdash.data.labels import label_sets
from ragdash.data.locate import located_evidence
from ragdash.data.nouns import Dataset, Documents, Qrels, Queries, Source
from ragdash.data.quotes import Texts
from ragdash.errors import FileError

SPLITS = ("test", "dev", "validation", "val", "train")
_DOCUMENT_FILE = re.compile(r"(corpus|collection|docs|documents|passages|chunks)", re.IGNORECASE)


@dataclass(frozen=True)
class Part:
    """One file of a dataset as understood."""

    source: Source
    reading: Reading


def other_splits(names: Sequence[str]) -> tuple[set[str], list[Finding]]:
    """Of a folder `qrels/` in the BEIR layout one split is read: test, else dev, else train. Names the others."""
    groups: dict[str, dict[str, str]] = {}
    for name in names:
        path = PurePosixPath(name)
        if path.parent.name == "qrels" and path.stem.lower() in SPLITS:
            groups.setdefault(str(path.parent), {})[path.stem.lower()] = name
    left_out: set[str] = set()
    said: list[Finding] = []
    for folder, splits in groups.items():
        chosen = next(split for split in SPLITS if split in splits)
        others = sorted(split for split in splits if split != chosen)
        left_out |= {splits[split] for split in others}
        if others:
            message = f"{folder} has several splits; {chosen} was read, {', '.join(others)} was not. "
            message += "To use another one, load its file by itself."
            said.append(Finding("split-chosen", "info", message, splits[chosen], None, len(others), (), tuple(others)))
    return left_out, said


def assemble(parts: Sequence[Part], apart: Sequence[str] = ()) -> Dataset:
    """The files of a dataset as one. Raises FileError where none of them has judgments or evidence.

    `apart` are files of which each is a set of judgments of its own (`Dataset.labels`), whatever it judges.
    """
    left_out, findings = other_splits([part.source.file for part in parts])
    parts = [part for part in parts if part.source.file not in left_out]
    findings += [finding for part in parts for finding in part.reading.findings]
    judged = [part for part in parts if part.reading.qrels is not None]
    certain = [part for part in judged if "qrels" not in part.reading.unsure]
    spans = [part for part in parts if part.reading.evidence is not None]
    if (certain or spans) and len(certain) < len(judged):
        findings += [_only_texts(part) for part in judged if "qrels" in part.reading.unsure]
        judged = certain
    findings += _splits_joined([part.source.file for part in judged])
    if not judged and not spans:
        what = ", ".join(f"{part.source.file} has {_content(part.reading)}" for part in parts)
        raise FileError(
            parts[0].source.file if parts else "dataset",
            f"no judgments: {what}" if parts else "no file",
            expected="a file that says which documents are relevant",
            todo="Add the judgments (qrels)",
        )
    sets = [(part.source.file, part.reading.qrels) for part in judged if part.reading.qrels is not None]
    qrels, settled = join_judgments(sets)
    findings += settled
    queries: list[Queries] = []
    documents: list[Documents] = []
    for part in parts:
        texts = part.reading.queries
        if texts is not None and "queries" in part.reading.unsure and _are_documents(part.source.file, texts, qrels):
            documents.append(Documents.of(texts.ids, texts.texts))
        elif texts is not None:
            queries.append(texts)
        if part.reading.documents is not None:
            documents.append(part.reading.documents)
    evidence = [part.reading.evidence for part in spans if part.reading.evidence is not None]
    asked, answers = named_by_text(queries, evidence, qrels)
    known = Documents.merged(documents)
    found, said = located_evidence(answers, Texts(known), spans[0].source.file if spans else None)
    return Dataset(
        stem((judged or spans)[0].source.file),
        qrels if judged else Qrels.of([], [], [], empty=found.query_ids.to_pylist()),
        asked,
        known,
        tuple(part.source for part in parts),
        tuple(dict.fromkeys([*findings, *said])),
        found,
        label_sets(sets, apart),
    )


def named_by_text(parts: Sequence[Queries], evidence: Sequence[Evidence], qrels: Qrels) -> tuple[Queries, Evidence]:
    """Queries and evidence of several files as one; what names a query by its text gets the id it has elsewhere.

    Of a file without ids a query's text is its id: where another file gives the same text an id, that is the query.
    """
    queries = Queries.merged(parts)
    if not evidence:
        return queries, Evidence()
    answers = Evidence.merged(evidence)
    texts = pc.fill_null(queries.texts, "\0")
    own = pc.equal(queries.ids, texts).to_numpy(zero_copy_only=False)
    others = queries.ids.filter(pa.array(~own)), texts.filter(pa.array(~own))
    if not len(others[0]) or not own.any():
        return queries, answers
    at = positions(answers.query_ids, others[1])
    renamed = pc.if_else(pa.array(at >= 0), take(others[0], np.maximum(at, 0)), answers.query_ids)
    left = own & (positions(queries.ids, others[1]) >= 0) & (positions(queries.ids, qrels.query_ids) < 0)
    kept = np.flatnonzero(~left)
    asked = Queries.of(take(queries.ids, kept), take(queries.texts, kept), queries.metadata.iloc[kept])
    rows = take(renamed, answers.query_codes())
    return asked, Evidence.of(rows, answers.doc_ids, answers.begins, answers.ends, answers.quotes).distinct()


def _splits_joined(files: Sequence[str]) -> list[Finding]:
    """Files of judgments that are called like the splits of one dataset, and were loaded together."""
    named = [file for file in files if PurePosixPath(stem(file)).name.lower() in SPLITS]
    if len(named) < 2:
        return []
    message = (
        f"{' and '.join(named[:3])} are called like splits of one dataset; their judgments were joined. To score on "
        "one of them, leave out the others."
    )
    return [Finding("splits-joined", "warning", message, named[1], None, len(named), examples=tuple(named[:5]))]


def _only_texts(part: Part) -> Finding:
    file = part.source.file
    message = (
        f"{file} names a document for each query but no grade; as another file has judgments, it gives texts only."
    )
    return Finding("judgments-left-out", "info", message, file=file, count=len(part.reading.qrels or ()))


def _content(reading: Reading) -> str:
    parts = []
    if reading.queries is not None:
        parts.append(f"{len(reading.queries):,} queries")
    if reading.documents is not None:
        parts.append(f"{len(reading.documents):,} documents")
    if reading.evidence is not None:
        parts.append(f"{len(reading.evidence):,} evidence spans")
    if reading.runs:
        parts.append("results of a run")
    return " and ".join(parts) or "nothing"


def _are_documents(file: str, texts: Queries, qrels: Qrels) -> bool:
    """Whether ids with a text are documents: their ids tell, else the name of the file."""
    as_queries = int(np.sum(positions(texts.ids, qrels.query_ids) >= 0))
    as_documents = int(np.sum(positions(texts.ids, qrels.doc_ids.unique()) >= 0))
    if as_queries == as_documents:
        return bool(_DOCUMENT_FILE.search(PurePosixPath(file).name))
    return as_documents > as_queries
