"""Runs and judgments as trec_eval reads them: fields between blanks, no header."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ragdash.data.columns import text_column
from ragdash.data.findings import Finding
from ragdash.data.formats.base import Blob, Format, Reading, Role
from ragdash.data.formats.encoding import head_text, lines_of
from ragdash.data.formats.grades import like_scores
from ragdash.data.formats.trec_lines import judgments_by_lines, run_by_lines
from ragdash.data.formats.trec_regular import fixed, regular_run, regular_table
from ragdash.data.formats.trec_rows import (
    QRELS_COLUMNS,
    QRELS_FIELDS,
    RUN_FIELDS,
    begins_like_a_run,
    is_exchanged,
    is_measure,
    is_qrels_row,
    is_row_of_five,
    is_run_row,
    number_in,
    split,
)
from ragdash.data.judgments import settle
from ragdash.data.nouns import Source
from ragdash.errors import MalformedError, UnknownFormatError, WrongRoleError

_SAMPLE = 20  # lines looked at to recognise a file


def _sample(blob: Blob) -> list[list[str]]:
    """The fields of the first lines, comments and blank lines aside."""
    head = head_text(blob, 1 << 15)
    lines = lines_of(head)[: None if len(head) < 1 << 14 else -1]
    kept = [line for line in lines if line.strip() and not line.startswith("#")]
    return [split(line, 4 if line.count("\t") == 3 else 6) for line in kept[:_SAMPLE]]


def _is_run(blob: Blob, role: Role) -> float:
    rows = _sample(blob)
    if not rows:
        return 0.0
    for fits, sure in ((is_run_row, 0.95), (is_row_of_five, 0.7), (begins_like_a_run, 0.5)):
        share = sum(map(fits, rows)) / len(rows)
        if fits(rows[0]) and rows[0][1].upper() == "Q0":
            share = max(share, 0.6)  # plain enough: what follows is a broken line, not another format
        if fits(rows[0]) and share > 0.5:
            return sure * share
    return 0.0


def _is_qrels(blob: Blob, role: Role) -> float:
    rows = [fields[:4] if len(fields) > 4 and fields[4].startswith("#") else fields for fields in _sample(blob)]
    if not rows or not is_qrels_row(rows[0]):
        return 0.0
    share = sum(map(is_qrels_row, rows)) / len(rows)
    return 0.95 * share if share > 0.5 else 0.0


def _is_qrels3(blob: Blob, role: Role) -> float:
    head = head_text(blob, 1 << 15)
    rows = [split(line, 3) for line in lines_of(head)[:_SAMPLE] if line.strip() and not line.startswith("#")]
    if any("\t\t" in line for line in lines_of(head)[:_SAMPLE]):
        return 0.0  # an empty field
    if rows and sum(is_measure(row) for row in rows) > len(rows) / 2:
        return 1.0
    if role == "run" or not rows or not all(len(row) == 3 and "," not in row[0] for row in rows[:-1] or rows):
        return 0.0
    return 0.6 if all(number_in(row[2]) is not None for row in rows[:-1] or rows) else 0.0


def _read_run(blob: Blob, role: Role) -> Reading:
    if role == "dataset":
        raise WrongRoleError(
            blob.name,
            f"a run ({RUN_FIELDS}), not judgments",
            expected=f"judgments, such as {QRELS_FIELDS}",
            todo="Load this file as a run",
        )
    exchanged = [(n, fields) for n, fields in enumerate(_sample(blob), start=1) if is_exchanged(fields)]
    if exchanged and len(exchanged) == len(_sample(blob)):
        number, fields = exchanged[0]
        raise MalformedError(
            blob.name,
            f"the rank is {fields[3]} and the score {fields[4]}, on every line: the two columns look exchanged",
            line=number,
            expected=RUN_FIELDS,
            todo="Exchange them",
        )
    run = regular_run(blob) or run_by_lines(blob)
    run = replace(run, source=Source(blob.name, RUN.key, n_bytes=len(blob)))
    return Reading(RUN.title, runs=(run,), findings=run.findings)


def _read_qrels(blob: Blob, role: Role) -> Reading:
    return _judgments(blob, role, QRELS, QRELS_COLUMNS)


def _read_qrels3(blob: Blob, role: Role) -> Reading:
    return _judgments(blob, role, QRELS3, ("query", "doc", "grade"))


def _judgments(blob: Blob, role: Role, format: Format, names: Sequence[str]) -> Reading:
    if names[0] == "query" and len(names) == 3 and is_measure(split(lines_of(head_text(blob))[0], 3)):
        raise UnknownFormatError(
            blob.name,
            "the output of trec_eval (measure, query, value): scores of a run, not the run or its judgments",
            expected=f"a run ({RUN_FIELDS}) or judgments ({QRELS_FIELDS})",
            todo="Load the files that trec_eval was given",
        )
    if role == "run":
        raise WrongRoleError(
            blob.name,
            f"judgments ({len(names)} fields: {' '.join(names)}), no results",
            expected=f"a run, such as {RUN_FIELDS}",
            todo="Load this file with the dataset",
        )
    table = regular_table(blob, names, {"query": pa.string(), "doc": pa.string(), "grade": pa.float64()})
    said: tuple[Finding, ...] = ()
    lines: Any
    if table is not None and len(table):
        query, doc, grade = text_column(table["query"]), text_column(table["doc"]), fixed(table["grade"])
        lines = np.arange(1, len(grade) + 1, dtype=np.int32)
    if table is None or not len(table) or not np.isfinite(grade).all() or _begins_oddly(query) or _begins_oddly(doc):
        (query, doc, grade, lines), said = judgments_by_lines(blob, names)
    if format is QRELS3 and like_scores(grade):
        raise WrongRoleError(
            blob.name,
            f"{len(np.unique(grade)):,} different fractions such as {grade[0]:g} in the last column: scores, no grades",
            expected=f"judgments, such as {QRELS_FIELDS}",
            todo="Load this file as a run",
        )
    qrels, settled = settle(query, doc, grade, lines, blob.name)
    return Reading(format.title, qrels=qrels, findings=said + settled)


def _begins_oddly(ids: pa.Array) -> bool:
    """Whether a line begins with # or a byte order mark: then it is no row, or another id."""
    return bool(pc.any(pc.match_substring_regex(ids.unique(), "^([#\ufeff]|$)")).as_py())


RUN = Format(
    key="trec-run",
    title="TREC run",
    roles=("run",),
    sample="q1 Q0 doc_7 1 12.5 bm25\nq1 Q0 doc_2 2 11.9 bm25\nq2 Q0 doc_4 1 9.3 bm25",
    recognise=_is_run,
    read=_read_run,
    suffixes=(".trec", ".run", ".txt", ".res"),
)

QRELS = Format(
    key="trec-qrels",
    title="TREC qrels",
    roles=("dataset",),
    sample="q1 0 doc_7 2\nq1 0 doc_2 0\nq2 0 doc_4 1",
    recognise=_is_qrels,
    read=_read_qrels,
    suffixes=(".qrels", ".qrel", ".txt"),
)

QRELS3 = Format(
    key="qrels-3-columns",
    title="Judgments in three columns without a header",
    roles=("dataset",),
    sample="q1 doc_7 2\nq1 doc_2 0\nq2 doc_4 1",
    recognise=_is_qrels3,
    read=_read_qrels3,
    suffixes=(".tsv", ".txt", ".qrels"),
)
