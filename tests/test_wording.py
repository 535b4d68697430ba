"""Are numbers and verdicts said as people read them?"""

import pytest

from ragdash import wording


@pytest.mark.parametrize(
    ("value", "said"), [(0.0414, "+0.041"), (-0.12, "−0.120"), (0.0, "0.000"), (-0.0001, "0.000"), (1e-9, "0.000")]
)
def test_signed(value: float, said: str) -> None:
    assert wording.signed(value) == said


@pytest.mark.parametrize(
    ("p", "said"), [(None, "no answer"), (0.0, "< 0.001"), (1e-300, "< 0.001"), (0.0312, "0.031"), (1.0, "1.000")]
)
def test_p_is_never_zero(p: float | None, said: str) -> None:
    assert wording.p_value(p) == said


def test_p_close_to_one_is_not_one() -> None:
    assert wording.p_value(0.99996) == "> 0.999"


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (["a", "b", "c"], "a, b and c"),
        (list("abcdef"), "a, b, c and 3 more"),
    ],
)
def test_lists_of_names(names: list[str], said: str) -> None:
    assert wording.listed(names) == said


def test_direction_has_a_sign_a_number_and_a_word() -> None:
    assert wording.direction(0.041) == "▲ +0.041 better"
    assert wording.direction(-0.12) == "▼ −0.120 worse"
    assert wording.direction(1e-10) == "= no difference"


@pytest.mark.parametrize("verdict", ["better", "worse", "equivalent", "undecided", "untestable"])
def test_no_sentence_says_proves_or_significant(verdict: wording.Verdict) -> None:
    said = wording.verdict_sentence(verdict, "dense", "bm25", "nDCG@10", 0.04, (0.01, 0.07), "Why.")
    said += wording.headline(verdict, "dense", "bm25", "Why.")
    assert "dense" in said and "bm25" in said
    for word in ("prove", "signific", "p ="):
        assert word not in said.lower()


def test_verdict_sentence_says_how_much() -> None:
    said = wording.verdict_sentence("better", "dense", "bm25", "nDCG@10", 0.04, (0.01, 0.07), "")
    assert said == "dense is better than bm25 on nDCG@10: +0.040 (between +0.010 and +0.070)."


def test_counts_before_means() -> None:
    assert wording.helped(200, 41, 12, 147, "dense") == (
        "Of 200 questions, dense helped 41, hurt 12 and left 147 as they were."
    )
    assert wording.helped(1, 1, 0, 0, "dense") == "There is one question; dense helped it."
    assert wording.helped(1, 0, 0, 1, "dense") == "There is one question; dense left it as it was."


def test_shares_are_said_of_a_hundred_questions() -> None:
    what = "The right passage is in the top 5"
    assert wording.per_hundred(0.07, (0.03, 0.11), what) == f"{what} for 7 more questions in 100 (between 3 and 11)."
    assert wording.per_hundred(-0.07, (-0.11, 0.01), what) == (
        f"{what} for 7 fewer questions in 100 (between −1 and 11)."
    )
    assert wording.per_hundred(0.0, None, what) == f"{what} for as many questions as before."
    assert wording.per_hundred(0.01, None, what) == f"{what} for 1 more question in 100."


def test_shares_end_where_they_can() -> None:
    what = "It is there"
    assert wording.per_hundred(0.6, (0.1, 1.1), what) == f"{what} for 60 more questions in 100 (between 10 and 100)."
    # 90 of 100 had it before: ten can be won at most
    said = wording.per_hundred(0.07, (-0.02, 0.16), what, before=0.9)
    assert said == f"{what} for 7 more questions in 100 (between −2 and 10)."
    assert wording.per_hundred(-0.07, (-0.16, 0.004), what, before=0.1) == (
        f"{what} for 7 fewer questions in 100 (between 0 and 10)."
    )


def test_fewer_than_ten_questions_are_not_said_as_a_hundred() -> None:
    assert wording.per_hundred(0.5, None, "It is there", n=9) == ""
    assert wording.per_hundred(0.5, None, "It is there", n=10) == "It is there for 50 more questions in 100."


@pytest.mark.parametrize(
    ("more", "n", "alone", "said"),
    [
        (320, 200, False, "About 320 more questions would settle it."),
        (1, 200, False, "About 1 more question would settle it."),
        (0, 200, False, "A few more questions would settle it."),
        (5_000, 72, False, "About 5,000 more questions would settle it."),
        (73_307, 72, False, "No practical number of further questions would settle it."),
        (73_307, 6_980, False, "About 73,307 more questions would settle it."),
        (None, 72, False, ""),
        (40, 72, True, "Alone it would be enough, but not among several comparisons; "
                       "about 40 more questions would settle it."),
        (None, 72, True, "Alone it would be enough, but not among several comparisons."),
    ],
)  # fmt: skip
def test_what_would_settle_it(more: int | None, n: int, alone: bool, said: str) -> None:
    assert wording.would_settle(more, n, enough_alone=alone) == said


