"""What does one JSON object say about a query? Its relevant documents, its results, its extras, under any common name.

Serves lists of objects, JSON Lines, objects nested in a larger file, and tables whose cells hold lists.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from ragdash.data.formats import words
from ragdash.data.formats.gathering import Pile, Results
from ragdash.data.formats.jsontext import Number, Repeated
from ragdash.data.formats.words import find, find_all, plain
from ragdash.errors import MalformedError

INSIDE = words.listed("node document doc kwargs metadata payload fields source entity item chunk passage result obj")


_TEXT = {str, Number}
_MAYBE_TEXTS = ("contexts", "passages", "documents", "output", "response", "pos", "positive", "positives")


def is_scalar(value: Any) -> bool:
    return isinstance(value, (str, bool)) and value != ""


def text_of(value: Any) -> str | None:
    """A scalar as the text of an id; None where there is none."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str) else None


@dataclass(frozen=True)
class Plan:
    """Which key of a record holds what; None where no key does."""

    query_id: str | None = None
    query_text: str | None = None
    relevant: str | None = None
    grades: str | None = None
    retrieved: str | None = None
    scores: str | None = None
    rest: tuple[str, ...] = ()


def plan(record: Mapping[str, Any]) -> Plan:
    """The roles of the keys of a record that lists relevant documents or results of one query."""
    lists = [key for key, value in record.items() if isinstance(value, (list, dict)) or value is None]
    retrieved = next((key for key in find_all(lists, words.RETRIEVED) if _lists_documents(record[key], key)), None)
    relevant = next(
        (key for key in find_all(lists, words.RELEVANT) if key != retrieved and _lists_documents(record[key], key)),
        None,
    )
    if relevant is None:  # one id instead of a list of them
        single = [key for key, value in record.items() if isinstance(value, str) and not isinstance(value, Number)]
        relevant = next(iter(find_all([key for key in single if plain(key) != "relevant"], words.RELEVANT)), None)
    taken = {retrieved, relevant}
    scalars = [key for key, value in record.items() if is_scalar(value) and key not in taken]
    nested = [key for key, value in record.items() if isinstance(value, dict) and key not in taken]
    query_id = find(scalars, words.QUERY_ID)
    query_text = find(scalars, words.QUERY_TEXT) or find(nested, words.QUERY_TEXT)
    if query_id is None:
        query_id = find(scalars, words.ID)
    if query_text is None and query_id is not None:
        query_text = find(scalars, ("text", "title"))
    grades = next((key for key in find_all(record, words.GRADE) if key not in taken), None) if relevant else None
    scores = next((key for key in find_all(lists, words.SCORES + words.DISTANCES) if key not in taken), None)
    roles = {query_id, query_text, relevant, grades, retrieved, scores}
    return Plan(query_id, query_text, relevant, grades, retrieved, scores, tuple(k for k in record if k not in roles))


def _lists_documents(value: Any, key: str) -> bool:
    """Whether a list or object can be documents: ids, objects with an id, pairs, or a map of id to number."""
    if value is None or value == [] or value == {}:
        return True
    if isinstance(value, dict):
        inner = _unwrapped(value)
        if inner is not value:
            return _lists_documents(inner, key)
        return all(isinstance(one, (str, bool)) or one is None for one in list(value.values())[:20])
    first = next((one for one in value if one is not None), None)
    if isinstance(first, dict):
        return identify(first).doc_id is not None
    if isinstance(first, list):
        return len(first) == 2
    if isinstance(first, str):
        return plain(key) not in _MAYBE_TEXTS or _id_like(value)
    return False


def _id_like(values: Sequence[Any]) -> bool:
    """Texts of passages are no ids: ids are short and seldom hold blanks."""
    texts = [str(one) for one in values if isinstance(one, str)][:20]
    return bool(texts) and sum(len(one) > 200 or one.count(" ") > 3 for one in texts) <= len(texts) / 4


def _unwrapped(value: dict[str, Any]) -> Any:
    """`{"total": 3, "hits": [...]}` is its list."""
    if not any(isinstance(one, list) for one in value.values()):
        return value
    key = next((key for key in find_all(value, words.RETRIEVED) if isinstance(value[key], list)), None)
    return value if key is None else value[key]


