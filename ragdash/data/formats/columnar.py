"""How are Parquet, Arrow and Excel files read? As tables of text: a number becomes the text that shows it."""

from __future__ import annotations

import datetime
import io
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ragdash.data.columns import text_column
from ragdash.data.findings import Finding
from ragdash.data.formats.base import Blob, Format, Reading, Role
from ragdash.data.formats.delimited import _header, _positional
from ragdash.data.formats.gathering import stem
from ragdash.data.formats.sheet import Sheet, understand, unique_headers
from ragdash.data.limits import in_bytes, limit, setting
from ragdash.errors import EmptyFileError, FileError, LimitError, MalformedError

_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


# Parquet and Arrow


def _is_columnar(blob: Blob, role: Role) -> float:
    return 1.0 if blob.head(6) == b"ARROW1" or blob.head(4) == b"PAR1" else 0.0


def columnar_sheet(blob: Blob, role: Role = "dataset") -> Sheet:
    """A Parquet or Arrow file as a `Sheet`."""
    try:
        table = _table(blob)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError, pa.ArrowKeyError) as error:
        raise MalformedError(
            blob.name,
            f"it begins as a Parquet or Arrow file, but cannot be read ({str(error).splitlines()[0][:120]})",
            expected="a whole file",
            todo="Download or export it again",
        ) from None
    if table.num_columns > limit("columns"):
        raise _too_wide(blob.name, table.num_columns)
    columns, numeric = [], set()
    names = unique_headers([name for name in table.column_names if not name.startswith("__index_level_")])
    kept = [place for place, name in enumerate(table.column_names) if not name.startswith("__index_level_")]
    for name, place in zip(names, kept):
        column = table.column(place)
        if pa.types.is_integer(column.type) or pa.types.is_floating(column.type) or pa.types.is_decimal(column.type):
            numeric.add(name)
        columns.append(_as_text(column, name, blob.name))
    return Sheet(names, tuple(columns), None, frozenset(numeric))


def _table(blob: Blob) -> pa.Table:
    source = pa.BufferReader(blob.buffer)
    if blob.head(6) == b"ARROW1":
        from pyarrow import feather

        return feather.read_table(source)
    import pyarrow.parquet as parquet  # slow to import, and seldom needed

    file = parquet.ParquetFile(source)
    size = sum(file.metadata.row_group(i).total_byte_size for i in range(file.metadata.num_row_groups))
    if size > in_bytes("unpacked_mb"):
        raise LimitError(
            blob.name,
            f"{size >> 20:,} MB when unpacked",
            expected=f"at most {limit('unpacked_mb'):,} MB",
            todo=f"Split it, or raise {setting('unpacked_mb')}",
        )
    return file.read()


def _as_text(column: pa.ChunkedArray, name: str, file: str) -> pa.Array:
    """A column as text; lists and structs are kept for the reader of records."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = pa.chunked_array([chunk.dictionary_decode() for chunk in column.chunks], type=kind.value_type)
        kind = column.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return text_column(column)
    if pa.types.is_nested(kind):
        return (
            column.combine_chunks()
            if not pa.types.is_map(kind)
            else pa.array([dict(one or ()) for one in column.to_pylist()])
        )
    if pa.types.is_floating(kind):
        values = column.cast(pa.float64()).to_numpy()
        texts = [None if value != value else repr(value) for value in values.tolist()]
        return pa.array(texts, type=pa.string())
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        try:
            return text_column(column.cast(pa.string()))
        except pa.ArrowInvalid:
            raise MalformedError(file, f"the column {name!r} holds bytes that are no text", expected="text") from None
    try:
        return text_column(column.cast(pa.string()))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise MalformedError(file, f"the column {name!r} is of the type {kind}", expected="text or numbers") from None


def _read_columnar(blob: Blob, role: Role) -> Reading:
    return understand(columnar_sheet(blob), role, blob.name, "Arrow" if blob.head(6) == b"ARROW1" else "Parquet")


# Excel and OpenDocument workbooks


def is_workbook(blob: Blob) -> bool:
    """An .xlsx or .ods is a zip with a workbook in it; an .xls has the signature of OLE."""
    head = blob.head(4)
    if head == _ZIP:
        names = blob.bytes[-65536:] if len(blob) > 65536 else blob.bytes
        return any(mark in names for mark in (b"xl/workbook.", b"xl/worksheets/", b"content.xml"))
    return blob.head(8) == _OLE


def _is_excel(blob: Blob, role: Role) -> float:
    return 1.0 if is_workbook(blob) else 0.0


def _sheets(blob: Blob) -> list[tuple[str, Sheet]]:
    """Every sheet of a workbook that holds something."""
    from python_calamine import CalamineError, CalamineWorkbook

    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(blob.bytes))
        pages = [(name, book.get_sheet_by_name(name).to_python(skip_empty_area=True)) for name in book.sheet_names]
    except (CalamineError, ValueError, KeyError, OSError) as error:
        raise MalformedError(
            blob.name,
            f"it is an Excel workbook, but cannot be opened ({str(error)[:120] or type(error).__name__})",
            expected="a workbook without a password",
            todo="Save it again, or save the sheet as CSV UTF-8",
        ) from None
    return [
        (name, _page(rows, blob.name))
        for name, rows in pages
        if len(rows) and any(any(_said(c) for c in row) for row in rows)
    ]


def _said(value: Any) -> bool:
    return value is not None and value != ""


def _page(rows: Sequence[Sequence[Any]], file: str) -> Sheet:
    texts = [[cell_text(cell) for cell in row] for row in rows]
    numbered = [(number, row) for number, row in enumerate(texts, start=1) if any(row)]
    width = max(len(row) for _, row in numbered)
    if width > limit("columns"):
        raise _too_wide(file, width)
    body = [row for _, row in numbered]
    header = _header(body[:40]) if len(body) > 1 else tuple(body[0])
    sure = True
    if header is None:
        header, sure = _positional(body[:40], "dataset")
    else:
        numbered, body = numbered[1:], body[1:]
    names = [*header, *[""] * (width - len(header))][:width]
    columns = tuple(pa.array([row[i] if i < len(row) else "" for row in body], type=pa.string()) for i in range(width))
    dates = sum(isinstance(cell, (datetime.date, datetime.datetime)) for row in rows for cell in row)
    said: tuple[Finding, ...] = ()
    if dates:
        message = f"{dates:,} cells of {file} are dates; they are shown as {next(cell_text(c) for r in rows for c in r if isinstance(c, datetime.date))}. An id such as 3-12 may have been turned into a date."
        said = (Finding("spreadsheet-dates", "warning", message, file=file, count=dates),)
    return Sheet(unique_headers(names), columns, np.asarray([n for n, _ in numbered], dtype=np.int32), None, said, sure)


def cell_text(value: Any) -> str:
    """What a cell shows: 7.0 is stored for 7, and shown as 7."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    return value.isoformat() if isinstance(value, (datetime.date, datetime.time)) else str(value)


