"""What is the whole evidence, as JSON? One shape at full precision, for the command line and for the page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ragdash import wording
from ragdash.analysis import judged
from ragdash.analysis.compare import Comparisons
from ragdash.analysis.evaluate import Scores
from ragdash.analysis.health import health
from ragdash.data.experiment import Experiment
from ragdash.data.findings import Finding
from ragdash.data.nouns import Run
from ragdash.metrics import tie_bounds
from ragdash.report import tables


def settings_of(scores: Scores, comparisons: Comparisons | None = None) -> dict[str, Any]:
    """The values in force, as every output names them; judgments made in the app only where there are any."""
    out: dict[str, Any] = {**scores.options.json(), "remedies": list(scores.experiment.remedies)}
    if scores.experiment.bound:
        out["labels"] = scores.experiment.labels_said
    added = judged.said(scores.experiment)
    if added:
        out["judgments_added"] = added
    if comparisons is not None:
        out |= {"baseline": comparisons.baseline, **comparisons.testing.json()}
    return out


def evaluated(
    scores: Scores, *, per_query: bool = False, ties: bool = False, findings: Sequence[Finding] | None = None
) -> dict[str, Any]:
    """The JSON of `evaluate`; with `ties` also what the order of tied documents hides."""
    return {
        "settings": settings_of(scores),
        **described(scores.experiment, scores.options.threshold),
        "metrics": [str(metric) for metric in scores.metrics],
        "scores": scores_json(scores, per_query=per_query),
        **({"ties": ties_json(scores, per_query=per_query)} if ties else {}),
        "findings": findings_json(health(scores) if findings is None else findings),
    }


def compared(comparisons: Comparisons, findings: Sequence[Finding] | None = None) -> dict[str, Any]:
    """The JSON of `compare`."""
    scores = comparisons.scores
    return {
        "settings": settings_of(scores, comparisons),
        **described(scores.experiment, scores.options.threshold),
        "comparisons": comparisons.json(),
        "findings": findings_json(health(scores) if findings is None else findings),
    }


def described(experiment: Experiment, threshold: float) -> dict[str, Any]:
    """What was read, as `dataset` and `runs`; relevant is a grade of `threshold` or more."""
    qrels = experiment.qrels
    dataset = {
        "n_queries": qrels.n_queries,
        "n_judgments": len(qrels),
        "n_relevant": int((qrels.grades >= threshold).sum()),
        "sha256": experiment.dataset.sha256,
    }
    runs = [run_json(run) for run in experiment.runs]
    for told, name, i in zip(runs, experiment.bound, range(len(runs))):
        own = experiment.qrels_of(i)
        told["labels"] = {"name": name, "n_judgments": len(own), "n_relevant": int((own.grades >= threshold).sum())}
    return {"dataset": dataset, "runs": runs}


def run_json(run: Run) -> dict[str, Any]:
    low, median, high = tables.depths(run)
    return {
        "name": run.name,
        "file": run.source.file,
        "n_queries": run.n_queries,
        "depth": {"min": low, "median": median, "max": high},
        "sha256": run.sha256,
    }


def scores_json(scores: Scores, *, per_query: bool) -> dict[str, Any]:
    """Means, n and, on request, every query's value, at full precision."""
    out: dict[str, Any] = {}
    names, ids = [str(metric) for metric in scores.metrics], scores.query_ids
    for i, run in enumerate(scores.experiment.run_names):
        values = scores.values[i][:, scores.counted]
        means = [float(row.mean()) if scores.n else None for row in values]
        out[run] = {"mean": dict(zip(names, means)), "n": dict.fromkeys(names, scores.n)}
        if per_query:
            table = values.T.tolist()
            out[run]["per_query"] = {one: dict(zip(names, row)) for one, row in zip(ids, table)}
    return out


def ties_json(scores: Scores, *, per_query: bool) -> dict[str, Any]:
    """What ties hide: each metric under the worst, the expected and the best order of tied documents."""
    out: dict[str, Any] = {}
    for run, ranking in zip(scores.experiment.run_names, scores.rankings):
        out[run] = {}
        for metric in scores.metrics:
            if metric.block.needs_spans:  # other orders of tied chunks are not worked out
                continue
            bounds = tie_bounds(metric, ranking, scores.options.settings)
            kept = [values[scores.counted] for values in bounds]
            means = [float(values.mean()) if scores.n else None for values in kept]
            out[run][str(metric)] = dict(zip(("worst", "expected", "best"), means))
            if per_query:
                rows = zip(scores.query_ids, *(values.tolist() for values in kept))
                out[run][str(metric)]["per_query"] = {
                    query: {"worst": worst, "expected": expected, "best": best} for query, worst, expected, best in rows
                }
    return out


def ties_notes(scores: Scores) -> list[str]:
    """The same as sentences, for text."""
    return [
        f"{run}, {metric}: {wording.number(bounds['worst'], 4)} to {wording.number(bounds['best'], 4)} over the orders "
        f"of tied documents, {wording.number(bounds['expected'], 4)} on average."
        for run, metrics in ties_json(scores, per_query=False).items()
        for metric, bounds in metrics.items()
        if bounds["worst"] is not None
    ]


def findings_json(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    return [finding.json() for finding in findings]


def as_json(body: Mapping[str, Any]) -> str:
    return json.dumps(body, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