def test_why_there_is_no_verdict() -> None:
    assert wording.one_question(10) == "There is one question: a test needs two at least, and a verdict 10."
    assert wording.none_in_common() == "They answered different questions: none was answered by both."
    assert wording.all_the_same() == "Both give the same score on every question."
    assert wording.within(0.01) == "The difference is within 0.01 either way."
    assert wording.too_few(8, 10) == "Too few to say: 8 of the 10 questions that it takes at least."
    assert wording.too_few_differ(4, 0.125) == (
        "Too few to say: only 4 questions differ, and no exact test of so few can go below 0.125."
    )
    assert wording.too_few_differ(1, 1.0) == (
        "Too few to say: only one question differs, and no exact test of so few can go below 1."
    )


def test_tests_that_agree() -> None:
    assert wording.tests_agree(4, True) == "All 4 tests find a difference beyond chance"
    assert wording.tests_agree(4, False) == "None of the 4 tests finds a difference"


def test_what_it_means_that_tests_disagree() -> None:
    assert wording.tests_disagree(["t", "swaps"], ["ranks", "signs"], "mean") == (
        "The tests disagree: t and swaps find a difference, ranks and signs do not: "
        "a few large differences carry the mean, and most questions do not take part"
    )
    assert wording.tests_disagree(["signs"], ["t"], "wins") == (
        "The tests disagree: signs finds a difference, t does not: "
        "one run wins more often, but what it loses elsewhere is large: the mean could be chance"
    )
    assert wording.tests_disagree(["t"], ["swaps", "signs"], "line").endswith(
        "t finds a difference, swaps and signs do not: the result lies close to the line, so treat it as open"
    )


@pytest.mark.parametrize(
    ("value", "word"), [(0.1, "very small"), (-0.2, "small"), (0.5, "medium"), (-0.8, "large"), (3.0, "large")]
)
def test_effect_sizes_in_words(value: float, word: str) -> None:
    assert wording.effect_word(value) == f"{word} against its spread"


@pytest.mark.parametrize(
    ("answer", "interval", "said"),
    [
        (True, (-0.004, 0.006),
         "The difference is too small to matter: it lies between −0.004 and +0.006, within ±0.01 (p 0.020)."),
        (False, (0.02, 0.06),
         "The difference is large enough to matter: it lies between +0.020 and +0.060, all of it beyond ±0.01."),
        (False, (-0.005, 0.06),
         "It is open whether the difference matters: it lies between −0.005 and +0.060, on both sides of a limit of "
         "±0.01."),
        (None, None, "Whether the difference stays within ±0.01 cannot be said: one query."),
    ],
)  # fmt: skip
def test_the_practical_band(answer: bool | None, interval: tuple[float, float] | None, said: str) -> None:
    assert wording.band_sentence(answer, 0.01, 0.02, interval, "one query") == said


def test_good_enough_to_be_taken_for_its_price() -> None:
    assert wording.no_worse_sentence(True, 0.01, 0.02, "lsa", None) == (
        "lsa is at most 0.01 worse, if it is worse at all (p 0.020)."
    )
    assert wording.no_worse_sentence(False, 0.01, 0.3, "lsa", None) == (
        "That lsa is at most 0.01 worse is not shown (p 0.300)."
    )
    assert wording.no_worse_sentence(None, 0.01, None, "lsa", "identical") == (
        "Whether lsa is at most 0.01 worse cannot be said: identical."
    )


def test_what_so_many_questions_can_show() -> None:
    noticed = "With 72 questions a true difference of 0.079 is noticed in 8 of 10 tries."
    assert wording.power_sentence(72, 0.079, 0.05, 180) == (
        f"{noticed} One of 0.050, as seen here, takes about 180 questions."
    )
    assert wording.power_sentence(72, 0.079, -0.001, 73_307) == (
        f"{noticed} No practical number of questions would show one as small as the 0.001 seen."
    )
    assert wording.power_sentence(72, 0.079, -0.0001, None) == (
        f"{noticed} The difference seen here is next to nothing: no number of questions is worth planning for it."
    )
    assert wording.power_sentence(72, None, 0.0, None) == (
        "What so many questions can show cannot be said: the differences do not vary."
    )


def test_pairs_that_can_be_told_apart() -> None:
    assert wording.pairs_told(1, 10) == "1 of 10 pairs of runs can be told apart"
    assert wording.pairs_told(0, 45) == "None of 45 pairs of runs can be told apart"
    assert wording.pairs_told(1, 1) == "The two runs can be told apart"


