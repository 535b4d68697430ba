"""How do several files become one dataset? Judgments joined, queries and documents told apart, one split of several."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

import numpy as np

from ragdash.data.columns import positions
from ragdash.data.findings import Finding
from ragdash.data.formats.base import Reading
from ragdash.data.formats.gathering import stem
from ragdash.data.judgments import join_judgments
from ragdash.data.nouns import Dataset, Documents, Qrels, Queries, Source
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
            message = f"{folder} has several splits; {chosen} was read, {', '.join(others)} was not."
            said.append(Finding("split-chosen", "info", message, splits[chosen], None, len(others), (), tuple(others)))
    return left_out, said


def assemble(parts: Sequence[Part]) -> Dataset:
    """The files of a dataset as one. Raises FileError where none of them has judgments."""
    left_out, findings = other_splits([part.source.file for part in parts])
    parts = [part for part in parts if part.source.file not in left_out]
    findings += [finding for part in parts for finding in part.reading.findings]
    judged = [part for part in parts if part.reading.qrels is not None]
    certain = [part for part in judged if "qrels" not in part.reading.unsure]
    if certain and len(certain) < len(judged):
        findings += [_only_texts(part) for part in judged if "qrels" in part.reading.unsure]
        judged = certain
    if not judged:
        what = ", ".join(f"{part.source.file} has {_content(part.reading)}" for part in parts)
        raise FileError(
            parts[0].source.file if parts else "dataset",
            f"no judgments: {what}" if parts else "no file",
            expected="a file that says which documents are relevant",
            todo="Add the judgments (qrels)",
        )
    qrels, settled = join_judgments(
        [(part.source.file, part.reading.qrels) for part in judged if part.reading.qrels is not None]
    )
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
    return Dataset(
        stem(judged[0].source.file),
        qrels,
        Queries.merged(queries),
        Documents.merged(documents),
        tuple(part.source for part in parts),
        tuple(dict.fromkeys(findings)),
    )


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
