"""What is a table, and which column is likely which? Cells are text; roles are guessed from names and content."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ragdash.data.findings import Finding
from ragdash.data.formats import words
from ragdash.data.formats.base import Role
from ragdash.data.formats.cell_lists import cell_list, listed
from ragdash.data.formats.hits import parent_keys
from ragdash.data.formats.jsontext import Number
from ragdash.data.formats.numbers import looks_numeric
from ragdash.data.formats.rivals import rival_scores
from ragdash.data.formats.spans import lists_quotes, lists_spans
from ragdash.data.formats.words import find, find_all, plain
from ragdash.data.limits import limit
from ragdash.errors import LimitError

LONG_RUN = "query_id,doc_id,score\n  q1,doc_7,0.93"
LONG_QRELS = "query_id,doc_id,relevance\n  q1,doc_7,1"
ROLES = (
    "query_id",
    "query",
    "doc_id",
    "grade",
    "score",
    "distance",
    "rank",
    "title",
    "text",
    "run",
    "relevant",
    "retrieved",
    "ranks",
    "evidence",
    "parent",
    "begin",
    "end",
    "quote",
)
RANKED = re.compile(
    r"^(rank|top|doc|docid|doc_id|document|result|hit|pos|position|r|d)?_?(\d{1,4})(_?(id|doc|docid|doc_id))?$"
)


@dataclass(frozen=True)
class Sheet:
    """A table of text: column names (each once), columns (text, or lists in `lists`), the line of each row.

    `numeric` names the columns that hold numbers, where the format knows; None where everything is text. `beside` names
    columns that are further information whatever they are called.
    """

    names: tuple[str, ...]
    columns: tuple[Any, ...]
    lines: NDArray[np.int32] | None = None
    numeric: frozenset[str] | None = None
    findings: tuple[Finding, ...] = ()
    sure: bool = True
    beside: frozenset[str] = frozenset()

    def __len__(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    def __getitem__(self, name: str) -> pa.Array:
        return self.columns[self.names.index(name)]

    @property
    def shape_key(self) -> str:
        """Files with the same columns have the same key: a mapping remembered for one fits the other."""
        return hashlib.sha256("\0".join(self.names).encode()).hexdigest()[:16]


def unique_headers(names: Sequence[str]) -> tuple[str, ...]:
    """Column names, a nameless or repeated one made distinct."""
    out: list[str] = []
    for place, name in enumerate(names, start=1):
        name = name.strip() or f"column {place}"
        copy = 2
        while name in out:
            name = f"{name.rsplit(' (', 1)[0]} ({copy})"
            copy += 1
        out.append(name)
    return tuple(out)


@dataclass(frozen=True)
class Guess:
    """Roles and their columns; `sure` is False where a person should look."""

    roles: dict[str, str] = field(default_factory=dict)
    sure: bool = True
    why: str = ""
    about: str = "grade"  # the role that `why` is about


def guess(sheet: Sheet, role: Role) -> Guess:
    """The likely role of each column, from its name, in the slot `role`."""
    if sheet.beside:
        kept = [place for place, name in enumerate(sheet.names) if name not in sheet.beside]
        names, columns = (tuple(one[place] for place in kept) for one in (sheet.names, sheet.columns))
        sheet = replace(sheet, names=names, columns=columns, beside=frozenset())
    roles: dict[str, str] = {}

    def settle_role(key: str, choices: Sequence[str], among: Sequence[str] | None = None) -> None:
        free = [name for name in (sheet.names if among is None else among) if name not in roles.values()]
        name = find(free, choices)
        if name is not None:
            roles[key] = name

    listed = [name for name in sheet.names if _holds_lists(sheet[name])]
    settle_role("retrieved", words.RETRIEVED, listed)
    settle_role("relevant", words.RELEVANT + words.GRADED, listed)
    if not listed and role == "run" and find(sheet.names, words.DOC_ID) is None:
        settle_role("retrieved", words.RETRIEVED_IDS, [name for name in sheet.names if _holds_ids(sheet[name])])
    if "relevant" not in roles and role == "dataset" and find(sheet.names, words.DOC_ID) is None:
        settle_role("relevant", [word for word in words.RELEVANT if word not in ("relevant", "labels", "ratings")])
        if "relevant" not in roles:
            settle_role("relevant", ("relevant", "labels"), [name for name in sheet.names if _holds_ids(sheet[name])])
    if role == "dataset" and not {"retrieved", "relevant"} & set(roles):
        settle_role("evidence", words.EVIDENCE, [name for name in listed if _holds_spans(sheet[name])])
    settle_role("query_id", words.QUERY_ID)
    settle_role("query", words.QUERY_TEXT)
    if "query" in roles and _of_all(sheet, roles.get("query_id"), roles["query"]):
        del roles["query_id"]  # the number of a case, say, and not of its queries
    if "evidence" in roles:
        settle_role("parent", words.PARENT + words.PARENT_PERHAPS)
    elif not {"retrieved", "relevant"} & set(roles):
        settle_role("doc_id", words.DOC_ID)
    if "query_id" not in roles and ("query" in roles or "doc_id" not in roles or listed):
        settle_role("query_id", words.ID)
    elif "doc_id" not in roles and "query_id" in roles:
        settle_role("doc_id", [word for word in words.ID if word != "key"])
    why, about = "", "grade"
    if role == "run":
        settle_role("score", words.SCORE)
        if "score" not in roles:
            settle_role("distance", [plain(name) for name in sheet.names if words.is_distance(name)])
        settle_role("rank", words.RANK)
        if not {"score", "distance", "rank"} & set(roles):
            settle_role("score", [plain(name) for name in sheet.names if words.is_score(name)])
        settle_role("run", words.RUN)
        scores = rival_scores(sheet, roles)
        if scores:
            roles["score"], about = scores[0], "score"
            why = f"several columns may be the score: {', '.join(scores[:6])}"
    grades = [name for name in find_all(sheet.names, words.GRADE) if name not in roles.values()]
    copies = [name for name in sheet.names if name.rsplit(" (", 1)[0] in grades and name not in grades]
    grades += copies
    grades += [name for name in sheet.names if plain(name).endswith(("_rating", "_grade")) and name not in grades]
    grades = [name for name in grades if name not in roles.values()]
    if grades:
        roles["grade"] = grades[0]
        rivals = [name for name in grades[1:] if plain(name) != "score"]
        if rivals and role == "dataset":
            why = f"several columns may be the grade: {', '.join(grades[:6])}"
    if role == "dataset":
        settle_role("rank", words.RANK)
        settle_role("distance", [plain(name) for name in sheet.names if words.is_distance(name)])
    if "doc_id" in roles:
        _settle_place(sheet, roles)
    if role == "dataset" and "doc_id" in roles and not {"grade", "score"} & set(roles):
        settle_role("quote", ("quote", "excerpt", "highlight", "evidence", "evidence_text", "span_text"))
    settle_role("title", words.TITLE)
    settle_role("text", words.TEXT)
    return Guess(roles, sheet.sure and not why and _complete(roles, role), why, about)


def _settle_place(sheet: Sheet, roles: dict[str, str]) -> None:
    """Which columns say where a chunk is cut from: its document, and characters to begin and end at."""
    free = [name for name in sheet.names if name not in roles.values()]
    begin, end = find(free, words.BEGIN), find(free, words.END)
    if begin and end and all(looks_numeric(sheet[name]) for name in (begin, end)):
        own = find(free, words.ID)
        if own and plain(roles["doc_id"]) not in words.CHUNK_ID and len(sheet[own].unique()) == len(sheet):
            roles["doc_id"] = own  # of a table of chunks `id` is the chunk and `doc_id` the document
        roles |= {"begin": begin, "end": end}
    elif plain(roles["doc_id"]) not in words.CHUNK_ID:
        return
    taken = set(roles.values())
    parent = next((name for name in parent_keys(sheet.names, roles["doc_id"]) if name not in taken), None)
    if parent is not None and ("begin" in roles or plain(parent) in words.PARENT):
        roles["parent"] = parent


def _holds_spans(column: pa.Array) -> bool:
    """Whether the cells of a column are lists of spans or quotes, as JSON or in the notation of Python."""
    cells = [one for one in column[:20].to_pylist() if one]
    values = [cell_list(one, "json") for one in cells]
    return bool(values) and all(not one or lists_spans(one) or lists_quotes(one, "quotes") for one in values)


def _of_all(sheet: Sheet, ids: str | None, texts: str) -> bool:
    """Whether what may be the ids of queries is something above them: each stands for several texts."""
    if ids is None or plain(ids) in words.QUERY_ID_SURE:
        return False
    few = pa.table({"id": sheet[ids][:1000], "text": sheet[texts][:1000]})
    return len(few["id"].unique()) * 2 <= len(few["text"].unique())


def _complete(roles: Mapping[str, str], role: Role) -> bool:
    has_query = "query_id" in roles or "query" in roles
    if role == "run":
        return has_query and ("doc_id" in roles or "retrieved" in roles)
    return has_query or "doc_id" in roles


def _holds_lists(column: pa.Array) -> bool:
    if pa.types.is_list(column.type) or pa.types.is_large_list(column.type):
        return True
    if pa.types.is_nested(column.type):
        return bool(pa.types.is_map(column.type))
    first = next((one for one in column[:50].to_pylist() if one), "").strip()
    return first[:1] + first[-1:] in ("{}", "()") or (first[:1] + first[-1:] == "[]" and len(first) > 4)


def _holds_ids(column: pa.Array) -> bool:
    """Whether the cells of a column are ids, one or several with separators between them."""
    filled = [one for one in column[:50].to_pylist() if one]
    parts = [part for one in filled for part in re.split(r"[|;,\n]\s*|\s+", one) if part]
    looks = all(len(part) <= 60 and not part.endswith((".", "?", "!")) for part in parts)
    return bool(filled) and looks and any(re.search(r"[\d_\-:/#]", part) for part in parts)


def is_list(column: pa.Array) -> bool:
    return bool(pa.types.is_list(column.type) or pa.types.is_large_list(column.type) or pa.types.is_nested(column.type))


def cell(value: Any, number: bool) -> Any:
    """A cell as a JSON value in our reading: numbers keep their text."""
    if value is None or value == "":
        return None
    return (
        Number(value) if number and isinstance(value, str) else listed(value) if not isinstance(value, str) else value
    )


def lines_above(file: str, text: str, n: int) -> Finding:
    """A title or other words above the header of a table."""
    message = f"{file}: {n:,} {'line' if n == 1 else 'lines'} above the table left out ({text.strip()[:60]!r})."
    return Finding("lines-above-table", "info", message, file=file, count=n)


def too_wide(file: str, n: int) -> LimitError:
    return LimitError(
        file,
        f"{n:,} columns found",
        expected=f"a long table (query_id, doc_id, score) of at most {limit('columns'):,} columns",
        todo="Make it long, one row a result",
    )
