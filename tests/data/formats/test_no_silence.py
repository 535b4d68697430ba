"""Is nothing of a table guessed in silence? Scores, grades, lists in cells and names of runs."""
# ruff: noqa: E501 - a table a line, as tools write them

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from ragdash.data.formats.base import Blob
from ragdash.data.preview import preview
from ragdash.errors import MalformedError, UnknownFormatError, WrongRoleError
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


def test_rows_between_blanks_without_a_header() -> None:
    assert ranking(only_run("q1 d1 0.93\nq1 d2 0.41\n")) == {"q1": ["d1", "d2"]}
    assert only_run("q1 d1 1 0.93\nq1 d2 2 0.41\n").scores.tolist() == [0.93, 0.41]
    with pytest.raises(UnknownFormatError):
        read("Some words 1\nand more 2\nin a file of five 3\n")


def test_scores_in_the_slot_of_the_dataset_are_no_grades() -> None:
    for text in ("q1 d1 0.93\nq1 d2 0.41\nq2 d3 0.77\n", "q1,d1,0.93\nq1,d2,0.41\nq2,d3,0.77\n"):
        with pytest.raises(WrongRoleError, match="different fractions"):
            read(text, "dataset")
    assert judged(read("q1 d1 0.5\nq1 d2 1\n", "dataset").qrels) == {"q1": {"d1": 0.5, "d2": 1}}


def test_an_empty_id_is_refused_with_its_line() -> None:
    far = "".join(f"q{i}\tQ0\td{i}\t1\t0.5\tx\n" for i in range(9_000))  # beyond the head as within it
    for text, role in (
        ("\tQ0\td\t1\t0.5\tx\n", "run"),
        (f"{far}\tQ0\td\t1\t0.5\tx\n", "run"),
        ("q\t0\t\t1\n", "dataset"),
    ):
        with pytest.raises(MalformedError, match=f"line {text.count(chr(10)):,}: the (query|document) id is empty"):
            read(text, role)


def test_a_file_that_ends_within_a_row_was_cut_off() -> None:
    for text in ("q1 Q0 d1 1 12.5 x\nq1 Q0 d2 2 1", "query_id,doc_id,score\nq1,d1,0.5\nq1,d"):
        with pytest.raises(MalformedError, match="file ends within this"):
            read(text)


def test_a_matrix_is_no_wide_table_and_the_column_of_trec_that_says_nothing_is_no_metadata() -> None:
    with pytest.raises(UnknownFormatError, match="it looks like a matrix"):
        read("query_id," + ",".join(f"d{i}" for i in range(30)) + "\nq1" + ",0.1" * 30 + "\n")
    reading = read("query iter doc rel\nq1 0 d1 1\nq1 0 d2 0\n", "dataset")
    assert list(reading.queries.metadata) == []


def test_signs_that_only_python_takes_for_line_breaks_or_blanks_stay_in_ids() -> None:
    for sign in "\x1c\x85\u00a0\u2028":
        assert ranking(only_run(f"q1 Q0 d{sign}1 1 0.5 x\nq1  Q0  d2  2  0.4  x\n")) == {"q1": [f"d{sign}1", "d2"]}
    reading = read("1:first\u2028 query\n2:second: text\n", "dataset")
    assert reading.queries.texts.to_pylist() == ["first\u2028 query", "second: text"]
    assert ranking(only_run("query_id,doc_id,score\r\nq1,d1,0.5\r\n\x1a")) == {"q1": ["d1"]}


def test_metadata_is_further_information_whatever_it_is_called() -> None:
    line = '{"_id": "q1", "text": "x", "metadata": {"topic": "billing", "doc_id": "d9", "n": 3}}\n'
    reading = read(line, "dataset")
    assert reading.qrels is None
    assert reading.queries.ids.to_pylist() == ["q1"]


def test_the_number_of_a_case_is_not_that_of_its_queries() -> None:
    rows = "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Rating\nT,C,1,x y,7,1,3\nT,C,1,x y,8,2,0\nT,C,1,z,9,1,1\n"
    assert judged(read(rows, "dataset").qrels) == {"x y": {"7": 3, "8": 0}, "z": {"9": 1}}
    assert ranking(only_run(rows)) == {"x y": ["7", "8"], "z": ["9"]}
    rows = "topic,query,doc_id,relevance\n1,a,d1,1\n1,a,d2,0\n2,b,d1,1\n"
    assert judged(read(rows, "dataset").qrels) == {"1": {"d1": 1, "d2": 0}, "2": {"d1": 1}}


def test_empty_names_in_an_object_by_query() -> None:
    with pytest.raises(MalformedError, match="a query id is empty"):
        read('{"": {"a": 1.5}, "q2": {"b": 1.2}}')
    reading = read('{"q1": {"": 1.5, "a": 1.2}}')
    assert ranking(reading.runs[0]) == {"q1": ["a"]}
    assert "blank-document" in codes(reading)


def test_a_title_of_several_cells_above_a_sheet(tmp_path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    for row in (
        ["Export"],
        ["Date", "2024-01-01"],
        ["query_id", "doc_id", "score"],
        ["q1", "d1", 0.5],
        ["q1", "d2", 0.4],
    ):
        book.active.append(row)
    book.save(tmp_path / "run.xlsx")
    assert ranking(read((tmp_path / "run.xlsx").read_bytes()).runs[0]) == {"q1": ["d1", "d2"]}
