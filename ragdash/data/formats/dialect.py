"""How is a table in text written? Its separator, its quotes, its header, and what stands above it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from ragdash.data.formats.words import KNOWN, plain

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "spaces"}
NUMERIC = re.compile(r"^\s*[+-]?(\d+[.,]?\d*|[.,]\d+)([eE][+-]?\d+)?\s*$")
_SAMPLE_ROWS = 40
_ABOVE = 10  # lines above a header that may be a title


@dataclass(frozen=True)
class Dialect:
    """How a table in text is written: separator, whether `"` quotes, header, lines before the header."""

    separator: str = ","
    quoted: bool = True
    header: tuple[str, ...] | None = None
    skipped: int = 0
    consistent: float = 0.0
    n_columns: int = 1
    above: str = ""
    n_above: int = 0


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
    skipped += bool(told)
    body = lines[skipped:]
    if not any(line.strip() for line in body):
        return None
    best = _best(body, skipped, told[1] if told else "")
    if best is None or _n_known(best.header) < 2:
        best = _below_a_title(body, skipped) or best
    if best is None and _single_header(body):
        return Dialect(",", True, (body[0].strip(),), skipped, 1.0, 1)
    if best is not None and best.header is None and skipped:
        best = _behind_a_hash(lines[skipped - 1], best, skipped) or best
    return best


def _behind_a_hash(line: str, found: Dialect, skipped: int) -> Dialect | None:
    """The header of a table without one, where the comment right above it names as many columns: `#query_id,doc_id`."""
    names = tuple(cell.strip() for cell in line.lstrip("# ").split(found.separator))
    if not line.startswith("#") or len(names) != found.n_columns or _n_known(names) < 2:
        return None
    return replace(found, header=names, skipped=skipped - 1)


def _best(body: Sequence[str], skipped: int, told: str) -> Dialect | None:
    """The separator with which the rows of `body` are most alike."""
    best: Dialect | None = None
    by_blanks = _named_between_blanks(body[0]) or _rows_between_blanks(body)  # else any text would be a table
    for separator in [told] if told else [sign for sign in SEPARATORS if sign != " " or by_blanks]:
        for quoted in (True, False) if separator == "\t" else (True,):
            rows = sample_rows(body, separator, quoted)
            if not rows or len(rows[0]) < 2:
                continue
            if quoted and separator == "\t" and not _quotes_close(body) and not _quotes_needed(body, rows):
                continue
            width = len(rows[0])
            consistent = sum(len(row) == width for row in rows) / len(rows)
            found = Dialect(separator, quoted, header_of(rows), skipped, consistent, width)
            if best is None or _merit(found) > _merit(best):
                best = found
    return best


def _named_between_blanks(line: str) -> bool:
    """Whether a line is a header with blanks between its names: most of them are known."""
    words = line.split(" ")
    known = sum(plain(word) in KNOWN for word in words)
    return known >= 2 and known > len(words) / 2 and not re.search(r"[,;:|\t] ", line)


def _rows_between_blanks(body: Sequence[str]) -> bool:
    """Whether lines are rows of three or four fields with one blank between them, and the last field is a number."""
    rows = [line.split(" ") for line in body[:_SAMPLE_ROWS] if line.strip()]
    rows = rows[:-1] if len(rows) > 2 and len(rows[-1]) < len(rows[0]) else rows  # the last one may be cut
    regular = len(rows) > 1 and len(rows[0]) in (3, 4) and all(len(row) == len(rows[0]) and all(row) for row in rows)
    return regular and all(NUMERIC.match(row[-1]) and not re.search(r"[,;|\t]", " ".join(row[:-1])) for row in rows)


def _below_a_title(body: Sequence[str], skipped: int) -> Dialect | None:
    """A table with a known header, of which the first lines are a title or other words."""
    for above in range(1, min(_ABOVE, len(body) - 1)):
        if not body[above].strip() or sum(plain(word) in KNOWN for word in re.split(r"[,;|\t]", body[above])) < 2:
            continue
        found = _best(body[above:], skipped + above, "")
        if found is not None and _n_known(found.header) >= 2 and found.consistent > 0.9:
            title = " ".join(line.strip() for line in body[:above] if line.strip())
            return replace(found, above=title, n_above=above)
    return None


def _n_known(header: Sequence[str] | None) -> int:
    return sum(plain(name) in KNOWN for name in header or ())


def _quotes_needed(lines: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether rows between tabs are of one length only if quotes may hold line breaks."""
    if len({len(row) for row in rows}) > 1:
        return False
    return len({line.count("\t") for line in lines[:_SAMPLE_ROWS] if line.strip()}) > 1


def _merit(one: Dialect) -> tuple[float, bool, int]:
    return one.consistent, bool(one.header and any(plain(name) in KNOWN for name in one.header)), one.n_columns


def sample_rows(lines: Sequence[str], separator: str, quoted: bool) -> list[list[str]]:
    """The first rows; the last of them is left out where it may be cut."""
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
    if any(NUMERIC.match(cell) for cell in first) and not (
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
        if below and all(NUMERIC.match(cell) for cell in below) and not NUMERIC.match(first[place]):
            return tuple(first)
    later = [{row[place] for row in rows[1:] if len(row) > place} for place in range(len(first))]
    if any(cell and cell in seen for cell, seen in zip(first, later)):
        return None  # a name does not occur below itself
    named_like = all(len(cell) <= 40 and cell.count(" ") <= 3 and not re.search(r"\d", cell) for cell in first)
    return tuple(first) if named_like or len(first) > 4 else None
