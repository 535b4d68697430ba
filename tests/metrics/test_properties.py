"""What holds for any ranking."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ragdash.metrics import Metric, RetrievalEvaluator, Settings, parse, rankings_of, score

IDS = st.integers(0, 25)
GRADES = st.dictionaries(IDS, st.sampled_from([0.0, 1.0, 2.0, 3.0]), max_size=9)
LISTS = st.lists(st.tuples(st.lists(IDS, max_size=20), GRADES), min_size=1, max_size=6)
K = st.integers(1, 25)
AT_K = (
    *("Precision", "Recall", "F1", "Success", "Judged", "RCap", "NumRelRet"),
    *("RR", "AP", "ContextPrecision", "nDCG", "DCG", "ERR", "nERR", "RBP", "SDCG"),
)


@settings(max_examples=200)
@given(LISTS, K)
def test_documents_after_k_do_not_matter(lists, k):
    whole = rankings_of(lists)
    cut = rankings_of([(list(dict.fromkeys(retrieved))[:k], relevant) for retrieved, relevant in lists])
    metrics = [parse(f"{name}@{k}") for name in AT_K]
    assert np.allclose(score(whole, metrics), score(cut, metrics), atol=1e-12)


@settings(max_examples=200)
@given(LISTS, K)
def test_recall_and_success_never_fall_as_k_grows(lists, k):
    rankings = rankings_of(lists)
    for name in ("Recall", "Success", "NumRelRet", "DCG", "RR", "AP", "ERR"):
        assert (Metric(name, k + 1)(rankings) >= Metric(name, k)(rankings) - 1e-12).all(), name


@settings(max_examples=200)
@given(LISTS, K)
def test_precision_times_k_is_recall_times_relevant(lists, k):
    precision, recall, relevant = score(
        rankings_of(lists), [Metric("Precision", k), Metric("Recall", k), parse("NumRel")]
    )
    assert np.allclose(precision * k, recall * relevant)


@settings(max_examples=100)
@given(LISTS, st.randoms(use_true_random=False))
def test_the_order_of_queries_and_of_judgments_does_not_matter(lists, random):
    metrics = [parse(f"{name}@5") for name in AT_K]
    order = list(range(len(lists)))
    random.shuffle(order)
    shuffled = [(lists[i][0], dict(random.sample(list(lists[i][1].items()), len(lists[i][1])))) for i in order]
    assert np.allclose(score(rankings_of(lists), metrics)[:, order], score(rankings_of(shuffled), metrics), atol=1e-12)


@settings(max_examples=100)
@given(LISTS, K, st.sampled_from([1.0, 2.0]))
def test_the_notebook_and_the_dashboard_agree(lists, k, threshold):
    in_force = Settings(threshold=threshold)
    evaluator = RetrievalEvaluator(in_force)
    names = {
        "recall@k": f"Recall@{k}",
        "precision@k": f"Precision@{k}",
        "f1@k": f"F1@{k}",
        "mrr": "MRR",
        "ndcg@k": f"nDCG@{k}",
    }
    scores = score(rankings_of(lists), [parse(name) for name in names.values()], in_force)
    means = evaluator.evaluate_dataset([{"retrieved": a, "relevant": b} for a, b in lists], k)
    assert means == {**dict(zip(names, scores.mean(axis=1).tolist())), "num_queries": len(lists)}
    for i, (retrieved, relevant) in enumerate(lists):
        assert list(evaluator.evaluate_query(retrieved, relevant, k).values()) == scores[:, i].tolist()
