"""Tables as hands and tools leave them: drawn, titled, with footers, in another language, with lists in cells."""
# ruff: noqa: E501 - a file a line

import pytest

from ragdash.errors import MalformedError, UnknownFormatError, WrongRoleError
from tests.data.formats.reading import codes, judged, only_run, ranking, read

PLAIN = "query_id,doc_id,score\nq1,a,0.9\nq1,b,0.8\nq2,c,0.7\n"
WANTED = {"q1": ["a", "b"], "q2": ["c"]}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("| query_id | doc_id | score |\n|---|:--:|--:|\n| q1 | a | 0.9 |\n| q1 | b | 0.8 |\n| q2 | c | 0.7 |\n", []),
        (" query_id | doc_id | score \n----------+--------+-------\n q1       | a      |   0.9\n q1       | b      |   0.8\n q2       | c      |   0.7\n(3 rows)\n", ["lines-below-table"]),
        ("+----------+--------+-------+\n| query_id | doc_id | score |\n+----------+--------+-------+\n| q1       | a      |   0.9 |\n| q1       | b      |   0.8 |\n| q2       | c      |   0.7 |\n+----------+--------+-------+\n", []),
        ("query_id   doc_id   score\nq1         a        0.9\nq1         b        0.8\nq2         c        0.7\n", []),
        ("Run of March, 3\n\n" + PLAIN, ["lines-above-table"]),
        ("# run\n# of today, x, y\n" + PLAIN.replace("q1,b", "# between\nq1,b"), []),
        (PLAIN + "\n6 rows\n", ["lines-below-table"]),
        (PLAIN.replace("q2", "query_id,doc_id,score\nq2"), ["repeated-header"]),
        (PLAIN.replace("0.9\n", "0.9,\n").replace("0.8\n", "0.8,\n").replace("0.7\n", "0.7,\n"), []),
        (PLAIN.replace("\n", ",\n"), []),
        (PLAIN.replace("query_id,doc_id,score", "QUERY ID,Doc-Id,SCORE"), []),
        (PLAIN.replace("query_id,doc_id,score", " query_id , doc_id , score "), []),
        (PLAIN.replace("query_id,doc_id,score", "consulta,documento,puntuación"), []),
        (PLAIN.replace("query_id,doc_id,score", "requête,document,score"), []),
        (PLAIN.replace(",", ";").replace("query_id;doc_id;score", "Frage_ID;Dokument;Punktzahl").replace("0.", "0,"), ["separator", "decimal-comma"]),
        (PLAIN.replace("score", "score,score").replace("0.9", "0.9,1").replace("0.8", "0.8,2").replace("0.7", "0.7,3"), ["ambiguous-column"]),
        (",query_id,doc_id,score\n0,q1,a,0.9\n1,q1,b,0.8\n2,q2,c,0.7\n", []),
        ("query_id,retrieved_ids\nq1,a-1|b-1\nq2,c-1\n".replace("-1", ""), None),
        ("query_id,retrieved\nq1,\"['a', 'b']\"\nq2,\"['c']\"\n", []),
        ("query_id,retrieved\nq1,\"['a' 'b']\"\nq2,\"['c']\"\n", []),
        ('query_id,retrieved\nq1,"[""a"", ""b""]"\nq2,"[""c""]"\n', []),
    ],
)  # fmt: skip
def test_the_same_run_in_many_hands(text, said):
    if said is None:  # ids of one letter look like nothing: they are not taken for a list
        with pytest.raises(UnknownFormatError):
            read(text)
        return
    reading = read(text)
    assert ranking(reading.runs[0]) == WANTED
    assert codes(reading) == said


def test_lines_are_those_of_the_file_whatever_is_left_out():
    text = "My run\n# note\n" + PLAIN.replace("q1,b", "\nq1,b")
    run = only_run(text)
    assert run.lines.tolist() == [4, 6, 7]
    assert only_run("| query_id | doc_id | score |\n|---|---|---|\n| q1 | a | 0.9 |\n").lines.tolist() == [3]


def test_ids_in_cells_that_hold_lists_keep_their_text():
    run = only_run("query_id,retrieved_ids\n7,d_1|d_2;x\n8,0012\n")
    assert ranking(run) == {"7": ["d_1", "d_2;x"], "8": ["0012"]}
    run = only_run('query_id,retrieved\n7,"[0012, 1e5, \'a b\', ""it\'s"", None]"\n')
    assert ranking(run) == {"7": ["0012", "1e5", "a b", "it's"]}


def test_a_cell_with_grades_by_document():
    text = 'query_id,relevance\nq1,"{""a"": 2, ""b"": 0}"\nq2,"{\'c\': 1}"\n'
    assert judged(read(text, "dataset").qrels) == {"q1": {"a": 2, "b": 0}, "q2": {"c": 1}}


def test_quoted_line_breaks_between_tabs():
    text = 'query_id\tquery\tdoc_id\trelevance\nq1\t"line 1\nline 2"\ta\t1\nq2\tplain\tc\tmaybe\n'
    with pytest.raises(MalformedError, match="line 4: this grade is no number"):
        read(text, "dataset")
    text = text.replace("maybe", "2")
    assert judged(read(text, "dataset").qrels) == {"q1": {"a": 1}, "q2": {"c": 2}}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('query_id,doc_id,score\nq1,"a,0.9\nq1,b,0.8\n', "line 2: a quotation mark is not closed"),
        ("query_id,doc_id,score\nq1,a,0,9\nq1,b,0,8\n", "line 2: 4 columns found .2 such rows"),
        ("query_id;doc_id;score\nq1,a,0.9\n", "line 2: 1 column found"),
        (PLAIN + "6 rows\nand more\n", "line 5: 1 column found"),
    ],
)
def test_rows_that_do_not_fit_are_refused_by_their_line(text, said):
    with pytest.raises(MalformedError, match=said):
        read(text)


def test_a_row_without_a_document_but_with_a_score_is_told():
    reading = read(PLAIN + "q3,,0.5\nq4,,\n")
    assert [(f.code, f.lines) for run in reading.runs for f in reading.findings] == [("blank-document", (5,))]
    assert reading.runs[0].depths.tolist() == [2, 1, 0, 0]


def test_a_small_run_in_the_slot_of_the_dataset():
    with pytest.raises(WrongRoleError, match="scores of a run, no grades"):
        read(PLAIN, "dataset")
