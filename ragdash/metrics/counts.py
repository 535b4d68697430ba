"""How much of what is relevant was found? Metrics that count relevant documents above a cutoff, in any order."""

from __future__ import annotations

import numpy as np

from ragdash.metrics.catalogue import REL, Parameter, block
from ragdash.metrics.rankings import Floats, Ints
from ragdash.metrics.view import View, ratio


def _length(view: View, k: int | None) -> int | Ints:
    """The cutoff, or without one the length of each list."""
    return view.depth if k is None else k


@block(
    "Precision",
    aliases=("P", "prec", "set_P", "SetP"),
    sentence="Of the first K results, the share that is relevant.",
    formula=r"\frac{|\text{relevant in the top } K|}{K}",
    parameters=(REL,),
    use_when="Every result that is shown costs attention, or tokens of the prompt.",
    misleads="A query with fewer than K relevant documents cannot reach 1: with one, Precision@10 ends "
    "at 0.1. It says nothing about the order within the top K.",
    on_short_list="Still divides by K, as trec_eval does: the ranks that are not there count as not relevant. "
    "Without a cutoff it divides by the number of documents returned (trec_eval's set_P).",
    reference="trec_eval P_K and set_P; Manning, Raghavan, Schütze 2008, section 8.3",
    rag=True,
)
def precision(view: View, k: int | None) -> Floats:
    length = _length(view, k)
    return ratio(view.count(view.relevant, k), np.broadcast_to(length, view.n_queries))


@block(
    "Recall",
    aliases=("R", "set_recall", "SetR", "context_recall", "ContextRecall"),
    sentence="Of all relevant documents, the share found in the first K results.",
    formula=r"\frac{|\text{relevant in the top } K|}{|\text{relevant}|}",
    parameters=(REL,),
    use_when="A later step (a reranker, an LLM) can only use what was retrieved: anything missed is lost.",
    misleads="With more than K relevant documents it cannot reach 1 (5 of 12 is the best Recall@5). Where documents "
    "were never judged, recall counts only what the judges saw. Some people call Success@K recall.",
    on_short_list="Counts what is there.",
    reference="trec_eval recall_K and set_recall; Ragas calls the id-based form context recall",
    rag=True,
)
def recall(view: View, k: int | None) -> Floats:
    return ratio(view.count(view.relevant, k), view.n_relevant)


@block(
    "F1",
    aliases=("F1_score", "set_F"),
    sentence="Precision@K and Recall@K in one number, low when either is low.",
    formula=r"\frac{2PR}{P+R}",
    parameters=(REL,),
    use_when="One number must stand for both too little and too much being retrieved.",
    misleads="It is the mean of each query's F1; the F1 of the mean precision and recall is another number, often "
    "larger. It depends strongly on K.",
    on_short_list="As Precision@K: divides by K.",
    reference="van Rijsbergen 1979, chapter 7; trec_eval set_F without a cutoff",
)
def f1(view: View, k: int | None) -> Floats:
    return f_beta(view, k, beta=1.0)


@block(
    "F",
    aliases=("Fbeta", "F_beta", "F-measure", "SetF"),
    sentence="Precision@K and Recall@K in one number, recall weighing beta times as much.",
    formula=r"\frac{(1+\beta^2)PR}{\beta^2 P+R}",
    parameters=(
        Parameter("beta", "how much more recall weighs than precision", 1.0, 0.0, 1000.0),
        REL,
    ),
    use_when="Missing a document is worse (beta above 1) or better (beta below 1) than showing a useless one.",
    misleads="As F1; and two values of different beta cannot be compared.",
    on_short_list="As Precision@K: divides by K.",
    reference="van Rijsbergen 1979, chapter 7",
)
def f_beta(view: View, k: int | None, beta: float) -> Floats:
    found, weight = view.count(view.relevant, k), beta * beta
    return ratio((1.0 + weight) * found, weight * view.n_relevant + np.broadcast_to(_length(view, k), view.n_queries))


@block(
    "Success",
    aliases=("HitRate", "hit_rate", "hit", "S", "answered_at"),
    sentence="The share of queries with at least one relevant document in the first K results.",
    formula=r"1 \text{ if any of the top } K \text{ is relevant, else } 0",
    parameters=(REL,),
    use_when="One good passage is enough to answer.",
    misleads="It cannot tell one relevant document from five, nor rank 1 from rank K. Per query it is 0 or 1, so "
    "it needs many queries to show a difference.",
    on_short_list="Looks at what is there.",
    reference="trec_eval success_K",
    coarse=True,
    rag=True,
)
def success(view: View, k: int | None) -> Floats:
    return (view.count(view.relevant, k) > 0).astype(np.float64)


