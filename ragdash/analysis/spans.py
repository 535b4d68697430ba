"""Where are the chunks of a run, and where is the evidence? From an experiment to `Spans`, and what it lacks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from ragdash.analysis.order import rows_in_order
from ragdash.data.columns import Ints, numbers_of, positions, take
from ragdash.data.experiment import Experiment
from ragdash.errors import OptionError
from ragdash.metrics import Metric
from ragdash.metrics.spans import Spans

if TYPE_CHECKING:
    from ragdash.analysis.evaluate import Options

#: Metrics over evidence that stand side by side; at a cutoff where they take one.
SPAN_METRICS = ("BudgetRecall", "CharRecall", "CharPrecision", "CharIoU", "EvidenceFound", "SpanNDCG", "CharsRead")


def missing(experiment: Experiment) -> str:
    """What an experiment lacks for metrics over evidence, and what to do; "" where it lacks nothing."""
    if not len(experiment.evidence):
        return (
            f"{experiment.dataset.name} holds no evidence for its queries: nothing says which characters answer them. "
            'Give each query spans of documents: {"doc_id": ..., "start": ..., "end": ...}, or the words as "quote".'
        )
    lost = [run.name for run, places in zip(experiment.runs, experiment.locations) if not places.known.any()]
    if lost:
        return (
            f"No result of {', '.join(lost)} is at a known place of a document. Give doc_id, start and end with its "
            "chunks, write them into the ids (doc:120-620), or give the texts of chunks and documents."
        )
    return ""


def has_spans(experiment: Experiment) -> bool:
    """Whether metrics over evidence can be computed for every run."""
    return not missing(experiment)


def check_spans(experiment: Experiment, metrics: Sequence[Metric]) -> None:
    """Raise OptionError where a metric is asked for that needs evidence or places which are not there."""
    asked = [str(metric) for metric in metrics if metric.block.needs_spans]
    why = missing(experiment) if asked else ""
    if why:
        raise OptionError(f"{', '.join(asked)} cannot be computed: {why}")


def judges_documents(experiment: Experiment) -> bool:
    """Whether any judgment finds a document relevant, so that metrics over documents have something to look at."""
    return bool(len(experiment.qrels)) and bool((experiment.qrels.grades > 0).any())


def judged_by_spans(experiment: Experiment) -> bool:
    """Whether evidence is what the runs should be compared by: there is some, and judgments of ids do not serve.

    They do not where there are none, where the runs return different chunks, and where a run meets none of them.
    """
    if not has_spans(experiment):
        return False
    if not judges_documents(experiment):
        return True
    unlike = {"two-chunkings", "no-common-document"}
    return experiment.labels_differ or any(one.code in unlike for one in experiment.findings)


def spans_of(experiment: Experiment, run: int, options: Options) -> Spans | None:
    """Evidence and the chunks of run number `run` in rank order, on the axis; None where either is at no known place.

    Evidence whose words were not found counts with their length. A chunk at no known place finds nothing and costs the
    length of its text, or where it has none that of the run's average chunk.
    """
    if not len(experiment.evidence):
        return None
    one, places = experiment.runs[run], experiment.locations[run]
    if not places.known.any():
        return None
    rows, starts = rows_in_order(one, float32_ties=options.ties == "float32", drop_self=options.drop_self)
    at = experiment.rows[run]
    found = np.flatnonzero(at >= 0)
    counts = np.zeros(len(at), dtype=np.int64)
    counts[found] = np.diff(starts)[at[found]]
    first = np.zeros(len(at), dtype=np.int64)
    first[found] = starts[at[found]]
    of_axis = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    rows = rows[np.repeat(first - of_axis[:-1], counts) + np.arange(of_axis[-1])]
    known = places.known[rows]
    codes = np.where(known, places.codes[rows], -1)
    chunks = of_axis, codes, places.begins[rows], places.ends[rows]
    return Spans.of(_evidence(experiment), chunks, _lengths(experiment, run, rows, known))


def _evidence(experiment: Experiment) -> tuple[Ints, Ints, Ints, Ints]:
    evidence = experiment.evidence
    placed = (evidence.begins >= 0) & (experiment.evidence_codes >= 0)
    words = numbers_of(pc.fill_null(pc.utf8_length(evidence.quotes), 0)).astype(np.int64)
    return (
        evidence.starts,
        np.where(placed, experiment.evidence_codes, -1),
        np.where(placed, evidence.begins, 0),
        np.where(placed, evidence.ends, words),
    )


def _lengths(experiment: Experiment, run: int, rows: Ints, known: NDArray[np.bool_]) -> Ints | int:
    """What each chunk at no known place costs. Shape `[n_rows]`, 0 for the others."""
    if known.all():
        return 0
    one, places = experiment.runs[run], experiment.locations[run]
    sizes = (places.ends - places.begins)[places.known]
    lost = np.flatnonzero(~known)
    at = positions(take(one.doc_ids, rows[lost]), experiment.documents.ids)
    texts = take(experiment.documents.texts, np.maximum(at, 0)) if len(experiment.documents) else None
    length = np.full(len(lost), -1) if texts is None else numbers_of(pc.fill_null(pc.utf8_length(texts), -1))
    out = np.zeros(len(rows), dtype=np.int64)
    out[lost] = np.where((at >= 0) & (length >= 0), length, round(float(sizes.mean())))
    return out
