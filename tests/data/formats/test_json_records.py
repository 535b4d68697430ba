"""JSON lists and lines, in the shapes that people and tools write."""
# ruff: noqa: E501 - a record or a table a line, as tools write them

import json

import pytest

from ragdash.errors import EmptyFileError, MalformedError, UnknownFormatError, WrongRoleError
from tests.data.formats.reading import codes, judged, only_run, ranking, read

DATASET = [
    {"query": "reset password", "relevant_docs": ["doc_7", "doc_2"], "category": "account", "year": 2024},
    {"query": "invoice", "relevant_docs": [], "category": "billing", "year": 2023},
]


def test_a_dataset_without_ids_uses_the_text_and_keeps_extras():
    reading = read(json.dumps(DATASET), "dataset")
    assert judged(reading.qrels) == {"reset password": {"doc_7": 1, "doc_2": 1}, "invoice": {}}
    assert reading.queries.metadata.to_dict("list") == {"category": ["account", "billing"], "year": [2024.0, 2023.0]}


@pytest.mark.parametrize(
    "fields",
    [
        {"relevant_docs": ["a", "b"], "relevance": [3, 1]},
        {"relevant_docs": ["a", "b"], "relevance": {"a": 3, "b": 1}},
        {"relevant_docs": {"a": 3, "b": 1}},
        {"relevant_docs": [{"doc_id": "a", "relevance": 3}, {"doc_id": "b", "relevance": 1}]},
        {"relevant": [["a", 3], ["b", 1]]},
        {"ratings": [{"docId": "a", "rating": "3.0"}, {"docId": "b", "rating": "1.000"}]},
        {"qrels": {"a": 3, "b": 1.0}},
    ],
)
def test_grades_in_every_common_shape(fields):
    assert judged(read(json.dumps([{"id": "q", "query": "x", **fields}]), "dataset").qrels) == {"q": {"a": 3, "b": 1}}


def test_as_many_grades_as_documents():
    with pytest.raises(MalformedError, match="2 relevant documents and 1 grades"):
        read('[{"query": "q", "relevant_docs": ["a", "b"], "relevance": [1]}]', "dataset")


@pytest.mark.parametrize(
    "record",
    [
        {"query_id": "q", "retrieved": ["a", "b"]},
        {"query": "q", "results": [{"doc_id": "a", "score": 2.0}, {"doc_id": "b", "score": 1.0}]},
        {"query": {"qid": "q", "text": "t"}, "candidates": [{"docid": "a", "score": 2, "doc": {"segment": "t"}}, {"docid": "b", "score": 1, "doc": {}}]},
        {"query": "text", "hits": [{"content": "t", "qid": "q", "docid": "a", "rank": 1, "score": 2.0}, {"content": "u", "qid": "q", "docid": "b", "rank": 2, "score": 1.0}]},
        {"id": "q", "response": [{"node": {"id_": "a", "text": "t", "metadata": {}}, "score": 2.0}, {"node": {"id_": "b", "text": "u"}, "score": 1.0}]},
        {"query_id": "q", "documents": [{"id": "a", "page_content": "t", "metadata": {"source": "x"}}, {"id": "b", "page_content": "t"}]},
        {"query_id": "q", "documents": [[{"metadata": {"doc_id": "a"}, "page_content": "t"}, 2.0], [{"metadata": {"doc_id": "b"}}, 1.0]]},
        {"query_id": "q", "hits": {"total": 2, "hits": [{"_id": "a", "_score": 2.0, "_source": {"title": "t"}}, {"_id": "b", "_score": 1.0, "_source": {}}]}},
        {"query_id": "q", "retrieved_ids": ["a", "b"], "scores": [2.0, 1.0]},
        {"qid": "q", "matches": [{"id": "a", "score": 2.0, "metadata": {"text": "t"}}, {"id": "b", "score": 1.0, "metadata": {}}]},
        {"user_input": "q", "retrieved_context_ids": ["a", "b"], "retrieved_contexts": ["long text of a", "text of b"]},
        {"query_id": "q", "retrieved": {"a": 2.0, "b": 1.0}},
        {"query_id": "q", "retrieved": [["a", 2.0], ["b", 1.0]]},
    ],
)  # fmt: skip
@pytest.mark.parametrize("lines", [False, True])
def test_results_in_every_common_shape(record, lines):
    other = json.loads(json.dumps(record).replace('"q"', '"r"'))
    text = "\n".join(map(json.dumps, [record, other])) if lines else json.dumps([record, other])
    run = only_run(text)
    assert ranking(run) == {"q": ["a", "b"], "r": ["a", "b"]}
    assert run.scores is None or run.scores.tolist() == [2, 1, 2, 1]


