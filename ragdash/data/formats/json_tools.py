"""JSON files of known tools: LlamaIndex, Quepid, promptfoo, OpenSearch, SQuAD, nested topics, and lists found one level down."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ragdash.data.findings import Finding
from ragdash.data.formats import words
from ragdash.data.formats.base import Blob, Format, Reading, Role
from ragdash.data.formats.encoding import decoded
from ragdash.data.formats.gathering import Pile, stem
from ragdash.data.formats.json_records import _is_record, checked_role
from ragdash.data.formats.jsontext import Number, loads, peek, whole
from ragdash.data.formats.records import RecordReader, identify, text_of
from ragdash.data.formats.words import find, find_all, plain
from ragdash.errors import EmptyFileError, MalformedError, UnknownFormatError


def _keys(blob: Blob) -> dict[str, Any]:
    seen = peek(blob)
    return seen.sample if seen.kind == "object" and isinstance(seen.sample, dict) else {}


def _start(blob: Blob) -> tuple[Any, Pile, str]:
    text = decoded(blob)
    return whole(text, blob.name), Pile(blob.name, findings=list(text.findings)), stem(blob.name)


def _wrong(blob: Blob, found: str, expected: str) -> MalformedError:
    return MalformedError(blob.name, found, expected=expected, todo="Export it again")


# LlamaIndex: EmbeddingQAFinetuneDataset, and the same with `qrels`


def _is_llamaindex(blob: Blob, role: Role) -> float:
    top = _keys(blob)
    return 0.95 if isinstance(top.get("queries"), dict) and ({"corpus", "relevant_docs", "qrels"} & set(top)) else 0.0


def _read_llamaindex(blob: Blob, role: Role) -> Reading:
    top, pile, _ = _start(blob)
    for query_id, text in top["queries"].items():
        pile.query(query_id, text_of(text))
    corpus = top.get("corpus") or {}
    for doc_id, text in corpus.items():
        if isinstance(text, dict):
            hit = identify({"id": doc_id, **text})
            pile.document(doc_id, hit.title, hit.text)
        else:
            pile.document(doc_id, None, text_of(text))
    judged = top.get("relevant_docs") or top.get("qrels") or {}
    if not isinstance(judged, dict):
        raise _wrong(blob, "relevant_docs is no object", '{"relevant_docs": {"q1": ["doc_7"]}}')
    reader = RecordReader(pile, "")
    for query_id, listed in judged.items():
        reader._relevant(query_id, listed, None, 0)
    return checked_role(pile.reading("LlamaIndex question-context pairs"), role, blob.name)


# Quepid: a case with ratings, and a snapshot of results


def _is_quepid_case(blob: Blob, role: Role) -> float:
    queries = _keys(blob).get("queries")
    first = queries[0] if isinstance(queries, list) and queries else None
    return 0.95 if isinstance(first, dict) and "query_text" in first and "docs" not in _keys(blob) else 0.0


def _read_quepid_case(blob: Blob, role: Role) -> Reading:
    top, pile, name = _start(blob)
    reader = RecordReader(pile, name)
    for query in top["queries"]:
        text = text_of(query.get("query_text")) if isinstance(query, dict) else None
        if text is None:
            raise _wrong(blob, "a query without query_text", '{"query_text": "...", "ratings": [...]}')
        extras = {
            key: query[key] for key in ("information_need", "notes") if isinstance(query.get(key), str) and query[key]
        }
        pile.query(text, text, extras)
        reader._relevant(text, query.get("ratings") or [], None, 0)
    return checked_role(pile.reading("Quepid case"), role, blob.name)


def _is_quepid_snapshot(blob: Blob, role: Role) -> float:
    top = _keys(blob)
    docs = top.get("docs")
    if not isinstance(docs, dict) or not docs:
        return 0.0
    first = next(iter(docs.values()))
    hit = first[0] if isinstance(first, list) and first else {}
    return 0.95 if isinstance(hit, dict) and {"explain", "fields", "rated_only"} & set(hit) else 0.0


def _read_quepid_snapshot(blob: Blob, role: Role) -> Reading:
    top, pile, name = _start(blob)
    texts = {
        text_of(one.get("query_id")): text_of(one.get("query_text"))
        for one in top.get("queries") or ()
        if isinstance(one, dict)
    }
    results = pile.results(name)
    for query_id, hits in top["docs"].items():
        text = texts.get(query_id) or query_id
        pile.query(text, text)
        results.answer(text, 0)
        shown = [identify(hit) for hit in hits or () if isinstance(hit, dict) and hit.get("rated_only") is not True]
        for hit in shown:
            if hit.doc_id is not None:
                pile.hit(results, text, hit.doc_id, None, None, 0)
                pile.document(hit.doc_id, hit.title, hit.text)
        if not shown:
            results.empty.append(text)
    return checked_role(pile.reading("Quepid snapshot"), role, blob.name)


# promptfoo: one row a provider and test, `response.output` a list of ids


def _is_promptfoo(blob: Blob, role: Role) -> float:
    top = _keys(blob)
    inner = top.get("results")
    if not isinstance(inner, dict):
        return 0.0
    return (
        0.95
        if {"results", "table"} & set(inner) and ("evalId" in top or "stats" in inner or "version" in inner)
        else 0.0
    )


def _read_promptfoo(blob: Blob, role: Role) -> Reading:
    top, pile, _ = _start(blob)
    rows = top["results"].get("results")
    if not isinstance(rows, list) or not rows:
        raise EmptyFileError(blob.name, "a promptfoo output without results", todo="Run the evaluation again")
    reader = RecordReader(pile, "")
    judged: set[str] = set()
    failed: list[str] = []
    without = 0
    for row in rows:
        variables = row.get("vars") or {} if isinstance(row, dict) else {}
        key = find(variables, words.QUERY_TEXT) or find(variables, words.QUERY_ID)
        if key is None or text_of(variables[key]) is None:
            raise _wrong(
                blob, f"a result whose vars name no query (vars {', '.join(variables) or 'are empty'})", "vars.query"
            )
        query = text_of(variables[key]) or ""
        given = find(variables, words.QUERY_ID)
        query_id = (text_of(variables[given]) if given else None) or query
        pile.query(query_id, query)
        gold = next(iter(find_all(variables, words.RELEVANT)), None)
        if gold is not None and query_id not in judged:
            judged.add(query_id)
            reader._relevant(query_id, _unpacked(variables[gold]), None, 0)
        provider = _provider(row.get("provider"))
        output = _unpacked((row.get("response") or {}).get("output"))
        results = pile.results(provider)
        if not isinstance(output, (list, dict)):
            failed.append(f"{provider}: {query_id}")
            without += isinstance(output, str)
            continue
        results.answer(query_id, 0)
        reader._retrieved(results, query_id, output, 0)
        for name in ("latencyMs", "cost"):
            if isinstance(row.get(name), Number):
                results.measurements.setdefault(name, {})[query_id] = float(row[name])
    if without == len(rows):
        raise UnknownFormatError(
            blob.name,
            "a promptfoo output whose answers are texts, not lists of document ids",
            expected='response.output such as ["doc_7", "doc_2"]',
            todo="Let the provider return the ids of what it retrieved",
        )
    if failed:
        message = f"{len(failed):,} {'result' if len(failed) == 1 else 'results'} of {blob.name} without an output; the query counts as not answered. First: {failed[0][:120]}."
        pile.findings.append(
            Finding("failed-result", "warning", message, file=blob.name, count=len(failed), examples=tuple(failed[:5]))
        )
    for name in [name for name, results in pile.runs.items() if not results.answered]:
        del pile.runs[name]
    for results in pile.runs.values():
        results.again.clear()
    return checked_role(pile.reading("promptfoo output"), role, blob.name)


def _provider(provider: Any) -> str:
    """`python:provider.py:retrieve_base` is the run `retrieve_base`."""
    if isinstance(provider, dict):
        provider = provider.get("label") or provider.get("id")
    return (text_of(provider) or "run").rsplit(":", 1)[-1] or "run"


def _unpacked(value: Any) -> Any:
    """A list that is written as JSON inside a text."""
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        try:
            return loads(value)
        except ValueError:
            return value
    return value


# SQuAD: paragraphs are documents, a question's paragraph is relevant


def _is_squad(blob: Blob, role: Role) -> float:
    data = _keys(blob).get("data")
    first = data[0] if isinstance(data, list) and data else None
    return 0.95 if isinstance(first, dict) and "paragraphs" in first else 0.0


def _read_squad(blob: Blob, role: Role) -> Reading:
    top, pile, _ = _start(blob)
    for number, article in enumerate(top["data"]):
        title = text_of(article.get("title"))
        for place, paragraph in enumerate(article.get("paragraphs") or ()):
            doc_id = f"{title or number}#{place}"
            pile.document(doc_id, (title or "").replace("_", " ") or None, text_of(paragraph.get("context")))
            for question in paragraph.get("qas") or ():
                text = text_of(question.get("question"))
                query_id = text_of(question.get("id")) or text
                if query_id is not None:
                    pile.query(query_id, text)
                    pile.judge(query_id, doc_id, None, 0)
    return checked_role(pile.reading("SQuAD questions"), role, blob.name)


# Conversations as TREC CAsT writes them: topics with turns


def _is_turns(blob: Blob, role: Role) -> float:
    first = next(iter(peek(blob).records), {})
    return 0.95 if isinstance(first.get("turn"), list) and "number" in first else 0.0


def _read_turns(blob: Blob, role: Role) -> Reading:
    topics, pile, _ = _start(blob)
    for topic in topics if isinstance(topics, list) else [topics]:
        number = text_of(topic.get("number"))
        for turn in topic.get("turn") or ():
            text = next((text_of(turn[key]) for key in _UTTERANCES if text_of(turn.get(key))), None)
            pile.query(f"{number}_{text_of(turn.get('number'))}", text, {"topic": str(number)})
    return checked_role(pile.reading("topics with turns"), role, blob.name)


_UTTERANCES = ("manual_rewritten_utterance", "utterance", "raw_utterance", "automatic_rewritten_utterance", "query")


# A list of records one or two levels down


def _nested(value: Any, path: str = "", depth: int = 0) -> Iterator[tuple[str, list[Any]]]:
    if depth > 2 or not isinstance(value, dict):
        return
    for key, inner in value.items():
        here = f"{path}.{key}" if path else key
        if isinstance(inner, list) and inner and isinstance(inner[0], dict):
            yield here, inner
        yield from _nested(inner, here, depth + 1)


def _is_nested(blob: Blob, role: Role) -> float:
    found = [path for path, listed in _nested(_keys(blob)) if _is_record(listed[0])]
    return 0.6 if len(found) == 1 else 0.0


def _read_nested(blob: Blob, role: Role) -> Reading:
    top, pile, name = _start(blob)
    path, listed = next((path, listed) for path, listed in _nested(top) if _is_record(listed[0]))
    reader = RecordReader(pile, name)
    for record in listed:
        if not isinstance(record, dict) or not reader.read(record, 0):
            keys = ", ".join(record) if isinstance(record, dict) else str(record)[:40]
            raise _wrong(
                blob, f"in {path}, an object without a query or documents (keys {keys})", f"keys {', '.join(listed[0])}"
            )
    if plain(path.rsplit(".", 1)[-1]) not in ("judgment_ratings", "queries", "data"):
        message = f"{blob.name}: keys found: {', '.join(top)}; the {len(listed):,} objects under {path!r} (keys {', '.join(listed[0])}) were read as queries."
        pile.findings.append(Finding("nested-json", "warning", message, file=blob.name, count=len(listed)))
    return checked_role(pile.reading("nested JSON"), role, blob.name)


def _format(
    key: str,
    title: str,
    roles: tuple[Role, ...],
    sample: str,
    recognise: Callable[[Blob, Role], float],
    read: Callable[[Blob, Role], Reading],
) -> Format:
    return Format(key, title, roles, sample, recognise, read, (".json",))


LLAMAINDEX = _format(
    "llamaindex", "LlamaIndex question-context pairs", ("dataset",),
    '{"queries": {"q1": "How do I reset it?"},\n "corpus": {"n7": "Open the settings ..."},\n "relevant_docs": {"q1": ["n7"]}}',
    _is_llamaindex, _read_llamaindex,
)  # fmt: skip
QUEPID_CASE = _format(
    "quepid-case", "Quepid case (ratings)", ("dataset",),
    '{"case_name": "shop", "queries": [\n  {"query_text": "projector", "ratings": [{"doc_id": "7", "rating": 3}]}]}',
    _is_quepid_case, _read_quepid_case,
)  # fmt: skip
QUEPID_SNAPSHOT = _format(
    "quepid-snapshot", "Quepid snapshot", ("run",),
    '{"name": "vector", "docs": {"11": [{"id": "7", "explain": {}, "rated_only": false}]},\n'
    ' "queries": [{"query_id": 11, "query_text": "projector"}]}',
    _is_quepid_snapshot, _read_quepid_snapshot,
)  # fmt: skip
PROMPTFOO = _format(
    "promptfoo", "promptfoo output", ("dataset", "run"),
    '{"evalId": "...", "results": {"version": 2, "results": [\n  {"provider": {"id": "dense"}, "vars": {"query": "...", "correct_chunks": "[...]"},\n   "response": {"output": ["doc_7"]}}]}}',
    _is_promptfoo, _read_promptfoo,
)  # fmt: skip
SQUAD = _format(
    "squad", "SQuAD questions and paragraphs", ("dataset",),
    '{"data": [{"title": "Panthers", "paragraphs": [\n  {"context": "...", "qas": [{"id": "q1", "question": "..."}]}]}]}',
    _is_squad, _read_squad,
)  # fmt: skip
TURNS = _format(
    "topics-json", "topics with turns (TREC CAsT)", ("dataset",),
    '[{"number": 106, "turn": [\n  {"number": 1, "raw_utterance": "What is ...?"}]}]',
    _is_turns, _read_turns,
)  # fmt: skip
NESTED = _format(
    "json-nested", "JSON list inside an object (OpenSearch judgments, API answers)", ("dataset", "run"),
    '{"judgmentRatings": [\n  {"query": "towel", "ratings": [{"docId": "B07", "rating": "3.0"}]}]}',
    _is_nested, _read_nested,
)  # fmt: skip
