"""Which files does somebody else get? Tables as CSV that a spreadsheet opens safely, judgments as TREC qrels."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any

import pandas as pd

from ragdash import escape
from ragdash.data.formats.write import check_ids, dataset_files
from ragdash.data.nouns import Dataset
from ragdash.report import tables


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


def qrels_file(dataset: Dataset) -> bytes:
    """The judgments as TREC qrels; those made in the app are among them where they count.

    Raises OptionError where an id holds a blank, which TREC files cannot keep.
    """
    return dataset_files(dataset, "trec")["qrels.txt"]


def check_qrels(dataset: Dataset) -> None:
    """Raises OptionError where an id holds a blank, which TREC files cannot keep."""
    check_ids(dataset.qrels.query_ids, dataset.qrels.doc_ids)
