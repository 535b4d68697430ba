"""What would a remedy do? Counted on distinct ids, before anybody decides; nothing is changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ragdash.data.columns import joined
from ragdash.data.labels import met
from ragdash.data.mending import met_by
from ragdash.data.noticing import notice
from ragdash.data.nouns import Dataset, Run
from ragdash.data.remedies import Remedy
from ragdash.data.renaming import pairs_of, renamed_dataset


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
    if remedy.acts == "labels":
        return _of_labels(dataset, runs, base, only)
    if remedy.acts == "documents":
        seen = notice(dataset, runs)
        remedy = seen.by_field(remedy)
        if seen.chunkings:
            return _of_roll_up(dataset, runs, remedy)
    named = [run for run in runs if run.name == only] if base in ("flip-scores", "swap-columns") and only else []
    found = [(_of_run(dataset, run, remedy, base), run) for run in named or runs]
    if not found:
        return Effect(0, 0, 0, "There is no run yet.")
    best, run = max(found, key=lambda one: one[0].after - one[0].before)
    return best if len(runs) == 1 else Effect(best.before, best.after, best.of, f"{run.name}: {best.sentence}")


def _of_roll_up(dataset: Dataset, runs: Sequence[Run], remedy: Remedy) -> Effect:
    """Chunks of several chunkings to documents, in runs and judgments."""
    assert remedy.change is not None
    chunks = joined([run.doc_ids.unique() for run in runs]).unique()
    documents = remedy.change(chunks).unique()
    rolled, _ = renamed_dataset(dataset, remedy.change, queries=False)
    n, m = len(dataset.qrels), len(rolled.qrels)
    sentence = f"would make {len(chunks):,} chunks {_count(len(documents), 'document')}"
    sentence += f", and {_count(n, 'judgment')} of chunks {m:,} of documents" if n else ""
    depth = min((int(np.median(run.depths)) for run in runs if len(run)), default=0)
    if 0 < len(documents) <= depth < len(chunks):
        sentence += f"; with {_count(len(documents), 'document')} nearly every query then finds its document"
    return Effect(0, len(documents), len(chunks), sentence)


def _of_labels(dataset: Dataset, runs: Sequence[Run], base: str, only: str) -> Effect:
    """Which judgments runs would be scored against."""
    n = len(dataset.qrels)
    if base == "join-labels" or not only:
        per_run = ", ".join(f"{one.name} ({len(one.qrels):,})" for one in dataset.labels)
        every = f"would score every run against all {_count(n, 'judgment')}"
        own = f"would score each run against the judgments of its own chunks: {per_run}"
        return Effect(0, n, n, every if base == "join-labels" else own)
    for run in runs:
        for one in dataset.labels:
            if only == f"{run.name}={one.name}":
                hits = met(one.qrels, run)
                told = f"would score {run.name} against {one.name}: {hits:,} of {_count(len(run), 'result')} judged"
                return Effect(0, hits, len(run), told)
    return Effect(0, 0, 0, "would change nothing: there is no such run or no such set of judgments")


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
