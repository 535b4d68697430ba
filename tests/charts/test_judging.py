"""The room that unjudged documents leave, as data: what is marked, what the title says, what the table holds."""

import pytest

from ragdash.analysis.bounds import Bounds, bounds
from ragdash.analysis.evaluate import evaluate_experiment
from ragdash.charts import judging, theme
from tests.small import experiment


def found(base: list[str], new: list[str], n: int = 12) -> Bounds:
    """`n` queries, each answered alike, "a" judged relevant and "x" not."""
    grades = {f"q{i}": {"a": 1, "x": 0} for i in range(n)}
    lists = [dict.fromkeys(grades, docs) for docs in (base, new)]
    scores = evaluate_experiment(experiment(grades, base=lists[0], new=lists[1]), ["RR@2"])
    return bounds(scores, scores.metrics[0], "base", "new")


def test_three_marks_and_where_judging_began() -> None:
    room = found(["x", "a"], ["u", "a"])  # RR is 1/2 each; with u relevant new has 1
    said = {mark.name: mark.difference for mark in judging.marks(room, before=-0.1)}
    assert said == {
        "now": 0.0,
        "if none were relevant": 0.0,
        "if all were relevant": pytest.approx(0.5),
        "before judging here": -0.1,
    }
    chart = judging.room(room, "base", "new", before=-0.1)
    bar, *marks = chart.figure.data
    assert list(bar.x) == [0.0, 0.5]
    assert {trace.name: trace.x[0] for trace in marks} == said
    assert len({trace.marker.symbol for trace in marks}) == 4
    assert list(chart.table["what"]) == [
        "now", "if none were relevant", "if all were relevant", "if only those were that help new",
        "if only those were that help base", "before judging here",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("base", "new", "said"),
    [
        (["x", "a"], ["a", "x"], "Nothing is unjudged: the difference is +0.500"),
        (["x", "a"], ["u", "a"], "Judging can lead the difference between 0.000 and +0.500: new could be ahead, or no "
         "run beyond chance"),
        (["u", "a"], ["v", "a"], "Judging can lead the difference between −0.500 and +0.500: either run could be "
         "ahead"),
        (["x", "x2"], ["a", "u"], "Whatever is judged, the difference lies between +0.500 and +1.000: new is ahead all "
         "the same"),
    ],
)  # fmt: skip
def test_the_title_is_the_finding(base: list[str], new: list[str], said: str) -> None:
    assert judging.title(found(base, new), "base", "new") == said


def test_zero_is_always_in_the_picture() -> None:
    low, high = judging.room(found(["x", "a"], ["a", "x"]), "base", "new").figure.layout.xaxis.range
    assert low < 0 < high


def test_judged_shares_over_k() -> None:
    curves = {"one": [(1, 1.0), (10, 0.9)], "two": [(1, 0.5), (10, 0.996)]}
    chart = judging.shares(curves, theme.inks(["one", "two"], "one", "two"), 10)
    assert chart.title == "one has the fewest judged: 90 % of its top 10"
    assert list(chart.table) == ["run", "K", "judged share"]
    assert judging.shares_title({"one": [(5, 1.0)]}, 5) == "Every document in the top 5 of every run is judged"
    assert judging.shares_title({"one": [(1, 1.0)]}, 5) == "How much of each run's top is judged"
