"""JSON in the shapes that tools and hands leave behind: read, or refused in a sentence."""
# ruff: noqa: E501 - a file a line

import json

import pytest

from ragdash.errors import MalformedError
from tests.data.formats.reading import codes, judged, only_run, ranking, read

ROWS = [["q1", "a", 0.9], ["q1", "b", 0.8], ["q2", "c", 0.7]]
NAMES = ["query_id", "doc_id", "score"]
COLUMNS = {name: list(column) for name, column in zip(NAMES, zip(*ROWS))}


@pytest.mark.parametrize(
    "table",
    [
        COLUMNS,
        {name: {str(i): one for i, one in enumerate(column)} for name, column in COLUMNS.items()},
        {"columns": NAMES, "index": [0, 1, 2], "data": ROWS},
        [NAMES, *ROWS],
        ROWS,
        [dict(zip(NAMES, row)) for row in ROWS],
    ],
)
def test_a_table_in_json(table):
    run = only_run(json.dumps(table))
    assert (ranking(run), run.scores.tolist()) == ({"q1": ["a", "b"], "q2": ["c"]}, [0.9, 0.8, 0.7])


def test_a_table_of_judgments_keeps_its_ids():
    text = '{"query_id": [7, 7], "doc_id": [12345678901234567891, "0012"], "relevance": [2, 0]}'
    assert judged(read(text, "dataset").qrels) == {"7": {"12345678901234567891": 2, "0012": 0}}


@pytest.mark.parametrize(
    "text",
    [
        '{"query_id": "q1", "retrieved": ["a"]}{"query_id": "q2", "retrieved": ["c"]}',
        '[{"query_id": "q1", "retrieved": ["a"]}][{"query_id": "q2", "retrieved": ["c"]}]',
        '[{"query_id": "q1", "retrieved": ["a"]}]\n[{"query_id": "q2", "retrieved": ["c"]}]\n',
        '{"query_id": "q1", "retrieved": ["a"]},\n{"query_id": "q2", "retrieved": ["c"]},\n',
    ],
)
def test_values_one_after_the_other(text):
    assert ranking(only_run(text)) == {"q1": ["a"], "q2": ["c"]}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[{"query_id": "q1", "retrieved": ["a"]},\n]', "line 2: the JSON is broken here .a comma before the closing bracket"),
        ("[{'query_id': 'q1', 'retrieved': ['a']}]", "line 1: .*single quotes, which is Python's notation"),
        ('[{"query_id": "q1", "ok": True, "retrieved": ["a"]}]', "line 1: .*True, which is Python's notation"),
        ('// my run\n[{"query_id": "q1", "retrieved": ["a"]}]', "line 1: .*a comment"),
        ('[{query_id: "q1", retrieved: ["a"]}]', "a key without quotes"),
        (json.dumps(json.dumps([{"query_id": "q1", "retrieved": ["a"]}])), "encoded twice"),
        ('[{"query_id": "q1", "retrieved": ["a"]},\n{"query_id": "q2", "retr', "line 2: the JSON ends in the middle"),
        ('{"query_id": "q1", "retrieved": ["a"]}\n{"query_id": "q2", "retr', "line 2: this is not one whole JSON object"),
        ('{"query_id": ["q1", "q2"], "doc_id": ["a"]}', "columns of different length .query_id 2, doc_id 1"),
    ],
)  # fmt: skip
def test_broken_json_names_the_place_and_the_reason(text, said):
    with pytest.raises(MalformedError, match=f"(?s){said}"):
        read(text)


def test_a_query_without_scores_keeps_the_order_of_its_list():
    run = only_run(
        '[{"query_id": "q1", "retrieved": ["a", "b"]}, {"query_id": "q2", "results": [{"id": "c", "score": 1}]}]'
    )
    assert ranking(run) == {"q1": ["a", "b"], "q2": ["c"]}
    assert run.scores[0] > run.scores[1]
    assert codes(run) == ["order-of-the-file"]


def test_a_single_null_score_is_left_out_and_told():
    run = only_run('[{"query_id": "q1", "results": [{"id": "a", "score": null}, {"id": "b", "score": 1}]}]')
    assert (ranking(run), codes(run)) == ({"q1": ["b"]}, ["unusable-score"])


def test_documents_without_an_id_in_a_list_are_told():
    reading = read('[{"query": "q", "relevant": ["a", null, ""]}]', "dataset")
    assert [(f.code, f.count) for f in reading.findings] == [("blank-document", 2)]
