"""The notebook's API: worked examples, and what it says when it is called wrongly."""

from math import log2

import numpy as np
import pytest

from ragdash.metrics import RetrievalEvaluator

EVALUATOR = RetrievalEvaluator()
RETRIEVED = ["doc_1", "doc_3", "doc_5", "doc_7", "doc_9"]
RELEVANT = {"doc_3", "doc_7", "doc_12"}


def test_the_worked_example():
    assert EVALUATOR.recall_at_k(RETRIEVED, RELEVANT, 5) == 2 / 3
    assert EVALUATOR.precision_at_k(RETRIEVED, RELEVANT, 5) == 0.4
    assert EVALUATOR.mrr(RETRIEVED, RELEVANT) == 0.5
    assert EVALUATOR.f1_at_k(RETRIEVED, RELEVANT, 5) == pytest.approx(2 * 0.4 * (2 / 3) / (0.4 + 2 / 3))


def test_ndcg_by_hand():
    assert EVALUATOR.ndcg_at_k(["a", "b", "c"], {"a", "c"}, 3) == pytest.approx(1.5 / (1 + 1 / log2(3)))
    graded = {"a": 1, "b": 3}
    assert EVALUATOR.ndcg_at_k(["a", "b"], graded, 2) == pytest.approx((1 + 3 / log2(3)) / (3 + 1 / log2(3)))


def test_one_query_and_many():
    one = EVALUATOR.evaluate_query(RETRIEVED, RELEVANT, k=5)
    assert list(one) == ["recall@k", "precision@k", "f1@k", "mrr", "ndcg@k"]
    results = [{"retrieved": RETRIEVED, "relevant": RELEVANT}, {"retrieved": [], "relevant": {"x"}}]
    both = EVALUATOR.evaluate_dataset(results, k=5)
    assert both == {**{name: value / 2 for name, value in one.items()}, "num_queries": 2}


def test_a_document_that_occurs_twice_counts_once():
    assert EVALUATOR.precision_at_k(["a", "a", "b"], {"a", "b"}, 2) == 1.0
    assert EVALUATOR.recall_at_k(["a", "a", "a"], {"a", "b"}, 3) == 0.5


def test_nothing_is_nothing():
    assert set(EVALUATOR.evaluate_query(RETRIEVED, set(), k=5).values()) == {0.0}
    assert EVALUATOR.recall_at_k(RETRIEVED, RELEVANT, 0) == 0.0
    at_zero = EVALUATOR.evaluate_query(RETRIEVED, RELEVANT, k=0)
    assert at_zero == {"recall@k": 0.0, "precision@k": 0.0, "f1@k": 0.0, "mrr": 0.5, "ndcg@k": 0.0}
    nobody = EVALUATOR.evaluate_dataset([])
    assert nobody == {"recall@k": 0.0, "precision@k": 0.0, "f1@k": 0.0, "mrr": 0.0, "ndcg@k": 0.0, "num_queries": 0}


@pytest.mark.parametrize("k", [-1, 2.5, "5", None, float("nan"), float("inf")])
def test_a_cutoff_that_is_none(k):
    for call in (EVALUATOR.recall_at_k, EVALUATOR.ndcg_at_k, EVALUATOR.evaluate_query):
        with pytest.raises(ValueError, match="k must be a whole number of at least 0"):
            call(RETRIEVED, RELEVANT, k)


def test_any_kind_of_whole_number_will_do():
    assert EVALUATOR.recall_at_k(RETRIEVED, RELEVANT, np.int64(5)) == EVALUATOR.recall_at_k(RETRIEVED, RELEVANT, 5.0)


def test_the_report_is_readable(capsys):
    EVALUATOR.print_evaluation(EVALUATOR.evaluate_dataset([{"retrieved": RETRIEVED, "relevant": RELEVANT}], k=5))
    lines = capsys.readouterr().out.splitlines()
    assert "  recall@k     0.6667" in lines
    assert "  num_queries  1" in lines
