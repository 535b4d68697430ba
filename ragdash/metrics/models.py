"""What would a reader of this kind get? Metrics of reading models beside ERR and RBP, as cwl_eval and ir_measures have.

INST, BPM and the four NERR of the same toolkits are not here: what a reader gets there depends on the whole path read
so far, and neither their mean over tied documents nor (for BPM) their worst case has a closed form, so that what ties
hide could not be told.
"""

from __future__ import annotations

import numpy as np

from ragdash.metrics.catalogue import REL, Parameter, block
from ragdash.metrics.gains import MAX_GRADE, top_grade
from ragdash.metrics.rankings import Floats, Ints
from ragdash.metrics.view import View, log2, ratio, summed

READ = 1000  # ranks that the reader of INSQ looks at at most, as in cwl_eval


def scaled(view: View, top: float) -> Floats:
    """For each hit its grade as a share of the highest, 0 to 1; `top` 0 takes the highest grade that was judged."""
    top = top_grade(view, top)
    return np.clip(view.grade, 0.0, top) / top if top > 0 else np.zeros(len(view.grade))


@block(
    "SDCG",
    aliases=("scaled_dcg",),
    sentence="DCG as a share of what K documents of the highest grade would give, however few there are.",
    formula=r"\frac{\sum_{i=1}^{K} (g_i / g_{\max}) / \log_2(i+1)}{\sum_{i=1}^{K} 1 / \log_2(i+1)}",
    parameters=(MAX_GRADE,),
    cut="required",
    use_when="More good documents exist than were judged, so that the ideal of nDCG is too easy.",
    misleads="A query with one relevant document cannot come near 1. The value depends on the highest grade.",
    on_no_relevant="Scores 0 where no document has a grade above 0.",
    reference="ir_measures SDCG; Järvelin and Kekäläinen 2002, scaled as in cwl_eval (Azzopardi et al. 2019)",
)
def sdcg(view: View, k: int, max: float = 0.0) -> Floats:
    return view.sum(scaled(view, max), log2, k) / float(log2(np.arange(1.0, k + 1)).sum())


@block(
    "INSQ",
    sentence="The gain that a reader meets per document who looks for T good ones and grows less patient with rank.",
    formula=r"\sum_{i=1}^{1000} W_i \, g_i / g_{\max},\; W_i \propto \left(\frac{2T}{i + 2T - 1}\right)^2",
    parameters=(Parameter("T", "how many documents of the highest grade the reader looks for", 1.0, 0.0, open=True),
                MAX_GRADE),
    cut="none",
    use_when="Readers want several good documents, and you can say how many.",
    misleads="Queries with few relevant documents cannot come near 1. Ranks beyond 1,000 count for nothing.",
    on_no_relevant="Scores 0 where no document has a grade above 0.",
    on_short_list="Ranks that are not there, up to rank 1,000, count as not relevant.",
    reference="Moffat et al. 2012; as in cwl_eval and ir_measures",
)  # fmt: skip
def insq(view: View, k: int | None, T: float, max: float = 0.0) -> Floats:
    def weight(ranks: Floats) -> Floats:
        return np.where(ranks <= READ, (2 * T / (ranks + 2 * T - 1)) ** 2, 0.0)

    return view.sum(scaled(view, max), weight) / float(weight(np.arange(1.0, READ + 1)).sum())


NORMALIZE = Parameter(
    "normalize", "whether the best order that the judgments allow scores 1", "true", choices=("true", "false")
)


@block(
    "Compat",
    aliases=("compatibility",),
    sentence="How much the ranking overlaps with the best order of all relevant documents, the top weighing most.",
    formula=r"\frac{\text{RBO}(\text{run}, \text{ideal})}{\text{RBO}(\text{ideal}, \text{ideal})}",
    parameters=(Parameter("p", "the chance that a reader goes on to the next rank", 0.95, 0.0, 1.0, open=True),
                NORMALIZE),
    cut="none",
    use_when="Only the order of the grades means something, not their size: preferences, best-first judgments.",
    misleads="Every grade above 0 belongs to the ideal, whatever the threshold. It has no unit that a reader knows.",
    on_no_relevant="Scores 0 where no document has a grade above 0.",
    on_short_list="The ideal keeps all documents with a grade above 0.",
    reference="Clarke, Vtyurina and Smucker 2021; as in ir_measures, where documents of one grade stand in the ideal "
    "as they stand in the run",
)  # fmt: skip
def compatibility(view: View, k: int | None, p: float, normalize: str) -> Floats:
    overlap = Overlap(view, p)
    place = np.maximum(view.rank, overlap.better + overlap.nth)
    met = summed(view.query, (view.grade > 0) * overlap.weight(place, view.query), view.n_queries)
    return overlap.scaled(met, normalize)


