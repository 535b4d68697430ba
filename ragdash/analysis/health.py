"""Can the numbers be trusted? What rankings, judgments and cutoffs say about the data, as findings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ragdash import stats, wording
from ragdash.analysis.evaluate import Options, Scores, metric_of, relevant_counts, relevant_in
from ragdash.analysis.rank import duplicates_of, self_rows
from ragdash.analysis.trust import leads, over_tie_orders
from ragdash.data.columns import positions, take
from ragdash.data.experiment import Experiment
from ragdash.data.findings import Finding, Severity, ordered, some
from ragdash.data.nouns import Run
from ragdash.metrics import Rankings, tie_bounds

#: Where less than this share of the top K is judged, or two runs differ by as much, the reader is warned.
UNJUDGED_WARNING = 0.2


def health(scores: Scores) -> tuple[Finding, ...]:
    """All findings: those of the files and the pairing, then what the rankings show at the cutoffs in use."""
    experiment = scores.experiment
    by_document = any(not metric.block.needs_spans for metric in scores.metrics)
    out: list[Finding] = [*(_under(finding, scores) for finding in experiment.findings)]
    out += [*(_relevance(scores) if by_document else ()), *_evidence(scores), *_few(scores)]
    cutoffs = sorted({metric.k for metric in scores.metrics if metric.k})
    k = cutoffs[-1] if cutoffs else None
    for i, run in enumerate(experiment.runs):
        ranking = scores.rankings[i]
        out += _duplicates(run)
        out += _self_retrieval(run, scores.options)
        out += _ties(experiment, run, ranking)
        if k:
            out += _unjudged(experiment, run, ranking, k) if by_document else ()
            out += _depth(experiment, run, ranking, k)
    if k:
        out += _uneven_depth(scores, k)
    out += _ceiling(scores)
    out += _never_retrieved(scores) if by_document else ()
    out += _constant(scores)
    out += _tie_order(scores)
    return ordered(out)


def _under(finding: Finding, scores: Scores) -> Finding:
    """What the pairing found, in the words of the options in force."""
    if finding.code == "labels-differ":
        return replace(finding, message=f"{finding.message} {_judged_shares(scores)}".strip())
    if finding.code == "query-missing-from-run" and scores.options.missing == "common":
        told = finding.message.replace("; they score 0.", "; only queries that every run answers count.")
        return replace(finding, message=told)
    return finding


def _judged_shares(scores: Scores) -> str:
    """How much of each run's top K is judged, at the largest cutoff in use."""
    k = max((metric.k for metric in scores.metrics if metric.k), default=None)
    if k is None or not scores.n:
        return ""
    told = []
    for run, ranking in zip(scores.experiment.runs, scores.rankings):
        judged = metric_of(f"Judged@{k}")(ranking, scores.options.settings)[scores.counted]
        told.append(f"{run.name} {float(judged.mean()):.4f}")
    return f"Judged@{k}: {', '.join(told)}."


def _ids(experiment: Experiment, which: NDArray[np.int64]) -> tuple[str, ...]:
    return tuple(experiment.query_ids[i] for i in which.tolist())


def _relevance(scores: Scores) -> Iterator[Finding]:
    """Queries without a relevant document."""
    experiment, options = scores.experiment, scores.options
    file = experiment.dataset.sources[0].file if experiment.dataset.sources else None
    without = np.flatnonzero(relevant_counts(experiment, options.threshold) == 0)
    if len(without) and not (len(experiment.evidence) and not len(experiment.qrels)):  # evidence says what is right
        ids = _ids(experiment, without)
        handling = "they score 0 and count" if options.no_relevant == "zero" else "they are left out"
        head = f"query {ids[0]} has" if len(ids) == 1 else f"{len(ids):,} of {experiment.n_queries:,} queries have"
        message = f"{head} no relevant document (grade {options.threshold:g} or more); {handling} in every mean."
        yield Finding(
            "no-relevant-document", "warning", message, file, None, len(ids), (), some(ids), "no-relevant=exclude", ids
        )


def _evidence(scores: Scores) -> Iterator[Finding]:
    """Queries without evidence, where metrics look at it."""
    experiment, options = scores.experiment, scores.options
    if not any(metric.block.needs_spans for metric in scores.metrics):
        return
    without = np.flatnonzero(np.diff(experiment.evidence.starts) == 0)
    if len(without):
        ids = _ids(experiment, without)
        handling = "score 0 on metrics over evidence and count" if options.no_relevant == "zero" else "are left out"
        head = f"{wording.count(len(ids), 'query', 'queries')} of {experiment.n_queries:,} without evidence"
        message = f"{head} (first {ids[0]}): they {handling} in every mean."
        remedy = "no-relevant=exclude"
        yield Finding("query-without-evidence", "warning", message, None, None, len(ids), (), some(ids), remedy, ids)


