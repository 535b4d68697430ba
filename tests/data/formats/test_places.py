"""Spans, quotes, plain texts, and chunks that say where they are cut from, in every shape."""

import json

import pytest

from ragdash.data.formats.base import Blob
from ragdash.data.intake import read, recognise
from ragdash.errors import FileError
from tests.chunked import TEXTS
from tests.data.formats.reading import only_run, ranking
from tests.data.formats.reading import read as read_text


def spans(reading):
    found = reading.evidence
    asked = found.query_ids.take(found.query_codes()).to_pylist()
    return list(
        zip(asked, found.doc_ids.to_pylist(), found.begins.tolist(), found.ends.tolist(), found.quotes.to_pylist())
    )


def hits(*values, query="q1"):
    return json.dumps([{"query_id": query, "retrieved": list(values)}])


@pytest.mark.parametrize(
    ("record", "wanted"),
    [
        ({"evidence": [{"doc_id": "d", "start": 3, "end": 9}]}, ("d", 3, 9, None)),
        ({"references": [{"content": "a b", "start_index": 0, "end_index": 3}], "corpus_id": "d"}, ("d", 0, 3, "a b")),
        ({"spans": [{"document": "d", "begin": 1, "stop": 2}]}, ("d", 1, 2, None)),
        ({"quotes": [{"doc_id": "d", "quote": "two words"}]}, ("d", -1, -1, "two words")),
        ({"quotes": ["these are three words"], "doc_id": "d"}, ("d", -1, -1, "these are three words")),
        ({"reference_contexts": ["these are three words"]}, (None, -1, -1, "these are three words")),
    ],
)  # fmt: skip
def test_evidence_in_every_shape(record, wanted) -> None:
    reading = read_text(json.dumps([{"id": "q1", "question": "What?", **record}]), "dataset")
    assert spans(reading) == [("q1", *wanted)]
    assert reading.qrels is None
    assert reading.queries.texts.to_pylist() == ["What?"]
    assert list(reading.queries.metadata) == []


def test_chunks_with_ids_stay_judgments() -> None:
    reading = read_text('[{"question": "What?", "evidence": ["doc_1", "doc_2"], "id": "q1"}]', "dataset")
    assert reading.evidence is None and reading.qrels.doc_ids.to_pylist() == ["doc_1", "doc_2"]
    graded = read_text(
        '[{"id": "q1", "query": "What?", "references": [{"chunk_id": "c", "start": 0, "end": 3}]}]', "dataset"
    )
    assert graded.evidence is None and graded.qrels.doc_ids.to_pylist() == ["c"]


def test_evidence_in_the_cells_of_a_table() -> None:
    cell = json.dumps([{"content": "a b", "start_index": 5, "end_index": 8}]).replace('"', '""')
    reading = read_text(f'question,references,corpus_id\nWhy?,"{cell}",d\n', "dataset", "questions.csv")
    assert spans(reading) == [("Why?", "d", 5, 8, "a b")]
    assert reading.qrels is None


@pytest.mark.parametrize(
    "hit",
    [
        {"chunk_id": "c1", "doc_id": "d", "start": 3, "end": 9},
        {"id": "c1", "doc_id": "d", "start": 3, "end": 9, "text": "words"},
        {"chunk_id": "c1", "metadata": {"source": "d", "start_index": 3, "end_index": 9}},
        {"node": {"id_": "c1", "ref_doc_id": "d", "start_char_idx": 3, "end_char_idx": 9}, "score": 0.5},
    ],
)
def test_chunks_of_a_run_say_where_they_are_cut_from(hit) -> None:
    run = only_run(hits(hit, {**hit, **({"chunk_id": "c2"} if "chunk_id" in hit else {})}), "run.json")
    known = run.documents
    assert run.doc_ids[0].as_py() == known.ids[0].as_py() == "c1"
    assert (known.parents[0].as_py(), int(known.begins[0]), int(known.ends[0])) == ("d", 3, 9)


def test_rows_that_name_documents_with_places_become_chunks() -> None:
    run = only_run(
        hits(
            {"doc_id": "d", "start": 0, "end": 5, "text": "first"},
            {"doc_id": "d", "start": 5, "end": 9, "text": "then"},
        ),
        "run.json",
    )
    assert ranking(run) == {"q1": ["d:0-5", "d:5-9"]}
    assert run.documents.look_up(["d:5-9"]) == {"d:5-9": (None, "then")}
    table = only_run("query_id,doc_id,start,end,score\nq1,d,0,5,2\nq1,d,5,9,1\n", "run.csv")
    assert ranking(table) == {"q1": ["d:0-5", "d:5-9"]}
    assert table.documents.begins.tolist() == [0, 5]
    once = only_run("query_id,doc_id,start,end,score\nq1,c1,0,5,2\nq1,c2,5,9,1\n", "run.csv")
    assert ranking(once) == {"q1": ["c1", "c2"]}  # each id has one place: it is the chunk's


def test_a_list_of_chunks_says_where_they_are_cut_from() -> None:
    table = read_text("id,doc_id,start,end,text\nc1,d,0,5,first\nc2,d,5,9,then\n", "dataset", "chunks.csv")
    lines = read_text(
        '{"chunk_id": "c1", "doc_id": "d", "start": 0, "end": 5, "text": "first"}\n'
        '{"chunk_id": "c2", "doc_id": "d", "start": 5, "end": 9, "text": "then"}\n',
        "dataset", "chunks.jsonl",
    )  # fmt: skip
    for reading in (table, lines):
        known = reading.documents
        assert known.ids.to_pylist() == ["c1", "c2"] and known.texts.to_pylist() == ["first", "then"]
        assert known.parents.to_pylist() == ["d", "d"] and known.ends.tolist() == [5, 9]


def test_an_address_beside_an_id_is_no_chunks_document() -> None:
    run = only_run(hits({"doc_id": "d", "url": "https://x.org", "score": 1}), "run.json")
    assert not run.documents.located


def test_a_text_is_a_document_named_after_its_file() -> None:
    reading = read(Blob("docs/guide.md", TEXTS["guide"].encode()), "dataset")
    assert reading.documents.ids.to_pylist() == ["guide"]
    assert reading.documents.texts.to_pylist() == [TEXTS["guide"]]
    prose = "The plan ends with the month, and the key that it came with works on for another hour or so. " * 20
    assert recognise(Blob("terms.txt", prose.encode()), "dataset").key == "text"
    assert recognise(Blob("qrels.txt", b"q1 0 d1 1\nq1 0 d2 0\n"), "dataset").key == "trec-qrels"
    with pytest.raises(FileError):
        recognise(Blob("short.txt", b"hello there"), "dataset")
    with pytest.raises(FileError):
        recognise(Blob("guide.md", b"# Guide\n\nwords"), "run")
