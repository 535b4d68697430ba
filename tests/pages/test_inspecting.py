"""Do filters combine, live in the link, go with chips, and is every number on the pages a way to its queries?"""

import pytest

from tests.pages.reading import checked, param, words

FIXED = {"source": "sample", "contender": "minilm-fixed500"}


def plain(at) -> str:
    return words(at).replace("**", "")


def pick_row(at, key: str, row: int):
    at.session_state[key] = {"selection": {"rows": [row], "columns": [], "cells": []}}
    return checked(at.run())


def test_filters_hold_together_and_each_has_a_chip(visit) -> None:
    at = checked(visit("queries", **FIXED, slice="category:errors", diff="..-0.3", search="HL-"))
    assert "4 of 72 questions" in plain(at)  # q59, q57, q55, q63
    chips = [one.label.replace("\\", "") for one in at.button if str(one.key).startswith("chip_")]
    assert chips == ["“HL-”", "category: errors", "difference at most -0.3"]
    checked(at.button(key="chip_2").click().run())
    assert param(at, "diff") is None
    assert param(at, "slice") == "category:errors"
    assert "6 of 72 questions" in plain(at)
    checked(at.button(key="chips_none").click().run())
    assert "72 of 72" in plain(at) or "22 of 72" in plain(at)


def test_the_presets_count_within_the_filters(visit) -> None:
    at = checked(visit("queries", **FIXED, slice="category:errors"))
    labels = at.pills[0].options if hasattr(at, "pills") else [one.content for one in at.button_group[0].options]
    assert "Worst losses 8" in labels
    assert "All 9" in labels
    assert "9 questions with category: errors" in words(at)


def test_causes_are_summed_up_over_the_table(visit) -> None:
    at = checked(visit("queries", **FIXED, slice="category:errors", show="losses"))
    assert "6 of 8 losses: the same relevant documents in the top 10, in another order; 2:" in words(at)


@pytest.mark.parametrize("line", ["trust:depth", "finding:unjudged-in-top-k:minilm-fixed500"])
def test_a_line_of_the_trust_list_or_a_finding_filters(visit, line: str) -> None:
    at = checked(visit("queries", **FIXED, line=line))
    assert not at.warning
    assert param(at, "line") == line
    assert any(str(one.key) == "chip_0" for one in at.button)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("slice", "colour:red"),
        ("diff", "much"),
        ("score", "nobody:0..1"),
        ("score", "bm25:1..0"),
        ("line", "trust:nothing"),
        ("sort", "beauty"),
    ],
)
def test_a_filter_that_is_not_possible_is_said_and_taken_out(visit, key: str, value: str) -> None:
    at = checked(visit("queries", source="sample", **{key: value}))
    assert f"{key} = {value}" in "\n".join(one.value.replace("\\", "") for one in at.warning)
    assert param(at, key) is None


def test_a_score_range_of_a_run(visit) -> None:
    at = checked(visit("queries", **FIXED, show="all", score="lsa:0..0"))
    assert "7 of 72 questions" in plain(at)  # q06 q24 q32 q37 q38 q45 q47


def test_sorted_by_any_column_over_all_pages(visit) -> None:
    at = checked(visit("queries", **FIXED, show="all", sort="-score: minilm-fixed500"))
    best = at.dataframe[0].value["s1"].tolist()
    assert best == sorted(best, reverse=True)
    assert best[0] == 1.0
    checked(at.button(key="turn_sort").click().run())
    assert param(at, "sort") == "score: minilm-fixed500"


def test_a_query_comes_back_to_its_row_with_its_filters(visit) -> None:
    at = checked(visit("queries", **FIXED, slice="category:errors"))
    pick_row(at, "queries", 2)
    assert (param(at, "query"), param(at, "slice")) == ("q57", "category:errors")
    assert "3 of 9" in plain(at)
    checked(at.button(key="next").click().run())
    assert param(at, "query") == "q55"
    back = checked(visit("queries", **FIXED, slice="category:errors", query="q55"))
    assert back.dataframe[0].value["here"].tolist() == ["", "", "", "▶", "", "", "", "", ""]


def test_a_group_opens_its_queries(visit) -> None:
    at = checked(visit("distributions", **FIXED, search="left over", diff="0.1..0.2"))
    assert "loses most on errors (−0.317, 9 questions)" in words(at)
    assert "Against the total (+0.087): errors (−0.317, 9 questions)" in words(at)
    point = {"customdata": [0], "point_index": 0}
    at.session_state["forest"] = {"selection": {"points": [point], "point_indices": [0], "box": [], "lasso": []}}
    checked(at.run())
    assert param(at, "slice") == "category:errors"
    assert (param(at, "search"), param(at, "diff")) == (None, None)
    assert "9 questions with category: errors" in words(at)


def test_a_group_is_opened_without_a_mouse(visit) -> None:
    at = checked(visit("distributions", **FIXED, by="language"))
    checked(at.selectbox(key="open_slice_language").set_value("es").run())
    assert param(at, "slice") == "language:es"


def test_a_coarse_metric_is_four_counts_that_open_their_queries(visit) -> None:
    at = checked(visit("distributions", **FIXED, metric="Success@K", k="1"))
    labels = {one.key: one.label.replace("\\", "") for one in at.button if str(one.key).startswith("cell_")}
    assert labels["cell_01"].startswith("**17**")
    checked(at.button(key="cell_01").click().run())
    assert "17 of 72 questions" in plain(at)


def test_a_box_lists_its_queries_and_a_row_opens_one(visit) -> None:
    at = checked(visit("distributions", **FIXED))
    points = [{"customdata": [i]} for i in range(3)]
    at.session_state["sorted"] = {"selection": {"points": points, "point_indices": [0, 1, 2], "box": [], "lasso": []}}
    checked(at.run())
    assert "3 questions picked" in plain(at)
    pick_row(at, "picked", 1)
    assert param(at, "query") in {"q01", "q02", "q03"}


def test_the_ledger_has_a_row_for_each_document_and_a_row_opens_its_query(visit) -> None:
    at = checked(visit("ledger", **FIXED))
    assert "3 relevant documents left the top 10: 3 not in its 10 results, where the list ends." in words(at)
    assert "18 came into it." in words(at)
    assert len(at.dataframe[0].value) == 21
    checked(visit("ledger", **FIXED, cause="nonsense"))
    at = checked(visit("ledger", **FIXED, change="lost", cause="list-ends", slice="category:errors"))
    assert at.dataframe[0].value["document"].tolist() == [
        "Configure SAML with your identity provider",
        "TLS certificates",
    ]
    pick_row(at, "ledger", 1)
    assert param(at, "query") == "q59"


def test_runs_disagree_and_a_square_opens_its_query(visit) -> None:
    at = checked(visit("runs", **FIXED))
    assert "The 5 runs differ on 63 of 72 questions" in words(at)
    assert "Most alike: minilm-paragraph and rrf" in words(at)
    point = {"customdata": [1], "point_index": 7}
    at.session_state["squares"] = {"selection": {"points": [point], "point_indices": [7], "box": [], "lasso": []}}
    checked(at.run())
    assert param(at, "query")
    assert param(at, "show") == "disagree"
    assert "2 of 63" in plain(at)


def test_only_the_order_changed_is_said_with_the_ranks(visit) -> None:
    at = checked(visit("query", **FIXED, query="q62", show="all"))
    assert "only their order differs: “Edge cache” rank 1 → 4." in words(at)
