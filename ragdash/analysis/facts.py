"""What can be counted about each query? First relevant rank, relevant and unjudged documents in the top K, spread."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ragdash.analysis.drilldown import query_table
from ragdash.analysis.evaluate import Scores
from ragdash.data.columns import Ints
from ragdash.metrics import Metric, Rankings
from ragdash.metrics.view import View, ratio

Floats = NDArray[np.float64]
#: What the columns of `fact_table` are called, before ": " and the run's name.
FIRST, FOUND, UNJUDGED = "first relevant", "relevant in top", "unjudged in top"
#: The same where the metric looks at evidence: the share of its characters, and what is read for it.
EVIDENCE, READ = "evidence in top", "characters in top"
SPREAD = "spread over runs"


def first_relevant(ranking: Rankings, threshold: float) -> Ints:
    """The rank of the first relevant document of each query, 0 where none is returned. Shape `[n_axis]`."""
    good = ranking.grade >= threshold
    out = np.full(ranking.n_queries, np.iinfo(np.int64).max)
    np.minimum.at(out, ranking.query[good], ranking.rank[good])
    return np.where(out == np.iinfo(np.int64).max, 0, out)


def relevant_between(ranking: Rankings, above: int, upto: int, threshold: float) -> Ints:
    """How many relevant documents stand at the ranks `above` + 1 to `upto` of each query. Shape `[n_axis]`."""
    kept = (ranking.grade >= threshold) & (ranking.rank > above) & (ranking.rank <= upto)
    out: Ints = np.bincount(ranking.query[kept], minlength=ranking.n_queries)
    return out


def unjudged_in_top(ranking: Rankings, k: int) -> Ints:
    """How many documents in the top `k` of each query nobody judged. Shape `[n_axis]`."""
    judged = np.bincount(ranking.query[ranking.rank <= k], minlength=ranking.n_queries)
    out: Ints = np.minimum(ranking.depth, k) - judged
    return out


def spread(scores: Scores, metric: Metric | str) -> Floats:
    """How far the best and the worst run are apart on each counted query. Shape `[n]`."""
    values = scores.values[:, scores.metric_index(metric)][:, scores.counted]
    out: Floats = values.max(axis=0) - values.min(axis=0)
    return out


def heads(metric: Metric, k: int) -> tuple[str, ...]:
    """What the counted columns of a metric are called, before ": " and the run's name."""
    if metric.block.needs_spans:
        return f"{EVIDENCE} {k}", f"{READ} {k}"
    return FIRST, f"{FOUND} {k}", f"{UNJUDGED} {k}"


def fact_table(scores: Scores, metric: Metric, baseline: str, run: str, k: int) -> pd.DataFrame:
    """`query_table` with what can be counted of baseline and contender, before the queries' metadata.

    Whole numbers, shares of the evidence apart; `<NA>` where no relevant document is returned. Column names end in ": "
    and the run's name.
    """
    table = query_table(scores, str(metric), baseline, run)
    threshold, at = scores.options.threshold, table.index.to_numpy()
    by_query = np.zeros(len(scores.counted))
    by_query[scores.counted] = spread(scores, metric)
    facts: dict[str, object] = {}
    for name in (baseline, run):
        ranking = scores.ranking(name)
        if metric.block.needs_spans:
            spans = View(ranking, scores.options.settings).spans
            facts[f"{EVIDENCE} {k}: {name}"] = ratio(spans.covered(k), spans.evidence_chars)[at]
            facts[f"{READ} {k}: {name}"] = spans.read(k)[at].astype(np.int64)
            continue
        first = pd.array(first_relevant(ranking, threshold)[at], dtype="Int64")
        first[first == 0] = pd.NA
        facts[f"{FIRST}: {name}"] = first
        facts[f"{FOUND} {k}: {name}"] = relevant_between(ranking, 0, k, threshold)[at]
        facts[f"{UNJUDGED} {k}: {name}"] = unjudged_in_top(ranking, k)[at]
    facts[SPREAD] = by_query[at]
    table = table.rename(columns={name: f"{name} (dataset)" for name in facts})
    for place, (name, values) in enumerate(facts.items(), start=list(table.columns).index("difference") + 1):
        table.insert(place, name, values)
    return table
