"""How far up are the relevant documents? Metrics over the ranks of what is relevant."""

from __future__ import annotations

from typing import Any

import numpy as np

from ragdash.metrics.catalogue import REL, Parameter, block
from ragdash.metrics.rankings import Floats
from ragdash.metrics.view import View, ratio


@block(
    "RR",
    aliases=("MRR", "recip_rank", "reciprocal_rank"),
    shown="MRR",
    sentence="How early the first relevant result comes: 1 at rank 1, 0.5 at rank 2, 0.1 at rank 10.",
    formula=r"\frac{1}{\text{rank of the first relevant document}}",
    parameters=(REL,),
    use_when="One good result is enough and people read from the top.",
    misleads="Everything after the first relevant document is ignored. Rank 1 against 2 weighs as much as rank 2 "
    "against never.",
    on_short_list="Looks at what is there.",
    reference="trec_eval recip_rank (whole list); MS MARCO's MRR@10 has a cutoff",
    coarse=True,
    rag=True,
)
def reciprocal_rank(view: View, k: int | None) -> Floats:
    return np.where(view.first <= (np.inf if k is None else k), 1.0 / view.first, 0.0)


@block(
    "FirstRank",
    aliases=("first_relevant_rank", "rank_first_relevant", "rank_of_first"),
    sentence="The rank of the first relevant document; K + 1 where none of the first K is relevant.",
    formula=r"\min(\text{rank of the first relevant document},\; K + 1)",
    range=(1.0, np.inf),
    parameters=(REL,),
    cut="required",
    use_when="People want to know how far they have to read.",
    misleads="Its mean is ruled by the queries that find nothing, so by K.",
    on_no_relevant="Scores K + 1, the worst value.",
    on_short_list="Scores K + 1 where no relevant document is there.",
    reference="Cooper 1968, expected search length, counted in ranks",
    higher_is_better=False,
)
def first_rank(view: View, k: int | None) -> Floats:
    return np.minimum(view.first, (k or 0) + 1.0)


@block(
    "AP",
    aliases=("MAP", "map_cut", "average_precision"),
    shown="MAP",
    sentence="The precision at each relevant document, averaged over all relevant documents.",
    formula=r"\frac{1}{|\text{relevant}|} \sum_{i=1}^{K} P@i \cdot \text{rel}_i",
    parameters=(REL,),
    use_when="All relevant documents matter, and early ones more.",
    misleads="It is hard to say in words, and it treats all relevant grades alike. Unjudged documents pull it down.",
    on_short_list="Relevant documents that were not retrieved contribute 0.",
    reference="trec_eval map and map_cut_K",
)
def average_precision(view: View, k: int | None) -> Floats:
    return ratio(view.sum(view.relevant * view.found / view.rank, k=k), view.n_relevant)


@block(
    "ContextPrecision",
    aliases=("context_precision", "ragas_context_precision", "NonLLMContextPrecision"),
    sentence="Of the relevant passages in the first K, how well they are ranked above the others.",
    formula=r"\frac{\sum_{i=1}^{K} P@i \cdot \text{rel}_i}{|\text{relevant in the top } K|}",
    parameters=(REL,),
    use_when="The prompt takes the first K passages and noise before the good ones hurts.",
    misleads="Finding fewer can score higher: one relevant passage at rank 1 has 1.0, however many are missing. "
    "Read it together with Recall@K.",
    on_no_relevant="Scores 0, also where the top K holds nothing relevant.",
    on_short_list="Looks at what is there.",
    reference="Ragas ContextPrecision, by ids instead of an LLM's opinion (Ragas adds 1e-10 to the denominator)",
    rag=True,
)
def context_precision(view: View, k: int | None) -> Floats:
    return ratio(view.sum(view.relevant * view.found / view.rank, k=k), view.count(view.relevant, k))


@block(
    "bpref",
    aliases=("binary_preference",),
    sentence="How seldom a document judged useless stands above a relevant one; unjudged documents are skipped.",
    formula=r"\frac{1}{R}\sum_{r}\left(1-\frac{\min(|n \text{ above } r|, R)}{\min(R, N)}\right)",
    parameters=(REL,),
    cut="none",
    use_when="Many retrieved documents were never judged.",
    misleads="Without documents judged 0 it is recall. Only the first R useless documents count.",
    on_short_list="Relevant documents that were not retrieved contribute 0.",
    reference="Buckley and Voorhees 2004, as trec_eval computes it: a grade below 0 is no judgment "
    "(ranx counts it as useless, and has NaN where nothing is judged useless)",
)
def bpref(view: View, k: int | None) -> Floats:
    above = view.running(view.nonrelevant)
    preferred = _preferred(above, view.n_relevant[view.query], view.n_nonrelevant[view.query])
    return ratio(view.sum(view.relevant * preferred), view.n_relevant)


