"""Which key of a record holds what? The query, its relevant documents, its results; guessed from names and content."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ragdash.data.formats import words
from ragdash.data.formats.hits import describes_hit, identified, identify, is_scalar
from ragdash.data.formats.jsontext import Number
from ragdash.data.formats.spans import lists_quotes, lists_spans
from ragdash.data.formats.words import find, find_all, plain

_MAYBE_TEXTS = ("contexts", "passages", "documents", "output", "response", "pos", "positive", "positives")
_SMALL = re.compile(r"-?[0-9](\.0)?$")
_ID = re.compile(r"\S{1,200}$")
_ID_SIGN = re.compile(r"[0-9_\-:/#.|]")


@dataclass(frozen=True)
class Plan:
    """Which key of a record holds what; None where no key does.

    `negatives` list documents judged not relevant, `rivals` are further lists that may hold judgments, `run` names the
    run.

    `beside` holds grades of the retrieved documents, in their order. `guessed` is the key of which the name alone does
    not say that it holds relevant documents. `evidence` lists spans or quotes, of the document that `document` names.
    """

    query_id: str | None = None
    query_text: str | None = None
    relevant: str | None = None
    grades: str | None = None
    retrieved: str | None = None
    scores: str | None = None
    rest: tuple[str, ...] = ()
    beside: str | None = None
    guessed: str | None = None
    evidence: str | None = None
    document: str | None = None
    negatives: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()
    run: str | None = None

    @property
    def tells(self) -> bool:
        """Whether the record has anything to say of a query but its text."""
        return self.relevant is not None or self.retrieved is not None or self.evidence is not None


def plan(record: Mapping[str, Any]) -> Plan:
    """The roles of the keys of a record that lists relevant documents or results of one query."""
    found = _plan(record)
    lists = [key for key in found.rest if isinstance(record[key], (list, dict)) and lists_documents(record[key], key)]
    negatives = tuple(find_all(lists, words.NEGATIVE)) if found.relevant else ()
    rivals = tuple(key for key in lists if key not in negatives and "relevan" in plain(key)) if found.relevant else ()
    run = find([key for key in found.rest if is_scalar(record[key])], words.RUN_OF_RECORD) if found.retrieved else None
    rest = tuple(key for key in found.rest if key not in (*negatives, *rivals, run))
    return replace(found, rest=rest, negatives=negatives, rivals=rivals, run=run)


def _plan(record: Mapping[str, Any]) -> Plan:
    lists = [key for key, value in record.items() if isinstance(value, (list, dict)) or value is None]
    retrieved = next((key for key in find_all(lists, words.RETRIEVED) if lists_documents(record[key], key)), None)
    relevant = next(
        (key for key in find_all(lists, words.RELEVANT) if key != retrieved and lists_documents(record[key], key)),
        None,
    )
    beside = next(
        (key for key in find_all(lists, words.RELEVANT + words.GRADED) if _grades_of(record, key, retrieved)), None
    )
    if beside == relevant:
        relevant = None
    if relevant is None and beside is None:
        relevant = next((key for key in find_all(lists, words.GRADED) if _lists_grades(record[key])), None)
    if relevant is None and beside is None:  # one id instead of a list of them
        single = [key for key, value in record.items() if isinstance(value, str) and not isinstance(value, Number)]
        relevant = next(iter(find_all([key for key in single if plain(key) != "relevant"], words.RELEVANT)), None)
    evidence = next((key for key in find_all(lists, words.EVIDENCE) if lists_spans(record[key])), None)
    if relevant is None and evidence is None:
        evidence = next((key for key in find_all(lists, words.EVIDENCE) if lists_quotes(record[key], key)), None)
    if evidence is not None and evidence == relevant:
        relevant = None
    guessed = None
    if relevant is None and beside is None and evidence is None:
        names = words.SURELY_RIGHT if retrieved else words.SURELY_RIGHT + words.PERHAPS_RIGHT
        guessed = next((key for key in find_all(lists, names) if key != retrieved and _lists_ids(record[key])), None)
        relevant = guessed
    taken = {retrieved, relevant, beside, evidence}
    scalars = [key for key, value in record.items() if is_scalar(value) and key not in taken]
    nested = [key for key, value in record.items() if isinstance(value, dict) and key not in taken]
    query_id = find(scalars, words.QUERY_ID)
    query_text = find(scalars, words.QUERY_TEXT) or find(nested, words.QUERY_TEXT)
    if query_id is None:
        query_id = find(scalars, words.ID)
    if query_text is None and query_id is not None:
        query_text = find(scalars, ("text", "title"))
    grades = next((key for key in find_all(record, words.GRADE) if key not in taken), None) if relevant else None
    beside_it = find_all(lists, words.SCORES + words.DISTANCES) + [key for key in lists if words.is_distance(key)]
    scores = next((key for key in beside_it if key not in taken), None)
    document = next(iter(find_all(scalars, words.PARENT)), None) if evidence else None
    if evidence and document is None:
        document = next(iter(find_all(scalars, words.PARENT_PERHAPS)), None)
    roles = {query_id, query_text, relevant, grades, retrieved, scores, beside, evidence, document}
    rest = tuple(key for key in record if key not in roles)
    return Plan(query_id, query_text, relevant, grades, retrieved, scores, rest, beside, guessed, evidence, document)


def lists_documents(value: Any, key: str) -> bool:
    """Whether a list or object can be documents: ids, objects with an id, pairs, or a map of id to number."""
    if value is None or value == [] or value == {}:
        return True
    value = one_list(value)
    if isinstance(value, dict):
        inner = unwrapped(value)
        if inner is not value:
            return lists_documents(inner, key)
        few = list(value.values())[:20]
        return all(isinstance(one, (str, bool)) or one is None for one in few) or all(map(describes_hit, few))
    first = next((one for one in value if one is not None), None)
    if isinstance(first, dict):
        return identified(first).doc_id is not None
    if isinstance(first, list):
        return len(first) == 2
    if isinstance(first, str):
        return plain(key) not in _MAYBE_TEXTS or _id_like(value)
    return False


def _grades_of(record: Mapping[str, Any], key: str, retrieved: str | None) -> bool:
    """Whether a list holds a small number for each retrieved document, not ids: `"labels": [1, 0, 0]`."""
    value, results = record[key], record[retrieved] if retrieved else None
    if key == retrieved or not isinstance(value, list) or not isinstance(results, list):
        return False
    if not value or len(value) != len(results):
        return False
    if not all(isinstance(one, bool) or (isinstance(one, Number) and _SMALL.match(one)) for one in value):
        return False
    ids = [one for one in results if isinstance(one, str)]
    if any(isinstance(one, Number) or one.isdigit() for one in ids):  # then these numbers may be ids as well
        return not set(value) & set(ids) and ("0" in value or len(set(value)) < len(value))
    return True


def _lists_grades(value: Any) -> bool:
    """Whether documents stand with a grade each: a map of id to number, objects with both, or pairs."""
    if isinstance(value, dict):
        few = list(value.values())
        return bool(value) and (all(map(_is_grade, few)) or all(map(describes_hit, few)))
    if not isinstance(value, list) or not value:
        return False
    if all(isinstance(one, dict) for one in value):
        hits = [identify(one) for one in value]
        return all(hit.doc_id is not None and hit.grade is not None for hit in hits)
    return all(isinstance(one, list) and len(one) == 2 and is_scalar(one[0]) and _is_grade(one[1]) for one in value)


def _is_grade(value: Any) -> bool:
    return value is None or isinstance(value, (bool, Number)) or (isinstance(value, str) and len(value) < 40)


def _lists_ids(value: Any) -> bool:
    """Whether values look like ids of documents, and not like words of an answer."""
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return all(_ID.match(one) and (isinstance(one, Number) or _ID_SIGN.search(one)) for one in value)
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        return all(identify(one).doc_id is not None for one in value)
    return isinstance(value, dict) and _lists_grades(value)


def _id_like(values: Sequence[Any]) -> bool:
    """Texts of passages are no ids: ids are short and seldom hold blanks."""
    texts = [str(one) for one in values if isinstance(one, str)][:20]
    return bool(texts) and sum(len(one) > 200 or one.count(" ") > 3 for one in texts) <= len(texts) / 4


def one_list(value: Any) -> Any:
    """`[["a", "b"]]`, the answer to a batch of one query, is `["a", "b"]`; `[["a", 0.5]]` is a pair."""
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        inner = value[0]
        if not (len(inner) == 2 and isinstance(inner[1], Number) and not isinstance(inner[0], Number)):
            return inner
    return value


def unwrapped(value: dict[str, Any]) -> Any:
    """`{"total": 3, "hits": [...]}` is its list."""
    if not any(isinstance(one, list) for one in value.values()):
        return value
    key = next((key for key in find_all(value, words.RETRIEVED) if isinstance(value[key], list)), None)
    return value if key is None else value[key]
