"""What does a table say? Columns with settled roles become judgments, queries, documents or runs, a column at a time.

Serves every format that ends as a table of text: CSV, Parquet, Excel, flat JSON. Nothing loops over rows, save where
cells hold lists: then a row is a record, and there is one a query.
"""

from __future__ import annotations

from collections.abc import Mapping

from ragdash.data.findings import Finding
from ragdash.data.formats.base import Reading, Role
from ragdash.data.formats.not_a_run import no_run
from ragdash.data.formats.sheet import LONG_QRELS, ROLES, Guess, Sheet, guess
from ragdash.data.formats.table_columns import Columns, names_of
from ragdash.data.formats.table_judgments import evidence, judgments, texts
from ragdash.data.formats.table_lists import lists, wide
from ragdash.data.formats.table_runs import run
from ragdash.errors import EmptyFileError, MalformedError, UnknownFormatError


def understand(sheet: Sheet, role: Role, file: str, title: str, mapping: Mapping[str, str] | None = None) -> Reading:
    """A table as nouns. `mapping` gives the column of each role and overrules the guess as a whole."""
    if not len(sheet):
        raise EmptyFileError(
            file,
            f"a header ({', '.join(sheet.names[:8])}) and no rows" if sheet.names else "no rows",
            expected="at least one row",
            todo="Export it again, or leave it out",
        )
    found = guess(sheet, role)
    if mapping:
        roles = {key: column for key, column in mapping.items() if key in ROLES and column}
        unknown = [column for key, column in roles.items() if column not in sheet.names and key != "ranks"]
        if unknown:
            raise MalformedError(
                file, f"no column {unknown[0]!r}; there are {names_of(sheet)}", todo="Pick the columns again"
            )
        places = {key: found.roles[key] for key in ("parent", "begin", "end") if key in found.roles}
        found = Guess({key: one for key, one in places.items() if one not in roles.values()} | roles)
    roles = found.roles
    said = list(sheet.findings)
    if found.why:
        said.append(
            Finding(
                "ambiguous-column",
                "warning",
                f"{file}: {found.why}. {roles[found.about]!r} was taken; pick another one on the Data page.",
                file=file,
                examples=tuple(found.why.split(": ")[-1].split(", ")[:5]),
            )
        )
    said += _copies(sheet, roles, file) if not mapping else []
    worth = {key[6:]: float(value) for key, value in (mapping or {}).items() if key.startswith("grade:")}
    columns = Columns(sheet, roles, role, file, title, said, worth)
    if "ranks" in roles:
        return wide(columns)
    if {"relevant", "retrieved", "evidence"} & set(roles):
        return lists(columns)
    has_query = "query_id" in roles or "query" in roles
    if role == "dataset" and has_query and _is_evidence(roles):
        return evidence(columns)
    if "doc_id" in roles and ("query_id" in roles or "query" in roles):
        return run(columns) if role == "run" else judgments(columns)
    if role == "run":
        raise no_run(sheet, roles, file)
    if "query_id" in roles or "query" in roles or "doc_id" in roles:
        return texts(columns)
    raise UnknownFormatError(
        file,
        f"columns {names_of(sheet)}, none of which is known as a query or a document",
        expected=f"columns such as {LONG_QRELS}",
        todo="Rename the columns, or say on the Data page which is which",
    )


def _is_evidence(roles: Mapping[str, str]) -> bool:
    """Whether rows are spans of documents, or words of them: places or quotes, no grade, and no id of a chunk."""
    if "doc_id" not in roles or {"grade", "score", "rank", "parent"} & set(roles):
        return False
    return {"begin", "end"} <= set(roles) or "quote" in roles


def _copies(sheet: Sheet, roles: Mapping[str, str], file: str) -> list[Finding]:
    """Columns whose name occurs twice; the first one plays the role."""
    names = [name for name in roles.values() if f"{name} (2)" in sheet.names and name != roles.get("grade")]
    return [
        Finding(
            "ambiguous-column",
            "warning",
            f"{file}: the column {name!r} occurs twice; the first one was taken.",
            file=file,
        )
        for name in names
    ]
