"""promptfoo: one row a provider and test; `response.output` lists ids. Each provider is a run."""

from __future__ import annotations

from typing import Any

from ragdash.data.findings import Finding
from ragdash.data.formats import words
from ragdash.data.formats.base import Blob, Format, Reading, Role
from ragdash.data.formats.hits import text_of
from ragdash.data.formats.json_records import begin, checked_role, export_again
from ragdash.data.formats.jsontext import Number, loads, object_keys
from ragdash.data.formats.records import RecordReader
from ragdash.data.formats.words import find, find_all
from ragdash.errors import EmptyFileError, UnknownFormatError


def _is_promptfoo(blob: Blob, role: Role) -> float:
    top = object_keys(blob)
    inner = top.get("results")
    if not isinstance(inner, dict):
        return 0.0
    return (
        0.95
        if {"results", "table"} & set(inner) and ("evalId" in top or "stats" in inner or "version" in inner)
        else 0.0
    )


def _read_promptfoo(blob: Blob, role: Role) -> Reading:
    top, pile, _ = begin(blob)
    rows = top["results"].get("results")
    if not isinstance(rows, list) or not rows:
        raise EmptyFileError(blob.name, "a promptfoo output without results", todo="Run the evaluation again")
    reader = RecordReader(pile, "")
    judged: set[str] = set()
    failed: dict[str, list[str]] = {}
    without = 0
    for row in rows:
        variables = row.get("vars") or {} if isinstance(row, dict) else {}
        key = find(variables, words.QUERY_TEXT) or find(variables, words.QUERY_ID)
        if key is None or text_of(variables[key]) is None:
            raise export_again(
                blob, f"a result whose vars name no query (vars {', '.join(variables) or 'are empty'})", "vars.query"
            )
        query = text_of(variables[key]) or ""
        given = find(variables, words.QUERY_ID)
        query_id = (text_of(variables[given]) if given else None) or query
        pile.query(query_id, query)
        gold = next(iter(find_all(variables, words.RELEVANT)), None)
        if gold is not None and query_id not in judged:
            judged.add(query_id)
            reader.relevant(query_id, _unpacked(variables[gold]), None, 0)
        provider = _provider(row.get("provider"))
        output = _unpacked((row.get("response") or {}).get("output"))
        results = pile.results(provider)
        if not isinstance(output, (list, dict)):
            failed.setdefault(provider, []).append(query_id)
            without += isinstance(output, str)
            continue
        results.answer(query_id, 0)
        reader.retrieved(results, query_id, output, 0)
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
    for provider, queries in failed.items():
        said = f"{len(queries):,} {'result' if len(queries) == 1 else 'results'} of {provider} in {blob.name}"
        message = f"{said} without an output; the query counts as not answered. First: {queries[0][:120]}."
        pile.runs[provider].said.append(
            Finding("failed-result", "warning", message, blob.name, provider, len(queries), (), tuple(queries[:5]))
        )
    for name in [name for name, results in pile.runs.items() if not results.answered]:
        del pile.runs[name]
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


PROMPTFOO = Format(
    "promptfoo", "promptfoo output", ("dataset", "run"),
    '{"evalId": "...", "results": {"version": 2, "results": [\n'
    '  {"provider": {"id": "dense"}, "vars": {"query": "...", "correct_chunks": "[...]"},\n'
    '   "response": {"output": ["doc_7"]}}]}}',
    _is_promptfoo, _read_promptfoo, (".json",),
)  # fmt: skip
