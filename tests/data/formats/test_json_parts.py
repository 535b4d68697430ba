"""One JSON object that holds everything, and records that say more than one thing: nothing of them goes in silence."""

import json

import pytest

from ragdash.errors import MalformedError, UnknownFormatError
from tests.data.formats.reading import codes, judged, ranking, read

QUERIES = [{"query_id": "q1", "text": "one"}, {"query_id": "q2", "text": "two"}]
FLAT = [{"query_id": "q1", "doc_id": "a", "relevance": 2}, {"query_id": "q2", "doc_id": "b", "relevance": 1}]
CORPUS = [{"_id": "a", "title": "A", "text": "words"}]
WANTED = {"q1": {"a": 2}, "q2": {"b": 1}}


@pytest.mark.parametrize(
    "queries", [QUERIES, {"q1": "one", "q2": "two"}, {"q1": {"text": "one"}, "q2": {"query": "two"}}]
)
@pytest.mark.parametrize("qrels", [FLAT, WANTED, {"q1": [{"id": "a", "grade": 2}], "q2": [["b", 1]]}])
@pytest.mark.parametrize("corpus", [None, CORPUS, {"a": "words"}, {"a": {"title": "A", "text": "words"}}])
def test_queries_qrels_and_corpus_each_as_a_list_or_by_id(queries, qrels, corpus) -> None:
    reading = read(
        json.dumps({"queries": queries, "qrels": qrels, **({"corpus": corpus} if corpus else {})}, indent=1), "dataset"
    )
    assert judged(reading.qrels) == WANTED
    assert reading.queries.ids.to_pylist() == ["q1", "q2"]
    assert reading.queries.texts.to_pylist() == ["one", "two"]
    assert (reading.documents.texts.to_pylist() if corpus else None) == (["words"] if corpus else None)


def test_a_part_that_is_broken_is_refused_with_its_line() -> None:
    text = json.dumps(
        {"queries": QUERIES, "qrels": [*FLAT, {"query_id": "q3", "doc_id": "c", "relevance": "heap"}]}, indent=0
    )
    line = next(n for n, one in enumerate(text.split("\n"), start=1) if '"heap"' in one) - 3
    with pytest.raises(MalformedError, match=f"line {line}: this grade is no number: 'heap'"):
        read(text, "dataset")


@pytest.mark.parametrize("key", ["run", "results", "rankings"])
def test_a_run_inside_an_object(key: str) -> None:
    rows = [("q1", "a", 0.5), ("q1", "b", 0.4), ("q2", "c", 0.3)]
    by_query = {"q1": {"a": 0.5, "b": 0.4}, "q2": {"c": 0.3}}
    for inner in (by_query, [dict(zip(("query_id", "doc_id", "score"), row)) for row in rows]):
        reading = read(json.dumps({"model": "x", "metadata": {"k": 10}, key: inner}), name="dense.json")
        assert [(run.name, ranking(run)) for run in reading.runs] == [("dense", {"q1": ["a", "b"], "q2": ["c"]})]
        assert "not read: model, metadata" in next(one for one in reading.findings if one.code == "nested-json").message


def test_an_object_of_documents_with_their_grades_or_scores() -> None:
    graded = {"q1": {"a": {"relevance": 2}, "b": {"relevance": 0}}, "q2": {"c": {"relevance": 1}}}
    assert judged(read(json.dumps(graded), "dataset").qrels) == {"q1": {"a": 2, "b": 0}, "q2": {"c": 1}}
    records = [{"query": q, "relevant_docs": docs} for q, docs in graded.items()]
    assert judged(read(json.dumps(records), "dataset").qrels) == {"q1": {"a": 2, "b": 0}, "q2": {"c": 1}}
    run = read(json.dumps({"q1": {"a": {"score": 0.1, "rank": 2}, "b": {"score": 0.9, "rank": 1}}})).runs[0]
    assert dict(zip(run.doc_ids.to_pylist(), run.scores.tolist())) == {"a": 0.1, "b": 0.9}


@pytest.mark.parametrize("text", ["a1,b2", "a1|b2", '["a1", "b2"]', "['a1', 'b2']", "a1; b2"])
def test_a_text_where_a_list_should_be_is_taken_apart_and_told(text: str) -> None:
    reading = read(json.dumps([{"query": "x", "relevant_docs": text}, {"query": "y", "relevant_docs": "c"}]), "dataset")
    assert judged(reading.qrels) == {"x": {"a1": 1, "b2": 1}, "y": {"c": 1}}
    assert codes(reading) == ["split-cells"]
    for one in ("Smith, J - report.pdf", "a b c", "c"):
        reading = read(json.dumps([{"query": "x", "relevant_docs": one}]), "dataset")
        assert judged(reading.qrels) == {"x": {one: 1}}
        assert codes(reading) == []


