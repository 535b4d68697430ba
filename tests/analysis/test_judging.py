"""Which documents are offered to be judged, in which order, and what would settle the answer?"""

import numpy as np
import pytest

from ragdash.analysis.bounds import Bounds, bounds
from ragdash.analysis.compare import Testing, compare
from ragdash.analysis.evaluate import Options, Scores, evaluate_experiment
from ragdash.analysis.judged import Judged, with_judgments
from ragdash.analysis.judging import answer, grades_of, queue, settled_by
from ragdash.analysis.top import Pool, pool
from tests.small import experiment

GRADES = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}}
LISTS = {
    "base": {"q1": ["a", "u"], "q2": ["v", "a"], "q3": ["a", "s"]},
    "new": {"q1": ["a", "u"], "q2": ["w", "x"], "q3": ["s", "a"]},
    "third": {"q1": ["t", "u"], "q2": ["a", "v"], "q3": ["a", "s"]},
}


def looked_up(metric: str = "Precision@2", options: Options | None = None, **lists) -> tuple[Scores, Pool, Bounds]:  # type: ignore[no-untyped-def]
    scores = evaluate_experiment(experiment(GRADES, **(lists or LISTS)), [metric], options)
    pooled = pool(scores.experiment, list(range(len(scores.experiment.runs))), 2, scores.options)
    return scores, pooled, bounds(scores, scores.metrics[0], "base", "new", pooled=pooled.of(0, 1))


def listed(scores: Scores, pooled: Pool, found: Bounds) -> dict[str, list[str]]:
    """What is offered, in its order."""
    left = queue(scores, pooled, found)
    ids = scores.experiment.query_ids
    return {ids[query]: left.of(query, ids[query]) for query in left.queries.tolist()}


def test_every_pair_of_the_top_of_any_run_is_offered_once() -> None:
    offered = listed(*looked_up())
    assert {query: sorted(docs) for query, docs in offered.items()} == {
        "q2": ["v", "w", "x"], "q1": ["t", "u"], "q3": ["s"],
    }  # fmt: skip


def test_the_query_that_can_move_the_difference_most_comes_first() -> None:
    # q2: v can help base, w and x new; q1: u is in both, t in neither of the two; q3: both return s
    scores, pooled, found = looked_up()
    assert found.swing.tolist() == pytest.approx([0, 1.5, 0])
    assert next(iter(listed(scores, pooled, found))) == "q2"
    # seen by rank, s decides as well, though less: new has it at rank 1, where base has the relevant document
    by_rank = looked_up("RR@2")
    assert list(listed(*by_rank)) == ["q2", "q3", "q1"]


def test_what_does_not_count_comes_last() -> None:
    grades = {"q1": {"a": 0}, "q2": {"a": 1}}
    lists = {"q1": ["u", "v"], "q2": ["a", "w"]}
    paired = experiment(grades, base=lists, new={"q1": ["x", "y"], "q2": ["a", "z"]})
    scores = evaluate_experiment(paired, ["Precision@2"], Options(no_relevant="exclude"))
    pooled = pool(paired, [0, 1], 2, scores.options)
    left = queue(scores, pooled, bounds(scores, scores.metrics[0], "base", "new"))
    assert left.queries.tolist() == [1, 0]


def test_the_order_within_a_query_does_not_betray_rank_or_run() -> None:
    docs = [f"d{i}" for i in range(12)]
    grades = {"q": {"a": 1}}
    one = listed(*_both(grades, docs[:6], docs[6:]))
    swapped = listed(*_both(grades, docs[6:], docs[:6]))
    reversed_ranks = listed(*_both(grades, docs[:6][::-1], docs[6:][::-1]))
    assert one == swapped == reversed_ranks
    order = one["q"]
    assert order not in (sorted(order), sorted(order, reverse=True))
    runs = [docs.index(doc) < 6 for doc in order]
    assert runs not in ([True] * 6 + [False] * 6, [False] * 6 + [True] * 6)


def _both(grades, first, second) -> tuple[Scores, Pool, Bounds]:  # type: ignore[no-untyped-def]
    paired = experiment(grades, base={"q": first}, new={"q": second})
    scores = evaluate_experiment(paired, ["Precision@6"])
    pooled = pool(paired, [0, 1], 6, scores.options)
    return scores, pooled, bounds(scores, scores.metrics[0], "base", "new", pooled=pooled)


def test_what_was_judged_is_not_offered_again() -> None:
    scores, pooled, _ = looked_up()
    after = with_judgments(scores.experiment, {("q2", "w"): 1.0, ("q3", "s"): 0.0})
    again = evaluate_experiment(after, ["Precision@2"])
    here = pool(after, [0, 1, 2], 2, again.options)
    found = bounds(again, again.metrics[0], "base", "new", pooled=here.of(0, 1))
    offered = listed(again, here, found)
    assert {query: sorted(docs) for query, docs in offered.items()} == {"q2": ["v", "x"], "q1": ["t", "u"]}
    assert len(pooled.documents) == len(here.documents)  # judging changes grades alone


