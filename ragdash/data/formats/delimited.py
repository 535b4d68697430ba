"""How is a table in text read? By comma, semicolon, tab or bar, with a header or without; every cell stays text."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pyarrow as pa

from ragdash.data.columns import text_column
from ragdash.data.findings import Finding
from ragdash.data.formats.base import Blob, Format, Reading, Role
from ragdash.data.formats.cells import rows_of, without_headers
from ragdash.data.formats.dialect import NUMERIC, SEPARATORS, dialect, sample_rows
from ragdash.data.formats.drawn import drawn, straightened
from ragdash.data.formats.encoding import decoded, head_text
from ragdash.data.formats.positional import positional_names
from ragdash.data.formats.sheet import LONG_RUN, Sheet, lines_above, unique_headers
from ragdash.data.formats.tables import understand
from ragdash.data.formats.words import KNOWN, plain
from ragdash.data.limits import limit
from ragdash.errors import EmptyFileError, LimitError

_HEAD = 1 << 18


def sheet(blob: Blob, role: Role = "dataset") -> Sheet:
    """A table in text as a `Sheet`: every cell as it stands."""
    text = decoded(blob)
    buffer = text.buffer
    kind = drawn(_head(buffer))
    if kind:
        buffer = pa.py_buffer(straightened(text.decode(), kind).encode())
    head = _head(buffer)
    found = dialect(head, buffer.size > _HEAD)
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
        names, sure = positional_names(sample_rows(body, found.separator, found.quoted), role)
        message = f"{blob.name} has no header; its columns were read as {', '.join(names)}."
        said.append(
            Finding("no-header", "info" if sure else "warning", message, file=blob.name, lines=(1 + found.skipped,))
        )
    elif any(NUMERIC.match(cell) for cell in names) and len(names) > 60:
        sure = False
    if found.above:
        said.append(lines_above(blob.name, found.above, found.n_above))
    table, lines = rows_of(buffer, found, len(names), blob.name, said)
    if found.header is not None:
        table, lines = without_headers(table, lines, names, blob.name, said)
    columns = tuple(table.column(place) for place in range(table.num_columns))
    return Sheet(unique_headers(names), tuple(text_column(c) for c in columns), lines, None, tuple(said), sure)


def _head(buffer: pa.Buffer) -> str:
    return str(memoryview(buffer)[:_HEAD], "utf-8", "ignore")


def recognise(blob: Blob, role: Role) -> float:
    """How surely this is a table in text: by its separator, its header and the width of its rows."""
    head = head_text(blob)
    if re.match(r'\s*([{\[<]|"\s*[{\[][\s{]*\\")', head) or "\x00" in head[:1024]:
        return 0.0
    found = dialect(straightened(head, drawn(head)), len(blob) > 65536)
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


def read(blob: Blob, role: Role, mapping: Mapping[str, str] | None = None) -> Reading:
    """The whole table as nouns; `mapping` is what a person said of its columns."""
    return understand(sheet(blob, role), role, blob.name, title(blob), mapping)


def title(blob: Blob) -> str:
    """The kind of table: CSV, or what separates its columns."""
    head = head_text(blob)
    found = dialect(straightened(head, drawn(head)), len(blob) > 65536)
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
    mapped=read,
)
