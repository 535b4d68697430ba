"""How do the parts of one file become one reading? The sheets of a workbook, the members of a JSON object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ragdash.data.findings import Finding
from ragdash.data.formats.base import Reading
from ragdash.data.judgments import join_judgments
from ragdash.data.nouns import Documents, Queries, Run


def merged(
    title: str, file: str, readings: Sequence[Reading], runs: tuple[Run, ...], said: tuple[Finding, ...]
) -> Reading:
    """All parts as one reading; a part that only may hold judgments counts where no other one does."""
    judged = [one for one in readings if one.qrels is not None]
    judged = [one for one in judged if "qrels" not in one.unsure] or judged
    qrels, settled = join_judgments([(file, one.qrels) for one in judged if one.qrels is not None])
    queries = [one.queries for one in readings if one.queries is not None]
    documents = [one.documents for one in readings if one.documents is not None]
    return Reading(
        title,
        qrels if judged else None,
        Queries.merged(queries) if queries else None,
        Documents.merged(documents) if documents else None,
        runs,
        said + settled,
        readings[0].unsure if len(readings) == 1 else frozenset(),
    )


def as_documents(reading: Reading) -> Reading:
    """A reading whose ids with a text are documents, as the name of its part says."""
    texts = reading.queries
    if texts is None:
        return reading
    documents = Documents.merged([Documents.of(texts.ids, texts.texts), *filter(None, [reading.documents])])
    return replace(reading, queries=None, documents=documents, unsure=reading.unsure - {"queries"})
