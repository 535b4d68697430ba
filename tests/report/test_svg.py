"""Is the static picture the figure? Marks at pixels computed by hand, every chart drawn, text from the data inert."""

import re
from xml.etree import ElementTree

import numpy as np
import plotly.graph_objects as go
import pytest

from ragdash.analysis.over_k import AtK
from ragdash.charts import differences, distributions, significance, theme
from ragdash.report import svg, ticks

HOSTILE = '"><script>alert(1)</script>'
NS = "{http://www.w3.org/2000/svg}"
ONE, OTHER = np.array([0.0, 0.5, 1.0, 0.25]), np.array([0.5, 0.5, 0.5, 0.75])
INKS = theme.inks(["one", "two"], "one", "two")
SCORES = {"one": ONE, "two": OTHER}
CURVE = [AtK(1, 0.4, 0.5, 0.05, 0.15), AtK(10, 0.4, 0.45, None, None)]
CHARTS = {
    "whiskers": differences.whiskers(
        [differences.Whisker(HOSTILE, 0.1, (0.05, 0.15)), differences.Whisker("b", -0.1, None)],
        HOSTILE, "two", 0.01, HOSTILE,
    ),
    "sorted": distributions.sorted_differences(OTHER - ONE, [HOSTILE] * 4, "one", HOSTILE),
    "sorted, many": distributions.sorted_differences(np.linspace(-1, 1, 201), ["q"] * 201, "one", "two"),
    "scatter": distributions.scatter(ONE, OTHER, HOSTILE, "two", "nDCG@10"),
    "spread": distributions.spread(SCORES, INKS, "nDCG@10", "t"),
    "histogram": distributions.histogram(SCORES, INKS, "nDCG@10", "t"),
    "chance": significance.chance(np.linspace(-0.1, 0.1, 1000), 0.05),
    "over K": significance.over_k(CURVE, "nDCG", "one", "two", 10),
    "power": significance.power([5, 50, 500], np.array([0.1, 0.5, 0.99]), 72, 0.1),
}  # fmt: skip


def drawn(figure: go.Figure, width: int = 640) -> ElementTree.Element:
    return ElementTree.fromstring(svg.draw(figure, width))


@pytest.mark.parametrize("name", CHARTS)
def test_every_chart_is_drawn_and_well_formed(name: str) -> None:
    text = svg.draw(CHARTS[name].figure, label=CHARTS[name].title)
    root = ElementTree.fromstring(text)
    assert root.get("aria-label") == CHARTS[name].title
    assert len(list(root)) > 5
    assert "<script" not in text
    numbers = [float(one) for one in re.findall(r'\b(?:x|y|cx|cy|x1|x2|y1|y2)="(-?[\d.]+)"', text)]
    assert all(-20 <= one <= 700 for one in numbers)


def test_a_point_lies_where_its_value_says() -> None:
    fig = go.Figure(go.Scatter(x=[2.5], y=[0.75], mode="markers", marker={"size": 8, "color": "#112233"}))
    fig.update_layout(height=200, margin={"l": 100, "r": 40, "t": 20, "b": 50})
    fig.update_xaxes(range=[0, 10])
    fig.update_yaxes(range=[0, 1], showticklabels=False)
    (circle,) = drawn(fig).findall(f"{NS}circle")
    # x: from 100 to 640 - 40 = 600, a quarter of 500 is 125; y: from 150 up to 20, three quarters of 130 is 97.5
    assert (circle.get("cx"), circle.get("cy"), circle.get("r")) == ("225.0", "52.5", "4.0")
    assert circle.get("fill") == "#112233"


def test_bars_stand_on_zero() -> None:
    fig = go.Figure(go.Bar(x=[1, 2], y=[0.5, -0.5], width=1, marker_color="#000000"))
    fig.update_layout(height=140, margin={"l": 40, "r": 40, "t": 20, "b": 20})
    fig.update_xaxes(range=[0.5, 2.5], showticklabels=False)
    fig.update_yaxes(range=[-1, 1], showticklabels=False)
    up, down = drawn(fig).findall(f"{NS}rect")
    assert (up.get("x"), up.get("y"), up.get("width"), up.get("height")) == ("40.0", "45.0", "280.0", "25.0")
    assert (down.get("x"), down.get("y"), down.get("height")) == ("320.0", "70.0", "25.0")


def test_a_logarithmic_axis() -> None:
    fig = go.Figure(go.Scatter(x=[10], y=[0], mode="markers"))
    fig.update_layout(height=100, margin={"l": 20, "r": 20, "t": 8, "b": 30})
    fig.update_xaxes(type="log", range=[0, 2])
    fig.update_yaxes(showticklabels=False)
    (circle,) = drawn(fig).findall(f"{NS}circle")
    assert circle.get("cx") == "320.0"  # half way between 10^0 and 10^2


def test_what_only_a_browser_draws_is_told() -> None:
    with pytest.raises(svg.NotDrawn, match="pie"):
        svg.draw(go.Figure(go.Pie(values=[1])))


def test_a_file_of_its_own_has_a_title_and_a_ground() -> None:
    root = ElementTree.fromstring(svg.file(CHARTS["whiskers"].figure, HOSTILE))
    assert root.findtext(f"{NS}title") == HOSTILE
    assert "currentColor" not in svg.file(CHARTS["scatter"].figure, "t").decode()


@pytest.mark.parametrize(
    ("value", "form", "said"),
    [
        (0.1, "+.2~f", "+0.1"),
        (-0.25, "+.2~f", "−0.25"),
        (0.0, "+.1f", "+0.0"),
        (0.07, ".0%", "7%"),
        (1234.0, ",d", "1,234"),
        (0.5, ".1f", "0.5"),
        (-0.001, ".1f", "0.0"),
    ],
)
def test_numbers_are_said_as_plotly_does(value: float, form: str, said: str) -> None:
    assert ticks.said(value, form) == said


def test_ticks_are_round_numbers() -> None:
    assert ticks.nice(0, 1, 6) == [0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert ticks.nice(-0.03, 0.11, 4) == [0, 0.05, 0.1]
    assert ticks.nice(2, 2, 5) == [2]
    assert ticks.decades(0, 2) == [1, 2, 5, 10, 20, 50, 100]
    assert ticks.plain([-0.5, 0, 0.25]) == ["−0.50", "0.00", "0.25"]


def test_labels_that_would_touch_stand_on_two_lines() -> None:
    fig = go.Figure(go.Scatter(x=["a long name of a run", "another long name", "a third long name"], y=[1, 2, 3]))
    fig.update_layout(height=200)
    wide, narrow = drawn(fig, 900), drawn(fig, 260)
    for root, lines in ((wide, 1), (narrow, 2)):
        places = {one.get("y") for one in root.findall(f"{NS}text") if "long name" in (one.text or "")}
        assert len(places) == lines