@dataclass(frozen=True)
class Hit:
    """What an object in a list of documents says."""

    doc_id: str | None = None
    score: str | None = None
    score_name: str = ""
    rank: str | None = None
    grade: str | None = None
    title: str | None = None
    text: str | None = None
    query_id: str | None = None


@lru_cache(maxsize=1024)
def _hit_keys(keys: tuple[str, ...]) -> dict[str, list[str]]:
    """The keys of a hit that may hold each role, most telling first; made once per set of keys."""
    return {
        "doc_id": find_all(keys, words.DOC_ID) + find_all([key for key in keys if key != "key"], words.ID),
        "score": find_all(keys, words.SCORE)[:1] or find_all(keys, words.DISTANCE)[:1],
        "rank": find_all(keys, words.RANK),
        "grade": find_all(keys, words.GRADE)[:1],
        "title": find_all(keys, words.TITLE),
        "text": find_all(keys, words.TEXT),
        "query_id": find_all(keys, ("qid", "query_id")),
        "inside": find_all(keys, INSIDE),
    }


def identify(hit: Mapping[str, Any], depth: int = 0) -> Hit:
    """The id, score, rank, grade and text of a document in a list, also one or two objects deep."""
    keys = _hit_keys(tuple(hit))
    doc_key = _first_scalar(hit, keys["doc_id"])
    score_key, grade_key = next(iter(keys["score"]), None), next(iter(keys["grade"]), None)
    found = Hit(
        doc_id=text_of(hit[doc_key]) if doc_key else None,
        score=_number_text(hit, score_key),
        score_name=score_key or "",
        rank=_scalar_text(hit, keys["rank"]),
        grade=_number_text(hit, grade_key),
        title=_scalar_text(hit, keys["title"], doc_key),
        text=_scalar_text(hit, keys["text"], doc_key),
        query_id=_scalar_text(hit, keys["query_id"]),
    )
    if depth < 2:
        for name in keys["inside"]:
            if isinstance(hit[name], dict):
                inner = _fields(identify(hit[name], depth + 1))
                found = Hit(*(one if one not in (None, "") else other for one, other in zip(_fields(found), inner)))
    return found


def _first_scalar(record: Mapping[str, Any], keys: Sequence[str]) -> str | None:
    return next((key for key in keys if is_scalar(record[key])), None)


def _scalar_text(record: Mapping[str, Any], keys: Sequence[str], but: str | None = None) -> str | None:
    key = next((key for key in keys if key != but and is_scalar(record[key])), None)
    return None if key is None else text_of(record[key])


def _fields(hit: Hit) -> tuple[Any, ...]:
    return hit.doc_id, hit.score, hit.score_name, hit.rank, hit.grade, hit.title, hit.text, hit.query_id


def _number_text(record: Mapping[str, Any], key: str | None) -> str | None:
    """A number as text; a value that is there but null is "", which counts as no number."""
    if key is None:
        return None
    value = record[key]
    return "" if value is None else text_of(value)


