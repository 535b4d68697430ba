"""What would a remedy do? Counted on distinct ids, before anybody decides; nothing is changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ragdash.data.mending import met_by
from ragdash.data.nouns import Dataset, Run
from ragdash.data.remedies import Remedy
from ragdash.data.renaming import pairs_of


@dataclass(frozen=True)
class Effect:
    """How many of `of` things are in order `before` and `after` a remedy, as a sentence for the page."""

    before: int
    after: int
    of: int
    sentence: str


def effect(dataset: Dataset, runs: Sequence[Run], remedy: Remedy) -> Effect:
    """What `remedy` would do to the run that it concerns most; the sentence names the run where there are several.

    Ids are compared as they stand now: what other remedies do must be in `dataset` and `runs` already.
    """
    base, _, only = remedy.key.partition(":")
    named = [run for run in runs if run.name == only] if base in ("flip-scores", "swap-columns") and only else []
    found = [(_of_run(dataset, run, remedy, base), run) for run in named or runs]
    if not found:
        return Effect(0, 0, 0, "There is no run yet.")
    best, run = max(found, key=lambda one: one[0].after - one[0].before)
    return best if len(runs) == 1 else Effect(best.before, best.after, best.of, f"{run.name}: {best.sentence}")


def _of_run(dataset: Dataset, run: Run, remedy: Remedy, base: str) -> Effect:
    if base == "flip-scores":
        n = 0 if run.scores is None else int(np.sum(run.depths > 1))
        return Effect(0, n, run.n_queries, f"would turn the order of {n:,} of {_count(run.n_queries, 'query')}")
    if base == "drop-duplicates":
        n = len(run) - len(np.unique(pairs_of(run)))
        return Effect(0, n, len(run), f"would drop {n:,} of {_count(len(run), 'result')}")
    asked = dataset.qrels.query_ids
    if base == "swap-columns":
        return _matched(met_by(run.query_ids, asked), met_by(run.doc_ids, asked), len(asked), "query")
    assert remedy.change is not None
    docs, judged = run.doc_ids.unique(), dataset.qrels.doc_ids.unique()
    changed = remedy.change(docs)
    if remedy.acts == "documents":
        rolled = remedy.change(judged).unique()
        among = [rolled] if remedy.chunks is not None else [judged, rolled]
        best, of = max(((met_by(ids, one), one) for one in among for ids in (changed, docs)), key=lambda pair: pair[0])
        return _matched(met_by(docs, judged), best, len(of), "judged document")
    queries = _matched(
        met_by(run.query_ids, asked),
        met_by(remedy.change(run.query_ids), remedy.change(asked).unique()),
        len(asked),
        "query",
    )
    ours = remedy.change(judged).unique()
    documents = _matched(met_by(docs, judged), met_by(changed, ours), len(ours), "judged document")
    return queries if queries.after > queries.before else documents


def _matched(before: int, after: int, of: int, what: str) -> Effect:
    return Effect(before, after, of, f"would match {after:,} of {_count(of, what)} (now {before:,})")


def _count(n: int, what: str) -> str:
    plural = "queries" if what == "query" else f"{what}s"
    return f"{n:,} {what if n == 1 else plural}"
