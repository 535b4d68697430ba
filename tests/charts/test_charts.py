"""Charts as data: what is drawn, what the title says, what a mark carries. Sums on paper beside them."""

import numpy as np
import pytest

from ragdash.analysis.over_k import AtK
from ragdash.charts import differences, distributions, significance, theme

HOSTILE = "<b>a</b> $x$ & \u202eb"


def whisker(name: str, difference: float, low: float, high: float) -> differences.Whisker:
    return differences.Whisker(name, difference, (low, high))


def drawn(*rows: differences.Whisker, band: float = 0.01) -> theme.Chart:
    return differences.whiskers(rows, "one", "two", band, "title")


def test_baseline_and_contender_have_their_colours_everywhere() -> None:
    inks = theme.inks(["a", "b", "c", "d"], baseline="c", contender="a")
    assert (inks["c"].color, inks["a"].color) == ("#0072B2", "#D55E00")
    assert inks["b"].color == inks["d"].color == theme.GREY


def test_a_picked_run_gets_a_colour_and_keeps_dash_and_marker() -> None:
    before = theme.inks(["a", "b", "c"], "a", "b")["c"]
    after = theme.inks(["a", "b", "c"], "a", "b", picked=["c"])["c"]
    assert after.color in theme.PICKED
    assert (before.dash, before.symbol) == (after.dash, after.symbol)


def test_an_interval_is_coloured_only_where_it_excludes_zero() -> None:
    chart = drawn(
        whisker("sure", 0.1, 0.05, 0.15), whisker("unsure", 0.1, -0.05, 0.25), whisker("worse", -0.1, -0.2, -0.01)
    )
    assert [trace.marker.color for trace in chart.figure.data] == [theme.CONTENDER, theme.GREY, theme.CONTENDER]


def test_whiskers_end_at_the_interval() -> None:
    (trace,) = drawn(whisker("m", 0.1, 0.04, 0.2)).figure.data
    assert trace.x[0] - trace.error_x.arrayminus[0] == pytest.approx(0.04)
    assert trace.x[0] + trace.error_x.array[0] == pytest.approx(0.2)


def test_zero_line_and_band_are_drawn() -> None:
    shapes = drawn(whisker("m", 0.1, 0.04, 0.2), band=0.02).figure.layout.shapes
    assert sorted((shape.x0, shape.x1) for shape in shapes) == [(-0.02, 0.02), (0, 0)]
    assert len(drawn(whisker("m", 0.1, 0.04, 0.2), band=0.0).figure.layout.shapes) == 1


def test_zero_has_room_on_both_sides() -> None:
    low, high = drawn(whisker("m", 0.4, 0.2, 0.6)).figure.layout.xaxis.range
    assert low <= -0.3 < 0.6 <= high


def test_a_difference_without_an_interval_is_a_dot() -> None:
    chart = differences.whiskers([differences.Whisker("m", 0.2, None)], "one", "two", 0.01, "title")
    assert chart.figure.data[0].error_x.array[0] == 0
    assert chart.figure.data[0].marker.color == theme.GREY


@pytest.mark.parametrize(
    ("wins", "losses", "said"),
    [
        (41, 12, "two beats one on 41 of 60 questions and loses on 12"),
        (3, 12, "one beats two on 12 of 60 questions and loses on 3"),
        (0, 0, "two and one score the same on 60 questions"),
    ],
)
def test_the_title_is_the_finding(wins: int, losses: int, said: str) -> None:
    assert differences.title(wins, losses, 60, "one", "two") == said


def sorted_chart(values: list[float]) -> theme.Chart:
    queries = [f"q{i}" for i in range(len(values))]
    return distributions.sorted_differences(np.array(values), queries, "one", "two")


def test_gains_losses_and_a_collapsed_middle() -> None:
    chart = sorted_chart([0.1, 0.0, -0.3, 0.5, 0.0])
    gains, losses = chart.figure.data
    assert list(gains.y) == [0.5, 0.1]
    assert list(gains.customdata) == [3, 0]  # a mark carries the place of its query
    assert list(losses.y) == [-0.3]
    assert list(losses.customdata) == [2]
    assert chart.title == "two gains on 2, loses on 1 and is unchanged on 2 of 5 questions"
    assert any("2<br>unchanged" in note.text for note in chart.figure.layout.annotations)


def test_few_queries_are_bars_and_many_are_thinned_areas() -> None:
    assert {trace.type for trace in sorted_chart([0.1] * 60).figure.data} == {"bar"}
    many = sorted_chart([0.001 * i for i in range(1, 7001)])
    assert {trace.type for trace in many.figure.data} == {"scatter"}
    assert max(len(trace.x) for trace in many.figure.data) <= distributions.POINTS
    assert len(many.figure.to_json()) < 150_000


def test_a_point_stands_for_all_queries_with_its_scores() -> None:
    one, other = np.array([0.0, 0.0, 1.0, 0.5]), np.array([1.0, 1.0, 0.0, 0.5])
    chart = distributions.scatter(one, other, "one", "two", "nDCG@10")
    assert sorted(chart.table["questions"]) == [1, 1, 2]
    assert [(trace.marker.color, list(trace.customdata)) for trace in chart.figure.data[1:]] == [
        (theme.GREY, [1]),
        (theme.BASELINE, [2]),
        (theme.CONTENDER, [0]),
    ]
    assert distributions.groups(one, other)[3].tolist() == [0, 0, 2, 1]
    assert chart.title == "2 questions lie above the diagonal, 1 below, 1 on it"


