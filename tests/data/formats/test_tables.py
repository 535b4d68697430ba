"""What the columns of a table mean: names, slots, mappings, extras."""
# ruff: noqa: E501 - a record or a table a line, as tools write them

import pytest

from ragdash.data import intake
from ragdash.data.formats.base import Blob
from ragdash.data.preview import preview
from ragdash.errors import MalformedError
from tests.data.formats.reading import codes, judged, only_run, ranking, read


@pytest.mark.parametrize(
    "header",
    ["query_id,doc_id,relevance", "query-id,corpus-id,score", "qid,docno,label", "QueryId,DocId,Rating", "topic,document,grade", "query_id,chunk_id,is_relevant"],
)  # fmt: skip
def test_judgments_under_any_common_name(header):
    assert judged(read(f"{header}\nq,a,2\nq,b,0\n", "dataset").qrels) == {"q": {"a": 2, "b": 0}}


@pytest.mark.parametrize(
    "header", ["query_id,doc_id,score", "qid,docid,similarity", "Query ID,Node ID,Score", "query,passage_id,bm25"]
)
def test_results_under_any_common_name(header):
    assert only_run(f"{header}\nq,a,2.5\nq,b,0.5\n").scores.tolist() == [2.5, 0.5]


def test_a_row_without_a_document_states_a_query():
    assert judged(read("query_id,doc_id,relevance\nq,a,1\nr,,\n", "dataset").qrels) == {"q": {"a": 1}, "r": {}}
    assert ranking(only_run("query_id,doc_id,score\nq,a,1.5\nr,,\n")) == {"q": ["a"], "r": []}


def test_without_scores_the_ranks_give_the_order():
    run = only_run("query_id,doc_id,rank\na,x1,1\na,n1,0\nb,x2,0\n")
    assert ranking(run) == {"a": ["n1", "x1"], "b": ["x2"]}
    assert run.scores is None
    assert codes(run) == ["no-score-ordered-by-rank", "ranks-start-at-0"]


def test_what_the_ranks_say_otherwise_is_told():
    assert codes(only_run("query_id,doc_id,rank,score\nq,a,0,3\nq,b,0,2.5\n")) == ["rank-column-ignored"]
    assert codes(only_run("query_id,doc_id,rank,score\nq,a,1,0.1\nq,b,2,0.2\nr,a,1,0.1\nr,b,2,0.3\n")) == [
        "scores-look-like-distances"
    ]
    mixed = only_run("query_id,doc_id,rank,score\nq,a,1,0.1\nq,b,2,0.2\nq,c,3,0.05\nr,a,1,0.9\nr,b,2,0.3\n")
    assert [(f.code, f.examples) for f in mixed.findings] == [("rank-disagrees-with-score", ("q",))]


def test_text_title_and_extras_are_kept():
    table = "query,docid,name,description,rating,market\nq,a,Name,Words,1,DE\nq,b,Other,,0,DE\n"
    reading = read(table, "dataset")
    assert reading.documents.look_up(["a", "b"]) == {"a": ("Name", "Words"), "b": ("Other", None)}
    assert reading.queries.metadata.to_dict("list") == {"market": ["DE"]}


def test_numbers_with_one_value_a_query_are_measurements_of_a_run():
    run = only_run("query_id,doc_id,score,latency_ms,length\nq,a,2.5,10,3\nq,b,1.5,,4\nr,a,1,12.5,3\n")
    assert {name: values.tolist() for name, values in run.measurements.items()} == {"latency_ms": [10, 12.5]}


def test_a_column_of_names_makes_several_runs():
    runs = read("run,query_id,doc_id,score\nbm25,q,a,2.5\ndense,q,b,1.5\n").runs
    assert [(run.name, ranking(run)) for run in runs] == [("bm25", {"q": ["a"]}), ("dense", {"q": ["b"]})]


def test_several_grades_are_told_and_the_choice_is_the_persons():
    table = "query,docid,agent_1_rating,final_rating\nq,a,0,2\n"
    reading = read(table, "dataset")
    assert judged(reading.qrels) == {"q": {"a": 2}}
    assert codes(reading) == ["ambiguous-column"]
    chosen = read(table, "dataset", query="query", doc_id="docid", grade="agent_1_rating")
    assert judged(chosen.qrels) == {"q": {"a": 0}}
    assert codes(chosen) == []


def test_labels_in_words_become_grades_by_a_known_scale_or_a_given_one():
    reading = read("query_id,doc_id,label\nq,a,Relevant\nq,b,not relevant\n", "dataset")
    assert judged(reading.qrels) == {"q": {"a": 1, "b": 0}}
    assert codes(reading) == ["grade-in-words"]
    given = {"query_id": "query_id", "doc_id": "doc_id", "grade": "label", "grade:gold": "3", "grade:tin": "1"}
    assert judged(read("query_id,doc_id,label\nq,a,gold\nq,b,tin\n", "dataset", **given).qrels) == {
        "q": {"a": 3, "b": 1}
    }


def test_unknown_headers_are_read_by_a_mapping():
    blob = Blob("odd.csv", b"frage,fundstelle,punkte\nq,a,2.5\nq,b,1.5\n")
    shown = preview(blob, "run")
    assert shown.columns == ("frage", "fundstelle", "punkte")
    assert shown.rows == (("q", "a", "2.5"), ("q", "b", "1.5"))
    assert not shown.sure
    (run,) = intake.read(blob, "run", {"query": "frage", "doc_id": "fundstelle", "score": "punkte"}).runs
    assert ranking(run) == {"q": ["a", "b"]}
    with pytest.raises(MalformedError, match="no column 'x'"):
        intake.read(blob, "run", {"query": "x"})


def test_a_wide_table_is_read_once_a_person_says_so():
    table = "query_id,doc_1,doc_2,doc_3\nq,a,b,c\nr,d,,\ns,,,\n"
    assert ranking(only_run(table, query_id="query_id", ranks="*")) == {"q": ["a", "b", "c"], "r": ["d"], "s": []}


@pytest.mark.parametrize("cell", ['"[""a"", ""b""]"', "\"['a', 'b']\"", "a|b", "a;b", '"a, b"', "a b"])
def test_cells_that_hold_lists(cell):
    assert judged(read(f"query,relevant_docs\nq,{cell}\n", "dataset").qrels) == {"q": {"a": 1, "b": 1}}


def test_one_id_with_two_texts_is_told():
    reading = read("query_id,query,doc_id,relevance\nq,one,a,1\nq,two,b,1\n", "dataset")
    assert codes(reading) == ["query-texts-differ"]


def test_blank_grades_are_not_judged():
    reading = read("query,docid,rating\nq,a,1\nq,b,\n", "dataset")
    assert judged(reading.qrels) == {"q": {"a": 1}}
    assert codes(reading) == ["blank-grade"]


def test_files_of_one_shape_share_a_key():
    keys = {preview(Blob("f", f"x,y\n{row}\n".encode()), "run").shape_key for row in ("1,2", "a b,c d")}
    assert len(keys) == 1
