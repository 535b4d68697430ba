"""Can this comparison be trusted? A list of fixed length: each line passed, failed or to be known, with its number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ragdash import stats, wording
from ragdash.analysis.evaluate import Scores
from ragdash.analysis.health import UNJUDGED_WARNING, top_counts
from ragdash.analysis.rank import duplicates_of

State = Literal["passed", "note", "failed"]
COMFORTABLE = 50  # queries: Sakai's topic set sizes for usual effects begin here


@dataclass(frozen=True)
class Check:
    """One line of the list: what was looked at, how it went, and the sentence with its number."""

    key: str
    state: State
    text: str


def checks(scores: Scores, baseline: str, run: str, k: int) -> tuple[Check, ...]:
    """The list for two runs at the cutoff `k`."""
    return (
        _enough(scores.n),
        _answered(scores, baseline, run),
        _judged(scores, baseline, run, k),
        _deep(scores, baseline, run, k),
        _ties(scores, baseline, run, k),
        _duplicates(scores, baseline, run),
    )


def _enough(n: int) -> Check:
    told = wording.count(n, "question")
    if n < stats.MIN_QUERIES:
        return Check("queries", "failed", f"{told}: too few to say, ten are the least.")
    if n < COMFORTABLE:
        return Check("queries", "note", f"{told}: only large differences show.")
    return Check("queries", "passed", f"{told}.")


def _answered(scores: Scores, baseline: str, run: str) -> Check:
    silent = {}
    for name in (baseline, run):
        ranking = scores.rankings[scores.experiment.index_of(name)]
        silent[name] = int((~ranking.answered[scores.counted]).sum())
    if not any(silent.values()):
        return Check("answered", "passed", "Both runs answered all of them.")
    told = " and ".join(f"{name} did not answer {count:,}" for name, count in silent.items() if count)
    return Check("answered", "failed", f"{told} of {wording.count(scores.n, 'question')}; those score 0.")


def _judged(scores: Scores, baseline: str, run: str, k: int) -> Check:
    shares = {}
    for name in (baseline, run):
        shown, judged = top_counts(scores.rankings[scores.experiment.index_of(name)], k)
        total = int(shown[scores.counted].sum())
        shares[name] = 1 - judged[scores.counted].sum() / total if total else 0.0
    if not any(shares.values()):
        return Check("judged", "passed", f"Every document in the top {k} was judged.")
    told = ", ".join(f"{name} {share:.0%}" for name, share in shares.items())
    one, other = shares.values()
    bad = max(one, other) > UNJUDGED_WARNING or abs(one - other) > UNJUDGED_WARNING / 2
    return Check(
        "judged", "failed" if bad else "note", f"Never judged in the top {k}: {told}. Counted as not relevant."
    )


def _deep(scores: Scores, baseline: str, run: str, k: int) -> Check:
    deepest, short = {}, {}
    for name in (baseline, run):
        ranking = scores.rankings[scores.experiment.index_of(name)]
        depth = ranking.depth[scores.counted & ranking.answered]
        deepest[name] = int(depth.max(initial=0))
        short[name] = int((depth < k).sum())
    if not any(short.values()):
        return Check("depth", "passed", f"Every list is at least {k} deep.")
    uneven = len({min(depth, k) for depth in deepest.values()}) > 1
    if uneven:
        told = " and ".join(f"{name} returns {depth:,} at most" for name, depth in deepest.items() if depth < k)
        return Check("depth", "failed", f"{told}: unequal lists are compared at rank {k}.")
    told = " and ".join(f"{name} on {wording.count(n, 'question')}" for name, n in short.items() if n)
    return Check("depth", "note", f"Fewer than {k} documents: {told}.")


def _ties(scores: Scores, baseline: str, run: str, k: int) -> Check:
    queries = 0
    for name in (baseline, run):
        ranking = scores.rankings[scores.experiment.index_of(name)]
        tied = (ranking.tie_size > 1) & (ranking.tie_first <= k)
        queries = max(queries, len(np.unique(ranking.query[tied])))
    if not queries:
        return Check("ties", "passed", "No tied scores around judged documents.")
    told = wording.count(queries, "question")
    return Check("ties", "note", f"Tied scores touch judged documents in up to {told}; ties go by document id.")


def _duplicates(scores: Scores, baseline: str, run: str) -> Check:
    runs = scores.experiment.runs
    found = {name: len(duplicates_of(runs[scores.experiment.index_of(name)])) for name in (baseline, run)}
    if not any(found.values()):
        return Check("duplicates", "passed", "No document is listed twice.")
    told = " and ".join(f"{name} lists {count:,} a second time" for name, count in found.items() if count)
    return Check("duplicates", "note", f"{told}; the first place counts.")
