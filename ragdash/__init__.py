"""Which retrieval run is better, is that real, on which queries, and why.

>>> import ragdash
>>> dataset = ragdash.read_dataset("eval_dataset.json")
>>> runs = [ragdash.read_run("bm25.trec"), ragdash.read_run("dense.json")]
>>> scores = ragdash.evaluate(dataset, runs, ["nDCG@10", "Recall@5"])
>>> comparison = ragdash.compare(scores, baseline="bm25")

Names are loaded when they are first used, so that `ragdash.metrics` needs numpy alone and
`ragdash.stats` numpy and scipy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragdash.analysis.compare import Comparison, Comparisons, Testing, compare
    from ragdash.analysis.evaluate import Options, Scores, evaluate
    from ragdash.analysis.health import health
    from ragdash.data.experiment import Experiment
    from ragdash.data.findings import Finding
    from ragdash.data.intake import read_dataset, read_run, read_runs
    from ragdash.data.nouns import Dataset, Documents, Qrels, Queries, Run
    from ragdash.errors import RagdashError
    from ragdash.recording.record import record

__version__ = "0.1.0"

_WHERE = {
    "ragdash.analysis.compare": ("Comparison", "Comparisons", "Testing", "compare"),
    "ragdash.analysis.evaluate": ("Options", "Scores", "evaluate"),
    "ragdash.analysis.health": ("health",),
    "ragdash.data.experiment": ("Experiment",),
    "ragdash.data.findings": ("Finding",),
    "ragdash.data.intake": ("read_dataset", "read_run", "read_runs"),
    "ragdash.data.nouns": ("Dataset", "Documents", "Qrels", "Queries", "Run"),
    "ragdash.errors": ("RagdashError",),
    "ragdash.recording.record": ("record",),
}
_MODULE = {name: module for module, names in _WHERE.items() for name in names}

__all__ = [
    "Comparison",
    "Comparisons",
    "Dataset",
    "Documents",
    "Experiment",
    "Finding",
    "Options",
    "Qrels",
    "Queries",
    "RagdashError",
    "Run",
    "Scores",
    "Testing",
    "compare",
    "evaluate",
    "health",
    "read_dataset",
    "read_run",
    "read_runs",
    "record",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE:
        raise AttributeError(f"module 'ragdash' has no attribute {name!r}")
    value = getattr(import_module(_MODULE[name]), name)
    globals()[name] = value
    return value
