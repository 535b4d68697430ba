"""Which files does somebody else get? Tables as CSV that a spreadsheet opens safely, judgments as TREC qrels."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from ragdash import escape
from ragdash.data.columns import joined, take, text_column
from ragdash.data.formats.write import dataset_files
from ragdash.data.nouns import Dataset, Qrels
from ragdash.report import tables

Added = Mapping[tuple[str, str], float]


def csv_file(table: pd.DataFrame, settings: Mapping[str, Any]) -> bytes:
    """UTF-8 with the byte order mark that Excel needs; text that would be a formula defused, numbers to the last digit.

    The settings in force are further columns, so that it stays one table.
    """
    text = tables.render(table.rename(columns=lambda name: escape.csv_cell(str(name))), "csv", settings)
    return text.encode("utf-8-sig", "replace")


def read_csv(data: bytes) -> list[dict[str, str]]:
    """The rows of a file that `csv_file` wrote, every defused text as it was."""
    rows = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""))
    names = [escape.csv_uncell(name) for name in next(rows, [])]
    return [dict(zip(names, map(escape.csv_uncell, row))) for row in rows]


def qrels_file(dataset: Dataset, added: Added | None = None) -> bytes:
    """The judgments as TREC qrels, those of `added` (by query and document) among them.

    Raises OptionError where an id holds a blank, which TREC files cannot keep.
    """
    return dataset_files(replace(dataset, qrels=with_judgments(dataset.qrels, added or {})), "trec")["qrels.txt"]


def with_judgments(qrels: Qrels, added: Added) -> Qrels:
    """Judgments with more of them: a pair that was judged before gets the new grade, in its old place."""
    queries = take(qrels.query_ids, qrels.query_codes()).to_pylist()
    documents, grades = qrels.doc_ids.to_pylist(), qrels.grades.copy()
    known = {pair: i for i, pair in enumerate(zip(queries, documents))}
    new: list[tuple[str, str, float]] = []
    for (query, document), grade in added.items():
        at = known.get((query, document))
        if at is None:
            new.append((query, document, grade))
        else:
            grades[at] = grade
    if not new:
        return replace(qrels, grades=grades)
    more: Sequence[Sequence[Any]] = list(zip(*new))
    return Qrels.of(
        joined([text_column(queries), text_column(more[0])]),
        joined([qrels.doc_ids, text_column(more[1])]),
        np.concatenate([grades, np.asarray(more[2], dtype=np.float64)]),
        empty=qrels.query_ids.to_pylist(),
    )
