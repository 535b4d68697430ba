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
