"""JSON objects keyed by query, as ranx and pytrec_eval write them: `{"q1": {"doc_7": 1}}` or `{"q1": ["doc_7"]}`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ragdash.data.formats import words
from ragdash.data.formats.base import Blob, Format, Reading, Role
from ragdash.data.formats.gathering import Pile, stem
from ragdash.data.formats.hits import describes_hit, identify, text_of
from ragdash.data.formats.json_records import checked_role
from ragdash.data.formats.jsontext import Number, Repeated, members, opened, peek
from ragdash.data.formats.records import RecordReader
from ragdash.data.formats.words import plain
from ragdash.errors import EmptyFileError, MalformedError, WrongRoleError

_RESERVED = frozenset(
    words.RETRIEVED
    + words.RELEVANT
    + words.QUERY_TEXT
    + ("queries", "corpus", "data", "meta", "metadata", "run", "runs")
)


def shape_of(value: Any) -> str:
    """What stands under a query: `numbers` by document, a `list`, a `record`, `runs` (a level deeper), or ""."""
    if isinstance(value, dict):
        inner = list(value.values())[:50]
        if all(one is None or isinstance(one, (str, bool)) for one in inner):
            numbers = sum(_is_number(one) or one is None for one in inner)
            return "numbers" if numbers == len(inner) else ""
        if all(map(describes_hit, inner)):
            return "numbers"
        if all(isinstance(one, dict) and shape_of(one) == "numbers" for one in inner):
            return "runs"
        return "record" if any(plain(key) in words.RETRIEVED + words.RELEVANT for key in value) else ""
    if isinstance(value, list):
        first = next((one for one in value if one is not None), None)
        if isinstance(first, dict):
            return "list" if identify(first).doc_id is not None else ""
        return "list" if first is None or isinstance(first, (str, list)) else ""
    return ""


def _is_number(value: Any) -> bool:
    if isinstance(value, (Number, bool)):
        return True
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def recognise(blob: Blob, role: Role) -> float:
    """One object whose first members are all of one such shape."""
    seen = peek(blob)
    if seen.kind != "object" or not isinstance(seen.sample, dict):
        return 0.0
    if not seen.sample:
        return 0.3
    shapes = [shape_of(value) for value in list(seen.sample.values())[:20]]
    reserved = sum(plain(key) in _RESERVED for key in list(seen.sample)[:20])
    if not all(shapes) or (reserved and len(seen.sample) < 5):
        return 0.0
    return 0.8 if len(set(shapes)) == 1 or role == "run" else 0.5


def read(blob: Blob, role: Role) -> Reading:
    """Every member is a query (or, one level deeper, a run)."""
    text = opened(blob)
    pile = Pile(blob.name, order="map", findings=list(text.findings))
    name = stem(blob.name)
    reader = RecordReader(pile, name)
    first_line: dict[tuple[str, str], int] = {}
    shape, fractions, n_numbers = "", 0, 0
    for run, query_id, line, value in _entries(members(text, blob.name), name, pile):
        if (run, query_id) in first_line:
            raise _twice(blob.name, query_id, first_line[run, query_id], line)
        if not query_id:
            raise MalformedError(
                blob.name, "a query id is empty", line=line, expected='{"q1": {"doc_7": 0.93}}', todo="Fill it in"
            )
        first_line[run, query_id] = line
        shape = shape or shape_of(value)
        if isinstance(value, dict) and shape_of(value) == "record":
            reader.read(value, line, query_id)
            continue
        if not isinstance(value, (dict, list)):
            raise MalformedError(
                blob.name,
                f"query {query_id}: {str(value)[:60]!r} where documents should be",
                line=line,
                expected='{"doc_7": 0.93, ...} or ["doc_7", ...]',
                todo="Mend it",
            )
        pile.query(query_id, None)
        if role == "run":
            results = pile.results(run)
            results.answer(query_id, line)
            reader.retrieved(results, query_id, value, line)
            continue
        listed = list(reader.documents(query_id, value, line))
        for hit in listed:
            if hit.doc_id is not None:
                pile.judge(query_id, hit.doc_id, hit.grade, line)
                pile.document(hit.doc_id, hit.title, hit.text)
                n_numbers += hit.grade is not None
                fractions += hit.grade is not None and not _is_whole(hit.grade)
        if not listed:
            pile.nothing_relevant.append(query_id)
    if not first_line:
        raise EmptyFileError(blob.name, "an empty object", expected='{"q1": {"doc_7": 0.93}}', todo="Export it again")
    if shape == "list":
        pile.order = "list"
    different = len(set(pile.grades))
    many = n_numbers >= 20 and fractions > 0.5 * n_numbers and different > n_numbers / 10
    few = n_numbers < 20 and fractions == n_numbers and different > 2
    if role == "dataset" and (many or few):
        raise WrongRoleError(
            blob.name,
            f"{different:,} different numbers such as {pile.grades[0]}: scores of a run, no grades",
            expected='a dataset, such as {"q1": {"doc_7": 1}}',
            todo="Load this file as a run",
        )
    return checked_role(pile.reading("JSON object by query"), role, blob.name)


def _entries(top: Iterator[tuple[str, int, Any]], name: str, pile: Pile) -> Iterator[tuple[str, str, int, Any]]:
    """Run, query, line and value; an object of objects of objects holds several runs."""
    for key, line, value in top:
        if isinstance(value, dict) and shape_of(value) == "runs":
            if isinstance(value, Repeated):
                raise _twice(pile.file, value.again[0], line, line)
            for query_id, inner in value.items():
                yield key, query_id, line, inner
        else:
            yield name, key, line, value


def _twice(file: str, query_id: str, first: int, second: int) -> MalformedError:
    return MalformedError(
        file,
        f"query {query_id} appears twice as a key (lines {first:,} and {second:,}), and which block counts is not said",
        line=second,
        expected="each query once",
        todo="Delete one of the two blocks, or join them",
    )


def _is_whole(grade: str) -> bool:
    text = text_of(grade) or ""
    try:
        return float(text).is_integer()
    except (ValueError, OverflowError):
        return False


MAPS = Format(
    key="json-by-query",
    title="JSON object by query (ranx, pytrec_eval)",
    roles=("dataset", "run"),
    sample='{"q1": {"doc_7": 3, "doc_2": 1},\n "q2": {"doc_9": 2}}',
    recognise=recognise,
    read=read,
    suffixes=(".json",),
)