def test_chunk_ids_win_over_document_ids():
    run = only_run('[{"query_id": "q", "retrieved": [{"chunk_id": "a#1", "doc_id": "a", "score": 1.0}]}]')
    assert ranking(run) == {"q": ["a#1"]}


def test_ids_are_the_text_of_the_file():
    run = only_run('[{"query_id": 7, "retrieved": [12345678901234567891, 1e5, 7.0, "0007", "NA", "null"]}]')
    assert ranking(run) == {"7": ["12345678901234567891", "1e5", "7.0", "0007", "NA", "null"]}


def test_numbers_beside_the_results_are_measurements():
    run = only_run(
        '[{"query": "q", "retrieved": ["a"], "latency_ms": 12.5, "metrics": {"faithfulness": 0.5}}, {"query": "r", "retrieved": []}]'
    )
    assert run.measurements["latency_ms"][0] == 12.5
    assert run.measurements["faithfulness"][0] == 0.5
    assert run.depths.tolist() == [1, 0]


def test_texts_and_titles_are_kept_for_the_drilldown():
    run = only_run('[{"query": "q", "retrieved": [{"id": "a", "title": "T", "text": "words"}]}]')
    assert run.documents.look_up(["a"]) == {"a": ("T", "words")}


def test_the_combined_form_gives_both_sides():
    text = '[{"query": "q", "retrieved": ["a", "b"], "relevant": ["b"]}]'
    assert judged(read(text, "dataset").qrels) == {"q": {"b": 1}}
    assert ranking(only_run(text)) == {"q": ["a", "b"]}


def test_flat_objects_are_a_table():
    text = '[{"qid": "q", "docid": "a", "score": 0.5}, {"qid": "q", "docid": "b", "score": 0.7}]'
    assert only_run(text).scores.tolist() == [0.5, 0.7]


def test_a_distance_is_turned_and_said():
    run = only_run('{"query_id": "q", "results": [{"doc_id": "a", "distance": 0.1}, {"doc_id": "b", "distance": 0.4}]}')
    assert run.scores.tolist() == [-0.1, -0.4]
    assert codes(run) == ["scores-look-like-distances"]


def test_scores_that_rise_along_the_list_are_told():
    run = only_run(
        '{"query_id": "q", "results": [{"id": "a", "score": 0.1}, {"id": "b", "score": 0.4}, {"id": "c", "score": 0.5}]}'
    )
    assert [(f.code, f.remedy) for f in run.findings] == [("scores-look-like-distances", "flip-scores")]


def test_two_records_of_one_query_are_joined_and_told():
    run = only_run('{"query": "q", "retrieved": ["a"]}\n{"query": "q", "retrieved": ["b"]}')
    assert ranking(run) == {"q": ["a", "b"]}


