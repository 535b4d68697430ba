"""Why is a table no run? Its width, its columns, or because it is a list of queries or documents."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import pyarrow as pa

from ragdash.data.formats.sheet import LONG_RUN, RANKED, Sheet
from ragdash.data.formats.table_columns import names_of
from ragdash.data.formats.words import plain
from ragdash.errors import MalformedError, UnknownFormatError, WrongRoleError


def no_run(sheet: Sheet, roles: Mapping[str, str], file: str) -> MalformedError | UnknownFormatError | WrongRoleError:
    """Why a table is no run: its width, its columns, or because it is a list of queries or documents."""
    n = len(sheet.names)
    others = [name for name in sheet.names if name not in roles.values()]
    ranked = [name for name in others if RANKED.match(plain(name)) and not _fractions(sheet[name])]
    expected = f"a long table, one row a result: {LONG_RUN}"
    if n > 2 and len(ranked) >= max(2, len(others) - 2) and _numbered(ranked):
        return UnknownFormatError(
            file,
            f"{n:,} columns found; this looks like a wide table with one column a rank ({', '.join(ranked[:4])}, ...)",
            expected=expected,
            todo="Confirm on the Data page that the columns are ranks, or make it long",
        )
    if n > 12:
        return UnknownFormatError(
            file,
            f"{n:,} columns found ({', '.join(sheet.names[:4])}, ...): it looks like a matrix, one column a document",
            expected=expected,
            todo="Make it long before loading it",
        )
    if (("query_id" in roles or "query" in roles) and "text" in roles) or "doc_id" in roles:
        return WrongRoleError(
            file,
            f"columns {names_of(sheet)}: texts of {_texts_of(roles)}, no results",
            expected=expected,
            todo="Load this file with the dataset",
        )
    lacking = "a document" if "query_id" in roles else "a query or a document"
    return UnknownFormatError(
        file,
        f"columns {names_of(sheet)}: none is known as {lacking}",
        expected=expected,
        todo="Rename the columns, or say on the Data page which is which",
    )


def _fractions(column: pa.Array) -> bool:
    """Whether cells are numbers with a fraction: scores, and no documents."""
    cells = [one for one in column[:50].to_pylist() if isinstance(one, str) and one]
    return any(re.fullmatch(r"-?\d*[.,]\d+(e-?\d+)?", one, re.IGNORECASE) for one in cells)


def _texts_of(roles: Mapping[str, str]) -> str:
    if "doc_id" in roles or "title" in roles:
        return "documents"
    return "queries" if "query" in roles else "queries or documents"


def _numbered(names: Sequence[str]) -> bool:
    places = [int(match[2]) for name in names if (match := RANKED.match(plain(name)))]
    return places == list(range(places[0], places[0] + len(places))) and places[0] in (0, 1)
