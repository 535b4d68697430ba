"""Files of known tools, each typed in small."""

import json

import pytest

from ragdash.errors import MalformedError, UnknownFormatError, WrongRoleError
from tests.data.formats.reading import codes, judged, ranking, read


def test_llamaindex_pairs():
    data = {"queries": {"q": "who"}, "corpus": {"n": "text"}, "relevant_docs": {"q": ["n"]}, "mode": "text"}
    reading = read(json.dumps(data), "dataset")
    assert judged(reading.qrels) == {"q": {"n": 1}}
    assert reading.documents.look_up(["n"]) == {"n": (None, "text")}
    with pytest.raises(WrongRoleError):
        read(json.dumps(data), "run")


def test_quepid_case_and_snapshot_meet_by_text():
    case = {
        "case_name": "c",
        "queries": [
            {"query_text": "tv", "notes": "n", "ratings": [{"doc_id": "7", "rating": 3}]},
            {"query_text": "usb", "ratings": []},
        ],
    }
    assert judged(read(json.dumps(case), "dataset").qrels) == {"tv": {"7": 3}, "usb": {}}
    docs = [
        {"id": "7", "explain": {"value": 0}, "rated_only": False, "fields": None},
        {"id": "8", "explain": {}, "rated_only": True},
    ]
    snapshot = {
        "name": "s",
        "docs": {"11": docs, "12": []},
        "queries": [{"query_id": 11, "query_text": "tv"}, {"query_id": 12, "query_text": "usb"}],
    }
    assert ranking(read(json.dumps(snapshot)).runs[0]) == {"tv": ["7"], "usb": []}


def promptfoo(*rows):
    return json.dumps({"evalId": "e", "results": {"version": 2, "results": list(rows), "stats": {}}})


def row(provider, output):
    variables = {"query": "who", "correct_chunks": '["a", "b"]'}
    return {
        "provider": {"id": f"python:p.py:{provider}"},
        "vars": variables,
        "response": {"output": output},
        "latencyMs": 5,
    }


def test_promptfoo_has_a_run_a_provider_and_the_judgments():
    reading = read(promptfoo(row("base", ["a", "c"]), row("rerank", ["b"])))
    assert [(run.name, ranking(run)) for run in reading.runs] == [
        ("base", {"who": ["a", "c"]}),
        ("rerank", {"who": ["b"]}),
    ]
    assert judged(reading.qrels) == {"who": {"a": 1, "b": 1}}
    assert reading.runs[0].measurements["latencyMs"].tolist() == [5]


def test_a_failed_row_of_promptfoo_is_a_missing_query():
    failed = {**row("base", None), "error": "Traceback ..."}
    other = {**row("base", ["a"]), "vars": {"query": "what"}}
    reading = read(promptfoo(failed, other))
    assert ranking(reading.runs[0]) == {"what": ["a"]}
    assert codes(reading) == ["failed-result"]
    with pytest.raises(UnknownFormatError, match="answers are texts"):
        read(promptfoo(row("base", "It was the butler.")))
    with pytest.raises(MalformedError, match="vars name no query"):
        read(promptfoo({"provider": "x", "vars": {"foo": "x"}}))


def test_opensearch_ratings_are_texts():
    data = {
        "name": "x",
        "judgmentRatings": [
            {"query": "towel", "ratings": [{"docId": "B07", "rating": "100.000"}, {"docId": "B08", "rating": "0.000"}]}
        ],
    }
    assert judged(read(json.dumps(data), "dataset").qrels) == {"towel": {"B07": 100, "B08": 0}}


def test_squad_paragraphs_are_documents():
    data = {"data": [{"title": "Big_Bowl", "paragraphs": [{"context": "c", "qas": [{"id": "q", "question": "who"}]}]}]}
    reading = read(json.dumps(data), "dataset")
    assert judged(reading.qrels) == {"q": {"Big_Bowl#0": 1}}
    assert reading.documents.look_up(["Big_Bowl#0"]) == {"Big_Bowl#0": ("Big Bowl", "c")}


def test_turns_of_a_conversation_are_queries():
    data = [
        {
            "number": 106,
            "turn": [
                {"number": 1, "raw_utterance": "a"},
                {"number": 2, "raw_utterance": "b", "manual_rewritten_utterance": "c"},
            ],
        }
    ]
    queries = read(json.dumps(data), "dataset").queries
    assert queries.ids.to_pylist() == ["106_1", "106_2"]
    assert queries.texts.to_pylist() == ["a", "c"]
