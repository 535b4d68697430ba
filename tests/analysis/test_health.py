"""Is what may mislead a reader said, with its count?"""

from ragdash.analysis.evaluate import Options, evaluate_experiment
from ragdash.analysis.health import health
from ragdash.data.findings import Finding
from tests.small import experiment


def found(grades, metrics=("nDCG@3",), options=None, **runs) -> dict[str, Finding]:  # type: ignore[no-untyped-def]
    scores = evaluate_experiment(experiment(grades, **runs), list(metrics), options)
    return {finding.code: finding for finding in health(scores)}


def test_duplicates_are_counted_with_their_queries() -> None:
    finding = found({"q": {"d": 1}}, a={"q": ["d", "x", "d", "x"]})["duplicate-document"]
    assert finding.severity == "warning"
    assert finding.count == 2
    assert finding.queries == ("q",)
    assert "2 documents a second time" in finding.message


def test_queries_missing_on_either_side() -> None:
    findings = found({"q1": {"d": 1}, "q2": {"d": 1}}, a={"q1": ["d"], "q7": ["d"], "q8": ["d"]})
    assert "1 of 2 judged queries are missing from a; they score 0." in findings["query-missing-from-run"].message
    assert findings["query-missing-from-run"].examples == ("q2",)
    common = found({"q1": {"d": 1}, "q2": {"d": 1}}, options=Options(missing="common"), a={"q1": ["d"]})
    assert "only queries that every run answers count" in common["query-missing-from-run"].message
    assert findings["query-not-judged"].count == 2


def test_an_empty_answer() -> None:
    finding = found({"q1": {"d": 1}, "q2": {"d": 1}}, a={"q1": ["d"], "q2": []})["empty-result"]
    assert finding.examples == ("q2",)


def test_no_relevant_document() -> None:
    finding = found({"q1": {"d": 1}, "q2": {"d": 0}}, a={"q1": ["d"], "q2": ["d"]})["no-relevant-document"]
    assert "query q2 has no relevant document" in finding.message
    assert "score 0 and count" in finding.message
    excluded = found(
        {"q1": {"d": 1}, "q2": {"d": 0}}, options=Options(no_relevant="exclude"), a={"q1": ["d"], "q2": ["d"]}
    )["no-relevant-document"]
    assert "left out" in excluded.message


def test_unjudged_documents_in_the_top_k() -> None:
    # of the six documents in the two top threes, d1, d2 and d3 are judged
    grades = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 1}}
    finding = found(grades, a={"q1": ["u", "d1", "d2"], "q2": ["v", "w", "d3", "y"]})["unjudged-in-top-k"]
    assert finding.count == 3
    assert finding.severity == "warning"
    assert "3 of 6 top-3 documents of a are not judged (50%)" in finding.message


def test_tied_scores_only_where_they_touch_a_judged_document() -> None:
    grades = {"q1": {"d": 1}, "q2": {"d": 1}}
    tied = {"q1": {"d": 1.0, "x": 1.0}, "q2": {"d": 3.0, "x": 1.0, "y": 1.0}}
    finding = found(grades, a=tied)["tied-scores"]
    assert finding.count == 1
    assert finding.queries == ("q1",)


def test_depths() -> None:
    grades = {"q1": {"d": 1}}
    findings = found(grades, ("Recall@5",), a={"q1": ["d", "x"]}, b={"q1": ["d", "x", "y", "z", "w"]})
    assert "a returns fewer than 5 results for 1 of 1 queries" in findings["depth-below-k"].message
    assert "a: 2, b: 5" in findings["uneven-depth"].message


def test_the_ceiling_of_recall() -> None:
    grades = {"q": {f"d{i}": 1 for i in range(12)}}
    finding = found(grades, ("Recall@5",), a={"q": ["d1", "d2"]})["recall-ceiling"]
    assert "best possible Recall@5 here is 0.4167" in finding.message


def test_relevant_documents_that_no_run_returns() -> None:
    grades = {"q1": {"d1": 1, "d2": 1}, "q2": {"d3": 1}}
    finding = found(grades, a={"q1": ["d1"], "q2": ["d1"]}, b={"q1": ["d1"], "q2": ["d2"]})["relevant-never-retrieved"]
    assert finding.count == 2
    assert finding.queries == ("q1", "q2")


def test_runs_that_do_the_same() -> None:
    grades = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    same = {"q1": ["d1"], "q2": ["x", "d2"]}
    findings = found(grades, a=same, b=same)
    assert "identical on all 2 queries" in findings["identical-scores"].message
    assert findings["identical-runs"].examples == ("a",)


def test_a_constant_difference_is_said() -> None:
    grades = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    findings = found(grades, ("RR@3",), a={"q1": ["x", "d1"], "q2": ["x", "d2"]}, b={"q1": ["d1"], "q2": ["d2"]})
    assert "all differences equal" in findings["constant-difference"].message


def test_one_query_has_no_test() -> None:
    findings = found({"q": {"d": 1}}, a={"q": ["d"]}, b={"q": ["x"]})
    assert "no significance test" in findings["one-query"].message


def test_ties_that_could_turn_the_answer() -> None:
    grades = {f"q{i}": {"d": 1} for i in range(12)}
    base = {f"q{i}": {"a": 3.0, "d": 2.0} for i in range(12)}
    tied = {f"q{i}": {"a": 1.0, "d": 1.0} for i in range(12)}  # d is first or second: ahead of base, or like it
    finding = found(grades, ("RR@3", "Recall@3"), base=base, tied=tied)["tie-order-decides"]
    assert finding.examples == ("RR@3",)  # recall at 3 is 1 in any order
    assert "who is ahead, base or tied, on RR@3" in finding.message


def test_ties_that_change_nothing_are_no_such_finding() -> None:
    grades = {f"q{i}": {"d": 1} for i in range(12)}
    base = {f"q{i}": {"a": 3.0, "b": 2.5, "c": 2.2, "d": 2.0} for i in range(12)}
    tied = {f"q{i}": {"a": 1.0, "d": 1.0} for i in range(12)}
    findings = found(grades, ("RR@5",), base=base, tied=tied)
    assert "tied-scores" in findings
    assert "tie-order-decides" not in findings