def _preferred(above: Any, relevant: Any, nonrelevant: Any) -> Floats:
    """The part of a relevant document's preferences that is right, with `above` useless ones above it."""
    share: Floats = np.minimum(above, relevant) / np.maximum(np.minimum(relevant, nonrelevant), 1)
    return 1.0 - share


EPSILON = 0.00001  # trec_eval's INFAP_EPSILON


@block(
    "infAP",
    aliases=("inferred_AP", "InfAP"),
    sentence="Average precision that guesses unjudged documents of the pool to be as good as their judged neighbours.",
    formula=r"\frac{1}{R}\sum_{r}\left(\frac{1}{i}+\frac{i-1}{i}\cdot\frac{|\text{pool above}|}{i-1}\cdot"
    r"\frac{|\text{rel above}|+\varepsilon}{|\text{rel above}|+|\text{nonrel above}|+2\varepsilon}\right)",
    parameters=(REL,),
    cut="none",
    use_when="A random sample of a pool was judged, and the rest of it is marked with a grade below 0.",
    misleads="Without sampled judgments it is close to AP and adds nothing.",
    on_short_list="Relevant documents that were not retrieved contribute 0.",
    reference="Yilmaz and Aslam 2006, as trec_eval computes it: a grade below 0 is in the pool and unjudged",
)
def inferred_ap(view: View, k: int | None) -> Floats:
    relevant_above = view.found - view.relevant
    nonrelevant_above = view.running(view.nonrelevant)
    unjudged_above = view.running(view.grade < 0)
    precision = inferred_precision(view.rank, relevant_above, nonrelevant_above, unjudged_above)
    return ratio(view.sum(view.relevant * precision), view.n_relevant)


def inferred_precision(rank: Any, relevant: Any, nonrelevant: Any, unjudged: Any) -> Any:
    """The precision expected at a relevant document of this rank, with so many documents of the pool above it."""
    pool = relevant + nonrelevant + unjudged
    chance = (relevant + EPSILON) / (relevant + nonrelevant + 2 * EPSILON)
    return (1.0 + pool * chance) / rank


RECALL = Parameter("recall", "share of the relevant documents that must have been found", 0.0, 0.0, 1.0)


@block(
    "IPrec",
    aliases=("iprec_at_recall", "interpolated_precision"),
    sentence="The best precision among all cutoffs that find at least this share of the relevant documents.",
    formula=r"\max_{i:\; R@i \ge \text{recall}} P@i",
    parameters=(RECALL, REL),
    cut="none",
    use_when="To draw a precision-recall curve.",
    misleads="With few relevant documents the curve has few steps, and one document moves several of them.",
    on_short_list="Scores 0 at shares of recall that the list does not reach.",
    reference="trec_eval iprec_at_recall: the number to find is recall x R rounded as floor(x + 0.9)",
)
def interpolated_precision(view: View, k: int | None, recall: float) -> Floats:
    return _best_after(view, to_find(view, recall))


@block(
    "IPrec11",
    aliases=("11pt_avg", "11pt", "iprec_avg"),
    sentence="Interpolated precision averaged over recall 0, 0.1, ... 1.",
    formula=r"\frac{1}{11}\sum_{j=0}^{10} \text{IPrec}(j/10)",
    parameters=(REL,),
    cut="none",
    use_when="Old results must be compared with new ones: it was the main metric of early TRECs.",
    misleads="As AP, and coarser.",
    on_short_list="Counts 0 at shares of recall that the list does not reach.",
    reference="trec_eval 11pt_avg",
)
def eleven_point(view: View, k: int | None) -> Floats:
    return sum((_best_after(view, to_find(view, j / 10)) for j in range(11)), np.zeros(view.n_queries)) / 11


def to_find(view: View, recall: float) -> Floats:
    """How many relevant documents are `recall` of them, as trec_eval rounds."""
    out: Floats = np.floor(recall * view.n_relevant + 0.9)
    return out


def _best_after(view: View, to_find: Floats) -> Floats:
    """The best precision at any relevant document from the `to_find`-th on."""
    rows = view.relevant & (view.found >= to_find[view.query])
    out = np.zeros(view.n_queries)
    np.maximum.at(out, view.query[rows], view.found[rows] / view.rank[rows])
    return out
