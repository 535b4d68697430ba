"""Is text from the data inert wherever it goes?"""

import pytest

from ragdash import escape


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("2*3*4 costs $5 and $6", r"2\*3\*4 costs \$5 and \$6"),
        ("[link](y) ![image](y)", r"\[link\]\(y\) \!\[image\]\(y\)"),
        ("<script>alert(1)</script>", r"\<script\>alert\(1\)\<\/script\>"),
        ("two\n\nlines", "two lines"),
        ("größe 日本", "größe 日本"),
        ("\u202eabc", "abc"),
    ],
)
def test_markdown_shows_every_sign_letter_by_letter(text: str, safe: str) -> None:
    assert escape.markdown(text) == safe


@pytest.mark.parametrize("text", ["http://x.org", "HTTPS://x", "www.x.org", "mailto:a@b.org", "a.b@c.org"])
def test_an_address_stays_text(text: str) -> None:
    """A renderer that makes links of bare addresses finds none: a joiner that nobody sees stands inside."""
    safe = escape.markdown(text)
    assert "\u2060" in safe
    assert safe.replace("\u2060", "").replace("\\", "") == text


def test_a_metric_is_no_address() -> None:
    assert escape.markdown("nDCG@10") == r"nDCG\@10"


def test_github_markdown_links_and_mentions_nobody() -> None:
    assert escape.github("@ana saw a|b at http://x, www.y.z; 12 of 50 (24%).") == (
        r"\@ana saw a\|b at http\://x, www\.y.z; 12 of 50 (24%)."
    )


def test_plotly_reads_no_markup() -> None:
    assert escape.plotly("<b>x</b> & $y$") == "&lt;b&gt;x&lt;/b&gt; &amp; &#36;y&#36;"


def test_html_closes_no_attribute() -> None:
    assert escape.html_text("\"><img src=x onerror='y'>") == "&quot;&gt;&lt;img src=x onerror=&#x27;y&#x27;&gt;"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1 off", "@cmd", "\tx", "\rx"])
def test_a_spreadsheet_runs_no_text_and_the_way_back_is_exact(text: str) -> None:
    assert escape.csv_cell(text) == "'" + text
    assert escape.csv_uncell(escape.csv_cell(text)) == text


@pytest.mark.parametrize("value", [-0.5, 7, None, "plain", "'quoted'", "1-2"])
def test_numbers_and_plain_text_stay_what_they_are(value: object) -> None:
    assert escape.csv_cell(value) == value


def test_latex_signs() -> None:
    assert escape.latex("50% of a_b & c\\d") == r"50\% of a\_b \& c\textbackslash{}d"


def test_long_names_are_shortened_in_the_middle() -> None:
    assert escape.shortened("abcdefghij", 7) == "abc…hij"
    assert escape.shortened("abcdefg", 7) == "abcdefg"