@block(
    "Judged",
    aliases=("judged_at", "judgment_rate"),
    sentence="Of the first K results, the share that somebody has judged.",
    formula=r"\frac{|\text{judged in the top } K|}{\min(K, |\text{retrieved}|)}",
    use_when="Before believing any other metric: a run full of unjudged documents scores low without being bad.",
    misleads="It says nothing about quality. A new system that finds good documents nobody judged has a low value.",
    on_no_relevant="Counts judged documents all the same.",
    on_short_list="Divides by the documents that are there, as ir_measures does.",
    reference="ir_measures Judged@K",
)
def judged(view: View, k: int | None) -> Floats:
    length = view.depth if k is None else np.minimum(view.depth, k)
    return ratio(view.count(view.all, k), length)


@block(
    "RCap",
    aliases=("R_cap", "recall_cap", "capped_recall", "relative_P", "set_relative_P", "SetRelP"),
    sentence="Recall@K where a query with more than K relevant documents can reach 1.",
    formula=r"\frac{|\text{relevant in the top } K|}{\min(K, |\text{relevant}|)}",
    parameters=(REL,),
    use_when="Queries have many relevant documents and K is small.",
    misleads="It is precision for queries with many relevant documents and recall for the others, averaged together.",
    on_short_list="Counts what is there. Without a cutoff K is the length of the list.",
    reference="BEIR R_cap@K (Thakur et al. 2021); trec_eval relative_P_K",
)
def capped_recall(view: View, k: int | None) -> Floats:
    return ratio(view.count(view.relevant, k), np.minimum(view.n_relevant, _length(view, k)))


@block(
    "RPrec",
    aliases=("R_precision",),
    sentence="Precision at the rank where a perfect run would have found everything.",
    formula=r"P@R,\; R = |\text{relevant}|",
    parameters=(REL,),
    cut="none",
    use_when="Queries have very different numbers of relevant documents.",
    misleads="With one relevant document it is Precision@1.",
    reference="trec_eval Rprec",
)
def r_precision(view: View, k: int | None) -> Floats:
    return ratio(view.count(view.relevant, view.n_relevant), view.n_relevant)


@block(
    "SetAP",
    aliases=("set_map",),
    sentence="Precision times recall of everything that was retrieved.",
    formula=r"\frac{|\text{relevant retrieved}|^2}{|\text{retrieved}| \cdot |\text{relevant}|}",
    parameters=(REL,),
    cut="none",
    use_when="The result is a set without order.",
    misleads="It ignores the order, and long lists are punished.",
    on_short_list="Divides by the documents that are there.",
    reference="trec_eval set_map",
)
def set_ap(view: View, k: int | None) -> Floats:
    found = view.count(view.relevant)
    return ratio(found * found, view.depth.astype(np.float64) * view.n_relevant)


@block(
    "NumRelRet",
    aliases=("num_rel_ret", "hits", "relevant_retrieved"),
    sentence="How many relevant documents are in the first K results.",
    formula=r"|\text{relevant in the top } K|",
    range=(0.0, np.inf),
    parameters=(REL,),
    use_when="A count reads better than a share.",
    misleads="Its mean is ruled by queries with many relevant documents.",
    on_short_list="Counts what is there.",
    reference="trec_eval num_rel_ret; ranx hits",
)
def relevant_retrieved(view: View, k: int | None) -> Floats:
    return view.count(view.relevant, k)


@block(
    "NumRel",
    aliases=("num_rel",),
    sentence="How many relevant documents the query has, whatever the run did.",
    formula=r"|\text{relevant}|",
    range=(0.0, np.inf),
    parameters=(REL,),
    cut="none",
    use_when="To see how hard queries are and what limits Precision@K and Recall@K.",
    misleads="It is no quality of the run: equal for all runs.",
    on_short_list="Does not look at the list.",
    reference="trec_eval num_rel",
    has_ceiling=False,
)
def relevant_known(view: View, k: int | None) -> Floats:
    return view.n_relevant.astype(np.float64)


@block(
    "NumRet",
    aliases=("num_ret", "retrieved"),
    sentence="How many documents the run returned, each counted once.",
    formula=r"\min(K, |\text{retrieved}|)",
    range=(0.0, np.inf),
    use_when="To see whether runs of different depth are being compared.",
    misleads="More is not better.",
    on_no_relevant="Counts all the same.",
    on_short_list="Counts what is there.",
    reference="trec_eval num_ret",
    has_ceiling=False,
)
def retrieved(view: View, k: int | None) -> Floats:
    depth = view.depth if k is None else np.minimum(view.depth, k)
    return depth.astype(np.float64)