def test_negatives_have_grade_0_and_further_lists_are_told() -> None:
    record = {"query": "x", "pos": ["a"], "neg": ["b"], "hard_negative_ids": ["c"]}
    assert judged(read(json.dumps([record]), "dataset").qrels) == {"x": {"a": 1, "b": 0, "c": 0}}
    record = {"query": "x", "relevant_docs": ["a"], "partially_relevant_docs": ["b"]}
    reading = read(json.dumps([record]), "dataset")
    assert judged(reading.qrels) == {"x": {"a": 1}}
    assert (
        "'partially_relevant_docs' lists documents as well; only those of 'relevant_docs' were read"
        in reading.findings[0].message
    )


def test_records_that_name_their_run() -> None:
    rows = [{"run": run, "query": q, "retrieved": [f"{run}-{q}"]} for run in ("bm25", "dense") for q in "xy"]
    assert {run.name: ranking(run) for run in read(json.dumps(rows)).runs} == {
        "bm25": {"x": ["bm25-x"], "y": ["bm25-y"]}, "dense": {"x": ["dense-x"], "y": ["dense-y"]},
    }  # fmt: skip
    kinds = [
        {"system": "billing", "query": "x", "retrieved": ["a"]},
        {"system": "login", "query": "y", "retrieved": ["b"]},
    ]
    for some in (rows[:2], kinds):
        assert [run.name for run in read(json.dumps(some), name="one.json").runs] == ["one"]


def test_what_cannot_be_read_of_records_is_said_with_its_line() -> None:
    for first, found in (
        ({"query": "", "retrieved": ["a"]}, "the query is empty"),
        ({"meta": {}}, "no relevant documents and no results"),
    ):
        with pytest.raises(MalformedError, match=f"line 1: {found}"):
            read("\n".join(map(json.dumps, (first, {"query": "y", "retrieved": ["b"]}))))
    mixed = [{"query_id": "q1", "doc_id": "a", "score": 1.0}] * 6 + [{"query_id": "q2", "retrieved": ["b"]}]
    with pytest.raises(MalformedError, match="line 7: a list of documents"):
        read("\n".join(map(json.dumps, mixed)))
    with pytest.raises(UnknownFormatError, match="none of bm25, dense is known as the results"):
        read(json.dumps([{"query": "x", "bm25": ["a"], "dense": ["b"]}]))
    with pytest.raises(MalformedError, match=r"the results under 'documents' have no ids \(keys page_content\)"):
        read(json.dumps([{"query": "x", "documents": [{"page_content": "words"}]}]))


def test_documents_of_langchain_are_known_by_their_source() -> None:
    docs = [
        {"id": None, "page_content": "words", "metadata": {"source": "a.md"}},
        {"page_content": "more", "metadata": {"source": "b.md"}},
    ]
    for hits in (docs, [[one, score] for one, score in zip(docs, (0.9, 0.5))]):
        assert ranking(read(json.dumps([{"query": "x", "documents": hits}])).runs[0]) == {"x": ["a.md", "b.md"]}


def test_half_a_character_is_lost_and_told() -> None:
    reading = read('[{"query": "\\ud83d x", "relevant_docs": ["a\\ud83d\\ude00", "b\\\\ud83d"]}]', "dataset")
    assert judged(reading.qrels) == {"\ufffd x": {"a\U0001f600": 1, "b\\ud83d": 1}}
    assert codes(reading) == ["encoding-repaired"]


def test_one_document_id_with_two_texts_is_told() -> None:
    table = "query_id,doc_id,text\nq1,[1],one\nq2,[1],two\nq2,[2],three\n"
    assert "document-texts-differ" in codes(read(table))
    hits = [{"query": q, "retrieved": [{"id": "1", "text": text}]} for q, text in (("x", "one"), ("y", "two"))]
    reading = read(json.dumps(hits))
    told = next(one for one in reading.findings if one.code == "document-texts-differ")
    assert (told.examples, told.severity) == (("1",), "warning") and "begin anew" in told.message
    (note,) = read(table.replace("[1]", "refunds")).findings
    assert note.severity == "info" and "best passage" in note.message
    assert "document-texts-differ" not in codes(read(table.replace("two", "one")))
