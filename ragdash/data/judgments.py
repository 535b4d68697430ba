"""How are judgments settled? One grade a pair: a repeat counts once, of contradicting grades the highest is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ragdash.data.columns import Ints, joined, numbers_of, take, text_column
from ragdash.data.findings import MAX_EXAMPLES, Finding, Severity, some
from ragdash.data.nouns import Floats, Lines, Qrels

_LARGE = 10  # scales of grades seldom go further
_MANY = 20  # relevant judgments from which a grade that stands once is remarkable


def settle(
    query_ids: Any, doc_ids: Any, grades: Any, lines: Lines | None, file: str
) -> tuple[Qrels, tuple[Finding, ...]]:
    """Columns of judgments as they stand in a file, of equal length, to `Qrels` with a pair once, and what was odd.

    Grades must be finite. `lines` are the lines of the rows in `file`, None where it has none.
    """
    queries, docs = text_column(query_ids), text_column(doc_ids)
    grades = np.asarray(grades, dtype=np.float64)
    kept, findings = _once(queries, docs, grades, lines, file)
    if kept is not None:
        queries, docs, grades = take(queries, kept[0]), take(docs, kept[0]), grades[kept[1]]
        lines = None if lines is None else np.asarray(lines, dtype=np.int32)[kept[0]]
    findings += _odd_grades(grades, docs, lines, file)
    findings += _used_once(grades, queries, docs, lines, file)
    return Qrels.of(queries, docs, grades, lines=lines), tuple(findings)


def join_judgments(parts: Sequence[tuple[str, Qrels]]) -> tuple[Qrels, tuple[Finding, ...]]:
    """Judgments of several files as one; a pair that two files judge is settled as within one file."""
    if len(parts) < 2:
        return (parts[0][1] if parts else Qrels()), ()
    query_ids = joined([take(one.query_ids, one.query_codes()) for _, one in parts])
    doc_ids = joined([one.doc_ids for _, one in parts])
    grades = np.concatenate([one.grades for _, one in parts])
    files = " and ".join(dict.fromkeys(file for file, _ in parts))
    qrels, found = settle(query_ids, doc_ids, grades, None, files)
    told = tuple(finding for finding in found if finding.code in ("repeated-judgment", "contradicting-judgment"))
    rows = take(qrels.query_ids, qrels.query_codes())
    empty = joined([one.query_ids for _, one in parts]).to_pylist()
    return Qrels.of(rows, qrels.doc_ids, qrels.grades, empty=empty), told


def pair_keys(queries: pa.Array, docs: pa.Array) -> Ints:
    """One number for each (query, document): rows with the same number are the same pair."""
    query, doc = pc.dictionary_encode(queries), pc.dictionary_encode(docs)
    codes: Ints = numbers_of(query.indices).astype(np.int64) * max(len(doc.dictionary), 1) + numbers_of(doc.indices)
    return codes


def _once(
    queries: pa.Array, docs: pa.Array, grades: Floats, lines: Lines | None, file: str
) -> tuple[tuple[Ints, Ints] | None, list[Finding]]:
    """The rows where each pair stands first, the rows that have its highest grade, and findings; None if all differ."""
    keys = pair_keys(queries, docs)
    order = np.argsort(keys, kind="stable")
    new = np.ones(len(keys), dtype=bool)
    new[1:] = keys[order][1:] != keys[order][:-1]
    if new.all():
        return None, []
    starts = np.flatnonzero(new)
    first = order[starts]
    best = order[np.lexsort((-grades[order], keys[order]))][starts]
    group = np.cumsum(new) - 1
    again = np.flatnonzero(~new)  # places in `order` of every later row of a pair
    later, earlier = order[again], first[group[again]]
    same = grades[later] == grades[earlier]
    findings: list[Finding] = []
    if same.any():
        rows, of = _in_order(later[same], earlier[same])
        said = _said("repeats", rows[:MAX_EXAMPLES], of, lines, queries, docs)
        how = "1 judgment is a repeat" if len(rows) == 1 else f"{len(rows):,} judgments are repeats"
        message = f"{file}: {how} with the same grade ({said}); counted once."
        findings.append(_finding("repeated-judgment", message, file, rows, lines, docs))
    if not same.all():
        rows, of = _in_order(later[~same], earlier[~same])
        said = _said("contradicts", rows[:MAX_EXAMPLES], of, lines, queries, docs)
        how = "1 judgment contradicts" if len(rows) == 1 else f"{len(rows):,} judgments contradict"
        message = f"{file}: {how} an earlier one ({said}); the highest grade is kept."
        findings.append(_finding("contradicting-judgment", message, file, rows, lines, docs))
    in_file = np.argsort(first, kind="stable")
    return (first[in_file], best[in_file]), findings


def _in_order(rows: Ints, of: Ints) -> tuple[Ints, Ints]:
    by_row = np.argsort(rows, kind="stable")
    return rows[by_row], of[by_row]


def _said(verb: str, rows: Ints, of: Ints, lines: Lines | None, queries: pa.Array, docs: pa.Array) -> str:
    """`line 5 contradicts line 3 (query v2, doc c)`, for the first few."""
    parts = []
    for row, earlier in zip(rows.tolist(), of.tolist()):
        pair = f"query {queries[row]}, doc {docs[row]}"
        parts.append(pair if lines is None else f"line {lines[row]:,} {verb} line {lines[earlier]:,} ({pair})")
    return "; ".join(parts) + ("; ..." if len(of) > len(parts) else "")


def _odd_grades(grades: Floats, docs: pa.Array, lines: Lines | None, file: str) -> list[Finding]:
    """Findings about grades below 0 and between whole numbers."""
    findings: list[Finding] = []
    negative = np.flatnonzero(grades < 0)
    if len(negative):
        message = f"{file}: {_judgments(len(negative))} below 0 counted as not relevant."
        findings.append(_finding("negative-grade", message, file, negative, lines, docs))
    fractional = np.flatnonzero(grades != np.floor(grades))
    if len(fractional):
        message = (
            f"{file}: {_judgments(len(fractional))} with a grade between whole numbers, such as "
            f"{grades[fractional[0]]:g}; relevant is what reaches the threshold, and nDCG takes the grade as it is."
        )
        findings.append(_finding("fractional-grade", message, file, fractional, lines, docs))
    large = np.flatnonzero(grades > _LARGE)
    if len(large):
        message = (
            f"{file}: {_judgments(len(large))} with a grade above {_LARGE}, up to {float(grades.max()):g}; nDCG takes "
            "it as the gain. Check that the column holds grades."
        )
        severity: Severity = "warning" if grades.max() > 100 else "info"
        findings.append(replace(_finding("large-grade", message, file, large, lines, docs), severity=severity))
    return findings


def _used_once(grades: Floats, queries: pa.Array, docs: pa.Array, lines: Lines | None, file: str) -> list[Finding]:
    """The highest grade stands once among many: a scale that is hardly used, or a slip of the pen."""
    if np.sum(grades > 0) < _MANY:
        return []
    top = float(grades.max())
    rows = np.flatnonzero(grades == top)
    if len(rows) != 1 or top <= 1:
        return []
    row = int(rows[0])
    where = "" if lines is None else f"line {int(lines[row]):,}, "
    message = (
        f"{file}: the highest grade, {top:g}, is used once ({where}query {queries[row]}, doc {docs[row]}); "
        f"the next is {float(np.max(grades[grades < top])):g}. Check that it is meant."
    )
    return [replace(_finding("rare-grade", message, file, rows, lines, docs), severity="info")]


def _judgments(n: int) -> str:
    return "1 judgment" if n == 1 else f"{n:,} judgments"


def _finding(
    code: str, message: str, file: str, rows: NDArray[np.int64], lines: Lines | None, docs: pa.Array
) -> Finding:
    shown = rows[:MAX_EXAMPLES].tolist()
    at = () if lines is None else tuple(int(lines[row]) for row in shown)
    return Finding(code, "warning", message, file, None, len(rows), at, some(take(docs, shown).to_pylist()))
