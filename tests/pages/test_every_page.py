"""Does every page stand, empty, with the sample, and opened by a link on a server that nobody has visited?"""

import pytest

from ragdash.ui import nav
from tests.pages.reading import checked, param, words

COMPARING = ["verdict", "significance", "distributions", "queries", "query", "ledger", "runs", "judgments", "share"]
ALL = ["data", *COMPARING, "metrics"]


def test_every_page_is_in_the_menu_and_no_other() -> None:
    from pathlib import Path

    files = {f"pages/{path.name}" for path in Path("pages").glob("*.py")}
    assert files == set(nav.PLACES)


@pytest.mark.parametrize("page", COMPARING)
def test_an_empty_page_says_what_is_missing_and_offers_the_sample(visit, page: str) -> None:
    at = checked(visit(page))
    assert "Nothing is loaded yet." in words(at)
    button = next(one for one in at.button if one.label == "Try it with sample data")
    checked(button.click().run())
    assert param(at, "source") == "sample"
    assert "Nothing is loaded yet." not in words(at)


@pytest.mark.parametrize("page", ALL)
def test_a_deep_link_opens_the_page_with_its_menu(visit, page: str) -> None:
    at = checked(visit(page, source="sample"))
    assert nav.PLACES[f"pages/{page}.py"].question in words(at)
    assert "Decide" in [one.value for one in at.sidebar.caption]


@pytest.mark.parametrize("page", COMPARING)
def test_what_is_compared_is_in_the_url(visit, page: str) -> None:
    at = checked(visit(page, source="sample", contender="lsa", metric="Recall@K", k="5"))
    assert param(at, "baseline") == "bm25"
    assert param(at, "contender") == "lsa"
    assert param(at, "metric") == "Recall@K"
    assert param(at, "k") == "5"
    assert at.selectbox(key="pick_contender").value == "lsa"


def test_the_link_of_a_query_opens_it(visit) -> None:
    at = checked(visit("query", source="sample", query="q02", show="all"))
    assert "the bank declined my card, will my apps go offline?" in words(at)


def test_next_and_previous_stay_within_the_filter(visit) -> None:
    at = checked(visit("query", source="sample", show="losses"))
    first = param(at, "query")
    checked(at.button(key="next").click().run())
    second = param(at, "query")
    assert second != first
    checked(at.button(key="previous").click().run())
    assert param(at, "query") == first


def test_changing_k_changes_the_url_and_the_page(visit) -> None:
    at = checked(visit("verdict", source="sample"))
    checked(at.selectbox(key="pick_k").set_value(3).run())
    assert param(at, "k") == "3"
    assert "in the top 3" in words(at)


def test_baseline_and_contender_change_places(visit) -> None:
    at = checked(visit("verdict", source="sample", baseline="bm25", contender="rrf"))
    checked(at.button(key="swap").click().run())
    assert (param(at, "baseline"), param(at, "contender")) == ("rrf", "bm25")


def test_a_picked_row_leads_to_its_query(visit) -> None:
    at = checked(visit("queries", source="sample", show="all"))
    at.session_state["queries"] = {"selection": {"rows": [1], "columns": [], "cells": []}}
    checked(at.run())
    assert param(at, "query")


def test_a_picked_bar_leads_to_its_query(visit) -> None:
    at = checked(visit("distributions", source="sample"))
    point = {"customdata": [3], "point_index": 0}
    at.session_state["sorted"] = {"selection": {"points": [point], "point_indices": [0], "box": [], "lasso": []}}
    checked(at.run())
    assert param(at, "query") == "q04"


def test_search_keeps_what_contains_the_words_without_case_and_accents(visit) -> None:
    at = checked(visit("queries", source="sample", show="all", search="autonomos"))
    assert "1 of 72 questions" in words(at).replace("**", "")


def test_the_metrics_page_follows_the_toggles(visit) -> None:
    at = checked(visit("metrics"))
    labels = [one.label.replace("\\", "") for one in at.expander]
    assert any(label.startswith("**Precision@3 = 0.333**") for label in labels)  # rank 2 of the first three
    checked(at.session_state.__setitem__("example_relevant", [1, 2, 3]) or at.run())
    labels = [one.label.replace("\\", "") for one in at.expander]
    assert any(label.startswith("**Precision@3 = 1.000**") for label in labels)


def test_every_metric_that_is_recommended_exists(visit) -> None:
    from ragdash.ui import glossary, picks

    for _, names in glossary.CHOICES:
        assert [picks.at_k(name, 5) for name in names]
    assert "Which metric for which question?" in [one.label for one in checked(visit("metrics")).expander]


def test_every_block_of_the_glossary_says_all_there_is_to_know(visit) -> None:
    at = checked(visit("metrics"))
    at.session_state["metric_nDCG"] = True
    checked(at.run())
    said = words(at)
    for part in ("Range", "When to use it.", "When it misleads.", "No relevant document.", "Short lists."):
        assert f"**{part}**" in said, part
    assert at.latex
    assert "Järvelin and Kekäläinen 2002" in said
