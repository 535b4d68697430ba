"""What a remedy would do, said before it is applied."""

import time

import numpy as np
import pytest

from ragdash.data.chunkmap import mapping_remedy
from ragdash.data.effect import effect
from ragdash.data.formats.base import Blob
from ragdash.data.intake import read_dataset, read_runs, unique_names
from ragdash.data.nouns import Dataset, Qrels, Run
from ragdash.data.remedies import parse_remedy
from tests.chunked import CUTS, qrels_file, run_file
from tests.small import run

DATASET = Dataset("d", Qrels.of(["01", "02", "03"], ["a", "b", "c"], [1, 1, 1]))
RUN = Run.of("r", ["1", "2", "2"], ["a#1", "b#1", "b#1"], [3, 2, 1])


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ("ignore-leading-zeros", "would match 2 of 3 queries (now 0)"),
        ("ignore-case", "would match 0 of 3 judged documents (now 0)"),
        ("chunk-to-document", "would match 2 of 3 judged documents (now 0)"),
        ("chunk-to-document:#.*$", "would match 2 of 3 judged documents (now 0)"),
        ("flip-scores", "would turn the order of 1 of 2 queries"),
        ("drop-duplicates", "would drop 1 of 3 results"),
        ("swap-columns", "would match 0 of 3 queries (now 0)"),
    ],
)
def test_the_effect_in_words(key, sentence):
    assert effect(DATASET, [RUN], parse_remedy(key)).sentence == sentence


def test_the_run_that_is_concerned_most_is_named():
    fine = Run.of("fine", ["01", "02", "03"], ["a", "b", "c"], [1, 1, 1])
    found = effect(DATASET, [fine, RUN], parse_remedy("ignore-leading-zeros"))
    assert (found.before, found.after, found.of) == (0, 2, 3)
    assert found.sentence == "r: would match 2 of 3 queries (now 0)"


def test_a_mapping_counts_the_documents_that_judged_chunks_become():
    dataset = Dataset("d", Qrels.of(["1", "1"], ["a#7", "a#8"], [1, 2]))
    remedy = mapping_remedy(Blob("m.json", b'{"a": ["a#1", "a#7", "a#8"]}'))
    assert effect(dataset, [RUN], remedy).sentence == "would match 1 of 1 judged document (now 0)"


def test_a_million_results_are_counted_quickly():
    n = 1_000_000
    docs = [f"doc_{i % 50_000}_chunk_{i % 7}" for i in range(n)]
    run = Run.of("big", [str(i // 1000) for i in range(n)], docs, np.arange(n, dtype=float))
    dataset = Dataset("d", Qrels.of(["1"], ["doc_7"], [1]))
    start = time.perf_counter()
    assert effect(dataset, [run], parse_remedy("chunk-to-document")).after == 1
    assert time.perf_counter() - start < 5


def test_rolling_up_two_chunkings_counts_chunks_documents_and_judgments():
    runs = unique_names([one for cut in CUTS for one in read_runs(run_file(cut))])
    judged = read_dataset(*(qrels_file(cut) for cut in CUTS))
    told = effect(judged, runs, parse_remedy("chunk-to-document")).sentence
    assert told.startswith(
        "would make 13 chunks 2 documents, and 9 judgments of chunks 3 of documents; with 2 documents"
    )
    assert told.endswith("nearly every query then finds its document")  # lists are 4 deep
    ids = [[f"guide{i // 3}_{cut}_{i}" for i in range(9)] for cut in ("chunk", "para")]
    many = [run(name, {f"q{i}": [one] for i, one in enumerate(of)}) for name, of in zip("ab", ids)]
    told = effect(Dataset("d", Qrels.of(["q1"], ids[0][:1], [1])), many, parse_remedy("chunk-to-document")).sentence
    assert "18 chunks 3 documents" in told and "nearly" not in told
    assert effect(judged, runs, parse_remedy("join-labels")).sentence == "would score every run against all 9 judgments"
    told = effect(judged, runs, parse_remedy("labels:bm25=qrels (2)")).sentence
    assert told == "would score bm25 against qrels (2): 0 of 13 results judged"
    told = effect(judged, runs, parse_remedy("labels")).sentence
    assert told.endswith("the judgments of its own chunks: qrels (6), qrels (2) (3)")
