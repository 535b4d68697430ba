"""Which retrieval run is better, is that real, on which queries, and why.

>>> import ragdash
>>> dataset = ragdash.read_dataset("eval_dataset.json")
>>> runs = [ragdash.read_run("bm25.trec"), ragdash.read_run("dense.json")]
>>> scores = ragdash.evaluate(dataset, runs, ["nDCG@10", "Recall@5"])
>>> comparison = ragdash.compare(scores, baseline="bm25")
"""

from ragdash.analysis.compare import Comparison, Comparisons, Testing, compare
from ragdash.analysis.evaluate import Options, Scores, evaluate
from ragdash.analysis.health import health
from ragdash.data.experiment import Experiment
from ragdash.data.findings import Finding
from ragdash.data.intake import read_dataset, read_run, read_runs
from ragdash.data.nouns import Dataset, Documents, Qrels, Queries, Run
from ragdash.errors import RagdashError

__version__ = "0.1.0"

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
]
