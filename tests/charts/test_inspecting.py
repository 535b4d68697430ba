"""Groups, cutoffs and many runs as data: what is drawn, what the title says, what a mark carries."""

import numpy as np
import pytest

from ragdash import stats
from ragdash.analysis.agreement import Agreement
from ragdash.analysis.slices import Slice, Slices
from ragdash.charts import cutoffs, runs, slices, theme


def group(value: str, difference: float, n: int, p: float = 0.001) -> Slice:
    ids = tuple(f"{value}{i}" for i in range(n))
    return Slice(value, ids, 0.5, 0.5 + difference, difference - 0.1, difference + 0.1, p, p, stats.Counts(1, 1, n - 2))


def forest(*rows: Slice) -> theme.Chart:
    return slices.forest(Slices("kind", rows, 0.1, 0.05), group("all", 0.1, 99), "one", "two")


def test_a_group_is_coloured_by_who_is_better_grey_when_small_or_unsure() -> None:
    chart = forest(group("up", 0.3, 30), group("down", -0.3, 30), group("few", -0.3, 19), group("chance", 0.3, 30, 0.4))
    colors = [trace.marker.color for trace in chart.figure.data]
    assert colors == [theme.CONTENDER, theme.CONTENDER, theme.BASELINE, theme.GREY, theme.GREY]
    assert [trace.marker.symbol for trace in chart.figure.data][3:] == ["circle-open", "circle"]


def test_a_dot_carries_the_place_of_its_group_and_the_whole_none() -> None:
    assert [trace.customdata[0] for trace in forest(group("a", 0.1, 30), group("b", 0.2, 30)).figure.data] == [-1, 0, 1]


def test_what_holds_after_correction_is_marked() -> None:
    said = [note.text for note in forest(group("a", 0.1, 30), group("b", 0.2, 30, 0.4)).figure.layout.annotations]
    assert said[:3] == ["+0.100 ✱", "+0.100 ✱", "+0.200"]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([group("errors", -0.3, 9), group("identity", 0.4, 8)],
         "two loses most on errors (−0.300, 9 questions) and gains most on identity (+0.400, 8 questions)"),
        ([group("a", 0.1, 9), group("b", 0.4, 8)],
         "two loses in no group: least gain on a (+0.100, 9 questions), most on b (+0.400, 8 questions)"),
        ([group("a", -0.1, 9), group("b", -0.4, 8)],
         "two gains in no group: least loss on a (−0.100, 9 questions), most on b (−0.400, 8 questions)"),
        ([group("a", -0.1, 9)], "There is one group: a (−0.100, 9 questions)"),
    ],
)  # fmt: skip
def test_the_title_names_the_worst_and_the_best_group(rows: list[Slice], said: str) -> None:
    assert forest(*rows).title == said


@pytest.mark.parametrize(
    ("curves", "said"),
    [
        ({"a": [(1, 0.5), (5, 0.6)], "b": [(1, 0.4), (5, 0.5)]}, "a has the best mean at every K"),
        ({"a": [(1, 0.5), (5, 0.6)], "b": [(1, 0.4), (5, 0.7)]}, "Best mean: a up to K = 1, b from K = 5 on"),
        ({"a": [(1, 0.5), (3, 0.5), (5, 0.6)], "b": [(1, 0.4), (3, 0.6), (5, 0.5)]},
         "Best mean: a up to K = 1, b at K = 3, a from K = 5 on"),
    ],
)  # fmt: skip
def test_the_best_run_at_each_cutoff(curves: cutoffs.Curves, said: str) -> None:
    chart = cutoffs.means_over_k(curves, theme.inks(["a", "b"], "a", "b"), "nDCG", 5)
    assert chart.title == said
    assert len(chart.table) == sum(map(len, curves.values()))


def test_squares_carry_their_query_and_grow_darker() -> None:
    chart = runs.heat_map(np.array([[0.0, 1.0], [0.5, 0.5]]), ["q", "p"], ["a", "b"], "nDCG@10", "title")
    (trace,) = chart.figure.data
    assert list(trace.customdata) == [0, 0, 1, 1]
    shades = [float(color.rpartition(",")[2].rstrip(")")) for color in trace.marker.color]
    assert shades[0] < shades[2] == shades[3] < shades[1]


def test_the_most_and_the_least_alike_runs_are_named() -> None:
    shares = np.array([[1.0, 0.5, 0.25], [0.5, 1.0, 0.75], [0.25, 0.75, 1.0]])
    chart = runs.alike(Agreement(("a", "b", "c"), 10, shares, shares))
    assert (
        chart.title == "Most alike: b and c (75% of the top 10 in common); least: a and c (25% of the top 10 in common)"
    )
    assert len(chart.figure.data[0].x) == 6


def test_names_are_inert() -> None:
    evil = "<b>x</b>"
    found = Agreement((evil, "b"), 5, np.eye(2), np.eye(2))
    charts = (
        runs.heat_map(np.zeros((1, 2)), [evil], [evil, "b"], "m", evil),
        runs.alike(found),
        slices.forest(Slices("kind", (group(evil, 0.1, 30),), 0.1, 0.05), group("all", 0.1, 30), evil, evil),
        cutoffs.means_over_k({evil: [(1, 0.1), (2, 0.2)]}, theme.inks([evil], evil, evil), "m", 1),
    )
    for chart in charts:
        assert "<b>" not in chart.titled().to_json().replace("\\u003c", "<")