def test_a_pool_is_not_looked_through_again_for_a_judgment() -> None:
    scores, pooled, _ = looked_up()
    added = {("q2", "w"): 1.0, ("q1", "u"): 0.0, ("q3", "nowhere"): 1.0}
    after = with_judgments(scores.experiment, added)
    assert isinstance(after, Judged)
    again = pool(after, [0, 1, 2], 2, scores.options)
    quick = pooled.after(after.qrels, after.merged.query, after.merged.docs)
    assert quick.holes.tolist() == again.holes.tolist()
    for mine, theirs in zip(quick.judged, again.judged):
        assert mine.tolist() == theirs.tolist()
    both = pooled.of(0, 2).after(after.qrels, after.merged.query, after.merged.docs)
    assert both.judged[1].tolist() == again.judged[2].tolist()


def test_what_was_skipped_is_left_out_of_the_queue() -> None:
    scores, pooled, found = looked_up()
    left = queue(scores, pooled, found)
    index = scores.experiment.query_index
    some = left.without(index, [("q2", "w"), ("q3", "s"), ("q9", "x"), ("q1", "nowhere")])
    assert sorted(some.of(1, "q2")) == ["v", "x"]
    assert some.queries.tolist() == [1, 0]
    assert (len(left), len(some), some.count(2)) == (6, 4, 0)
    assert left.without(index, []) is left


def ahead(holes: int, n: int = 12) -> tuple[Scores, Bounds]:
    """new finds the relevant document on all queries but three; base returns something unjudged on `holes` of them."""
    grades = {f"q{i:02}": {"a": 1, "x": 0} for i in range(n)}
    base = {f"q{i:02}": ["u" if i < holes else "x"] for i in range(n)}
    new = {f"q{i:02}": ["a" if i >= 3 else "x"] for i in range(n)}
    scores = evaluate_experiment(experiment(grades, base=base, new=new), ["Success@1"])
    return scores, bounds(scores, scores.metrics[0], "base", "new")


def test_the_fewest_documents_that_would_settle_it() -> None:
    scores, found = ahead(6)
    assert found.could_change
    n_queries, n_documents = settled_by(found) or (0, 0)
    assert n_documents == n_queries
    assert 0 < n_queries < 6
    # judged not relevant, the rest cannot change the answer; one fewer, and it could
    order = [scores.query_ids[i] for i in np.argsort(-found.swing, kind="stable") if found.holes[i]]
    for judged, settles in ((n_queries, True), (n_queries - 1, False)):
        after = with_judgments(scores.experiment, {(query, "u"): 0.0 for query in order[:judged]})
        again = evaluate_experiment(after, ["Success@1"])
        assert bounds(again, again.metrics[0], "base", "new").could_change is not settles


def test_nothing_is_needed_where_the_answer_stands() -> None:
    _, found = ahead(0)
    assert not found.could_change
    assert settled_by(found) is None


def test_now_and_none_differ_where_a_metric_passes_over_unjudged_documents() -> None:
    # bpref does not see u, so new scores 1 now; judged not relevant it stands above a
    grades = {"q": {"a": 1, "x": 0}}
    scores = evaluate_experiment(experiment(grades, base={"q": ["a"]}, new={"q": ["u", "a"]}), ["bpref"])
    found = bounds(scores, scores.metrics[0], "base", "new")
    assert found.now.difference == pytest.approx(1.0 - 1.0)
    assert next(one for one in found.fills if one.fill == "none").difference == pytest.approx(0.0 - 1.0)


@pytest.mark.parametrize("test", ["t", "randomization", "wilcoxon", "sign"])
@pytest.mark.parametrize("correction", ["holm", "none"])
def test_the_answer_is_that_of_the_verdict_page(test: str, correction: str) -> None:
    rng = np.random.default_rng(3)
    grades = {f"q{i}": {"a": 1} for i in range(30)}
    runs = {f"r{j}": {f"q{i}": list(rng.permutation(["a", "b", "c", "d"])) for i in range(30)} for j in range(3)}
    runs["first"] = {f"q{i}": ["a", "b"] for i in range(30)}
    runs["same"] = runs["r0"]
    scores = evaluate_experiment(experiment(grades, **runs), ["RR@4"])
    testing = Testing(test=test, correction=correction, n_resamples=2000)
    rows = compare(scores, "r0", testing)
    for name in ("r1", "r2", "first", "same"):
        row, found = rows.of(name, "RR@4"), answer(scores, "r0", name, scores.metrics[0], testing)
        assert (found.verdict, found.why, found.alpha) == (row.verdict, row.why, row.alpha)


@pytest.mark.parametrize(
    ("grades", "threshold", "offered"),
    [
        ([], 1, [0, 1]),
        ([1, 1], 1, [0, 1]),
        ([0, 1, 3], 1, [0, 1, 2, 3]),
        ([0, 1], 2, [0, 1, 2]),
        ([0, 0.5, 1], 1, [0, 0.5, 1]),
        ([-2, 0, 1], 1, [-2, 0, 1]),
        ([0, 20, 100], 1, [0, 1, 20, 100]),
    ],
)
def test_the_grades_offered_are_those_in_use(grades: list[float], threshold: float, offered: list[float]) -> None:
    assert grades_of(grades, threshold) == offered


def test_of_many_grades_ten_are_offered_with_the_ends_and_zero() -> None:
    found = grades_of([-3, *range(1, 101)])
    assert len(found) == 10
    assert (found[0], found[-1]) == (-3, 100)
    assert 0 in found