def excel_sheet(blob: Blob, role: Role = "dataset") -> Sheet:
    """The first sheet of a workbook."""
    pages = _sheets(blob)
    if not pages:
        raise EmptyFileError(blob.name, "a workbook without a filled cell", todo="Save it again")
    return pages[0][1]


def _read_excel(blob: Blob, role: Role) -> Reading:
    """All sheets that make sense: judgments, queries, documents together, or one run a sheet."""
    pages = _sheets(blob)
    if not pages:
        raise EmptyFileError(blob.name, "a workbook without a filled cell", todo="Save it again")
    read: list[tuple[str, Reading]] = []
    faults: list[FileError] = []
    for name, page in pages:
        try:
            read.append((name, understand(page, role, blob.name, "Excel workbook")))
        except FileError as error:
            faults.append(error)
    if not read:
        fault = faults[0]
        raise type(fault)(
            blob.name,
            f"this is an Excel workbook; sheet {pages[0][0]!r}: {fault.found}",
            line=fault.line,
            expected=fault.expected,
            todo=fault.todo,
        )
    said = [finding for _, reading in read for finding in reading.findings]
    skipped = [name for name, _ in pages if name not in {name for name, _ in read}]
    message = f"{blob.name} is an Excel workbook; read {'sheet' if len(read) == 1 else 'sheets'} {', '.join(name for name, _ in read)}."
    if skipped:
        message += f" Not understood: {', '.join(skipped)}."
    severity: Any = "warning" if skipped else "info"
    said.insert(0, Finding("excel-workbook", severity, message, file=blob.name, count=len(read)))
    runs = [
        (run if len(read) == 1 else run.named(f"{stem(blob.name)}: {name}"))
        for name, reading in read
        for run in reading.runs
    ]
    return _merged([reading for _, reading in read], tuple(runs), tuple(said))


def _merged(readings: Sequence[Reading], runs: tuple[Any, ...], said: tuple[Finding, ...]) -> Reading:
    def first(part: str) -> Any:
        return next((getattr(reading, part) for reading in readings if getattr(reading, part) is not None), None)

    return Reading(
        "Excel workbook",
        first("qrels"),
        first("queries"),
        first("documents"),
        runs,
        said,
        readings[0].unsure if len(readings) == 1 else frozenset(),
    )


def _too_wide(file: str, n: int) -> LimitError:
    return LimitError(
        file,
        f"{n:,} columns found",
        expected=f"a long table (query_id, doc_id, score) of at most {limit('columns'):,} columns",
        todo="Make it long, one row a result",
    )


COLUMNAR = Format(
    "parquet", "Parquet or Arrow", ("dataset", "run"), "query_id: string\ndoc_id: string\nscore: double",
    _is_columnar, _read_columnar, (".parquet", ".arrow", ".feather"), columnar_sheet,
)  # fmt: skip
EXCEL = Format(
    "excel", "Excel or OpenDocument workbook", ("dataset", "run"), "query_id | doc_id | relevance\nq1 | doc_7 | 1\nq1 | doc_2 | 0",
    _is_excel, _read_excel, (".xlsx", ".xls", ".ods"), excel_sheet,
)  # fmt: skip
