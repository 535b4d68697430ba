"""What is held equal where runs cut documents differently, and what does each of them read? As sentences."""

from __future__ import annotations

from ragdash import wording
from ragdash.analysis.compare import Comparison
from ragdash.analysis.evaluate import Scores
from ragdash.analysis.over_read import mean_read
from ragdash.metrics import Metric


def equal_reading(metric: Metric) -> str:
    """What a metric over evidence holds equal, in words; "" for a metric over documents."""
    if not metric.block.needs_spans:
        return ""
    chars = metric.arguments.get("chars")
    return wording.equal_reading(None if chars is None else float(chars), metric.k)


def evidence_told(row: Comparison) -> str:
    """How much of the evidence both runs have read, where the metric is a share of it; "" where it is none."""
    if row.metric.key not in ("BudgetRecall", "CharRecall", "EvidenceFound"):
        return ""
    return wording.evidence_read(row.mean, row.mean_baseline, row.run, row.baseline, equal_reading(row.metric))


def read_told(scores: Scores, row: Comparison, k: int | None) -> str:
    """How many characters the two runs read for their first `k` chunks; "" where places are not known or they agree."""
    reads = [(name, mean_read(scores, name, k)) for name in (row.run, row.baseline)]
    known = [(name, chars) for name, chars in reads if chars is not None]
    if len(known) < len(reads) or abs(known[0][1] - known[1][1]) < 0.5:
        return ""
    return wording.characters_read(known, k)


def query_told(scores: Scores, query_id: str, baseline: str, run: str, k: int) -> str:
    """How much of one query's evidence the first `k` chunks of two runs have."""
    at = scores.experiment.query_index[query_id]
    shares = []
    for name in (run, baseline):
        spans = scores.ranking(name).spans
        under = 0.0 if spans is None else float(spans.evidence_chars[at])
        if spans is None or not under:
            return "No evidence is given for this question, so every run scores 0 on it."
        shares.append(float(spans.covered(k)[at]) / under)
    after, before = shares
    return wording.evidence_read(after, before, run, baseline, f"in the first {wording.count(k, 'chunk')}")
