"""What is written is read again as the same, to the digest."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from ragdash.data import intake
from ragdash.data.evidence import Evidence
from ragdash.data.formats.base import Blob
from ragdash.data.formats.write import KINDS, dataset_files, run_file
from ragdash.data.nouns import Dataset, Documents, Qrels, Queries, Run
from ragdash.errors import OptionError

ODD = ["0007", "NA", "1e5", '"say"', "a,b", "müsli", "🚲/鎖", " x ", "=1+1", "12345678901234567891", "-", "c\nd"]
PLAIN = ["0007", "NA", "1e5", "a,b", "müsli", "#4", "12345678901234567891"]


def a_run(ids: list[str], scored: bool = True) -> Run:
    n = len(ids)
    scores = np.r_[np.linspace(1, 1 / 3, n), np.linspace(0.1, 1e-9, n)] if scored else None
    measured = {"latency_ms": np.array([12.5, 0.1])}
    return Run.of("odd run", [ids[0]] * n + [ids[1]] * n, ids + ids[::-1], scores, measurements=measured)


def a_dataset(ids: list[str]) -> Dataset:
    qrels = Qrels.of([ids[0]] * len(ids) + [ids[1]], [*ids, ids[0]], [0, 1, 2.5, *[1] * (len(ids) - 3), 3])
    metadata = pd.DataFrame({"kind": ["x, y", "=z"], "year": [2023.0, np.nan]})
    queries = Queries.of(ids[:2], ['what "is"\nthis?', "two"], metadata)
    return Dataset("d", qrels, queries, Documents.of(ids, [f"text {one}" for one in ids], ["t", None, *ids[2:]]))


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_comes_back_the_same(kind):
    run = a_run(PLAIN if kind == "trec" else ODD)
    name, data = run_file(run, kind)
    back = intake.read_run(Blob(name, data))
    if kind == "trec":  # which has no place for measurements
        run = Run(run.name, run.query_ids, run.starts, run.doc_ids, run.scores)
    assert (back.name, back.sha256) == (run.name, run.sha256)


@pytest.mark.parametrize("kind", ["json", "csv", "parquet"])
def test_an_order_without_scores_and_a_silent_query_come_back(kind):
    run = a_run(ODD, scored=False)
    run = Run.of("r", ["q", "q"], ["b", "a"], empty=["s"]) if kind == "csv" else run
    assert intake.read_run(Blob(*run_file(run, kind))).sha256 == run.sha256


@pytest.mark.parametrize("kind", KINDS)
def test_a_dataset_comes_back_the_same(kind):
    dataset = a_dataset(PLAIN if kind == "trec" else ODD)
    files = [Blob(name, data) for name, data in dataset_files(dataset, kind).items()]
    assert intake.read_dataset(*files).sha256 == dataset.sha256


@pytest.mark.parametrize("kind", ["json", "csv", "parquet"])
def test_queries_without_a_judged_document_come_back(kind):
    dataset = Dataset("d", Qrels.of(["q"], ["a"], [1], empty=["r"]))
    files = [Blob(name, data) for name, data in dataset_files(dataset, kind).items()]
    assert intake.read_dataset(*files).sha256 == dataset.sha256


def test_what_trec_cannot_keep_is_refused():
    with pytest.raises(OptionError, match="holds a blank"):
        run_file(a_run(ODD), "trec")
    with pytest.raises(OptionError, match="Known are json"):
        run_file(a_run(PLAIN), "xml")
    assert isinstance(a_run(PLAIN).doc_ids, pa.Array)


@pytest.mark.parametrize("kind", ["json", "csv", "parquet"])
def test_places_of_chunks_and_evidence_come_back(kind):
    chunks = Documents.of(["c1", "c2", "x"], ["one", "two", "x"], None, ["doc", "doc", None], [0, 3, -1], [3, 6, -1])
    evidence = Evidence.of(["q1", "q1", "q2"], ["doc", "doc", "dö"], [0, 4, -1], [2, 6, -1], [None, "wo", "words it"])
    dataset = Dataset("d", Qrels.of([], [], [], empty=["q1", "q2"]), documents=chunks, evidence=evidence)
    files = [Blob(name, data) for name, data in dataset_files(dataset, kind).items()]
    assert [one.name.split(".")[0] for one in files] == ["documents", "evidence"]
    assert intake.read_dataset(*files).sha256 == dataset.sha256
    run = Run.of("r", ["q1", "q1", "q2"], ["c1", "c2", "x"], [2.0, 1.0, 3.0], documents=chunks)
    back = intake.read_run(Blob(*run_file(run, kind))).documents
    assert back.ids.to_pylist()[:2] == ["c1", "c2"] and back.parents.to_pylist()[:2] == ["doc", "doc"]
    assert back.begins.tolist()[:2] == [0, 3] and back.ends.tolist()[:2] == [3, 6]


@pytest.mark.parametrize("kind", KINDS)
def test_sets_of_judgments_come_back_as_sets(kind):
    sets = [Qrels.of(["q1", "q2"], [f"{name}:0-9", f"{name}:9-20"], [1, 2]) for name in "ab"]
    blobs = [Blob(name, dataset_files(Dataset("d", one), "csv")["qrels.csv"]) for name, one in zip("xy", sets)]
    dataset = intake.read_dataset(*blobs)
    assert [one.name for one in dataset.labels] == ["x", "y"]
    files = [Blob(name, data) for name, data in dataset_files(dataset, kind).items()]
    assert intake.read_dataset(*files).sha256 == dataset.sha256
