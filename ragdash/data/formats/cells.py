"""How do lines become rows and columns? By pyarrow, every cell as text, each row and each fault with its line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
from numpy.typing import NDArray

from ragdash.data.findings import Finding
from ragdash.data.formats.dialect import Dialect
from ragdash.errors import MalformedError

_FOOTER = re.compile(
    r"^\W*(\d[\d.,]* (rows?|records?|results?|lines?)\b|total|sum|end of|generated|exported)", re.IGNORECASE
)


def rows_of(
    buffer: pa.Buffer, found: Dialect, width: int, file: str, said: list[Finding]
) -> tuple[pa.Table, NDArray[np.int32]]:
    """The rows by pyarrow, and the line on which each begins. Tries threads first; a fault is located without them."""
    names = [str(i) for i in range(width)]
    start = _offset(buffer, found.skipped)
    body = buffer[start:] if start else buffer
    convert = pacsv.ConvertOptions(
        column_types={name: pa.string() for name in names}, null_values=[], strings_can_be_null=False, check_utf8=False
    )
    parse = {
        "delimiter": found.separator,
        "quote_char": '"' if found.quoted else False,
        "double_quote": True,
        "escape_char": False,
        "newlines_in_values": found.quoted,
        "ignore_empty_lines": False,
    }
    block = min(max(body.size + 16, 1 << 16), 1 << 30) if _long_rows(body) else 1 << 23
    skipped: list[int] = []
    faults: list[tuple[int, int, str]] = []

    def on_fault(row: Any) -> str:
        if (
            row.text.startswith("#")
            or not row.text.strip()
            or (found.separator == "\t" and row.actual_columns < row.expected_columns and not row.text.strip("\t"))
        ):
            skipped.append(row.number or 0)
        else:
            faults.append((row.number or 0, row.actual_columns, row.text))
        return "skip"

    def read(threads: bool, handler: Any = None) -> pa.Table:
        options = pacsv.ReadOptions(column_names=names, use_threads=threads, block_size=block)
        return pacsv.read_csv(
            pa.BufferReader(body), options, pacsv.ParseOptions(**parse, invalid_row_handler=handler), convert
        )

    header = found.header is not None
    try:
        table = read(threads=True)
    except pa.ArrowInvalid:
        try:
            table = read(threads=False, handler=on_fault)
        except pa.ArrowInvalid as error:
            raise MalformedError(
                file, f"the table cannot be split into columns ({_plain(error)})", expected="rows of equal length"
            ) from None
    lines = _lines(body, table, skipped, found.quoted) + found.skipped
    if (
        faults
        and faults[-1][1] == 1
        and _FOOTER.match(faults[-1][2])
        and bytes(body).rstrip().endswith(faults[-1][2].encode())
    ):
        _, _, words = faults.pop()
        message = f"{file}: the last line is no row ({words.strip()[:60]!r}); left out."
        said.append(Finding("lines-below-table", "info", message, file=file, count=1))
    if faults and all(fault[1] == width + 1 and fault[2].rstrip().endswith(found.separator) for fault in faults):
        trimmed = _without_last_separators(body, found.separator)
        if trimmed is not None:
            table, lines = rows_of(trimmed, replace(found, skipped=0), width, file, said)
            return table, lines + found.skipped
    if faults:
        raise _ragged(faults[0], body, width, found, file, len(faults))
    if header:
        table, lines = table.slice(1), lines[1:]
    blank = _blank_rows(table)
    if blank is not None:
        table, lines = table.filter(pa.array(~blank)), lines[~blank]
    return table, lines


def _is_footer(fault: tuple[int, int, str], body: pa.Buffer) -> bool:
    """Whether a faulty row is the last line, of words such as `(3 rows)` or `Total: 12`."""
    _, n_columns, text = fault
    return n_columns == 1 and bool(_FOOTER.match(text)) and bytes(body).rstrip().endswith(text.strip().encode())


def _without_last_separators(body: pa.Buffer, separator: str) -> pa.Buffer | None:
    """Rows that end with a separator the header does not have, without it; None where quotes make that unsafe."""
    data = bytes(body)
    if b'"' in data:
        return None
    return pa.py_buffer(re.sub(re.escape(separator).encode() + rb"[ \t]*(?=\r?\n|\r|$)", b"", data))


def _offset(buffer: pa.Buffer, lines: int) -> int:
    """Where the table begins, after `lines` lines of comments."""
    view = bytes(memoryview(buffer)[: 1 << 16])
    place = 0
    for _ in range(lines):
        found = re.compile(rb"\r\n|\n|\r").search(view, place)
        if found is None:
            return place
        place = found.end()
    return place


def _long_rows(body: pa.Buffer) -> bool:
    """Whether a row may be longer than a block of 8 MB: then all is read as one block."""
    view = memoryview(body)
    return any(
        b"\n" not in bytes(view[place : place + (1 << 22)]) for place in range(0, len(view) - (1 << 22), 1 << 22)
    )


def _blank_rows(table: pa.Table) -> NDArray[np.bool_] | None:
    """Rows in which every cell is blank: blank lines of a one-column table, or a row of separators."""
    if not table.num_rows:
        return None
    first = pc.equal(pc.utf8_trim_whitespace(table.column(0)), "")
    if not pc.any(first).as_py():
        return None
    blank = first
    for place in range(1, table.num_columns):
        blank = pc.and_(blank, pc.equal(pc.utf8_trim_whitespace(table.column(place)), ""))
    out: NDArray[np.bool_] = blank.to_numpy()
    return out if out.any() else None


def _lines(body: pa.Buffer, table: pa.Table, skipped: list[int], quoted: bool) -> NDArray[np.int32]:
    """The line of each row: one a row, and more where a quoted cell holds line breaks or rows were skipped."""
    n = table.num_rows
    heights = np.ones(n, dtype=np.int64)
    if quoted and _breaks(body) > n + len(skipped):
        for column in table.columns:
            if pc.any(pc.match_substring(column, "\n")).as_py() or pc.any(pc.match_substring(column, "\r")).as_py():
                breaks = pc.count_substring_regex(column, "\r\n|\n|\r").to_numpy()
                heights += breaks
    starts = np.concatenate([[1], 1 + np.cumsum(heights)[:-1]]) if n else np.zeros(0, dtype=np.int64)
    if skipped:  # pyarrow numbers all rows from 1; those that were skipped took a line each
        numbers = np.setdiff1d(np.arange(1, n + len(skipped) + 1), np.asarray(skipped))[:n]
        starts = starts + (numbers - np.arange(1, n + 1))
    out: NDArray[np.int32] = starts.astype(np.int32)
    return out


def _breaks(body: pa.Buffer) -> int:
    view = memoryview(body)
    return sum(bytes(view[place : place + (1 << 24)]).count(b"\n") for place in range(0, len(view), 1 << 24)) or sum(
        bytes(view[place : place + (1 << 24)]).count(b"\r") for place in range(0, len(view), 1 << 24)
    )


def _ragged(
    fault: tuple[int, int, str], body: pa.Buffer, width: int, found: Dialect, file: str, count: int
) -> MalformedError:
    number, actual, row = fault
    line = _line_of_row(body, row, number) + found.skipped
    more = f" ({count:,} such rows)" if count > 1 else ""
    if found.quoted and row.count('"') % 2:
        return MalformedError(
            file,
            f"a quotation mark is not closed: {row.strip()[:60]}",
            line=line,
            expected="quotes in pairs",
            todo="Close it, or write it twice where it is part of the text",
        )
    if actual < width and count == 1 and bytes(memoryview(body)).endswith(row.encode()):
        return MalformedError(
            file,
            f"the file ends within this row ({actual:,} of {width:,} columns): {row.strip()[:60]}",
            line=line,
            expected="a whole file",
            todo="Download or export it again",
        )
    return MalformedError(
        file,
        f"{actual:,} {'column' if actual == 1 else 'columns'} found{more}: {row.strip()[:60]}",
        line=line,
        expected=f"{width:,}, as in the first row ({', '.join((found.header or ())[:6]) or 'no header'})",
        todo="Mend the row; a text that holds the separator needs quotes around it",
    )


def _line_of_row(body: pa.Buffer, row: str, number: int) -> int:
    """The line on which a faulty row begins: found by its text, as rows above it may take several lines."""
    data = bytes(memoryview(body))
    wanted = row.encode()
    place, seen = data.find(wanted), 0
    del seen
    if place < 0:
        return number
    return len(re.findall(rb"\r\n|\n|\r", data[:place])) + 1


def _plain(error: Exception) -> str:
    return str(error).split("\n")[0].replace("CSV parse error: ", "")[:160]


def without_headers(
    table: pa.Table, lines: NDArray[np.int32], names: Sequence[str], file: str, said: list[Finding]
) -> tuple[pa.Table, NDArray[np.int32]]:
    """The table without rows that repeat its header, as files put one under the other have them."""
    first = pc.equal(table.column(0), names[0])
    if not pc.any(first).as_py():
        return table, lines
    again = first
    for place in range(1, table.num_columns):
        again = pc.and_(again, pc.equal(table.column(place), names[place]))
    rows = np.flatnonzero(again.to_numpy())
    if not len(rows):
        return table, lines
    at = tuple(int(line) for line in lines[rows[:5]])
    where = ", ".join(f"{line:,}" for line in at)
    message = f"{file}: the header is repeated on line {where}; left out. Are these several files in one?"
    said.append(Finding("repeated-header", "warning", message, file=file, count=len(rows), lines=at))
    kept = ~again.to_numpy()
    return table.filter(pa.array(kept)), lines[kept]
