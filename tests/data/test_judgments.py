"""Judgments settled: what `settle` says of grades."""

from ragdash.data.judgments import settle


def said(grades: list[float]) -> list[tuple[str, str, tuple[int, ...]]]:
    n = len(grades)
    _, found = settle(["q"] * n, [f"d{i}" for i in range(n)], grades, list(range(1, n + 1)), "qrels")
    return [(one.code, one.severity, one.lines) for one in found]


def test_a_highest_grade_that_stands_once_among_many_is_noted():
    assert said([1.0] * 20 + [0.0, 3.0]) == [("rare-grade", "info", (22,))]
    _, (found,) = settle(["q"] * 21, [f"d{i}" for i in range(21)], [1.0] * 20 + [3], None, "qrels")
    assert found.message == (
        "qrels: the highest grade, 3, is used once (query q, doc d20); the next is 1. Check that it is meant."
    )


def test_few_judgments_or_one_relevant_document_are_not_remarkable():
    assert said([1, 1, 3]) == []
    assert said([0] * 50 + [1]) == []
    assert said([1.0] * 20 + [3, 3]) == []
