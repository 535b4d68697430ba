"""Does every run get a score on every query, and are the awkward cases decided once?"""

import math

import numpy as np
import pytest

from ragdash.analysis.evaluate import Options, evaluate, evaluate_experiment
from ragdash.errors import ExperimentError, OptionError
from ragdash.metrics import RetrievalEvaluator
from tests.small import dataset, experiment, run

GRADES = {
    "q1": {"d1": 1, "d2": 1},  # answered well
    "q2": {"d3": 1},  # missing from the run
    "q3": {"d4": 0},  # nothing is relevant
}
LISTS = {"q1": ["d1", "x", "d2"], "q3": ["d4"], "q9": ["d1"]}  # q9 is not judged


def test_a_missing_query_and_one_without_relevant_documents_score_zero() -> None:
    scores = evaluate_experiment(experiment(GRADES, a=LISTS), ["Recall@3", "Precision@3", "RR"])
    assert scores.query_ids == ["q1", "q2", "q3"]
    np.testing.assert_allclose(scores.of("a", "Recall@3"), [1.0, 0.0, 0.0])
    np.testing.assert_allclose(scores.of("a", "Precision@3"), [2 / 3, 0.0, 0.0])
    assert scores.means().loc["a", "Recall@3"] == pytest.approx(1 / 3)


def test_only_common_queries() -> None:
    both = experiment(GRADES, a=LISTS, b={"q1": ["d1"], "q2": ["d3"], "q3": []})
    scores = evaluate_experiment(both, ["Recall@3"], Options(missing="common"))
    assert scores.query_ids == ["q1", "q3"]
    assert scores.n == 2


def test_queries_without_relevant_documents_left_out() -> None:
    scores = evaluate_experiment(experiment(GRADES, a=LISTS), ["Recall@3"], Options(no_relevant="exclude"))
    assert scores.query_ids == ["q1", "q2"]


def test_the_threshold_moves_relevance_and_not_the_gain() -> None:
    graded = experiment({"q": {"good": 2, "fair": 1}}, a={"q": ["fair", "good"]})
    for threshold, reciprocal in ((1, 1.0), (2, 0.5)):
        scores = evaluate_experiment(graded, ["RR@2", "nDCG@2"], Options(threshold=threshold))
        assert scores.of("a", "RR@2")[0] == reciprocal
        # gains 1, 2 found in the order 1, 2; the ideal is 2, 1
        ideal = 2 + 1 / math.log2(3)
        assert scores.of("a", "nDCG@2")[0] == pytest.approx((1 + 2 / math.log2(3)) / ideal)


def test_exponential_gain() -> None:
    graded = experiment({"q": {"good": 2, "fair": 1}}, a={"q": ["fair", "good"]})
    scores = evaluate_experiment(graded, ["nDCG@2"], Options(gain="exponential"))
    assert scores.of("a", "nDCG@2")[0] == pytest.approx((1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3)))


def test_ties_go_by_document_id_descending_whatever_the_order_of_the_file() -> None:
    for order in (["a", "b"], ["b", "a"]):
        tied = experiment({"q": {"b": 1}}, r={"q": dict.fromkeys(order, 1.0)})
        assert evaluate_experiment(tied, ["RR"]).of("r", "RR")[0] == 1.0


def test_a_document_counts_once_and_later_ranks_close_up() -> None:
    twice = run("r", {"q": ["d", "d", "e"]})
    scores = evaluate(dataset({"q": {"d": 1, "e": 1}}), twice, ["Precision@2", "Recall@2"])
    np.testing.assert_allclose(scores.of("r", "Precision@2"), [1.0])
    np.testing.assert_allclose(scores.of("r", "Recall@2"), [1.0])


def test_the_notebook_evaluator_and_the_dashboard_agree() -> None:
    retrieved, relevant = ["doc_1", "doc_3", "doc_5", "doc_7", "doc_9"], {"doc_3", "doc_7", "doc_12"}
    names = {"recall@k": "Recall@5", "precision@k": "Precision@5", "f1@k": "F1@5", "mrr": "RR", "ndcg@k": "nDCG@5"}
    grades = {"q": dict.fromkeys(sorted(relevant), 1.0)}
    scores = evaluate_experiment(experiment(grades, r={"q": retrieved}), list(names.values()))
    alone = RetrievalEvaluator().evaluate_query(retrieved, relevant, k=5)
    assert alone == pytest.approx({key: scores.of("r", name)[0] for key, name in names.items()})


def test_frame_is_tidy() -> None:
    scores = evaluate_experiment(experiment(GRADES, a=LISTS, b={"q1": ["x"]}), ["Recall@3", "RR"])
    frame = scores.frame()
    assert list(frame.columns) == ["run", "query_id", "metric", "score"]
    assert len(frame) == 2 * 2 * 3
    row = frame[(frame.run == "a") & (frame.query_id == "q1") & (frame.metric == "Recall@3")]
    assert row.score.item() == 1.0


def test_shuffled_rows_change_nothing() -> None:
    one = evaluate_experiment(experiment(GRADES, a={"q1": {"d1": 3.0, "x": 2.0, "d2": 1.0}}), ["nDCG@3"])
    other = evaluate_experiment(experiment(GRADES, a={"q1": {"d2": 1.0, "d1": 3.0, "x": 2.0}}), ["nDCG@3"])
    np.testing.assert_array_equal(one.values, other.values)


def test_an_unknown_metric_run_or_option_is_said() -> None:
    scores = evaluate_experiment(experiment(GRADES, a=LISTS), ["Recall@3"])
    with pytest.raises(OptionError, match="nDCG"):
        evaluate_experiment(experiment(GRADES, a=LISTS), ["nDGC@3"])
    with pytest.raises(OptionError, match=r"no run named 'b'.*a"):
        scores.of("b", "Recall@3")
    with pytest.raises(OptionError, match="not evaluated"):
        scores.of("a", "RR")
    with pytest.raises(OptionError, match="colour"):
        evaluate(dataset(GRADES), run("a", LISTS), ["RR"], colour="red")
    for option, value in (("threshold", float("nan")), ("gain", "log"), ("missing", "drop"), ("ties", "float16")):
        with pytest.raises(OptionError, match=option):
            Options(**{option: value})  # type: ignore[arg-type]


def test_nothing_to_pair_is_said() -> None:
    with pytest.raises(ExperimentError, match="no judgments"):
        evaluate(dataset({}), run("a", LISTS), ["RR"])
    with pytest.raises(ExperimentError, match="no run yet"):
        evaluate(dataset(GRADES), [], ["RR"])