@pytest.mark.parametrize(
    ("text", "role", "error", "said"),
    [
        ("[]", "run", EmptyFileError, "empty list"),
        (json.dumps(DATASET), "run", WrongRoleError, "Load this file as the dataset"),
        ('[{"query": "q", "retrieved": ["a"]}]', "dataset", WrongRoleError, "Load this file as a run"),
        ('[{"query": "q", "retrieved": ["a"]}, {"retrieved_at": 3}]', "run", MalformedError, "keys retrieved_at"),
        ('[{"query": "q", "retrieved": ["a"]}, 5]', "run", MalformedError, "'5' where an object should be"),
        ('[{"query": "q", "retrieved": [{"id": "a"}, {"score": 3}]}]', "run", MalformedError, "has no id"),
        ('[{"foo": 1}]', "run", UnknownFormatError, "keys of the first object: foo|columns foo"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_says_why(text, role, error, said):
    with pytest.raises(error, match=said):
        read(text, role)


def test_beir_queries_and_corpus():
    assert read(
        '{"_id": "q1", "text": "who", "metadata": {}}\n{"_id": "q2", "text": "what"}', "dataset"
    ).queries.texts.to_pylist() == ["who", "what"]
    documents = read(
        '{"_id": "d", "title": "T", "text": "x"}\n{"_id": "e", "title": "", "text": "y"}', "dataset"
    ).documents
    assert documents.look_up(["d", "e"]) == {"d": ("T", "x"), "e": (None, "y")}


def test_a_list_inside_an_object_is_found_and_said():
    reading = read(
        '{"meta": {"system": "x"}, "results": [{"id": "q", "hits": [{"doc": {"id": "a"}, "score": 2.0}, {"doc": {"id": "b"}, "score": 1.0}]}]}'
    )
    assert ranking(reading.runs[0]) == {"q": ["a", "b"]}
    assert codes(reading) == ["nested-json"]


@pytest.mark.parametrize(
    "field",
    [
        {"relevance": {"d": 2, "e": 0}},
        {"relevance": [{"doc_id": "d", "relevance": 2}, {"doc_id": "e", "relevance": 0}]},
        {"relevance": [["d", 2], ["e", 0]]},
        {"grades": {"d": 2, "e": 0}},
        {"judgments": {"d": "2", "e": "0"}},
        {"qrels": [{"docid": "d", "rel": 2}, {"docid": "e", "rel": 0}]},
        {"relevance_labels": [{"id": "d", "label": 2}, {"id": "e", "label": 0}]},
    ],
)
def test_a_dataset_with_nothing_but_grades(field):
    reading = read(json.dumps([{"query": "q", **field}]), "dataset")
    assert judged(reading.qrels) == {"q": {"d": 2, "e": 0}}
    assert codes(reading) == []


@pytest.mark.parametrize(
    "field",
    [
        {"expected": ["doc_7", "doc_2"]},
        {"ground_truth": ["guide.md", "faq.md"]},
        {"answers": [{"answer": "Paris", "doc_id": "d1"}, {"answer": "Rome", "doc_id": "d2"}]},
        {"sources": [101, 102]},
        {"relevance": ["a-1", "a-2"]},
    ],
)
def test_names_that_may_mean_an_answer_are_taken_where_they_hold_ids_and_told(field):
    reading = read(json.dumps([{"query": "q", **field}]), "dataset")
    assert len(judged(reading.qrels)["q"]) == 2
    assert [(f.code, f.examples) for f in reading.findings] == [("guessed-field", tuple(field))]


@pytest.mark.parametrize("field", [{"answers": ["Paris", "Rome"]}, {"ground_truth": ["It opens at nine o'clock."]}])
def test_answers_in_words_are_no_documents(field):
    assert read(json.dumps([{"query": "q", **field}]), "dataset").qrels is None


def test_grades_that_stand_beside_the_results_are_not_taken_for_ids():
    text = '[{"query": "q", "documents": ["a", "b", "c"], "labels": [1, 0, 2]}]'
    assert judged(read(text, "dataset").qrels) == {"q": {"a": 1, "b": 0, "c": 2}}
    assert codes(read(text, "dataset")) == ["guessed-field"]
    assert (ranking(only_run(text)), codes(read(text))) == ({"q": ["a", "b", "c"]}, [])
    ids = '[{"query": "q", "retrieved": [5, 7], "relevant": [7, 9]}]'
    assert judged(read(ids, "dataset").qrels) == {"q": {"7": 1, "9": 1}}
