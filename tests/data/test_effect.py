"""What a remedy would do, said before it is applied."""

import time

import numpy as np
import pytest

from ragdash.data.chunkmap import mapping_remedy
from ragdash.data.effect import effect
from ragdash.data.formats.base import Blob
from ragdash.data.nouns import Dataset, Qrels, Run
from ragdash.data.remedies import parse_remedy

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
