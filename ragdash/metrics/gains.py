"""How much are the documents worth, and how soon? Metrics over grades."""

from __future__ import annotations

import numpy as np

from ragdash.metrics.catalogue import GAIN, REL, Parameter, block
from ragdash.metrics.rankings import Floats, Ints
from ragdash.metrics.view import View, log2, ratio, summed


@block(
    "nDCG",
    aliases=("ndcg_cut", "normalized_dcg", "NDCG_score", "ndcg_exp(gain=exponential)", "ndcg_burges(gain=exponential)"),
    sentence="How close the order of the first K comes to the best possible order, better grades weighing more.",
    formula=r"\frac{\sum_{i=1}^{K} g_i / \log_2(i+1)}{\text{the same sum over the best order}}",
    parameters=(GAIN,),
    use_when="Documents are relevant to different degrees and the order matters. The usual first choice.",
    misleads="Two formulas share the name: a document is worth its grade (linear, as in trec_eval) or 2^grade - 1 "
    "(exponential); values of one cannot be compared with the other. It ignores the relevance threshold.",
    on_no_relevant="Scores 0 where no document has a grade above 0.",
    on_short_list="The ideal keeps all judged documents, so short lists lose.",
    reference="Järvelin and Kekäläinen 2002; trec_eval ndcg and ndcg_cut_K (linear); Burges et al. 2005 (exponential)",
    rag=True,
)
def ndcg(view: View, k: int | None) -> Floats:
    return ratio(view.sum(view.gain, log2, k), view.ideal(log2, k))


@block(
    "DCG",
    aliases=("dcg_exp(gain=exponential)", "dcg_burges(gain=exponential)"),
    sentence="The grades of the first K, later ranks counting less, not scaled.",
    formula=r"\sum_{i=1}^{K} g_i / \log_2(i+1)",
    range=(0.0, np.inf),
    parameters=(GAIN,),
    use_when="The amount found matters, not the share of what could be found.",
    misleads="It has no upper end: queries with many relevant documents rule the mean.",
    on_no_relevant="Scores 0 where no document has a grade above 0.",
    on_short_list="Sums what is there.",
    reference="Järvelin and Kekäläinen 2002",
)
def dcg(view: View, k: int | None) -> Floats:
    return view.sum(view.gain, log2, k)


MAX_GRADE = Parameter("max", "the highest grade of the scale, instead of the highest that was judged", low=1.0)


@block(
    "ERR",
    aliases=("expected_reciprocal_rank",),
    sentence="How early a reader is done who stops at the first satisfying result; better grades satisfy more often.",
    formula=r"\sum_{i=1}^{K} \frac{1}{i} s_i \prod_{j<i} (1-s_j),\; s_i = \frac{2^{g_i}-1}{2^{g_{\max}}}",
    parameters=(MAX_GRADE,),
    use_when="Readers stop at the first good result, and grades say how good.",
    misleads="After one perfect document the rest hardly counts. The value depends on the highest grade of the scale.",
    on_no_relevant="Scores 0 where no document has a grade above 0.",
    on_short_list="Sums what is there.",
    reference="Chapelle et al. 2009; gdeval fixes the highest grade at 4: ERR(max=4)",
)
def err(view: View, k: int | None, max: float = 0.0) -> Floats:
    satisfied = satisfaction(view, view.grade, max)
    return view.sum(satisfied * _reached(view.query, satisfied) / view.rank, k=k)


@block(
    "nERR",
    aliases=("normalized_ERR",),
    sentence="ERR as a share of the best ERR that the judgments allow.",
    formula=r"\frac{\text{ERR}@K}{\text{ERR}@K \text{ of the best order}}",
    parameters=(MAX_GRADE,),
    use_when="As ERR, when queries differ in how good their best documents are.",
    misleads="As ERR.",
    on_no_relevant="Scores 0 where no document has a grade above 0.",
    on_short_list="The ideal keeps all judged documents.",
    reference="Chapelle et al. 2009, scaled as ndeval does",
)
def nerr(view: View, k: int | None, max: float = 0.0) -> Floats:
    return ratio(err(view, k, max=max), ideal_err(view, k, max))


def ideal_err(view: View, k: int | None, max: float) -> Floats:
    """The ERR of the best order of all judged documents."""
    satisfied = satisfaction(view, view.rankings.judgments.grades, max)
    weights = satisfied * _reached(view.judged_query, satisfied) / view.judged_rank
    return summed(view.judged_query, weights * (view.judged_rank <= (np.inf if k is None else k)), view.n_queries)


def top_grade(view: View, top: float) -> float:
    """The highest grade of the scale where it is given, else the highest that was judged; 0 where none is above 0."""
    return top if top > 0 else float(np.max(view.rankings.judgments.grades, initial=0.0))


def satisfaction(view: View, grades: Floats, top: float) -> Floats:
    """The chance that a document of each grade ends the search; `top` 0 takes the highest grade that was judged.

    (2^g - 1) / 2^top, written so that huge grades do not overflow.
    """
    top = top_grade(view, top)
    grades = np.clip(grades, 0.0, top)
    out: Floats = np.exp2(grades - top) - np.exp2(-top)
    return out


def _reached(query: Ints, satisfied: Floats) -> Floats:
    """The chance that each row is read: that no row of its query before it satisfied."""
    logs = np.log1p(-np.minimum(satisfied, 1.0 - 2.0**-53))
    total = np.concatenate([[0.0], np.cumsum(logs)])
    reached: Floats = np.exp(total[:-1] - total[np.searchsorted(query, query, side="left")])
    return reached


PERSISTENCE = Parameter("p", "the chance that a reader goes on to the next rank", 0.8, 0.0, 1.0, open=True)


@block(
    "RBP",
    aliases=("rank_biased_precision",),
    sentence="The relevance met by a reader who goes on to the next result with probability p.",
    formula=r"(1-p)\sum_{i=1}^{K} \text{rel}_i \, p^{\,i-1}",
    parameters=(PERSISTENCE, REL),
    use_when="You know how patient readers are, and want a range (see RBPResidual) instead of a guess about unjudged.",
    misleads="Queries with few relevant documents cannot come near 1. Values of different p cannot be compared.",
    on_short_list="Sums what is there.",
    reference="Moffat and Zobel 2008; binary as in ranx and in ir_measures RBP(rel=1)",
)
def rbp(view: View, k: int | None, p: float) -> Floats:
    return (1.0 - p) * view.sum(view.relevant, lambda ranks: p ** (ranks - 1.0), k)


@block(
    "RBPResidual",
    aliases=("RBP_residual", "residual"),
    sentence="How much higher RBP could be if everything unjudged were relevant.",
    formula=r"1 - (1-p)\sum_{i \text{ judged},\, i \le K} p^{\,i-1}",
    parameters=(PERSISTENCE,),
    use_when="Beside RBP: the true value lies between RBP and RBP plus this.",
    misleads="It is about the judgments, not about the run's quality; a short list has a large one.",
    on_no_relevant="Counts all the same.",
    on_short_list="Ranks that are not there, and all beyond the cutoff, count as unjudged.",
    reference="Moffat and Zobel 2008, section 3.3",
    higher_is_better=False,
)
def rbp_residual(view: View, k: int | None, p: float) -> Floats:
    return 1.0 - (1.0 - p) * view.sum(view.all, lambda ranks: p ** (ranks - 1.0), k)
