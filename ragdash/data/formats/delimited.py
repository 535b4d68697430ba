"""How is a table in text read? By comma, semicolon, tab or bar, with a header or without; every cell stays text."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
from numpy.typing import NDArray

from ragdash.data.findings import Finding
from ragdash.data.formats.base import Blob, Format, Reading, Role
from ragdash.data.formats.encoding import decoded, head_text
from ragdash.data.formats.sheet import LONG_QRELS, LONG_RUN, Sheet, guess, unique_headers
from ragdash.data.formats.tables import understand
from ragdash.data.formats.words import KNOWN, plain
from ragdash.data.limits import limit
from ragdash.errors import EmptyFileError, LimitError, MalformedError

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "spaces"}
_NUMERIC = re.compile(r"^\s*[+-]?(\d+[.,]?\d*|[.,]\d+)([eE][+-]?\d+)?\s*$")
_SAMPLE_ROWS = 40


@dataclass(frozen=True)
class Dialect:
    """How a table in text is written: separator, whether `"` quotes, header, lines before the header."""

    separator: str = ","
    quoted: bool = True
    header: tuple[str, ...] | None = None
    skipped: int = 0
    consistent: float = 0.0
    n_columns: int = 1


@lru_cache(maxsize=32)
def dialect(head: str, cut: bool) -> Dialect | None:
    """The dialect of a table from its head; None where it is no table of at least two columns."""
    lines = head.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if cut:
        lines = lines[:-1] or lines
    skipped = 0
    while skipped < len(lines) and (not lines[skipped].strip() or lines[skipped].startswith("#")):
        skipped += 1
    told = re.match(r"^sep=(.)$", lines[skipped].strip('\ufeff"')) if skipped < len(lines) else None
    body = lines[skipped + 1 :] if told else lines[skipped:]
    skipped += bool(told)
    if not any(line.strip() for line in body):
        return None
    best: Dialect | None = None
    by_blanks = sum(plain(word) in KNOWN for word in body[0].split(" ")) >= 2  # else any text would be a table
    separators = [told[1]] if told else [sign for sign in SEPARATORS if sign != " " or by_blanks]
    for separator in separators:
        for quoted in (True, False) if separator == "\t" else (True,):
            rows = _rows(body, separator, quoted)
            if not rows or len(rows[0]) < 2:
                continue
            if quoted and separator == "\t" and not _quotes_close(body):
                continue
            width = len(rows[0])
            consistent = sum(len(row) == width for row in rows) / len(rows)
            found = Dialect(separator, quoted, header_of(rows), skipped, consistent, width)
            if best is None or _merit(found) > _merit(best):
                best = found
    if best is None and _single_header(body):
        return Dialect(",", True, (body[0].strip(),), skipped, 1.0, 1)
    return best


def _merit(one: Dialect) -> tuple[float, bool, int]:
    return one.consistent, bool(one.header and any(plain(name) in KNOWN for name in one.header)), one.n_columns


def _rows(lines: Sequence[str], separator: str, quoted: bool) -> list[list[str]]:
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
    source = io.StringIO("\n".join(lines), newline="")
    rows: list[list[str]] = []
    try:
        for row in csv.reader(source, delimiter=separator, quoting=quoting):
            if row and any(cell.strip() for cell in row):
                rows.append(row)
            if len(rows) >= _SAMPLE_ROWS:
                return rows
    except csv.Error:
        return rows
    return rows[:-1] if len(rows) > 2 and len(rows[-1]) < len(rows[0]) else rows  # the last one may be cut


def _quotes_close(lines: Sequence[str]) -> bool:
    """Whether every cell between tabs that begins with a quote ends with one on its line."""
    for line in lines[:400]:
        for cell in line.split("\t"):
            if cell.startswith('"') and not re.fullmatch(r'"(?:[^"]|"")*"', cell):
                return False
    return True


def _single_header(lines: Sequence[str]) -> bool:
    return plain(lines[0]) in KNOWN and len(lines) > 1


def header_of(rows: Sequence[Sequence[str]]) -> tuple[str, ...] | None:
    """The first row, where it names columns; None where it is data."""
    first = rows[0]
    named = [plain(cell) for cell in first]
    if any(_NUMERIC.match(cell) for cell in first) and not (
        sum(name in KNOWN for name in named) >= 2 and all(len(cell) < 60 for cell in first)
    ):
        wide = len(first) > 3 and plain(first[0]) in KNOWN  # query_id, 1, 2, 3: one column a rank
        return tuple(first) if wide else None
    if any(name in KNOWN for name in named) and all(len(cell) < 100 for cell in first):
        return tuple(first)
    if len(rows) == 1:
        return None
    for place in range(len(first)):  # words above a column of numbers are its name
        below = [row[place] for row in rows[1:] if len(row) > place and row[place].strip()]
        if below and all(_NUMERIC.match(cell) for cell in below) and not _NUMERIC.match(first[place]):
            return tuple(first)
    later = [{row[place] for row in rows[1:] if len(row) > place} for place in range(len(first))]
    if any(cell and cell in seen for cell, seen in zip(first, later)):
        return None  # a name does not occur below itself
    named_like = all(len(cell) <= 40 and cell.count(" ") <= 3 and not re.search(r"\d", cell) for cell in first)
    return tuple(first) if named_like or len(first) > 4 else None


def positional_names(rows: Sequence[Sequence[str]], role: Role) -> tuple[tuple[str, ...], bool]:
    """Names for the columns of a table without a header, and whether they are certain enough not to ask."""
    width = len(rows[0])
    numeric = [all(_NUMERIC.match(row[i]) for row in rows if len(row) > i) for i in range(width)]
    if width == 2:
        long = np.mean([len(row[1]) for row in rows if len(row) > 1]) > 12 or any(
            " " in row[1] for row in rows if len(row) > 1
        )
        if long:
            return ("id", "text"), True
        return ("query_id", "doc_id"), False
    if width == 3 and numeric[2]:
        return ("query_id", "doc_id", "relevance" if role == "dataset" else "score"), True
    if width == 4 and numeric[2] and numeric[3]:
        return ("query_id", "doc_id", "rank", "score" if role == "run" else "relevance"), True
    if width == 4 and numeric[3]:
        return ("query_id", "column 2", "doc_id", "relevance" if role == "dataset" else "score"), True
    if width in (5, 6) and all(len(row) > 4 and row[1].strip().upper() in ("Q0", "0") for row in rows) and numeric[4]:
        return ("query_id", "column 2", "doc_id", "rank", "score", "run")[:width], True  # TREC, with other separators
    if width == 3 and role == "dataset":
        return ("id", "title", "text"), False
    return tuple(f"column {i}" for i in range(1, width + 1)), False


def sheet(blob: Blob, role: Role = "dataset") -> Sheet:
    """A table in text as a `Sheet`: every cell as it stands."""
    text = decoded(blob)
    head = str(memoryview(text.buffer)[:262144], "utf-8", "ignore")
    found = dialect(head, text.buffer.size > 262144)
    if found is None:
        raise EmptyFileError(blob.name, "no rows", expected=f"a table, {LONG_RUN}", todo="Export it again")
    n_columns = found.n_columns
    if n_columns > limit("columns"):
        raise LimitError(
            blob.name,
            f"{n_columns:,} columns found",
            expected=f"a long table ({LONG_RUN}) of at most {limit('columns'):,} columns",
            todo="Make it long, one row a result; a matrix with one column a document is not read",
        )
    said = list(text.findings)
    if found.separator == ";":
        said.append(Finding("separator", "info", f"{blob.name} is separated by semicolons.", file=blob.name))
    sure = True
    names = found.header
    if names is None:
        body = head.replace("\r\n", "\n").replace("\r", "\n").split("\n")[found.skipped :]
        names, sure = positional_names(_rows(body, found.separator, found.quoted), role)
        message = f"{blob.name} has no header; its columns were read as {', '.join(names)}."
        said.append(
            Finding("no-header", "info" if sure else "warning", message, file=blob.name, lines=(1 + found.skipped,))
        )
    elif any(_NUMERIC.match(cell) for cell in names) and len(names) > 60:
        sure = False
    table, lines = _table(text.buffer, found, len(names), blob.name)
    columns = tuple(table.column(place) for place in range(table.num_columns))
    return Sheet(unique_headers(names), tuple(_one(c) for c in columns), lines, None, tuple(said), sure)


def _one(column: pa.ChunkedArray) -> pa.Array:
    from ragdash.data.columns import text_column

    return text_column(column)


def _table(buffer: pa.Buffer, found: Dialect, width: int, file: str) -> tuple[pa.Table, NDArray[np.int32]]:
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
        if not row.text.strip() or (
            found.separator == "\t" and row.actual_columns < row.expected_columns and not row.text.strip("\t")
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
    if faults:
        raise _ragged(faults[0], body, width, found, file, len(faults))
    if header:
        table, lines = table.slice(1), lines[1:]
    blank = _blank_rows(table)
    if blank is not None:
        table, lines = table.filter(pa.array(~blank)), lines[~blank]
    return table, lines


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
    return MalformedError(
        file,
        f"{actual:,} columns found{more}: {row.strip()[:60]}",
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


def recognise(blob: Blob, role: Role) -> float:
    """How surely this is a table in text: by its separator, its header and the width of its rows."""
    head = head_text(blob)
    if re.match(r'\s*([{\[<]|"\s*[{\[][\s{]*\\")', head) or "\x00" in head[:1024]:
        return 0.0
    found = dialect(head, len(blob) > 65536)
    if found is None:
        return 0.0
    known = sum(plain(name) in KNOWN for name in found.header or ())
    if known >= 2:
        return 0.9
    if found.n_columns > limit("columns"):
        return 0.5
    if found.consistent < 0.6:
        return 0.1
    return 0.6 if known or (found.header is None and found.n_columns in (2, 3, 4)) else 0.3


def read(blob: Blob, role: Role) -> Reading:
    """The whole table as nouns."""
    table = sheet(blob, role)
    found = guess(table, role)
    reading = understand(table, role, blob.name, title(blob))
    if not table.sure and reading.format:
        del found
    return reading


def title(blob: Blob) -> str:
    """The kind of table: CSV, or what separates its columns."""
    found = dialect(head_text(blob), len(blob) > 65536)
    return (
        {",": "CSV", "\t": "TSV"}.get(found.separator, f"CSV, {SEPARATORS.get(found.separator, 'other')}")
        if found
        else "CSV"
    )


TABLE = Format(
    key="csv",
    title="CSV, TSV or semicolons, any column names",
    roles=("dataset", "run"),
    sample="query_id,doc_id,rank,score\nq1,doc_7,1,0.93\nq1,doc_2,2,0.87",
    recognise=recognise,
    read=read,
    suffixes=(".csv", ".tsv", ".txt"),
    table=sheet,
)
LONG = (LONG_QRELS, LONG_RUN)
