"""Can this comparison be trusted? A list of fixed length: each line passed, failed or unknown, with its number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ragdash import stats, wording
from ragdash.analysis.bounds import WHOLE_LIST, Bounds, bounds
from ragdash.analysis.compare import Comparison, Testing
from ragdash.analysis.evaluate import Scores, orientation
from ragdash.analysis.order import tied_at
from ragdash.analysis.over_k import RANKS, Cut, same_direction, spans
from ragdash.analysis.over_read import cut_of, difference_curve, lost_chunks
from ragdash.analysis.rank import duplicates_of
from ragdash.metrics import Metric, tie_bounds

#: `note`: nothing is wrong, and a careful reader would still want to know.
State = Literal["passed", "note", "failed", "unknown"]
Floats = NDArray[np.float64]
Bounded = tuple[Floats, Floats, Floats]


@dataclass(frozen=True)
class Check:
    """One line of the list: what was looked at, how it went, and the sentence with its number.

    `queries` are the ids of the queries behind the number, where the line speaks of some of them.
    """

    key: str
    state: State
    text: str
    queries: tuple[str, ...] = ()


def checks(scores: Scores, row: Comparison, testing: Testing) -> tuple[Check, ...]:
    """The list for one comparison, at the cutoff of its metric. `scores` holds that metric."""
    k = row.metric.k or WHOLE_LIST
    return (
        _enough(row, testing),
        _answered(scores, row),
        _located(scores, row) if row.metric.block.needs_spans else _judged(scores, row),
        _tied_chunks(scores, row) if row.metric.block.needs_spans else _ties(scores, row, k),
        _duplicates(scores, row),
        _deep(scores, row, k),
        _number_of_tests(row, testing),
        _over_cutoffs(scores, row),
        _one_query(scores, row),
    )


def leads(d: Floats, alpha: float) -> int:
    """Who is ahead at this level: 1 the contender, -1 the baseline, 0 where it cannot be told."""
    return stats.t_interval(d, 1 - alpha).side(float(d.mean()))


def over_tie_orders(scores: Scores, metric: Metric, one: Bounded, other: Bounded) -> tuple[Floats, Floats]:
    """Differences of `other` and `one` under the worst and the best order of tied documents for `other`. Each `[n]`.

    `one` and `other` are `(worst, expected, best)` of `tie_bounds`, shape `[n_axis]`; positive is better.
    """
    sign = orientation(metric)
    worst = stats.clean(sign * (other[0] - one[2])[scores.counted])
    best = stats.clean(sign * (other[2] - one[0])[scores.counted])
    return worst, best


def _ids(scores: Scores, mask: NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(scores.experiment.query_ids[i] for i in np.flatnonzero(mask & scores.counted).tolist())


def _enough(row: Comparison, testing: Testing) -> Check:
    told = wording.count(row.n, "question")
    if row.n < stats.MIN_QUERIES:
        return Check("queries", "failed", f"{told}: too few to say, {stats.MIN_QUERIES} are the least.")
    smallest = stats.smallest_detectable(row.differences, alpha=row.alpha)
    if smallest is None:
        return Check("queries", "passed", f"{told}.")
    state: State = "passed" if smallest <= max(testing.band, abs(row.difference)) else "note"
    return Check(
        "queries", state, f"{told}: a difference of {wording.number(smallest)} would be noticed 8 times in 10."
    )


def _answered(scores: Scores, row: Comparison) -> Check:
    silent = {name: ~scores.ranking(name).answered for name in (row.baseline, row.run)}
    counts = {name: int((mask & scores.counted).sum()) for name, mask in silent.items()}
    if not any(counts.values()):
        return Check("answered", "passed", "Both runs answered all of them.")
    told = " and ".join(f"{name} did not answer {n:,}" for name, n in counts.items() if n)
    text = f"{told} of {wording.count(scores.n, 'question')}; nothing was found there."
    return Check("answered", "failed", text, _ids(scores, silent[row.baseline] | silent[row.run]))


def _judged(scores: Scores, row: Comparison) -> Check:
    found = bounds(scores, row.metric, row.baseline, row.run, 1 - row.alpha)
    if not found.n_unjudged:
        return Check("judged", "passed", f"Every document in the top {found.k} was judged.")
    share = found.n_unjudged / found.n_pooled
    told = f"{share:.0%} of the documents in the top {found.k} were never judged"
    if share < 0.005:
        told = f"{wording.count(found.n_unjudged, 'document')} of the top {found.k} never judged"
    return Check("judged", "failed" if found.could_change else "note", f"{told}: {_could(found, row)}.")


def _could(found: Bounds, row: Comparison) -> str:
    between = f"the difference lies between {wording.signed(found.lowest)} and {wording.signed(found.highest)}"
    if found.could_change:
        return f"judging them could change the answer, as {between}"
    return f"judging them could not change the answer, though {between}"


def _located(scores: Scores, row: Comparison) -> Check:
    """Metrics over evidence judge by places: what matters is whether these are known, not whether ids were judged."""
    names = (row.baseline, row.run)
    lost = {name: lost_chunks(scores, name, row.metric.k) & scores.counted for name in names}
    where = "" if row.metric.k is None else f" in the top {row.metric.k}"
    if not any(mask.any() for mask in lost.values()):
        return Check("located", "passed", f"Every chunk{where} is at a known place of its document.")
    told = " and ".join(
        f"{name} on {wording.count(int(mask.sum()), 'question')}" for name, mask in lost.items() if mask.any()
    )
    text = f"Chunks at no known place{where}: {told}; they find nothing, and cost what their text or a mean chunk does."
    return Check("located", "failed", text, _ids(scores, lost[row.baseline] | lost[row.run]))


def _tied_chunks(scores: Scores, row: Comparison) -> Check:
    """Chunks with equal scores around the cutoff: counted; what each order would score is not worked out."""
    if row.metric.k is None:
        return Check("ties", "unknown", "What another order of equal scores would read is not worked out.")
    experiment, k = scores.experiment, row.metric.k
    tied = np.zeros(experiment.n_queries, dtype=bool)
    asked = {"float32_ties": scores.options.ties == "float32", "drop_self": scores.options.drop_self}
    for place in (experiment.index_of(row.baseline), experiment.index_of(row.run)):
        tied |= tied_at(experiment.runs[place], experiment.rows[place], k, **asked)
    tied &= scores.counted
    if not tied.any():
        return Check("ties", "passed", f"No equal scores around rank {k}.")
    n = wording.count(int(tied.sum()), "question")
    return Check(
        "ties", "note", f"Equal scores around rank {k} in {n}: the id decides which counts.", _ids(scores, tied)
    )


def _ties(scores: Scores, row: Comparison, k: int) -> Check:
    one, other = (scores.ranking(name) for name in (row.baseline, row.run))
    tied = np.zeros(one.n_queries, dtype=bool)
    for ranking in (one, other):
        tied[ranking.query[(ranking.tie_size > 1) & (ranking.tie_first <= k)]] = True
    tied &= scores.counted
    if not tied.any():
        return Check("ties", "passed", "No equal scores around judged documents.")
    settings = scores.options.settings
    bounded = (tie_bounds(row.metric, ranking, settings) for ranking in (one, other))
    worst, best = over_tie_orders(scores, row.metric, *bounded)
    told = f"Equal scores touch judged documents in {wording.count(int(tied.sum()), 'question')}"
    between = f"between {wording.signed(float(worst.mean()))} and {wording.signed(float(best.mean()))}"
    if leads(worst, row.alpha) == leads(best, row.alpha) == leads(row.differences, row.alpha):
        return Check(
            "ties", "note", f"{told}: their order could not change the answer ({between}).", _ids(scores, tied)
        )
    text = f"{told}: their order could change the answer (the difference lies {between})."
    return Check("ties", "failed", text, _ids(scores, tied))


def _duplicates(scores: Scores, row: Comparison) -> Check:
    runs = scores.experiment.runs
    found = {name: len(duplicates_of(runs[scores.experiment.index_of(name)])) for name in (row.baseline, row.run)}
    if not any(found.values()):
        return Check("duplicates", "passed", "No document is listed twice.")
    told = " and ".join(f"{name} lists {wording.count(n, 'document')} a second time" for name, n in found.items() if n)
    return Check("duplicates", "note", f"{told}; the first place counts.")


def _deep(scores: Scores, row: Comparison, k: int) -> Check:
    deepest: dict[str, int] = {}
    short: dict[str, NDArray[np.bool_]] = {}
    for name in (row.baseline, row.run):
        ranking = scores.ranking(name)
        asked = scores.counted & ranking.answered
        deepest[name] = int(ranking.depth[asked].max(initial=0))
        short[name] = asked & (ranking.depth < k)
    if not any(mask.any() for mask in short.values()):
        return Check("depth", "passed", f"Every list is at least {k} deep.")
    queries = _ids(scores, short[row.baseline] | short[row.run])
    if len({min(depth, k) for depth in deepest.values()}) > 1:
        told = " and ".join(f"{name} returns {depth:,} at most" for name, depth in deepest.items() if depth < k)
        return Check("depth", "failed", f"{told}: unequal lists are compared at rank {k}.", queries)
    counted = {name: int(mask.sum()) for name, mask in short.items() if mask.any()}
    told = " and ".join(f"{name} on {wording.count(n, 'question')}" for name, n in counted.items())
    return Check("depth", "note", f"Fewer than {k} documents: {told}.", queries)


def _number_of_tests(row: Comparison, testing: Testing) -> Check:
    if row.n_tests <= 1:
        return Check("comparisons", "passed", "One comparison was made.")
    name = stats.CORRECTIONS[testing.correction].name
    if testing.correction == "none":
        text = f"One of {row.n_tests} comparisons, and nothing makes up for their number."
        return Check("comparisons", "failed", text)
    return Check("comparisons", "passed", f"One of {row.n_tests} comparisons; their number is made up for ({name}).")


def _over_cutoffs(scores: Scores, row: Comparison) -> Check:
    cut = cut_of(row.metric)
    curve = difference_curve(scores, row.metric, row.baseline, row.run, 1 - row.alpha)
    if len(curve) < 2 or row.n < 2:
        return Check("cutoffs", "unknown", "The answer has no cutoff to vary.")
    told = cutoffs_sentence(spans(curve), row.run, row.baseline, cut)
    if not same_direction(curve):
        on = "how much is read" if cut.by_characters else "the cutoff"
        return Check("cutoffs", "failed", f"It depends on {on}: {told}.")
    here = next((one.leads for one in curve if one.k == cut.at), None)
    same = here is None or all(one.leads == here for one in curve)
    return Check(
        "cutoffs", "passed" if same else "note", f"Over {'what is read' if cut.by_characters else 'cutoffs'}: {told}."
    )


def cutoffs_sentence(curve_spans: Sequence[tuple[int, int, int]], run: str, baseline: str, cut: Cut = RANKS) -> str:
    """ "dense is ahead up to K = 5, the two cannot be told apart from K = 10 on" (by each one's interval)."""
    names = {1: f"{run} is ahead", -1: f"{baseline} is ahead", 0: "the two cannot be told apart"}
    last = len(curve_spans) - 1
    parts = []
    for i, (leading, low, high) in enumerate(curve_spans):
        if last == 0:
            where = f"from {cut.several(low, high)}" if cut.by_characters else f"at every K from {low} to {high}"
        elif i == 0:
            where = f"up to {cut.one(high)}"
        elif i == last:
            where = f"from {cut.one(low)} on"
        elif low == high:
            where = f"at {cut.one(low)}"
        else:
            where = f"from {cut.several(low, high)}"
        parts.append(f"{names[leading]} {where}")
    return ", ".join(parts)


def _one_query(scores: Scores, row: Comparison) -> Check:
    found = stats.leave_one_out(row.differences, alpha=row.alpha)
    if found.index is None or found.p is None:
        return Check("one-query", "unknown", "Whether one question carries it all cannot be said here.")
    if found.carried:
        query = scores.query_ids[found.index]
        text = f"One question carries it: without “{query}” the difference could be chance."
        return Check("one-query", "failed", text, (query,))
    if found.p <= row.alpha:
        return Check("one-query", "passed", "No single question carries it.")
    if found.hider is not None:
        query = scores.query_ids[found.hider]
        return Check(
            "one-query", "note", f"One question hides a difference: without “{query}” it would stand.", (query,)
        )
    return Check("one-query", "passed", "No single question decides it.")