class Overlap:
    """Rank-biased overlap with the ideal, document by document: one adds to every depth from both its ranks on.

    For each hit: `better`, how many judged documents have a higher grade, and `nth`, its place among the retrieved ones
    of its grade. Shapes `[n_hits]`.
    """

    def __init__(self, view: View, p: float) -> None:
        judgments = view.rankings.judgments
        grades, codes = np.unique(judgments.grades, return_inverse=True)
        falling = len(grades) - 1 - codes
        key = view.judged_query * max(len(grades), 1) + falling
        mine = view.query * max(len(grades), 1) + len(grades) - 1 - np.searchsorted(grades, view.grade)
        self.view, self.p = view, p
        self.better = np.searchsorted(key, mine, side="left") - judgments.starts[:-1][view.query]
        self.nth = _place_among_equals(mine)
        positive = judgments.grades > 0
        self.positive = positive
        self.depth = np.maximum(view.depth, view.n_judged(positive))
        ranks = np.arange(1.0, int(np.max(self.depth, initial=0)) + 1)
        self.total = np.concatenate([[0.0], np.cumsum(p ** (ranks - 1) / ranks)])

    def weight(self, place: Ints, query: Ints) -> Floats:
        """What a document adds that both rankings hold from depth `place` on, in the query of each."""
        depth = self.depth[query]
        out: Floats = self.total[depth] - self.total[np.minimum(place, depth + 1) - 1]
        return out

    def scaled(self, met: Floats, normalize: str) -> Floats:
        """The sums as a share of the ideal's own, or of what complete agreement at every depth gives."""
        if normalize == "true":
            rows = self.positive
            query = self.view.judged_query[rows]
            return ratio(met, summed(query, self.weight(self.view.judged_rank[rows], query), self.view.n_queries))
        return ratio(met, (1.0 - self.p**self.depth) / (1.0 - self.p))


def _place_among_equals(key: Ints) -> Ints:
    """For each row how many rows up to and including it have its key."""
    order = np.argsort(key, kind="stable")
    sorted_key = key[order]
    out = np.empty(len(key), dtype=np.int64)
    out[order] = np.arange(1, len(key) + 1) - np.searchsorted(sorted_key, sorted_key, side="left")
    return out


@block(
    "Accuracy",
    aliases=("pairwise_accuracy",),
    sentence="The chance that a relevant document that was retrieved stands above one that is not relevant.",
    formula=r"\frac{|\{(r, n) : \text{relevant } r \text{ above not relevant } n\}|}{|\text{relevant}| \cdot "
    r"|\text{not relevant}|} \text{ among the retrieved}",
    parameters=(REL,),
    cut="none",
    use_when="You train a reranker and want to know whether its order agrees with the labels.",
    misleads="What was not retrieved does not count, so a list of one relevant document scores 1. Unjudged documents "
    "count as not relevant.",
    on_no_relevant="Scores 0 where no relevant document was retrieved (ir_measures leaves such queries out).",
    on_short_list="Looks at what is there; scores 1 where everything retrieved is relevant.",
    reference="ir_measures Accuracy, without a cutoff",
)
def accuracy(view: View, k: int | None) -> Floats:
    found = view.count(view.relevant)
    above = view.sum(view.relevant * (view.rank - view.found))
    return in_order(view, found, above)


def in_order(view: View, found: Floats, above: Floats) -> Floats:
    """The share of pairs in order, of `above` not relevant documents above relevant ones all together."""
    pairs = found * (view.depth - found)
    return np.where(found > 0, 1.0 - ratio(above, pairs), 0.0)