def _few(scores: Scores) -> Iterator[Finding]:
    """Whether there are enough queries to test."""
    experiment = scores.experiment
    file = experiment.dataset.sources[0].file if experiment.dataset.sources else None
    if scores.n == 1 and len(experiment.runs) > 1:
        yield Finding("one-query", "warning", "There is one query: no significance test is possible.", file, count=1)
    elif scores.n < stats.MIN_QUERIES and len(experiment.runs) > 1:
        message = f"{scores.n} queries are too few to say which run is better; {stats.MIN_QUERIES} are the least."
        yield Finding("few-queries", "info", message, file, count=scores.n)


def _duplicates(run: Run) -> Iterator[Finding]:
    rows = duplicates_of(run)
    if not len(rows):
        return
    at = np.searchsorted(run.starts, rows, side="right") - 1
    queries = take(run.query_ids, np.unique(at)).to_pylist()
    lines = () if run.lines is None else tuple(sorted(int(run.lines[int(row)]) for row in rows[:20].tolist()))
    documents = take(run.doc_ids, rows[:5]).to_pylist()
    where = f" (queries {wording.listed([str(one) for one in queries])})"
    message = (
        f"{run.name} lists {wording.count(len(rows), 'document')} a second time{where}; "
        "the first place counts, later copies are removed and later ranks move up."
    )
    yield Finding(
        "duplicate-document",
        "warning",
        message,
        run.source.file,
        run.name,
        len(rows),
        lines,
        some(documents),
        queries=tuple(queries),
    )


def _self_retrieval(run: Run, options: Options) -> Iterator[Finding]:
    """Documents left out on request, as their id is their query's."""
    rows = self_rows(run) if options.drop_self else ()
    if len(rows):
        ids = take(run.doc_ids, rows[:5]).to_pylist()
        message = f"{run.name}: {wording.count(len(rows), 'document')} with the id of the query left out, as asked."
        yield Finding("self-retrieved", "info", message, run.source.file, run.name, len(rows), examples=some(ids))


def _ties(experiment: Experiment, run: Run, ranking: Rankings) -> Iterator[Finding]:
    """Only ties that hold a judged document can move a score."""
    tied = ranking.tie_size > 1
    if not tied.any():
        return
    which = np.unique(ranking.query[tied])
    message = (
        f"{run.name}: judged documents have the same score as others in {len(which):,} of "
        f"{int(ranking.answered.sum()):,} queries; ties are broken by document id, descending."
    )
    ids = _ids(experiment, which)
    yield Finding("tied-scores", "warning", message, run.source.file, run.name, len(which), (), some(ids), queries=ids)


