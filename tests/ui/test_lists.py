"""Ranked lists as HTML: what is where, and that text from the data stays text."""

from dataclasses import replace

from ragdash.analysis.drilldown import Missing, Placed, QueryView
from ragdash.ui import lists

EVIL = "<img src=x onerror=alert(1)>\"' & \u202eabc"


def view(text: str = "rotate the key", title: str = "Keys", body: str = "How to rotate a key.") -> QueryView:
    """Two runs: `one` has the relevant document at rank 1, `two` at rank 4 of 4."""
    other = [Placed(i, f"other{i}", None, None, None, None) for i in range(1, 4)]
    right = Placed(1, "right", 2.0, 9.5, title, body)
    lists_of = {"one": [right], "two": [*other, Placed(4, "right", 2.0, 0.1, title, body)]}
    relevant = [
        Missing("right", 2.0, title, body, {"one": 1, "two": 4}),
        Missing("nowhere", 1.0, None, "Nobody returns it.", {"one": None, "two": None}),
    ]
    return QueryView("q1", text, {}, lists_of, relevant, {"one": True, "two": True})


def test_the_line_of_k_stands_between_and_what_is_missing_after_it() -> None:
    html = lists.ranked(view(), "two", "one", k=2, threshold=1)
    order = [html.index(part) for part in ("other2", "K = 2", "1 more document", ">4<", "nowhere")]
    assert order == sorted(order)
    assert "other3" not in html


def test_each_document_says_where_the_other_run_has_it() -> None:
    html = lists.ranked(view(), "two", "one", k=5, threshold=1)
    assert "one: rank 1" in html
    assert "one: not returned" in html


def test_unjudged_zero_and_relevant_are_three_marks() -> None:
    marks = [lists.grade_mark(grade, 1) for grade in (None, 0.0, 1.0, 2.0, 3.0)]
    assert len(set(marks)) == 5
    assert "?" in marks[0]
    assert ">0<" in marks[1]


def test_a_run_that_did_not_answer_says_so() -> None:
    silent = QueryView("q1", "t", {}, {"one": []}, [], {"one": False})
    assert "did not answer" in lists.ranked(silent, "one", "one", 5, 1)


def test_text_from_the_data_is_inert() -> None:
    hostile = view(text=EVIL, title=EVIL, body=EVIL)
    for html in (lists.ranked(hostile, "two", "one", 5, 1), lists.relevant_table(hostile, ["one", "two"], 5, 1)):
        assert "<img" not in html
        assert "\u202e" not in html


def test_words_of_the_query_are_marked_and_short_ones_are_not() -> None:
    words = lists.query_words("How do I rotate the KEY? rotate")
    assert words == ["rotate"]
    assert lists.marked("Rotate <it>", words) == "<mark>Rotate</mark> &lt;it&gt;"


def test_the_passage_with_the_words_is_shown() -> None:
    text = "filler words " * 100 + "here you rotate the secret"
    assert text[lists.best_passage(text, ["rotate", "secret"]) :].startswith(("filler", "words", "here"))
    assert lists.best_passage(text, ["rotate"]) > 1000
    assert lists.best_passage("short", ["rotate"]) == 0


def test_a_long_text_is_cut_and_says_so() -> None:
    html = lists.ranked(view(body="x" * 10_000), "one", "two", 5, 1)
    assert "6,000 more characters" in html
    assert len(html) < 12_000


def test_a_grade_that_was_given_here_is_marked_in_lists_and_table() -> None:
    assert "2✎" in lists.ranked(view(), "one", "two", k=2, threshold=1, here={"right"})
    assert "1✎" in lists.ranked(view(), "one", "two", k=2, threshold=1, here={"nowhere"})
    assert "2✎" in lists.relevant_table(view(), ["one", "two"], 2, 1, here={"right"})
    assert "✎" not in lists.ranked(view(), "one", "two", k=2, threshold=1)
    assert "judged in ragdash, not relevant" in lists.grade_mark(0.0, 1, True)


def test_one_document_alone_is_escaped_and_cut() -> None:
    html = lists.document(EVIL, EVIL, EVIL + " rotate " + "x" * 100, ["rotate"], most=60)
    assert "<img" not in html
    assert "\u202e" not in html
    assert "<mark>rotate</mark>" in html
    assert "more characters" in html
    assert "rd-text" not in lists.document("Keys", "d", None, [])


def test_a_run_is_not_blamed_for_what_only_other_labels_name() -> None:
    shown = view()
    relevant = [
        Missing("right", 2.0, None, None, {"one": 1, "two": None}, frozenset({"one"})),
        Missing("cut", 1.0, None, None, {"one": None, "two": None}, frozenset({"two"})),
    ]
    labels = {"one": "fixed", "two": "by <cut>"}
    shown = QueryView("q1", "t", {}, {"one": shown.lists["one"], "two": []}, relevant, shown.answered, labels)
    assert "relevant, not returned" not in lists.ranked(shown, "one", "two", 5, 1)
    assert lists.ranked(shown, "two", "one", 5, 1).count("relevant, not returned") == 1
    table = lists.relevant_table(shown, ["one", "two"], 5, 1)
    assert "<th>labels</th>" in table and "by &lt;cut&gt;" in table
    assert table.count('title="judged by other labels"></td>') == 2
    assert table.count('title="not returned">–') == 1


def test_a_run_that_cuts_documents_differently_is_not_said_to_lack_a_chunk() -> None:
    apart = replace(view(), apart=frozenset({("two", "one")}))
    assert "not returned</span>" in lists.ranked(view(), "two", "one", 3, 1)
    assert "one: " not in lists.ranked(apart, "two", "one", 3, 1)


def test_chunks_that_hold_evidence_are_marked() -> None:
    html = lists.ranked(view(), "two", "one", 3, 1, evidence={2})
    assert html.count(">evidence</span>") == 1
    assert html.index("other1") < html.index(">evidence</span>") < html.index("other3")
