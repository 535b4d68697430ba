"""Which column is which in a table without a header? Told by what stands in them: counting ranks, fractions, tags."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ragdash.data.formats.base import Role
from ragdash.data.formats.dialect import NUMERIC

Names = tuple[tuple[str, ...], bool]
Cells = Sequence[str]


def positional_names(rows: Sequence[Sequence[str]], role: Role) -> Names:
    """Names for the columns of a table without a header, from its first rows, and whether they are certain enough.

    `query_id` and `doc_id` are taken to stand in this order; the check of ids finds out where they do not.
    """
    width = len(rows[0])
    columns = [list(column) for column in zip(*(row for row in rows if len(row) == width))]
    if width >= 4 and _is_index(columns):
        names, _ = positional_names(list(zip(*columns[1:])), role)
        return (
            "column 1",
            *(f"column {i + 2}" if name.startswith("column") else name for i, name in enumerate(names)),
        ), False
    named = {2: _two, 3: _three, 4: _four, 5: _more, 6: _more}.get(width)
    found = named(columns, role) if named else None
    return found or (tuple(f"column {i}" for i in range(1, width + 1)), False)


def _two(columns: Sequence[Cells], role: Role) -> Names:
    texts = columns[1]
    if sum(map(len, texts)) > 12 * len(texts) or any(" " in one for one in texts):
        return ("id", "text"), True
    return ("query_id", "doc_id"), False


def _three(columns: Sequence[Cells], role: Role) -> Names | None:
    keys, middle, last = columns
    if not _numbers(last):
        if role == "run" and _counts(middle, keys):
            return ("query_id", "rank", "doc_id"), True
        return (("id", "title", "text"), False) if role == "dataset" else None
    if _counts(last, keys, least=2 if role == "run" else 3):
        return ("query_id", "doc_id", "rank"), True
    if role == "dataset":
        return ("query_id", "doc_id", "relevance"), True
    if _counts(middle, keys) and _whole(last) and not _falls(last, keys):  # 1,1,77: a rank and a document, or both ids
        return ("query_id", "rank", "doc_id"), False
    return ("query_id", "doc_id", "score"), True


def _four(columns: Sequence[Cells], role: Role) -> Names | None:
    keys, second, third, last = columns
    if _iteration(second) and _numbers(last):
        worth = "relevance" if role == "dataset" else "rank" if _counts(last, keys) else "score"
        return ("query_id", "column 2", "doc_id", worth), True
    if _numbers(third) and _numbers(last):
        if role == "run":
            two, sure = _rank_and_score(third, last, keys)
            return ("query_id", "doc_id", *two), sure
        ranked = _counts(third, keys)
        return ("query_id", "doc_id", "rank" if ranked else "column 3", "relevance"), ranked
    if _numbers(last):
        if role == "run" and _counts(second, keys):
            return ("query_id", "rank", "doc_id", "score"), True
        return ("query_id", "column 2", "doc_id", "relevance" if role == "dataset" else "score"), True
    if role == "run" and _numbers(third) and len(set(last)) == 1:
        return ("query_id", "doc_id", "rank" if _counts(third, keys) else "score", "run"), True
    return None


def _more(columns: Sequence[Cells], role: Role) -> Names | None:
    keys = columns[0]
    if _iteration(columns[1]) and _numbers(columns[3]) and _numbers(columns[4]):  # TREC, with other separators
        two, sure = _rank_and_score(columns[3], columns[4], keys)
        return ("query_id", "column 2", "doc_id", *two, "run")[: len(columns)], sure
    if (
        role == "run"
        and len(columns) == 5
        and _numbers(columns[2])
        and _numbers(columns[3])
        and len(set(columns[4])) == 1
    ):
        two, sure = _rank_and_score(columns[2], columns[3], keys)
        return ("query_id", "doc_id", *two, "run"), sure
    return None


def _rank_and_score(first: Cells, second: Cells, keys: Cells) -> tuple[tuple[str, str], bool]:
    """Which of two columns of numbers counts the results of a query, and whether that can be told."""
    for rank, score, names in ((first, second, ("rank", "score")), (second, first, ("score", "rank"))):
        if _counts(rank, keys) and not _counts(score, keys):
            return names, True
    if _whole(first) != _whole(second):
        return (("rank", "score") if _whole(first) else ("score", "rank")), True
    return ("rank", "score"), _whole(first) and not _whole(second)


def _numbers(cells: Cells) -> bool:
    return all(NUMERIC.match(one) for one in cells)


def _value(cell: str) -> float:
    return float(cell.strip().replace(",", "."))


def _whole(cells: Cells) -> bool:
    return _numbers(cells) and all(_value(one).is_integer() for one in cells)


def _iteration(cells: Cells) -> bool:
    """The second column of a TREC file, which says nothing."""
    return all(one.strip().upper() in ("Q0", "0") for one in cells)


def _counts(cells: Cells, keys: Cells, least: int = 2) -> bool:
    """Whether a column counts up by one within each key, from 0 or 1; `least` is the length that some key has."""
    if not _whole(cells):
        return False
    longest, length, before, last = 0, 0, 0.0, ""
    for key, cell in zip(keys, cells):
        value = _value(cell)
        length = length + 1 if length and key == last else 1
        if value != before + 1 if length > 1 else value not in (0, 1):
            return False
        longest, before, last = max(longest, length), value, key
    return longest >= least


def _falls(cells: Cells, keys: Cells) -> bool:
    """Whether numbers never rise within a key, as scores do not."""
    return all(
        key != after or _value(cell) >= _value(later) for (key, cell), (after, later) in pairwise(zip(keys, cells))
    )


def _is_index(columns: Sequence[Cells]) -> bool:
    """Whether the first column numbers all rows, and the second one, with repeats, is that of the queries."""
    first, second = columns[:2]
    if len(first) < 3 or _iteration(second) or not _whole(first):
        return False
    values = [_value(one) for one in first]
    numbered = values == [values[0] + i for i in range(len(values))] and values[0] in (0, 1)
    return numbered and any(one == other for one, other in pairwise(second))