def top_counts(ranking: Rankings, k: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Documents in the top `k` of each query, and how many of them are judged. Shapes `[n_axis]`."""
    shown = np.minimum(ranking.depth, k)
    judged = np.bincount(ranking.query[ranking.rank <= k], minlength=ranking.n_queries)
    return shown, judged


def _unjudged(experiment: Experiment, run: Run, ranking: Rankings, k: int) -> Iterator[Finding]:
    shown, judged = top_counts(ranking, k)
    total, unjudged = int(shown.sum()), int((shown - judged).sum())
    if not unjudged:
        return
    share = unjudged / total
    severity: Severity = "warning" if share > UNJUDGED_WARNING else "info"
    message = (
        f"{unjudged:,} of {total:,} top-{k} documents of {run.name} are not judged ({share:.0%}); "
        "they count as not relevant."
    )
    which = np.flatnonzero(shown > judged)
    ids = _ids(experiment, which)
    yield Finding(
        "unjudged-in-top-k", severity, message, run.source.file, run.name, unjudged, (), some(ids), queries=ids
    )


def _depth(experiment: Experiment, run: Run, ranking: Rankings, k: int) -> Iterator[Finding]:
    short = np.flatnonzero(ranking.answered & (ranking.depth < k) & (ranking.depth > 0))
    if not len(short):
        return
    message = (
        f"{run.name} returns fewer than {k} results for {len(short):,} of {int(ranking.answered.sum()):,} queries; "
        f"Precision@{k} divides by {k} all the same."
    )
    ids = _ids(experiment, short)
    yield Finding("depth-below-k", "info", message, run.source.file, run.name, len(short), (), some(ids), queries=ids)


def _uneven_depth(scores: Scores, k: int) -> Iterator[Finding]:
    deepest = {run.name: int(r.depth.max(initial=0)) for run, r in zip(scores.experiment.runs, scores.rankings)}
    if len(deepest) < 2 or min(deepest.values()) >= k or len({min(depth, k) for depth in deepest.values()}) == 1:
        return
    shallow = min(deepest.values())
    told = ", ".join(f"{name}: {depth:,}" for name, depth in deepest.items())
    message = (
        f"Runs differ in depth ({told} results a query at most): a cutoff of {k} compares unequal lists; "
        f"up to {shallow} is fair."
    )
    yield Finding("uneven-depth", "warning", message, count=len(deepest))


def _ceiling(scores: Scores) -> Iterator[Finding]:
    """More relevant documents than the cutoff: recall cannot reach 1."""
    if not scores.n:
        return
    for name, qrels in scores.experiment.judged_by.items():
        relevant = relevant_in(qrels, scores.options.threshold)[scores.counted]
        by = f" by {name}" if name else ""
        for metric in scores.metrics:
            if metric.block.name != "Recall" or not metric.k or not (relevant > metric.k).any():
                continue
            best = float(np.divide(np.minimum(relevant, metric.k), np.maximum(relevant, 1)).mean())
            n = int((relevant > metric.k).sum())
            message = (
                f"{wording.count(n, 'query has', 'queries have')} more than {metric.k} relevant documents{by}: "
                f"the best possible {metric} here is {best:.4f}."
            )
            yield Finding("recall-ceiling", "info", message, count=n)


def _never_retrieved(scores: Scores) -> Iterator[Finding]:
    """Relevant documents that no run returns for their query."""
    experiment, options = scores.experiment, scores.options
    if not experiment.runs:
        return
    relevant = relevant_in(experiment.qrels, options.threshold)
    missed = relevant - retrieved_by_any(scores)
    total = int(missed.sum())
    if total <= 0:
        return
    which = np.flatnonzero(missed > 0)
    ids = _ids(experiment, which)
    message = (
        f"{total:,} of {int(relevant.sum()):,} relevant documents are returned by no run "
        f"({wording.count(len(which), 'query', 'queries')}): "
        "look at first-stage retrieval or at the documents' ids."
    )
    severity: Severity = "warning" if total == int(relevant.sum()) else "info"
    yield Finding("relevant-never-retrieved", severity, message, None, None, total, (), some(ids), queries=ids)


def retrieved_by_any(scores: Scores) -> NDArray[np.int64]:
    """For each axis query, how many of its relevant documents at least one run returns. Shape `[n_axis]`."""
    experiment, qrels = scores.experiment, scores.experiment.qrels
    relevant = qrels.grades >= scores.options.threshold
    found = np.zeros(len(qrels), dtype=bool)
    pairs = np.flatnonzero(relevant)
    codes, distinct = qrels.query_codes()[pairs], qrels.doc_ids.unique()
    wanted = positions(qrels.doc_ids, distinct)[pairs]
    key = codes * max(1, len(distinct)) + wanted
    for run, rows in zip(experiment.runs, experiment.rows):
        at = np.full(run.n_queries, -1, dtype=np.int64)
        at[rows[rows >= 0]] = np.flatnonzero(rows >= 0)
        document = positions(run.doc_ids, distinct)
        query = np.repeat(at, run.depths)
        kept = (document >= 0) & (query >= 0)
        found[pairs] |= np.isin(key, query[kept] * max(1, len(distinct)) + document[kept])
    out: NDArray[np.int64] = np.bincount(qrels.query_codes()[found], minlength=qrels.n_queries)
    return out


def _constant(scores: Scores) -> Iterator[Finding]:
    """Pairs of runs whose scores are the same, or differ by the same amount, on every query."""
    names = scores.experiment.run_names
    if scores.n < 2:
        return
    for i, one in enumerate(names):
        for j in range(i + 1, len(names)):
            d = (scores.values[j] - scores.values[i])[:, scores.counted]
            flat = np.ptp(d, axis=1) < stats.EPS
            if flat.all() and np.abs(d).max() < stats.EPS:
                message = f"{one} and {names[j]} are identical on all {scores.n:,} queries: there is nothing to test."
                yield Finding("identical-scores", "warning", message, run=names[j], count=scores.n, examples=(one,))
                continue
            for metric in np.flatnonzero(flat & (np.abs(d).max(axis=1) >= stats.EPS)).tolist():
                message = (
                    f"{names[j]} differs from {one} by {wording.signed(float(d[metric, 0]))} {scores.metrics[metric]} "
                    f"on every query: all differences equal, so the t-test is not defined."
                )
                yield Finding("constant-difference", "warning", message, run=names[j], count=scores.n, examples=(one,))


def _tie_order(scores: Scores) -> Iterator[Finding]:
    """Pairs of runs for which another order of equal scores gives another answer: ahead, behind or no telling.

    Each run takes its best and its worst order (`tie_bounds`); answers are those of the 95 % intervals, uncorrected.
    """
    if scores.n < 2 or not any((ranking.tie_size > 1).any() for ranking in scores.rankings):
        return
    names, settings = scores.experiment.run_names, scores.options.settings
    metrics = [metric for metric in scores.metrics if not metric.block.needs_spans]  # see `ties`: no bounds for these
    bounds = [[tie_bounds(metric, ranking, settings) for metric in metrics] for ranking in scores.rankings]
    for i, one in enumerate(names):
        for j in range(i + 1, len(names)):
            moved = []
            for m, metric in enumerate(metrics):
                worst, best = over_tie_orders(scores, metric, bounds[i][m], bounds[j][m])
                if leads(worst, 0.05) != leads(best, 0.05):
                    moved.append(str(metric))
            if moved:
                message = (
                    f"Another order of equal scores could change who is ahead, {one} or {names[j]}, "
                    f"on {wording.listed(moved)}: scores that differ would settle it."
                )
                yield Finding(
                    "tie-order-decides", "warning", message, run=names[j], count=len(moved), examples=some(moved)
                )
