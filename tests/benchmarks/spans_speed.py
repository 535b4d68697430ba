"""How long do metrics over evidence take? 7,000 queries with 100 chunks each, once everything is loaded.

PYTHONPATH=. python tests/benchmarks/spans_speed.py
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ragdash.analysis.evaluate import Options, rankings_of, score_rankings
from ragdash.analysis.over_read import over_read
from ragdash.analysis.spans import spans_of
from ragdash.data.evidence import Evidence
from ragdash.data.experiment import Experiment, build
from ragdash.data.nouns import Dataset, Qrels, Run
from ragdash.metrics import CATALOGUE, parse

QUERIES, DEPTH, DOCUMENTS, LENGTH, CHUNK = 7_000, 100, 2_000, 50_000, 500


def experiment(ties: bool) -> Experiment:
    """Two spans of evidence a query; a third of its chunks are of its own document, overlapping by half."""
    rng = np.random.default_rng(0)
    queries = [f"q{i}" for i in range(QUERIES)]
    home = rng.integers(0, DOCUMENTS, QUERIES)
    begins = rng.integers(0, LENGTH - 300, 2 * QUERIES)
    spans = Evidence.of(np.repeat(queries, 2), [f"d{i}" for i in np.repeat(home, 2)], begins, begins + 200)
    docs = np.where(rng.random((QUERIES, DEPTH)) < 0.3, home[:, None], rng.integers(0, DOCUMENTS, (QUERIES, DEPTH)))
    places = rng.integers(0, LENGTH // (CHUNK // 2), (QUERIES, DEPTH)) * (CHUNK // 2)
    ids = [f"d{doc}:{at}-{at + CHUNK}" for doc, at in zip(docs.ravel().tolist(), places.ravel().tolist())]
    scores = -np.sort(-rng.random((QUERIES, DEPTH)), axis=1)
    scores = np.round(scores, 1) if ties else scores
    run = Run.of("run", np.repeat(queries, DEPTH), ids, scores.ravel())
    return build(Dataset("made", Qrels.of([], [], [], empty=queries), evidence=spans), [run])


def best(task: Callable[[], object]) -> float:
    """CPU milliseconds, the best of five: other work on the machine counts little."""
    times = []
    for _ in range(5):
        start = time.process_time()
        task()
        times.append(time.process_time() - start)
    return 1000 * min(times)


def measured(ties: bool) -> dict[str, float]:
    """What each step costs."""
    names = [key for key, block in CATALOGUE.items() if block.needs_spans]
    metrics = [parse(f"{name}@10" if CATALOGUE[name].takes_cutoff else name) for name in names]
    made, options = experiment(ties), Options()
    assert len(made.locations) == 1  # where chunks are cut from is part of loading
    rankings = rankings_of(made, 0, options)

    def scored() -> object:
        return score_rankings(made, [replace(rankings, spans=spans_of(made, 0, options))], metrics, options)

    scores = score_rankings(made, [rankings], metrics, options)
    other = [metric.with_k(5) for metric in metrics]
    return {
        "chunks in rank order, in their documents": best(lambda: spans_of(made, 0, options)),
        f"the same, and all {len(metrics)} metrics": best(scored),
        "all metrics at another cutoff": best(lambda: score_rankings(made, [rankings], other, options)),
        "recall over characters read, with intervals": best(lambda: over_read(scores)),
    }


def main() -> None:
    print(f"{QUERIES:,} queries x {DEPTH} chunks\n\n| | ms | ms, scores full of ties |\n|---|---:|---:|")
    plain, tied = measured(ties=False), measured(ties=True)
    for name, value in plain.items():
        print(f"| {name} | {value:.0f} | {tied[name]:.0f} |")


if __name__ == "__main__":
    main()
