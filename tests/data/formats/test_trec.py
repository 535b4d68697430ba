"""TREC runs and judgments, from regular to odd: what is read, what is said, what is refused and in which words."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdash.data.formats.base import Blob
from ragdash.data.formats.trec import QRELS, QRELS3, RUN
from ragdash.data.formats.trec_lines import run_by_lines
from ragdash.data.formats.trec_regular import regular_run
from ragdash.errors import EmptyFileError, MalformedError, UnknownFormatError, WrongRoleError
from tests.data.formats.reading import codes, only_run, read

REGULAR = "q1 Q0 a 1 3.5 t\nq1 Q0 b 2 2.5 t\nq2 Q0 a 1 1.0 t\n"


def blob(text, name="bm25.run"):
    return Blob(name, text if isinstance(text, bytes) else text.encode())


def run_of(text):
    return RUN.read(blob(text), "run").runs[0]


def rows(run):
    queries = np.repeat(run.query_ids.to_pylist(), run.depths).tolist()
    return list(zip(queries, run.doc_ids.to_pylist(), run.scores.tolist(), (int(line) for line in run.lines)))


def judged(text, format=QRELS):
    reading = format.read(blob(text, "qrels.txt"), "dataset")
    qrels = reading.qrels
    queries = np.repeat(qrels.query_ids.to_pylist(), np.diff(qrels.starts)).tolist()
    return list(zip(queries, qrels.doc_ids.to_pylist(), qrels.grades.tolist())), {
        one.code: one for one in reading.findings
    }


EXPECTED = [("q1", "a", 3.5, 1), ("q1", "b", 2.5, 2), ("q2", "a", 1.0, 3)]


@pytest.mark.parametrize(
    "text",
    [
        REGULAR,
        REGULAR.rstrip("\n"),
        REGULAR.replace(" ", "\t"),
        REGULAR.replace(" ", "   "),
        REGULAR.replace(" ", " \t"),
        REGULAR.replace("\n", "\r\n"),
        REGULAR.replace("\n", "\r"),
        REGULAR.replace("\n", " \n"),
        "\ufeff" + REGULAR,
        "\ufeff" + REGULAR.replace("\n", "\r\n"),
        REGULAR.encode("utf-16"),
        REGULAR.replace("t\n", "a tag of words\n"),
        REGULAR.replace(" t\n", "\n"),
        REGULAR.replace("Q0", "0"),
        REGULAR.replace("3.5", "+3.5").replace("2.5", "2.5e0"),
    ],
    ids=lambda text: repr(text)[:40],
)
def test_all_of_these_are_the_same_run(text):
    assert RUN.recognise(blob(text), "run") > 0.5
    assert rows(run_of(text)) == EXPECTED


def test_comments_and_blank_lines_are_passed_over_and_lines_still_counted():
    text = "# made by hand\n\nq1 Q0 a 1 3.5 t\n# more\nq1 Q0 b 2 2.5 t\n\n"
    assert rows(run_of(text)) == [("q1", "a", 3.5, 3), ("q1", "b", 2.5, 5)]


def test_a_hash_inside_an_id_is_part_of_it():
    assert rows(run_of("q#1 Q0 a#4_5 1 3.5 t\n")) == [("q#1", "a#4_5", 3.5, 1)]
    assert judged("q#1 0 a#4_5 1\n")[0] == [("q#1", "a#4_5", 1.0)]
    assert judged("# all of it\nq1 0 a 1 # sure\n")[0] == [("q1", "a", 1.0)]


def test_rows_of_a_query_in_several_places_are_brought_together():
    assert rows(run_of("q1 Q0 a 1 3.5 t\nq2 Q0 a 1 1.0 t\nq1 Q0 b 2 2.5 t\n")) == [
        ("q1", "a", 3.5, 1),
        ("q1", "b", 2.5, 3),
        ("q2", "a", 1.0, 2),
    ]


def test_ids_stay_text():
    ids = ["0007", "1e5", "NA", "null", "12345678901234567890", "2024-01-01", "TRUE", '"quoted"']
    text = "".join(f"{one} Q0 {one} {rank} {9 - rank}.0 t\n" for rank, one in enumerate(ids))
    assert [row[:2] for row in rows(run_of(text))] == [(one, one) for one in ids]
    assert [row[:2] for row in judged("".join(f"{one} 0 {one} 1\n" for one in ids))[0]] == [(one, one) for one in ids]


def test_the_missing_q0_column_is_said():
    run = run_of(REGULAR.replace(" Q0", ""))
    assert rows(run) == EXPECTED
    (finding,) = [one for one in run.findings if one.code == "no-q0-column"]
    assert "bm25.run line 1 has 5 fields" in finding.message


def test_scores_that_are_no_finite_number_are_left_out_and_said():
    run = run_of("q1 Q0 a 1 nan t\nq1 Q0 b 2 2.5 t\nq2 Q0 c 1 -inf t\n")
    assert rows(run) == [("q1", "b", 2.5, 2)]
    assert run.query_ids.to_pylist() == ["q1", "q2"]
    (finding,) = [one for one in run.findings if one.code == "unusable-score"]
    assert finding.count == 2
    assert finding.lines == (1, 3)
    assert "q1" in finding.message
    assert "a" in finding.examples


@pytest.mark.parametrize(
    ("rank", "code"), [("0", "rank-column-ignored"), ("falling", "scores-look-like-distances"), (None, None)]
)
def test_what_the_rank_column_says(rank, code):
    lines = [
        f"q{q} Q0 d{n} {n if rank != '0' else 0} {n if rank == 'falling' else 9 - n} t\n"
        for q in "12"
        for n in range(1, 9)
    ]
    assert [one.code for one in run_of("".join(lines)).findings] == ([code] if code else [])


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("q1 Q0 a 1 3.5 t\nq1 Q0 b 2 x1 t\n", "line 2", "the score 'x1' is no number"),
        ("q1 Q0 a 1 3.5 t\nq1 Q0 b 2\n", "line 2", "4 fields found"),
        ("q1 Q0 a 1 3.5 t\nq1 Q0 b 2.5 t\n", "line 2", "5 fields found"),
        ("q1 Q0 a 1 3.5 t\nq1 Q0 b 20 1 2.5 t\n", "line 2", "7 fields found"),
        ("q1 a 1 3.5 t\nq1 Q0 b 2 2.5 t\n", "line 2", "6 fields found"),
    ],
)
def test_a_broken_line_is_named(text, line, found):
    with pytest.raises(MalformedError) as error:
        run_of(text)
    for part in ("bm25.run", line, found, "expected", "query"):
        assert part in str(error.value)


def test_files_in_the_wrong_place_and_files_without_rows():
    with pytest.raises(WrongRoleError, match=r"bm25\.run: a run .* Load this file as a run\."):
        RUN.read(blob(REGULAR), "dataset")
    for role in ("run", "dataset"):
        assert QRELS.recognise(blob("q1 0 a 1\n"), role) > 0.5
        assert RUN.recognise(blob("q1 0 a 1\n"), role) == 0
    with pytest.raises(WrongRoleError, match="judgments"):
        QRELS.read(blob("q1 0 a 1\n"), "run")
    for text in ("", "\n \n", "# nothing\n"):
        with pytest.raises(EmptyFileError, match="has no rows"):
            run_of(text)
        with pytest.raises(EmptyFileError, match="has no rows"):
            judged(text)


@pytest.mark.parametrize(
    "text",
    [
        "query-id corpus-id score\nq1 a 1\n",
        "qid Q0 docid rank score tag\n" + REGULAR,
        "query_id\tdoc_id\trelevance\nq1\ta\t1\n",
        '{"q1": {"a": 1}}',
        '[{"query": "who is it that 1 2", "retrieved": ["a"]}]',
        "query_id,doc_id,score\nq1,a,1.0\n",
        "How do I do this one thing\nand 5 of that 7 too\n",
        "",
    ],
)
def test_what_is_no_trec_file(text):
    for format in (RUN, QRELS, QRELS3):
        for role in ("run", "dataset"):
            assert format.recognise(blob(text), role) == 0, (format.key, role)


def test_judgments():
    text = "q1 0 a 2\nq1 0 b 0\nq2 0 a 1\n"
    for same in (
        text,
        text.replace(" ", "\t"),
        text.replace(" ", "  "),
        text.replace("\n", "\r\n"),
        text.replace("0 b", "7 b"),
    ):
        assert judged(same) == ([("q1", "a", 2.0), ("q1", "b", 0.0), ("q2", "a", 1.0)], {})
    three = text.replace(" 0 ", " ")
    for same in (three, three.replace(" ", "\t")):
        assert QRELS3.recognise(blob(same), "dataset") > 0.5
        assert judged(same, QRELS3) == judged(text)


def test_repeats_and_contradictions_are_settled_and_said():
    found, said = judged("v1 0 a 2\nv1 0 b 1\nv2 0 c 1\nv1 0 a 2\nv2 0 c 0\n")
    assert found == [("v1", "a", 2.0), ("v1", "b", 1.0), ("v2", "c", 1.0)]
    assert "line 4 repeats line 1 (query v1, doc a)" in said["repeated-judgment"].message
    assert "line 5 contradicts line 3 (query v2, doc c)" in said["contradicting-judgment"].message
    assert judged("q 0 a 0\nq 0 a 3\nq 0 a 1\n")[0] == [("q", "a", 3.0)]


def test_odd_grades_are_said():
    found, said = judged("q 0 a -1\nq 0 b 0.5\n")
    assert found == [("q", "a", -1.0), ("q", "b", 0.5)]
    assert "1 judgment below 0 counted as not relevant" in said["negative-grade"].message
    assert said["fractional-grade"].count == 1


@pytest.mark.parametrize("grade", ["x", "nan", "inf", "1,5", "1_0"])
def test_a_grade_that_is_no_number_is_refused(grade):
    with pytest.raises(MalformedError, match=r"qrels\.txt, line 2: the grade .* is no number"):
        judged(f"q 0 a 1\nq 0 b {grade}\n")


WORD = st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters="#"), min_size=1, max_size=6)
ROWS = st.lists(
    st.tuples(st.sampled_from(["q1", "q2", "é"]), WORD, st.floats(allow_nan=False, allow_infinity=False)), min_size=1
)


@settings(max_examples=200, deadline=None)
@given(ROWS)
def test_both_ways_of_reading_give_the_same_run(found):
    text = "".join(f"{query} Q0 {doc} {rank} {score!r} t\n" for rank, (query, doc, score) in enumerate(found))
    fast, careful = regular_run(blob(text)), run_by_lines(blob(text))
    assert fast is not None
    assert rows(fast) == rows(careful)
    assert {one.code for one in fast.findings} == {one.code for one in careful.findings}


def test_a_file_on_disk_is_read_like_one_in_memory(tmp_path):
    path = tmp_path / "bm25.run"
    path.write_text(REGULAR)
    assert rows(RUN.read(Blob("bm25.run", path=path), "run").runs[0]) == EXPECTED


def test_a_query_that_spans_blocks_of_the_parser_stays_whole():
    text = "".join(f"q{n // 150_000} Q0 document-{n:08d} {n} {-n} tag\n" for n in range(300_000))
    run = run_of(text)
    assert run.query_ids.to_pylist() == ["q0", "q1"]
    assert run.depths.tolist() == [150_000, 150_000]
    assert run.doc_ids[299_999].as_py() == "document-00299999"


def test_of_a_large_file_the_first_lines_are_asked_about_ranks(monkeypatch):
    monkeypatch.setattr("ragdash.data.formats.trec_regular._ALL_RANKS", 0)
    assert run_of(REGULAR).findings == ()
    assert rows(run_of(REGULAR)) == EXPECTED
    text = "".join(f"q1 Q0 d{n} 0 {9 - n} t\n" for n in range(9))
    assert [one.code for one in run_of(text).findings] == ["rank-column-ignored"]


@pytest.mark.parametrize("first", ["q1 Q0 a 1 9.0 t", "q1  Q0 a 1 9.0 t"])
@pytest.mark.filterwarnings("error")
def test_one_result_a_query_says_nothing_about_ranks(first):
    """The second spelling, with two blanks, goes through the reader of odd files."""
    assert codes(only_run(f"{first}\nq2 Q0 b 1 8.0 t\nq3 Q0 a 1 7.0 t\n")) == []
    huge = only_run(f"{first.replace('9.0', '-1.7e308')}\nq1 Q0 b 2 1.7e308 t\n")
    assert codes(huge) == ["scores-look-like-distances"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("q1 Q0 a 1 0.9 t\nq1 Q0 b 2 0", "line 2: 5 fields found"),
        ("q1 Q0 a 1 0.9 t\nq1 Q0 b", "line 2: 3 fields found"),
        ("q1 Q0 my doc 1 0.9 t\nq1 Q0 my doc2 2 0.8 t\n", "line 1: 7 fields found"),
        ("q1 Q0 a 0.9 1 t\nq1 Q0 b 0.8 2 t\n", "the rank is 0.9 and the score 1, on every line"),
    ],
)
def test_broken_lines_of_a_run_are_refused_by_their_line(text, said):
    with pytest.raises(MalformedError, match=said):
        read(text)


def test_a_run_without_tags_is_read_and_one_with_commas():
    for text in ("q1 Q0 a 1 0.9\nq1 Q0 b 2 0.8\n", "q1,Q0,a,1,0.9,t\nq1,Q0,b,2,0.8,t\n"):
        assert only_run(text).scores.tolist() == [0.9, 0.8]


def test_rows_behind_a_hash_are_comments_and_told() -> None:
    reading = read("q2 0 d1 1\n#q1 0 d1 1\n# q1 0 d2 1\n#just words\n", "dataset")
    assert (reading.qrels.query_ids.to_pylist(), reading.qrels.doc_ids.to_pylist()) == (["q2"], ["d1"])
    (said,) = reading.findings
    assert (said.code, said.count, said.lines) == ("comment-like-row", 1, (2,))
    many = "".join(f"q{i} 0 d{i} 1\n" for i in range(20_000)) + "#q1 0 d9 1\n"  # beyond the head as within it
    assert codes(read(many, "dataset")) == ["comment-like-row"]
    run = only_run("#q1 Q0 d1 1 0.5 x\nq2 Q0 d1 1 0.3 x\n")
    assert [(one.code, one.lines) for one in run.findings] == [("comment-like-row", (1,))]


@pytest.mark.parametrize(
    "line", ["ndcg_cut_10\t301\t0.4", "map all 0.31", "runid all bm25", "P_5 q7 0.2", "nDCG@10 q1 0.5"]
)
@pytest.mark.parametrize("role", ["dataset", "run"])
def test_the_output_of_trec_eval_is_neither_run_nor_judgments(line: str, role) -> None:
    with pytest.raises(UnknownFormatError, match="the output of trec_eval"):
        read(f"{line}\n{line}\n", role)