def test_what_a_measurement_says() -> None:
    said = wording.measured("latency_ms", 310.0, 120.25, 72, 68, 4, "rrf", "bm25")
    assert said == "latency_ms: median 120.2 for rrf and 310 for bm25; lower for rrf on 68 of 72 questions."
    said = wording.measured("tokens", 1240.0, 20_400.0, 1, 0, 1, "rrf", "bm25")
    assert said == "tokens: median 20,400 for rrf and 1,240 for bm25; higher for rrf on 1 of 1 question."
    assert wording.measured("cost", 1.0, 1.0, 9, 0, 0, "rrf", "bm25") == "cost: the same for both on 9 questions."


def test_runs_that_take_no_part_are_named() -> None:
    assert wording.set_aside(["alien"]) == "Not comparable: alien, as it answers none of the dataset's questions."
    assert wording.set_aside(["a", "b"]) == "Not comparable: a and b, as they answer none of the dataset's questions."


def test_what_is_held_equal_and_what_is_read() -> None:
    at = wording.equal_reading(3000, None)
    assert at == "at equal reading, 3,000 characters"
    assert wording.headline("better", "dense", "bm25", "", at) == (
        "Switch to dense: at equal reading, 3,000 characters, it answers better than bm25, and that is no accident."
    )
    assert wording.headline("undecided", "dense", "bm25", "Why.", wording.equal_reading(None, 10)) == (
        "Cannot tell yet whether dense or bm25 is better with 10 chunks each, however long. Why."
    )
    assert wording.evidence_read(0.831, 0.7, "dense", "bm25", at) == (
        "At equal reading, 3,000 characters, dense has 83 % of the evidence and bm25 70 %."
    )
    assert wording.characters_read([("dense", 7616.3), ("bm25", 4998.6)], 10) == (
        "Read on average: the first 10 chunks have 7,616 characters with dense, 4,999 with bm25."
    )


@pytest.mark.parametrize(
    ("value", "said"),
    [(0, "0 %"), (0.004, "less than 1 %"), (0.12, "12 %"), (0.996, "more than 99 %"), (0.99, "99 %"), (1, "100 %")],
)
def test_a_share_is_all_or_nothing_only_where_it_is(value: float, said: str) -> None:
    assert wording.share(value) == said


@pytest.mark.parametrize(
    ("n", "judged", "could_change", "said"),
    [
        (0, 1.0, False, "Yes: every document in the top 10 is judged."),
        (14, 0.91, True, "Not yet: 91 % of the top 10 is judged, and the other 14 documents could change the answer."),
        (
            1,
            0.999,
            True,
            "Not yet: more than 99 % of the top 10 is judged, and the other document could change the answer.",
        ),
        (14, 0.91, False, "Yes: 91 % of the top 10 is judged, and the other 14 documents could not change the answer."),
    ],
)
def test_can_the_labels_be_trusted(n: int, judged: float, could_change: bool, said: str) -> None:
    assert wording.trust_labels(n, judged, 10, could_change) == said


@pytest.mark.parametrize(
    ("documents", "queries", "said"),
    [
        (14, 6, ""),
        (1, 1, "One may be enough: if it is not relevant, the other 13 cannot change the answer."),
        (5, 1, "The first 5 documents, in one question, may be enough: if they are not relevant, the other 9 cannot "
         "change the answer."),
        (5, 2, "The first 5 documents, in 2 questions, may be enough: if they are not relevant, the other 9 cannot "
         "change the answer."),
    ],
)  # fmt: skip
def test_how_few_may_be_enough(documents: int, queries: int, said: str) -> None:
    assert wording.enough_to_judge(documents, queries, 14) == said


@pytest.mark.parametrize(
    ("query", "question"),
    [
        ("3 of 50 queries are missing; they score 0.", "3 of 50 questions are missing; they score 0."),
        ("Query q7 has several records.", "Question q7 has several records."),
        ("queries.jsonl: 1 query has no text.", "queries.jsonl: 1 question has no text."),
        ("eval/queries: query_id and 'query' of 2 queries.", "eval/queries: query_id and 'query' of 2 questions."),
    ],
)  # fmt: skip
def test_a_query_is_a_question_on_the_page_and_the_other_way_round(query: str, question: str) -> None:
    assert wording.as_questions(query) == question
    assert wording.as_queries(question) == query


def test_columns_and_what_is_of_the_data_keep_their_words() -> None:
    told = "2 rows without a query id; expected query Q0 doc rank score tag"
    assert wording.as_questions(told) == told
    told = "1 query is missing from query-rewriting. First: the query language of my query."
    assert wording.as_questions(told, ["query-rewriting", "the query language of my query", None]) == told.replace(
        "1 query", "1 question"
    )
