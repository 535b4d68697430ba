"""Does the trust list say what could overturn the answer?"""

from ragdash.analysis.compare import Testing, compare
from ragdash.analysis.evaluate import evaluate_experiment
from ragdash.analysis.trust import Check, checks, cutoffs_sentence
from tests.small import Lists, experiment


def listed(grades, base: Lists, new: Lists, metric: str = "RR@5", others=(), **testing) -> dict[str, Check]:  # type: ignore[no-untyped-def]
    runs = {"base": base, "new": new} | {f"other{i}": one for i, one in enumerate(others)}
    scores = evaluate_experiment(experiment(grades, **runs), [metric])
    row = compare(scores, "base", **testing).of("new", scores.metrics[0])
    return {check.key: check for check in checks(scores, row, Testing(**testing))}


def places(ranks: list[int], depth: int = 5, judged: bool = True) -> dict[str, dict[str, list[str]]]:
    """Query `qi` with its relevant document `di` at this rank; the others are judged not relevant, or not judged."""
    lists = {f"q{i}": [f"d{i}" if p == rank else f"x{p}" for p in range(1, depth + 1)] for i, rank in enumerate(ranks)}
    grades = {
        f"q{i}": {f"d{i}": 1.0} | ({f"x{p}": 0.0 for p in range(1, depth + 1)} if judged else {})
        for i in range(len(ranks))
    }
    return {"lists": lists, "grades": grades}  # type: ignore[dict-item]


def pair(base: list[int], new: list[int], judged: bool = True, **more):  # type: ignore[no-untyped-def]
    one, other = places(base, judged=judged), places(new, judged=judged)
    return listed(one["grades"], one["lists"], other["lists"], **more)


STEADY = [2, 3, 2, 4, 3, 2, 5, 2, 3, 2, 4, 2]
AHEAD = [1, 2, 1, 2, 1, 1, 2, 1, 1, 1, 1, 2]


def test_a_clean_comparison_passes_every_line() -> None:
    found = pair(STEADY, AHEAD)
    assert list(found) == [
        "queries", "answered", "judged", "ties", "duplicates", "depth", "comparisons", "cutoffs", "one-query",
    ]  # fmt: skip
    assert {check.state for check in found.values()} <= {"passed", "note"}
    assert found["judged"].text == "Every document in the top 5 was judged."
    assert found["one-query"].text == "No single question carries it."


def test_too_few_queries() -> None:
    assert pair([2] * 3, [1, 2, 1])["queries"].state == "failed"


def test_unanswered_queries_are_named() -> None:
    one, other = places(STEADY), places(AHEAD)
    lists = dict(other["lists"])
    del lists["q3"]
    check = listed(one["grades"], one["lists"], lists)["answered"]
    assert check.state == "failed"
    assert check.text == "new did not answer 1 of 12 questions; nothing was found there."
    assert check.queries == ("q3",)


def test_holes_that_could_change_the_answer() -> None:
    check = pair(STEADY, AHEAD, judged=False)["judged"]
    assert check.state == "failed"
    assert "could change the answer" in check.text


def test_holes_that_could_not() -> None:
    grades = {f"q{i}": {f"d{i}": 1.0, "x1": 0.0} for i in range(12)}
    base = {f"q{i}": ["x1", "x1b", f"d{i}"] if i % 3 else ["x1", f"d{i}"] for i in range(12)}
    new = {f"q{i}": [f"d{i}", "u"] for i in range(12)}  # u is never judged and stands behind the relevant one
    graded = {query: docs | {"x1b": 0.0} for query, docs in grades.items()}
    check = listed(graded, base, new)["judged"]
    assert check.state == "note"
    assert "could not change the answer" in check.text


def test_ties_that_could_change_the_answer() -> None:
    grades = {f"q{i}": {"d": 1.0} for i in range(12)}
    base = {f"q{i}": {"a": 3.0, "d": 2.0} for i in range(12)}
    new = {f"q{i}": {"d": 1.0, "a": 1.0} for i in range(12)}  # by document id d comes first; the other way it ties
    check = listed(grades, base, new)["ties"]
    assert check.state == "failed"
    assert "between 0.000 and +0.500" in check.text
    assert len(check.queries) == 12


def test_ties_that_could_not() -> None:
    grades = {f"q{i}": {"d": 1.0} for i in range(12)}
    base = {f"q{i}": {"a": 3.0, "b": 2.5 + i / 100, "c": 2.5, "d": 2.0} for i in range(12)}
    new = {f"q{i}": {"d": 1.0, "e": 1.0} | ({"f": 2.0} if i % 2 else {}) for i in range(12)}
    check = listed(grades, base, new)["ties"]
    assert check.state == "note"
    assert "could not change the answer" in check.text


def test_copies_and_short_lists() -> None:
    one, other = places(STEADY), places(AHEAD)
    copied = {query: [*docs, docs[0]] for query, docs in other["lists"].items()}
    assert listed(one["grades"], one["lists"], copied)["duplicates"].text.startswith("new lists 12 documents")
    short = {query: docs[:3] for query, docs in other["lists"].items()}
    check = listed(one["grades"], one["lists"], short)["depth"]
    assert check.state == "failed"
    assert "new returns 3 at most" in check.text


def test_the_number_of_comparisons() -> None:
    one, other = places(STEADY), places(AHEAD)
    more = [places([3] * 12)["lists"], places([1, 2] * 6)["lists"]]
    check = listed(one["grades"], one["lists"], other["lists"], others=more)["comparisons"]
    assert check.text == "One of 3 comparisons; their number is made up for (Holm)."
    bare = listed(one["grades"], one["lists"], other["lists"], others=more, correction="none")["comparisons"]
    assert bare.state == "failed"


def test_one_query_that_carries_it_all() -> None:
    alone = pair([5] * 11 + [2] * 4, [5] * 11 + [1] * 4)["one-query"]
    # four equal gains among fifteen: t = 0.133 / (0.229 / sqrt 15) = 2.26, p = 0.04; three among fourteen: p = 0.08
    assert alone.state == "failed"
    assert alone.queries == ("q11",)


def test_cutoffs_that_disagree() -> None:
    assert cutoffs_sentence([(1, 1, 5), (0, 10, 10)], "dense", "bm25") == (
        "dense is ahead up to K = 5, the two cannot be told apart from K = 10 on"
    )
    assert cutoffs_sentence([(0, 1, 100)], "dense", "bm25") == "the two cannot be told apart at every K from 1 to 100"
    assert cutoffs_sentence([(1, 1, 1), (0, 3, 3), (-1, 5, 10)], "dense", "bm25") == (
        "dense is ahead up to K = 1, the two cannot be told apart at K = 3, bm25 is ahead from K = 5 on"
    )


def test_a_tie_carries_nothing() -> None:
    found = pair([2] * 12 + [1], [1] * 13, metric="Success@1")["one-query"]
    # without the tie twelve of twelve are won alike: 2 / 2^12
    assert found.text == "No single question carries it."


def test_one_query_that_hides_a_difference() -> None:
    # fifteen gains of 1/20, one of 1/12 and one loss of 1: hardly any mean, and with q16 left out a gain everywhere
    found = pair([5] * 15 + [4] + [1], [4] * 15 + [3] + [0])["one-query"]
    assert found.state == "note"
    assert found.queries == ("q16",)
