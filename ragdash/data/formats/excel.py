"""Excel and OpenDocument workbooks: every sheet that makes sense, numbers as the text that shows them."""

from __future__ import annotations

import datetime
import io
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ragdash.data.findings import Finding
from ragdash.data.formats.base import Blob, Format, Reading, Role
from ragdash.data.formats.dialect import header_of
from ragdash.data.formats.excel_shown import Show, shown_cells
from ragdash.data.formats.gathering import stem
from ragdash.data.formats.merging import merged
from ragdash.data.formats.positional import positional_names
from ragdash.data.formats.sheet import ROLES, Sheet, lines_above, too_wide, unique_headers
from ragdash.data.formats.tables import understand
from ragdash.data.formats.words import KNOWN, plain
from ragdash.data.limits import limit
from ragdash.errors import EmptyFileError, FileError, GradeError, MalformedError

_ABOVE = 12  # rows above a header that may be a title
_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def is_workbook(blob: Blob) -> bool:
    """An .xlsx or .ods is a zip with a workbook in it; an .xls has the signature of OLE."""
    head = blob.head(4)
    if head == _ZIP:
        names = blob.bytes[-65536:] if len(blob) > 65536 else blob.bytes
        return any(mark in names for mark in (b"xl/workbook.", b"xl/worksheets/", b"content.xml"))
    return blob.head(8) == _OLE


def _is_excel(blob: Blob, role: Role) -> float:
    return 1.0 if is_workbook(blob) else 0.0


def _sheets(blob: Blob, role: Role) -> tuple[list[tuple[str, Sheet]], list[str]]:
    """Every sheet of a workbook that holds something, and the names of hidden ones, which are not read."""
    from python_calamine import CalamineError, CalamineWorkbook, SheetVisibleEnum

    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(blob.bytes))
        shown_ones = [one.name for one in book.sheets_metadata if one.visible == SheetVisibleEnum.Visible]
        sheets = [(name, book.get_sheet_by_name(name)) for name in shown_ones or book.sheet_names]
        pages = [(name, sheet.to_python(skip_empty_area=True), sheet.start or (0, 0)) for name, sheet in sheets]
    except (CalamineError, ValueError, KeyError, OSError) as error:
        raise MalformedError(
            blob.name,
            f"it is an Excel workbook, but cannot be opened ({str(error)[:120] or type(error).__name__})",
            expected="a workbook without a password",
            todo="Save it again, or save the sheet as CSV UTF-8",
        ) from None
    shown = shown_cells(blob.bytes)
    return [
        (name, _page(rows, start, shown.get(name, {}), blob.name, role))
        for name, rows, start in pages
        if len(rows) and any(any(_said(c) for c in row) for row in rows)
    ], [name for name in book.sheet_names if name not in {name for name, _ in sheets}]


def _said(value: Any) -> bool:
    return value is not None and value != ""


def _page(
    rows: Sequence[Sequence[Any]], start: tuple[int, int], shown: Mapping[tuple[int, int], Show], file: str, role: Role
) -> Sheet:
    texts = [[cell_text(cell) for cell in row] for row in rows]
    for (row, column), show in shown.items():
        row, column = row - start[0], column - start[1]
        if 0 <= row < len(rows) and 0 <= column < len(rows[row]) and _is_whole(rows[row][column]):
            texts[row][column] = show(rows[row][column])
    numbered = [(number, row) for number, row in enumerate(texts, start=start[0] + 1) if any(row)]
    width = max(len(row) for _, row in numbered)
    if width > limit("columns"):
        raise too_wide(file, width)
    said: list[Finding] = []
    first = next((i for i, (_, row) in enumerate(numbered) if sum(map(bool, row)) > 1), 0)
    if _n_known(numbered[first][1]) < 2:  # a title of several cells, perhaps
        first = next((i for i, (_, row) in enumerate(numbered[:_ABOVE]) if _n_known(row) > 1), first)
    if first and width > 1:
        title = " ".join(cell for _, row in numbered[:first] for cell in row if cell)
        said.append(lines_above(file, title, first))
        numbered = numbered[first:]
    body = [row for _, row in numbered]
    header = header_of(body[:40]) if len(body) > 1 else tuple(body[0])
    sure = True
    if header is None:
        padded = [[*row, *[""] * (width - len(row))] for row in body[:40]]
        header, sure = positional_names(padded, role)
        message = f"{file} has no header; its columns were read as {', '.join(header)}."
        line = (numbered[0][0],)
        said.append(Finding("no-header", "info" if sure else "warning", message, file=file, lines=line))
    else:
        numbered, body = numbered[1:], body[1:]
    names = [*header, *[""] * (width - len(header))][:width]
    columns = tuple(pa.array([row[i] if i < len(row) else "" for row in body], type=pa.string()) for i in range(width))
    said += [*_dates(rows, file), *_too_long(rows, file)]
    lines = np.asarray([n for n, _ in numbered], dtype=np.int32)
    return Sheet(unique_headers(names), columns, lines, None, tuple(said), sure)


