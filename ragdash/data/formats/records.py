"""How is a record read? Its relevant documents, its results and its extras go to the pile of the file.

Serves lists of objects, JSON Lines, objects nested in a larger file, and tables whose cells hold lists.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ragdash.data.formats import words
from ragdash.data.formats.cell_lists import ids_in, split_text
from ragdash.data.formats.gathering import Pile
from ragdash.data.formats.hits import (
    Hit,
    common_query,
    first_of,
    hit_keys,
    identified,
    identify,
    is_scalar,
    number_text,
    place_of,
    text_of,
)
from ragdash.data.formats.jsontext import Number, Repeated
from ragdash.data.formats.plan import Plan, one_list, plan, unwrapped
from ragdash.data.formats.results import Results
from ragdash.data.formats.spans import spans_of
from ragdash.data.formats.words import plain
from ragdash.errors import MalformedError

_TEXT = {str, Number}


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
        if known is None or known.beside or not known.tells:
            known = self.plans[keys] = plan(record)
        if not known.tells:
            return False
        if isinstance(record, Repeated):
            self.pile.repeated_key(record.again, line, "field")
        text = record.get(known.query_text) if known.query_text else None
        if isinstance(text, dict):  # {"query": {"qid": ..., "text": ...}}
            query_id = query_id or first_of(text, words.QUERY_ID + words.ID)
            text = first_of(text, words.TEXT + words.QUERY_TEXT)
        text = text_of(text)
        if query_id is None and known.query_id:
            query_id = text_of(record[known.query_id])
        if query_id is None and known.retrieved and isinstance(record[known.retrieved], list):
            query_id = common_query(record[known.retrieved])
        query_id = query_id or text
        if query_id is None:
            return False
        self.pile.query(query_id, text, self._metadata(record, known))
        if known.guessed and known.guessed not in self.pile.guessed:
            self.pile.guessed[known.guessed] = line
        if known.beside:
            self._judge_results(query_id, known, record, line)
        if known.relevant:
            self.pile.judges(query_id, line)
            self.relevant(query_id, record[known.relevant], record.get(known.grades) if known.grades else None, line)
        if known.evidence:
            document = text_of(record[known.document]) if known.document else None
            self.pile.spans += spans_of(query_id, record[known.evidence], document)
        for key in known.negatives:
            for hit in self.documents(query_id, record[key], line):
                if hit.doc_id is not None:
                    self.pile.judge(query_id, hit.doc_id, "0", line)
                    self.pile.document(hit.doc_id, hit.title, hit.text)
        for key in known.rivals:
            self.pile.rivals.setdefault(key, (known.relevant or "", line))
        if known.retrieved:
            self.pile.by_records |= known.run is not None
            results = self.pile.results((text_of(record[known.run]) if known.run else None) or self.run)
            results.answer(query_id, line)
            n = self.retrieved(results, query_id, one_list(record[known.retrieved]), line)
            if known.scores and isinstance(record[known.scores], list):
                self._scores_beside(results, n, one_list(record[known.scores]), known.scores, line)
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
            pairs = [(hit.doc_id, number_text(grades, hit.doc_id) if hit.doc_id in grades else None) for hit in listed]
            known = {hit.doc_id for hit in listed}
            pairs += [(doc, number_text(grades, doc)) for doc in grades if doc not in known]
        elif is_scalar(grades) and len(listed) == 1:
            pairs = [(listed[0].doc_id, text_of(grades))]
        else:
            pairs = [(hit.doc_id, hit.grade) for hit in listed]
        for doc_id, grade in pairs:
            if doc_id is not None:
                self.pile.judge(query_id, doc_id, grade, line)
        for hit in listed:
            if hit.doc_id is not None:
                self.pile.document(hit.doc_id, hit.title, hit.text, (hit.parent, hit.begin, hit.end))

    def _judge_results(self, query_id: str, known: Plan, record: Mapping[str, Any], line: int) -> None:
        """`"documents": [...], "labels": [1, 0, 0]`: the retrieved documents are judged in their order."""
        assert known.retrieved and known.beside
        self.pile.guessed.setdefault(known.beside, line)
        for hit, grade in zip(self.documents(query_id, record[known.retrieved], line), record[known.beside]):
            if hit.doc_id is not None:
                self.pile.judge(query_id, hit.doc_id, text_of(grade), line)

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
            self.pile.document(hit.doc_id, hit.title, hit.text, (None, hit.begin, hit.end))
            place = (hit.parent, hit.begin, hit.end)
            self.pile.hit(results, query_id, hit.doc_id, hit.score, hit.rank, line, place, hit.text)
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
            parents: list[Any] | None = None
            places: list[tuple[int | None, int | None]] | None = None
        elif isinstance(value, list) and value and type(value[0]) is dict:
            keys = value[0].keys()
            roles = hit_keys(tuple(keys))
            if not roles["doc_id"] or roles["title"] or roles["text"] or roles["inside"]:
                return 0
            if not all(type(hit) is dict and hit.keys() == keys for hit in value):
                return 0
            ids = [hit[roles["doc_id"][0]] for hit in value]
            name = next(iter(roles["score"]), "")
            scores = [hit[name] for hit in value] if name else None
            ranks = [hit[roles["rank"][0]] for hit in value] if roles["rank"] else None
            parents = [hit[roles["parent"][0]] for hit in value] if roles["parent"] else None
            places = [place_of(hit, roles["place"]) for hit in value] if roles["place"] else None
        else:
            return 0
        for column in (ids, scores, ranks, parents):
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
        results.texts += [None] * n
        results.parents += parents or [None] * n
        results.begins += [begin for begin, _ in places] if places else [None] * n
        results.ends += [end for _, end in places] if places else [None] * n
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
            inner = unwrapped(value)
            if inner is value:
                if isinstance(value, Repeated):
                    self.pile.repeated_key(value.again, line, f"query {query_id}: document")
                for doc_id, number in value.items():
                    if not doc_id:
                        self.pile.blank.append(line)
                        continue
                    if isinstance(number, dict):
                        yield replace(identify(number), doc_id=doc_id)
                        continue
                    grade = "" if number is None else text_of(number)
                    yield Hit(doc_id=doc_id, score=grade, grade=grade)
                return
            value = inner
        elif isinstance(value, str):
            value = self._from_text(value, line)
        for one in value or ():
            if isinstance(one, dict):
                hit = identified(one)
                if hit.doc_id is None:
                    raise self._no_id(query_id, one, line)
                yield hit
            elif isinstance(one, list):
                yield self._pair(query_id, one, line)
            elif one is not None and one != "":
                yield Hit(doc_id=text_of(one))
            else:
                self.pile.blank.append(line)

    def _from_text(self, text: str, line: int) -> list[Any]:
        """The ids of a text: one, or several between separators, or a list that is written as a text. It is told."""
        found = [text] if isinstance(text, Number) else ids_in(text)
        if len(found) != 1 or found[0] != text:
            said = split_text(self.pile.file, text, found, line)
            if all(one.code != said.code for one in self.pile.findings):
                self.pile.findings.append(said)
        return found

    def _pair(self, query_id: str, pair: list[Any], line: int) -> Hit:
        if len(pair) == 2 and isinstance(pair[1], str):
            number = text_of(pair[1])
            if isinstance(pair[0], dict):
                hit = identified(pair[0])
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
