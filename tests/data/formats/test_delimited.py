"""Tables in text: separators, quotes, headers, lines, encodings."""
# ruff: noqa: E501 - a record or a table a line, as tools write them

import pytest

from ragdash.errors import EmptyFileError, LimitError, MalformedError, UnknownFormatError, WrongRoleError
from tests.data.formats.reading import codes, judged, only_run, ranking, read

ROWS = [("q1", "a", "0.9"), ("q1", "b", "0.8"), ("q2", "a", "0.7")]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", " "])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_separators_and_line_ends(separator, end, mark):
    table = end.join(separator.join(row) for row in [("query_id", "doc_id", "score"), *ROWS]) + end
    run = only_run(mark + table)
    assert ranking(run) == {"q1": ["a", "b"], "q2": ["a"]}
    assert run.scores.tolist() == [0.9, 0.8, 0.7]
    assert run.lines.tolist() == [2, 3, 4]


def test_ids_stay_exactly_the_text_of_the_file():
    ids = ["0007", "NA", "null", "None", "nan", "1e5", "1E5", "12345678901234567891", " a ", "7.0", "+1", "true"]
    run = only_run("query_id,doc_id,rank\n" + "".join(f"0001,{one},{i}\n" for i, one in enumerate(ids, 1)))
    assert ranking(run) == {"0001": ids}


def test_lines_are_true_after_quoted_line_breaks_and_blank_lines():
    table = 'query_id,query,doc_id,relevance\nk1,"two\nlines",a,1\n\nk2,"a ""b""\r\nc",b,1\nk3,x,c,1\n'
    reading = read(table, "dataset")
    assert reading.queries.texts.to_pylist() == ["two\nlines", 'a "b"\r\nc', "x"]
    assert list(reading.qrels.lines) == [2, 5, 7]


def test_a_row_of_the_wrong_width_is_named_by_its_line():
    table = 'query_id,query,doc_id,relevance\nk1,"two\nlines",a,1\nk2,b,1\n'
    with pytest.raises(MalformedError, match=r"line 4: 3 columns found: k2,b,1; expected 4"):
        read(table, "dataset")


def test_decimal_commas_are_read_and_said():
    run = only_run("query_id;doc_id;score\nk1;a;0,95\nk1;b;0,125\n")
    assert run.scores.tolist() == [0.95, 0.125]
    assert codes(run) == ["decimal-comma"]


def test_a_point_between_thousands_beside_a_decimal_comma():
    assert only_run("query_id;doc_id;score\nk;a;1.234,5\nk;b;0,5\n").scores.tolist() == [1234.5, 0.5]


def test_sep_line_comments_and_trailing_empty_rows():
    run = only_run("# made by a tool\nsep=;\nquery_id;doc_id;score\nq;a;1.5\n;;\n\n")
    assert ranking(run) == {"q": ["a"]}
    assert run.lines.tolist() == [4]


@pytest.mark.parametrize(
    ("table", "role"), [("k1\ta\t1\nk1\tb\t0\nk2\tc\t1\n", "dataset"), ("k1,a,1\nk1,b,0\nk2,c,1\n", "dataset")]
)
def test_a_table_without_a_header_keeps_its_first_row(table, role):
    assert judged(read(table, role).qrels) == {"k1": {"a": 1, "b": 0}, "k2": {"c": 1}}


def test_quotes_in_tabs_that_do_not_close_are_letters():
    reading = read('id\ttext\n1\t"Hubble" telescope\n2\t5" disk\n3\t"open\n', "dataset")
    assert reading.queries.texts.to_pylist() == ['"Hubble" telescope', '5" disk', '"open']


def test_a_field_longer_than_a_block_of_the_parser():
    text = "x" * (9 << 20)
    reading = read(f"query_id,query,doc_id,relevance\n1,{text},a,1\n2,short,b,1\n", "dataset")
    assert [len(one) for one in reading.queries.texts.to_pylist()] == [len(text), 5]


@pytest.mark.parametrize(
    ("table", "role", "error", "said"),
    [
        ("query_id,doc_id,rank,score\n", "run", EmptyFileError, "a header .* and no rows"),
        ("query_id," + ",".join(f"doc_{i}" for i in range(2000)) + "\nq" + ",0" * 2000, "run", LimitError, "2,001 columns found"),
        ("query_id," + ",".join(f"x{i}y" for i in range(40)) + "\nq" + ",0" * 40, "run", UnknownFormatError, "41 columns found.*matrix"),
        ("query_id,doc_1,doc_2,doc_3\nq,a,b,c\n", "run", UnknownFormatError, "one column a rank"),
        ("query,docid,rating\nq,a,1\n", "run", WrongRoleError, "Load this file as the dataset"),
        ("query-id\tcorpus-id\tscore\nq\ta\t1\n", "run", WrongRoleError, "layout of BEIR"),
        ("query,docid,rank\nq,a,1\nq,b,2\n", "dataset", WrongRoleError, "Load this file as a run"),
        ("query_id,doc_id,score\nq,a,good\nq,b,bad\n", "run", MalformedError, "line 2: none of the 2 scores is a number"),
        ("foo,bar\nx y,z\n", "run", UnknownFormatError, "foo"),
        ("query_id,doc_id,relevance\nq,a,1\n,b,1\n", "dataset", MalformedError, "line 3: 1 row without a query id"),
        ("query_id,doc_id,relevance\nq,a,1\nq,b,maybe\n", "dataset", MalformedError, "line 3: this grade is no number: 'maybe'"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_says_why(table, role, error, said):
    with pytest.raises(error, match=said):
        read(table, role)


def test_blanks_do_not_separate_where_commas_do() -> None:
    with pytest.raises(MalformedError, match="line 2: 4 columns found"):
        read('query_id, doc_id, score\nq1, "d1,x", 0.5\nq1, "d2", 0.4\n')