@dataclass
class RecordReader:
    """Reads records into a `Pile`. A plan is made once per set of keys."""

    pile: Pile
    run: str
    plans: dict[tuple[str, ...], Plan] = field(default_factory=dict)

    def read(self, record: Mapping[str, Any], line: int, query_id: str | None = None) -> bool:
        """One record; False where it is none (no query, or neither relevant documents nor results)."""
        keys = tuple(record)
        known = self.plans.get(keys)
        if known is None or (known.relevant is None and known.retrieved is None):
            known = self.plans[keys] = plan(record)
        if known.relevant is None and known.retrieved is None:
            return False
        if isinstance(record, Repeated):
            self.pile.repeated_key(record.again, line, "field")
        text = record.get(known.query_text) if known.query_text else None
        if isinstance(text, dict):  # {"query": {"qid": ..., "text": ...}}
            query_id = query_id or _first(text, words.QUERY_ID + words.ID)
            text = _first(text, words.TEXT + words.QUERY_TEXT)
        text = text_of(text)
        if query_id is None and known.query_id:
            query_id = text_of(record[known.query_id])
        if query_id is None and known.retrieved and isinstance(record[known.retrieved], list):
            query_id = common_query(record[known.retrieved])
        query_id = query_id or text
        if query_id is None:
            return False
        self.pile.query(query_id, text, self._metadata(record, known))
        if known.relevant:
            self.relevant(query_id, record[known.relevant], record.get(known.grades) if known.grades else None, line)
        if known.retrieved:
            results = self.pile.results(self.run)
            results.answer(query_id, line)
            n = self.retrieved(results, query_id, record[known.retrieved], line)
            if known.scores and isinstance(record[known.scores], list):
                self._scores_beside(results, n, record[known.scores], known.scores, line)
            self._measure(results, query_id, record, known)
        return True

    def _metadata(self, record: Mapping[str, Any], known: Plan) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for key in known.rest:
            value = record[key]
            if isinstance(value, str) and value != "":
                out[key] = value
            elif isinstance(value, bool):
                out[key] = text_of(value)
            elif plain(key) == "metadata" and isinstance(value, dict):
                out.update(
                    {
                        name: text_of(one) if isinstance(one, bool) else one
                        for name, one in value.items()
                        if is_scalar(one)
                    }
                )
            elif isinstance(value, list) and value and all(is_scalar(one) for one in value) and len(value) <= 20:
                out[key] = ", ".join(text_of(one) or "" for one in value)
        return out

    def _measure(self, results: Results, query_id: str, record: Mapping[str, Any], known: Plan) -> None:
        """Numbers beside the results are measurements of the run: latency, cost, an answer's score."""
        for key in known.rest:
            value = record[key]
            inner = value.items() if isinstance(value, dict) else ((key, value),)
            for name, one in inner:
                if isinstance(one, Number) and one not in ("NaN", "Infinity", "-Infinity"):
                    results.measurements.setdefault(name, {}).setdefault(query_id, float(one))

    def relevant(self, query_id: str, value: Any, grades: Any, line: int) -> None:
        listed = list(self.documents(query_id, value, line))
        if not listed:
            self.pile.nothing_relevant.append(query_id)
            return
        if isinstance(grades, list):
            if len(grades) != len(listed):
                raise MalformedError(
                    self.pile.file,
                    f"query {query_id} has {len(listed):,} relevant documents and {len(grades):,} grades",
                    line=line,
                    expected="one grade a document",
                    todo="Add the missing grades, or leave the grades out",
                )
            pairs: list[tuple[str | None, str | None]] = [
                (hit.doc_id, text_of(grade) or "") for hit, grade in zip(listed, grades)
            ]
        elif isinstance(grades, dict):
            pairs = [(hit.doc_id, _number_text(grades, hit.doc_id) if hit.doc_id in grades else None) for hit in listed]
            known = {hit.doc_id for hit in listed}
            pairs += [(doc, _number_text(grades, doc)) for doc in grades if doc not in known]
        elif is_scalar(grades) and len(listed) == 1:
            pairs = [(listed[0].doc_id, text_of(grades))]
        else:
            pairs = [(hit.doc_id, hit.grade) for hit in listed]
        for doc_id, grade in pairs:
            if doc_id is not None:
                self.pile.judge(query_id, doc_id, grade, line)
        for hit in listed:
            if hit.doc_id is not None:
                self.pile.document(hit.doc_id, hit.title, hit.text)

    def retrieved(self, results: Results, query_id: str, value: Any, line: int) -> int:
        """Add the results of a query; how many there were."""
        n = self._at_once(results, query_id, value, line)
        if n:
            return n
        for hit in self.documents(query_id, value, line):
            if hit.doc_id is None:
                continue
            if hit.score_name and results.score_name == "score":
                results.score_name = hit.score_name
            self.pile.hit(results, query_id, hit.doc_id, hit.score, hit.rank, line)
            self.pile.document(hit.doc_id, hit.title, hit.text)
            n += 1
        if not n:
            results.empty.append(query_id)
        return n

    def _at_once(self, results: Results, query_id: str, value: Any, line: int) -> int:
        """Add regular results as whole columns: a map of id to number, or objects with the same keys and plain values.

        Returns how many, 0 where they are not regular. It does what `documents` and `identify` do one by one, for large
        files.
        """
        if type(value) is dict and set(map(type, value.values())) <= _TEXT and len(value):
            ids, name = list(value), ""
            scores: list[Any] | None = list(value.values())
            ranks: list[Any] | None = None
        elif isinstance(value, list) and value and type(value[0]) is dict:
            keys = value[0].keys()
            roles = _hit_keys(tuple(keys))
            if not roles["doc_id"] or roles["title"] or roles["text"] or roles["inside"]:
                return 0
            if not all(type(hit) is dict and hit.keys() == keys for hit in value):
                return 0
            ids = [hit[roles["doc_id"][0]] for hit in value]
            name = next(iter(roles["score"]), "")
            scores = [hit[name] for hit in value] if name else None
            ranks = [hit[roles["rank"][0]] for hit in value] if roles["rank"] else None
        else:
            return 0
        for column in (ids, scores, ranks):
            if column is not None and not (set(map(type, column)) <= _TEXT and "" not in column):
                return 0
        if name and results.score_name == "score":
            results.score_name = name
        n = len(ids)
        results.query_ids += [query_id] * n
        results.doc_ids += ids
        results.scores += scores or [None] * n
        results.ranks += ranks or [None] * n
        results.lines += [line] * n
        return n

    def _scores_beside(self, results: Results, n: int, scores: Sequence[Any], name: str, line: int) -> None:
        """`"ids": [...], "scores": [...]`: two lists of one length."""
        if n != len(scores):
            raise MalformedError(
                self.pile.file, f"{n:,} results and {len(scores):,} scores", line=line, expected="one score a result"
            )
        if n:
            results.scores[-n:] = [text_of(one) or "" for one in scores]
            results.score_name = name

    def documents(self, query_id: str, value: Any, line: int) -> Iterator[Hit]:
        """The documents of a list or map, in its order."""
        if isinstance(value, dict):
            inner = _unwrapped(value)
            if inner is value:
                if isinstance(value, Repeated):
                    self.pile.repeated_key(value.again, line, f"query {query_id}: document")
                for doc_id, number in value.items():
                    grade = "" if number is None else text_of(number)
                    yield Hit(doc_id=doc_id, score=grade, grade=grade)
                return
            value = inner
        elif isinstance(value, str):
            value = [value]
        for one in value or ():
            if isinstance(one, dict):
                hit = identify(one)
                if hit.doc_id is None:
                    raise self._no_id(query_id, one, line)
                yield hit
            elif isinstance(one, list):
                yield self._pair(query_id, one, line)
            elif one is not None and one != "":
                yield Hit(doc_id=text_of(one))

    def _pair(self, query_id: str, pair: list[Any], line: int) -> Hit:
        if len(pair) == 2 and isinstance(pair[1], str):
            number = text_of(pair[1])
            if isinstance(pair[0], dict):
                hit = identify(pair[0])
                if hit.doc_id is not None:
                    return Hit(hit.doc_id, number, "score", None, number, hit.title, hit.text)
            elif is_scalar(pair[0]):
                return Hit(doc_id=text_of(pair[0]), score=number, grade=number)
        raise self._no_id(query_id, pair, line)

    def _no_id(self, query_id: str, found: Any, line: int) -> MalformedError:
        shown = f"keys {', '.join(list(found)[:8])}" if isinstance(found, dict) else str(found)[:60]
        return MalformedError(
            self.pile.file,
            f"a document of query {query_id} has no id ({shown})",
            line=line,
            expected='an id, or an object such as {"id": "doc_1", "score": 0.9}',
            todo="Export the ids with the results",
        )


def _first(record: Mapping[str, Any], names: Sequence[str]) -> str | None:
    key = find([key for key, value in record.items() if is_scalar(value)], names)
    return text_of(record[key]) if key else None


def common_query(hits: Iterable[Any]) -> str | None:
    """The query id that every hit of a list carries, where they agree."""
    ids = {identify(hit).query_id for hit in hits if isinstance(hit, dict)}
    return ids.pop() if len(ids) == 1 else None
