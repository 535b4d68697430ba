"""Is an invalid value in the URL said, and replaced by one that works?"""

import pytest

from tests.pages.reading import checked, param, words


@pytest.mark.parametrize(
    ("key", "value", "used"),
    [
        ("metric", "nDGC@10", "nDCG@10"),
        ("k", "-3", "10"),
        ("k", "ten", "10"),
        ("baseline", "nobody", "bm25"),
        ("contender", "nobody", "the best one"),
        ("show", "everything", "losses"),
        ("threshold", "much", "1"),
        ("gain", "square", "linear"),
        ("band", "7", "0.01"),
        ("test", "anova", "t"),
        ("correction", "hope", "holm"),
        ("apply", "make-it-better", "nothing"),
    ],
)
def test_an_invalid_value_is_named_with_what_is_used_instead(visit, key: str, value: str, used: str) -> None:
    at = checked(visit("queries", source="sample", **{key: value}))
    said = "\n".join(one.value.replace("\\", "") for one in at.warning)
    assert f"{key.replace('_', ' ')} = {value}" in said
    assert f"Used instead: **{used}**" in said
    assert param(at, key) != value


def test_an_unknown_query_is_said(visit) -> None:
    at = checked(visit("query", source="sample", query="q999"))
    assert "query = q999" in words(at)
    assert param(at, "query") != "q999"


def test_a_row_beyond_the_table_is_said(visit) -> None:
    at = checked(visit("queries", source="sample", show="all", **{"from": "9000"}))
    assert "from = 9000" in words(at)


def test_a_token_that_is_not_on_the_shelf_is_explained(visit) -> None:
    at = checked(visit("verdict", source="AAAAAAAAAAAAAAAAAAAAAA"))
    assert "This link leads to no workspace here" in words(at)


def test_a_value_that_would_be_markup_stays_text(visit) -> None:
    at = checked(visit("verdict", source="sample", baseline="![x](http://e.vil/a.png)<script>$x$"))
    said = at.warning[0].value
    assert "![x]" not in said
    assert "\\!\\[x\\]" in said


def test_settings_in_the_url_change_the_scores(visit) -> None:
    plain = checked(visit("query", source="sample", query="q01", show="all"))
    strict = checked(visit("query", source="sample", query="q01", show="all", threshold="3"))
    assert "No document is judged relevant" in words(strict)
    assert "No document is judged relevant" not in words(plain)
