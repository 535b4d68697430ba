"""Is nothing of a table guessed in silence? Scores, grades, lists in cells and names of runs."""
# ruff: noqa: E501 - a table a line, as tools write them

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from ragdash.data.formats.base import Blob
from ragdash.data.preview import preview
from tests.data.formats.reading import codes, judged, only_run, ranking, read


def finding(reading, code: str):
    return next(one for one in reading.findings if one.code == code)


def test_two_scores_are_asked_about_and_the_ranks_tell_which() -> None:
    table = "query_id,doc_id,bm25_score,dense_score\nq1,a,1,0.5\nq1,b,2,0.4\n"
    assert (
        "several columns may be the score: bm25_score, dense_score. 'bm25_score' was taken"
        in finding(read(table), "ambiguous-column").message
    )
    assert not preview(Blob("a.csv", table.encode()), "run").sure
    ranked = "query_id,doc_id,rank,bm25_score,dense_score\nq1,a,1,1,0.5\nq1,b,2,2,0.4\n"
    assert ranking(only_run(ranked)) == {"q1": ["a", "b"]}
    assert only_run(ranked).scores.tolist() == [0.5, 0.4]
    reranked = "query_id,doc_id,score,rerank_score\nq1,a,1,0.5\nq1,b,2,0.4\n"
    assert "ambiguous-column" in codes(read(reranked))


def test_one_score_among_numbers_is_beyond_doubt() -> None:
    for columns in ("score,bm25_score", "bm25_score,depth", "score,answer_score"):
        table = f"query_id,doc_id,{columns}\nq1,a,0.5,1\nq1,b,0.4,1\nq2,a,0.3,2\n"
        assert "ambiguous-column" not in codes(read(table))


@pytest.mark.parametrize("name", ["score (cosine)", "Score [0-1]", "similarity (higher is better)"])
def test_a_remark_in_brackets_is_no_part_of_a_name(name: str) -> None:
    assert only_run(f"query_id,doc_id,{name}\nq1,a,0.5\nq1,b,0.9\n").scores.tolist() == [0.5, 0.9]


def test_a_grade_with_its_scale_in_brackets() -> None:
    assert judged(read("Query,Document,Rating (0-3)\na,d1,2\nb,d2,0\n", "dataset").qrels) == {
        "a": {"d1": 2},
        "b": {"d2": 0},
    }


def test_pairs_without_a_grade_count_as_relevant_and_that_is_said() -> None:
    said = finding(read("query_id,doc_id\nq1,a\nq2,b\n", "dataset"), "no-grade")
    assert (said.severity, said.count) == ("info", 2)
    said = finding(read("query_id,doc_id,text\nq1,a,words\n", "dataset"), "no-grade")
    assert said.severity == "warning"
    assert "load the file as a run" in said.message


@pytest.mark.parametrize(
    ("cell", "ids"),
    [
        ('"a1, b2"', ["a1", "b2"]), ("a|b c", ["a", "b c"]), ("a1 b2", ["a1", "b2"]), ("Hello world.md", ["Hello world.md"]),
        ('"Smith, J and Doe, K"', ["Smith, J and Doe, K"]), ("\"{'a', 'b'}\"", ["a", "b"]), ("\"('a', 'b')\"", ["a", "b"]),
        ('"{a,b}"', ["a", "b"]), ("['a' 'b']", ["a", "b"]), ("\"{'a': 2, 'b': 1}\"", ["a", "b"]),
    ],
)  # fmt: skip
def test_lists_in_cells(cell: str, ids: list[str]) -> None:
    reading = read(f"query_id,query,relevant_docs\nq1,x,{cell}\n", "dataset")
    assert list(judged(reading.qrels)["q1"]) == ids


def test_how_cells_are_taken_apart_is_said() -> None:
    said = finding(read("query_id,relevant_docs\nq1,a;b\nq2,c\n", "dataset"), "split-cells")
    assert said.severity == "info"
    assert "several ids between semicolons, such as 'a;b'" in said.message
    said = finding(read("query_id,relevant_docs\nq1,a|b\nq2,c;d\n", "dataset"), "split-cells")
    assert (said.severity, said.lines) == ("warning", (3,))
    assert "1 cell was read as one id and may hold several: 'c;d' (line 3)" in said.message
    assert "split-cells" not in codes(read("query_id,relevant_docs\nq1,a\nq2,c\n", "dataset"))


def test_a_tag_of_the_query_does_not_tear_a_run_apart() -> None:
    table = "query_id,doc_id,score,tag\nq1,a,0.5,billing\nq1,b,0.4,billing\nq2,a,0.5,login\n"
    assert ranking(only_run(table)) == {"q1": ["a", "b"], "q2": ["a"]}
    runs = read("query_id,doc_id,score,tag\nq1,a,0.5,bm25\nq1,b,0.4,dense\n").runs
    assert [one.name for one in runs] == ["bm25", "dense"]


def test_columns_that_nobody_named_are_no_metadata() -> None:
    for name in ("", "Unnamed: 0", "level_0", "...1"):
        table = f"{name},query_id,query,doc_id,relevance\n0,q1,x,d1,1\n1,q2,y,d2,1\n"
        assert list(read(table, "dataset").queries.metadata) == []


def test_parquet_maps_and_structs() -> None:
    sink = pa.BufferOutputStream()
    pairs = pa.array([[("a", 1), ("b", 0)], [("c", 2)]], pa.map_(pa.string(), pa.int64()))
    parquet.write_table(pa.table({"query_id": ["q1", "q2"], "qrels": pairs}), sink)
    assert judged(read(sink.getvalue().to_pybytes(), "dataset").qrels) == {"q1": {"a": 1, "b": 0}, "q2": {"c": 2}}
    sink = pa.BufferOutputStream()
    parquet.write_table(pa.table({"query": [{"id": "q1", "text": "x"}], "relevant_docs": [["a"]]}), sink)
    reading = read(sink.getvalue().to_pybytes(), "dataset")
    assert judged(reading.qrels) == {"q1": {"a": 1}}
    assert reading.queries.texts.to_pylist() == ["x"]


def test_hidden_sheets_are_named_and_not_read(tmp_path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    book.active.title = "bm25"
    for sheet in (book.active, book.create_sheet("old")):
        sheet.append(["query_id", "doc_id", "score"])
        sheet.append(["q1", sheet.title, 0.5])
    book["old"].sheet_state = "hidden"
    book.save(tmp_path / "run.xlsx")
    reading = read((tmp_path / "run.xlsx").read_bytes())
    assert ranking(reading.runs[0]) == {"q1": ["bm25"]}
    assert len(reading.runs) == 1
    assert "Hidden, and not read: old." in finding(reading, "excel-workbook").message
