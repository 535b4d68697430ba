"""Where are the samples that come with ragdash, and what is in them?"""

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
#: The same articles cut in three ways, and where the words stand that answer.
CHUNKED_DATASET = ("evidence.json", "documents.jsonl")
CHUNKED_RUNS = ("chunks-fixed500.jsonl", "chunks-paragraph.jsonl", "chunks-overlap200.jsonl")


def blobs(names: tuple[str, ...]) -> list[Blob]:
    """Files of the sample by name."""
    return [Blob(name, path=FOLDER / name) for name in names]


def dataset_parts(names: tuple[str, ...] = DATASET) -> tuple[Part, ...]:
    """The dataset's files as understood."""
    return tuple(read_part(blob) for blob in blobs(names))


def runs(names: tuple[str, ...] = RUNS) -> tuple[Run, ...]:
    """The runs, five where nothing is named."""
    return tuple(run for blob in blobs(names) for run in read_runs(blob))
