"""Where is the sample that comes with ragdash, and what is in it?"""

from __future__ import annotations

from pathlib import Path

from ragdash.data.assembly import Part
from ragdash.data.formats.base import Blob
from ragdash.data.intake import read_part, read_runs
from ragdash.data.nouns import Run

FOLDER = Path(__file__).resolve().parents[2] / "sample_runs"
DATASET = ("eval_dataset.json", "documents.jsonl")
#: From the simplest to the most elaborate; the first is the baseline until somebody picks another.
RUNS = ("bm25.trec", "lsa.csv", "minilm-fixed500.jsonl", "minilm-paragraph.json", "rrf.json")


def blobs(names: tuple[str, ...]) -> list[Blob]:
    """Files of the sample by name."""
    return [Blob(name, path=FOLDER / name) for name in names]


def dataset_parts() -> tuple[Part, ...]:
    """The dataset's files as understood."""
    return tuple(read_part(blob) for blob in blobs(DATASET))


def runs() -> tuple[Run, ...]:
    """The five runs."""
    return tuple(run for blob in blobs(RUNS) for run in read_runs(blob))
