"""How do I score lists in a notebook? Lists and sets of ids in, numbers out: the dashboard's formulas underneath."""

from __future__ import annotations

import operator
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ragdash.metrics.catalogue import Metric
from ragdash.metrics.names import parse
from ragdash.metrics.rankings import Judgments, Rankings
from ragdash.metrics.view import Settings

Relevant = Iterable[Hashable] | Mapping[Any, float]


def rankings_of(results: Iterable[tuple[Iterable[Hashable], Relevant]]) -> Rankings:
    """Lists of ids, each with its relevant ids (or a mapping of ids to grades), as rankings.

    A document that is retrieved twice counts at its first place, and later ranks close up.
    """
    query: list[int] = []
    rank: list[int] = []
    grade: list[float] = []
    depth: list[int] = []
    judged: list[float] = []
    starts = [0]
    for number, (retrieved, relevant) in enumerate(results):
        grades = dict(relevant) if isinstance(relevant, Mapping) else dict.fromkeys(relevant, 1.0)
        distinct = list(dict.fromkeys(retrieved))
        hits = [(place, grades[one]) for place, one in enumerate(distinct, start=1) if one in grades]
        query += [number] * len(hits)
        rank += [place for place, _ in hits]
        grade += [value for _, value in hits]
        depth.append(len(distinct))
        judged += grades.values()
        starts.append(len(judged))
    ranks = np.array(rank, dtype=np.int64)
    return Rankings(
        judgments=Judgments.of(starts, judged),
        query=np.array(query, dtype=np.int64),
        rank=ranks,
        grade=np.array(grade, dtype=np.float64),
        depth=np.array(depth, dtype=np.int64),
        answered=np.ones(len(depth), dtype=bool),
        tie_first=ranks,
        tie_size=np.ones(len(ranks), dtype=np.int64),
    )


class RetrievalEvaluator:
    """Scores lists of retrieved ids against sets of relevant ids.

    `relevant` may also be a mapping of ids to grades; a document is relevant from grade 1 on. Nothing relevant gives
    0.0, and so does `k` = 0.

    >>> RetrievalEvaluator().recall_at_k(["doc_1", "doc_3"], {"doc_3", "doc_7"}, k=2)
    0.5
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()

    def recall_at_k(self, retrieved: Sequence[Hashable], relevant: Relevant, k: int) -> float:
        """The share of the relevant documents that is in the first `k`."""
        return self._one("Recall", retrieved, relevant, k)

    def precision_at_k(self, retrieved: Sequence[Hashable], relevant: Relevant, k: int) -> float:
        """The share of the first `k` that is relevant; divides by `k` even when fewer were retrieved."""
        return self._one("Precision", retrieved, relevant, k)

    def f1_at_k(self, retrieved: Sequence[Hashable], relevant: Relevant, k: int) -> float:
        """The harmonic mean of precision and recall at `k`."""
        return self._one("F1", retrieved, relevant, k)

    def mrr(self, retrieved: Sequence[Hashable], relevant: Relevant) -> float:
        """1 over the rank of the first relevant document in the whole list, 0.0 where there is none."""
        return float(Metric("RR")(rankings_of([(retrieved, relevant)]), self.settings)[0])

    def ndcg_at_k(self, retrieved: Sequence[Hashable], relevant: Relevant, k: int) -> float:
        """The discounted gain of the first `k` as a share of the best possible."""
        return self._one("nDCG", retrieved, relevant, k)

    def evaluate_query(self, retrieved: Sequence[Hashable], relevant: Relevant, k: int = 10) -> dict[str, float]:
        """All five of one query: `recall@k`, `precision@k`, `f1@k`, `mrr`, `ndcg@k`."""
        means = self.evaluate_dataset([{"retrieved": retrieved, "relevant": relevant}], k)
        return {name: value for name, value in means.items() if name != "num_queries"}

    def evaluate_dataset(self, results: Iterable[Mapping[str, Any]], k: int = 10) -> dict[str, float]:
        """The means over `results`, dicts with `retrieved` and `relevant`, and `num_queries`."""
        cutoff = _checked(k)
        rankings = rankings_of((one["retrieved"], one["relevant"]) for one in results)
        n = rankings.n_queries
        out: dict[str, float] = {}
        for name in ("Recall", "Precision", "F1", "MRR", "nDCG"):
            metric = parse(name if name == "MRR" else f"{name}@{max(cutoff, 1)}")
            scores = metric(rankings, self.settings)
            blank = n == 0 or (cutoff == 0 and name != "MRR")
            out["mrr" if name == "MRR" else f"{name.lower()}@k"] = 0.0 if blank else float(scores.mean())
        return {**out, "num_queries": n}

    def print_evaluation(self, metrics: Mapping[str, float]) -> None:
        """Print what `evaluate_query` or `evaluate_dataset` returned, one line a metric."""
        width = max((len(name) for name in metrics), default=0)
        print("Retrieval evaluation")
        for name, value in metrics.items():
            number = f"{value:d}" if isinstance(value, int) else f"{value:.4f}"
            print(f"  {name.ljust(width)}  {number}")

    def _one(self, name: str, retrieved: Sequence[Hashable], relevant: Relevant, k: int) -> float:
        cutoff = _checked(k)
        if cutoff == 0:
            return 0.0
        return float(Metric(name, cutoff)(rankings_of([(retrieved, relevant)]), self.settings)[0])


def _checked(k: Any) -> int:
    """`k` as a whole number of at least 0, or a ValueError that says so."""
    try:
        cutoff = operator.index(int(k) if isinstance(k, float) and k.is_integer() else k)
    except TypeError:
        cutoff = -1
    if cutoff < 0:
        raise ValueError(f"k must be a whole number of at least 0; {k!r} was given.")
    return cutoff