def _n_known(row: Sequence[str]) -> int:
    return sum(plain(cell) in KNOWN for cell in row)


def _dates(rows: Sequence[Sequence[Any]], file: str) -> list[Finding]:
    dates = [cell for row in rows for cell in row if isinstance(cell, datetime.date)]
    if not dates:
        return []
    message = (
        f"{len(dates):,} cells of {file} are dates, read as {cell_text(dates[0])}. "
        "An id such as 3-12 may have become a date."
    )
    return [Finding("spreadsheet-dates", "warning", message, file=file, count=len(dates))]


def _too_long(rows: Sequence[Sequence[Any]], file: str) -> list[Finding]:
    long = [cell for row in rows for cell in row if _is_whole(cell) and abs(cell) >= 1e15]
    if not long:
        return []
    message = (
        f"{len(long):,} numbers of {file} have more than 15 digits, such as {cell_text(long[0])}: a spreadsheet has "
        "turned the last digits into zeros. If they are ids, export the file again with ids as text."
    )
    return [Finding("long-number", "warning", message, file=file, count=len(long), examples=(cell_text(long[0]),))]


def _is_whole(value: Any) -> bool:
    return (
        isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value == int(value)
    )


def cell_text(value: Any) -> str:
    """What a cell shows: 7.0 is stored for 7, and shown as 7."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e21 else repr(value)
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    return value.isoformat() if isinstance(value, (datetime.date, datetime.time)) else str(value)


def excel_sheet(blob: Blob, role: Role = "dataset") -> Sheet:
    """The first sheet of a workbook."""
    pages, _ = _sheets(blob, role)
    if not pages:
        raise EmptyFileError(blob.name, "a workbook without a filled cell", todo="Save it again")
    return pages[0][1]


def _read_excel(blob: Blob, role: Role, mapping: Mapping[str, str] | None = None) -> Reading:
    """All sheets that make sense: judgments, queries, documents together, or one run a sheet.

    `mapping` is what a person said of the first sheet; it counts for each sheet with these columns.
    """
    pages, hidden = _sheets(blob, role)
    if not pages:
        raise EmptyFileError(blob.name, "a workbook without a filled cell", todo="Save it again")
    read: list[tuple[str, Reading]] = []
    faults: list[FileError] = []
    for name, page in pages:
        try:
            known = {column for key, column in (mapping or {}).items() if key in ROLES and key != "ranks"}
            said_of = mapping if known <= set(page.names) else None
            read.append((name, understand(page, role, blob.name, "Excel workbook", said_of)))
        except FileError as error:
            faults.append(error)
    if not read:
        fault = faults[0]
        told = type(fault)(
            blob.name,
            f"this is an Excel workbook; sheet {pages[0][0]!r}: {fault.found}",
            line=fault.line,
            expected=fault.expected,
            todo=fault.todo,
        )
        if isinstance(told, GradeError) and isinstance(fault, GradeError):
            told.labels = fault.labels
        raise told
    said = [finding for _, reading in read for finding in reading.findings]
    skipped = [name for name, _ in pages if name not in {name for name, _ in read}]
    names = ", ".join(name for name, _ in read)
    message = f"{blob.name} is an Excel workbook; read {'sheet' if len(read) == 1 else 'sheets'} {names}."
    if skipped:
        message += f" Not understood: {', '.join(skipped)}."
    if hidden:
        message += f" Hidden, and not read: {', '.join(hidden)}."
    severity: Any = "warning" if skipped else "info"
    said.insert(0, Finding("excel-workbook", severity, message, file=blob.name, count=len(read)))
    runs = [
        (run if len(read) == 1 else run.named(f"{stem(blob.name)}: {name}"))
        for name, reading in read
        for run in reading.runs
    ]
    return merged("Excel workbook", blob.name, [reading for _, reading in read], tuple(runs), tuple(said))


EXCEL = Format(
    "excel", "Excel or OpenDocument workbook", ("dataset", "run"),
    "query_id | doc_id | relevance\nq1 | doc_7 | 1\nq1 | doc_2 | 0",
    _is_excel, _read_excel, (".xlsx", ".xls", ".ods"), excel_sheet, _read_excel,
)  # fmt: skip
