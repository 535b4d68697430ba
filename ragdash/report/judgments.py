"""How do judgments made in the app leave it? A line for each, with who and when, as JSON and CSV; JSON is read back."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from ragdash.errors import MalformedError
from ragdash.report.files import csv_file

#: What the file is called in the command that a report prints.
FILE = "judgments.json"
EXPECTED = '[{"query_id": "q1", "doc_id": "d7", "grade": 2, "counts": true}]'


@dataclass(frozen=True)
class Said:
    """What one person said of one document. `grade` is None for "cannot tell"; `at` is UTC in ISO 8601.

    `counts` is false where another grade counts for the document: somebody else's, or the files'.
    """

    query_id: str
    doc_id: str
    grade: float | None
    author: str
    at: str
    counts: bool


def frame(rows: Sequence[Said]) -> pd.DataFrame:
    """One row for each."""
    return pd.DataFrame([asdict(one) for one in rows], columns=list(Said.__annotations__))


def as_csv(rows: Sequence[Said]) -> bytes:
    """CSV for a spreadsheet."""
    return csv_file(frame(rows), {})


def as_json(rows: Sequence[Said]) -> bytes:
    """JSON: `--judgments` on the command line counts what it says."""
    records = [{**asdict(one), "grade": _plain(one.grade)} for one in rows]
    return (json.dumps(records, ensure_ascii=False, allow_nan=False, indent=1) + "\n").encode("utf-8", "surrogatepass")


def _plain(grade: float | None) -> float | int | None:
    return int(grade) if grade is not None and float(grade).is_integer() else grade


def read(path: str) -> dict[tuple[str, str], float]:
    """The grades that count in a file that `as_json` wrote, by query and document. Raises MalformedError.

    A record without `counts` counts; one without a grade ("cannot tell") does not.
    """
    name = Path(path).name
    try:
        records = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise MalformedError(name, f"it cannot be opened ({error.strerror})", todo="Check the path") from error
    except ValueError as error:
        raise MalformedError(name, "this is no JSON", expected=EXPECTED) from error
    if not isinstance(records, list):
        raise MalformedError(name, "this is no list of judgments", expected=EXPECTED)
    return dict(_read(name, place, one) for place, one in enumerate(records, 1) if _counts(one))


def _counts(record: Any) -> bool:
    if not isinstance(record, Mapping):
        return True  # refused where it is read
    return record.get("counts", True) is not False and record.get("grade", 0) is not None


def _read(name: str, place: int, record: Any) -> tuple[tuple[str, str], float]:
    said = record if isinstance(record, Mapping) else {}
    query, doc, grade = (said.get(key) for key in ("query_id", "doc_id", "grade"))
    whole = isinstance(query, str) and isinstance(doc, str)
    if not whole or isinstance(grade, bool) or not isinstance(grade, int | float) or not math.isfinite(grade):
        raise MalformedError(name, f"judgment {place} has no query_id, doc_id and grade", expected=EXPECTED)
    return (str(query), str(doc)), float(grade)