def test_the_spread_is_the_share_at_or_below() -> None:
    scores = {"one": np.array([0.0, 0.0, 0.5, 1.0]), "two": np.array([1.0, 1.0, 1.0, 1.0])}
    inks = theme.inks(["one", "two"], "one", "two")
    chart = distributions.spread(scores, inks, "m", "title")
    line = next(trace for trace in chart.figure.data if trace.name == "one")
    assert list(line.x) == [0, 0, 0.5, 1]
    assert list(line.y) == [0, 0.5, 0.75, 1]
    assert (
        distributions.spread_title(scores, "one", "two") == "two scores 0 on 0 and 1 on 4; one scores 0 on 2 and 1 on 1"
    )


def test_bars_are_binned_here() -> None:
    scores = {"one": np.linspace(0, 1, 1001), "two": np.zeros(1001)}
    chart = distributions.histogram(scores, theme.inks(["one", "two"], "one", "two"), "m", "title")
    assert {trace.type for trace in chart.figure.data} == {"bar"}
    assert [trace.y.sum() for trace in chart.figure.data] == [1001, 1001]


def at(k: int, low: float, high: float) -> AtK:
    return AtK(k, 0.5, 0.5 + (low + high) / 2, low, high)


@pytest.mark.parametrize(
    ("curve", "said"),
    [
        ([at(1, 0.1, 0.2), at(5, 0.1, 0.2)], "two leads at every cutoff from 1 to 5"),
        ([at(1, -0.1, 0.2), at(5, -0.1, 0.2)], "The two cannot be told apart at any cutoff from 1 to 5"),
        ([at(1, 0.1, 0.2), at(5, 0.1, 0.2), at(10, -0.1, 0.2)],
         "two leads up to K = 5; the two cannot be told apart from K = 10 on"),
        ([at(1, -0.1, 0.2), at(5, -0.2, -0.1)], "The two cannot be told apart at K = 1; one leads from K = 5 on"),
    ],
)  # fmt: skip
def test_the_curve_over_k_says_where_it_turns(curve: list[AtK], said: str) -> None:
    assert significance.over_k_title(curve, "one", "two") == said


def test_the_differences_are_binned_and_the_unchanged_are_said() -> None:
    d = np.array([0.0] * 6 + [-0.2, 0.1, 0.1, 0.4])
    chart = significance.spread(d, "one", "two")
    (bars,) = chart.figure.data
    assert sum(bars.y) == 4
    assert set(bars.marker.color) == {theme.BASELINE, theme.CONTENDER}
    # quartiles of -0.2, 0.1, 0.1, 0.4: -0.2 + 0.75 * 0.3 = 0.025 and 0.1 + 0.25 * 0.3 = 0.175
    assert chart.title == "Of the 4 questions that differ, half lie between +0.025 and +0.175; the others do not differ"
    assert significance.spread_title(np.zeros(9)) == "No question differs: all 9 score the same"


def test_chance_marks_what_is_at_least_as_large() -> None:
    shuffled = np.array([-0.2, -0.1, 0.0, 0.1, 0.2])
    chart = significance.chance(shuffled, 0.2)
    assert chart.title == "Chance alone gives in 40% of the swaps a difference as large as 0.200"
    assert chart.table["share of swaps"].sum() == pytest.approx(1)


@pytest.mark.parametrize("build", [
    lambda: differences.whiskers([differences.Whisker(HOSTILE, 0.1, (0.0, 0.2))], HOSTILE, HOSTILE, 0.01, HOSTILE),
    lambda: distributions.sorted_differences(np.array([0.1, -0.1]), [HOSTILE, HOSTILE], HOSTILE, HOSTILE),
    lambda: distributions.scatter(np.zeros(2), np.ones(2), HOSTILE, HOSTILE, "m"),
    lambda: significance.spread(np.array([0.1, -0.1]), HOSTILE, HOSTILE),
    lambda: distributions.spread({HOSTILE: np.ones(2)}, theme.inks([HOSTILE], HOSTILE, HOSTILE), "m", HOSTILE),
])  # fmt: skip
def test_names_are_inert(build) -> None:
    text = build().titled().to_json()
    assert "<b>" not in text
    assert "\\u003cb\\u003e" not in text
    assert "\u202e" not in text


@pytest.mark.parametrize(("one", "other", "lines"), [("bm25", "rrf", 1), ("chunks-fixed500", "chunks-paragraph", 2)])
def test_long_words_at_the_ends_of_an_axis_stand_under_each_other(one: str, other: str, lines: int) -> None:
    fig = theme.figure(height=200).update_layout(margin={"b": 46})
    theme.better(fig, one, other, -0.1)
    left, right = fig.layout.annotations
    assert (left.text, right.text) == (f"◀ {one} better", f"{other} better ▶")
    assert len({left.yshift, right.yshift}) == lines
    assert fig.layout.height - fig.layout.margin.b == 154  # the plot itself is as high as before
