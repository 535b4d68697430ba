"""How does a comparison look in a spreadsheet? One Excel workbook: summary, comparisons, per query, findings, settings.

Text is written as text and numbers as numbers: no cell is a formula or a link, whatever the data holds.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import numpy as np
import pandas as pd
import xlsxwriter

from ragdash import escape
from ragdash.analysis.compare import Comparisons
from ragdash.analysis.evaluate import Scores
from ragdash.data.findings import Finding
from ragdash.errors import OptionError
from ragdash.report import tables
from ragdash.report.evidence import settings_of

MOST_ROWS, MOST_SIGNS = 1_048_575, 32_000
_OPTIONS = {
    "in_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}


def workbook(comparisons: Comparisons, findings: Sequence[Finding], scores: Scores | None = None) -> bytes:
    """The workbook as bytes; the same comparison gives the same bytes. Raises OptionError beyond Excel's rows.

    `scores` are those of the summary and the per-query sheet, where they hold more metrics than were compared.
    """
    scores = comparisons.scores if scores is None else scores
    check_rows(scores)
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, _OPTIONS)
    book.set_properties({"title": "ragdash", "created": datetime(2000, 1, 1)})
    settings = settings_of(scores, comparisons)
    sheets = {
        "Summary": tables.means_table(scores).assign(queries=scores.n),
        "Comparisons": tables.comparison_table(comparisons),
        "Per query": _per_query(scores),
        "Findings": tables.findings_table(findings),
        "Settings": pd.DataFrame({"setting": list(settings), "value": list(map(_value, settings.values()))}),
    }
    head = book.add_format({"bold": True, "bottom": 1, "valign": "top"})
    for name, table in sheets.items():
        _sheet(book.add_worksheet(name), table, head)
    book.close()
    return out.getvalue()


def _per_query(scores: Scores) -> pd.DataFrame:
    """One row per query: its text, then every run's score on every metric."""
    texts = scores.experiment.query_texts
    kept = np.flatnonzero(scores.counted).tolist()
    columns: dict[str, Any] = {"query_id": scores.query_ids, "query": [texts[i] for i in kept]}
    for metric in scores.metrics:
        for run in scores.experiment.run_names:
            columns[f"{metric}: {run}"] = scores.of(run, metric)
    return pd.DataFrame(columns)


def _sheet(sheet: Any, table: pd.DataFrame, head: Any) -> None:
    sheet.freeze_panes(1, 0)
    for j, name in enumerate(table.columns):
        sheet.write_string(0, j, _text(str(name)), head)
        values = table.iloc[:, j].tolist()
        widest = max([len(str(name)), *(len(one) for one in values[:200] if isinstance(one, str))])
        sheet.set_column(j, j, min(60, max(9, widest + 1)))
        for i, value in enumerate(values, start=1):
            if isinstance(value, int | float) and not isinstance(value, bool):
                if math.isfinite(value):
                    sheet.write_number(i, j, value)
            elif value is not None:
                sheet.write_string(i, j, _text(str(value)))
    if len(table):
        sheet.autofilter(0, 0, len(table), len(table.columns) - 1)


def _text(text: str) -> str:
    whole = text.encode("utf-8", "replace").decode()
    return escape.shortened(whole, MOST_SIGNS)


def _value(setting: Any) -> Any:
    """Numbers stay numbers, the rest is said."""
    number = isinstance(setting, int | float) and not isinstance(setting, bool)
    return setting if number else tables.in_words(setting)


def check_rows(scores: Scores) -> None:
    """Raises OptionError where there are more queries than rows in a sheet of Excel."""
    if scores.n > MOST_ROWS:
        raise OptionError(f"{scores.n:,} queries do not fit into a sheet of Excel. Take the CSV.")
