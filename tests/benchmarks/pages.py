"""How long does each page work, and how much does it send? Printed per page, first and again, at the largest size.

    python tests/benchmarks/pages.py [--queries 6980] [--runs 10] [--depth 100] [--seed 7] [--pages queries query ...]

Server time is that of a script run in Streamlit's own test runner, so without network and browser; bytes are those of
all elements that the page sends. "first" fills the caches, "again" is the same once more, "click" a run after a click
that belongs to the page, "run" and "K" after another contender and another cutoff was picked, which no cache knows yet.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from streamlit.testing.v1 import AppTest  # noqa: E402

from ragdash.data.formats.base import Reading  # noqa: E402
from ragdash.data.intake import Part  # noqa: E402
from ragdash.data.nouns import Documents, Qrels, Queries, Run, Source  # noqa: E402
from ragdash.ui import nav  # noqa: E402
from ragdash.ui.shelf import Workspace, shelf  # noqa: E402

SLOW, HEAVY = 0.5, 2_000_000
N_DOCUMENTS = 500_000
WORDS = ("key", "token", "invoice", "deploy", "rollback", "domain", "error", "backup", "region", "limit", "role", "log")
#: For each page, a change of the URL as a click would make it.
CLICKS: dict[str, dict[str, str]] = {
    "verdict": {"contender": "run03"},
    "significance": {"contender": "run03"},
    "distributions": {"by": "relevant documents"},
    "queries": {"show": "gains", "slice": "category:errors"},
    "query": {"query": "q00042", "show": "all"},
    "ledger": {"change": "lost", "cause": "not-retrieved"},
    "runs": {"show": "all", "from": "100"},
    "judgments": {"judge": "q00042"},
}


def dataset(n: int, rng: np.random.Generator) -> Reading:
    """Queries with one to three relevant documents, a few judged not relevant, a category and a language."""
    ids = [f"q{i:05}" for i in range(n)]
    counts = rng.integers(3, 8, n)
    rows = np.repeat(np.arange(n), counts)
    docs = (rows * 67 + np.concatenate([np.arange(c) for c in counts])) % N_DOCUMENTS
    place = np.concatenate([np.arange(c) for c in counts])
    grades = np.where(place <= rng.integers(0, 3, n)[rows], rng.integers(1, 4, len(rows)), 0).astype(float)
    texts = [" ".join(rng.choice(WORDS, 6)) + f" {i}?" for i in range(n)]
    metadata = pd.DataFrame(
        {"category": rng.choice(["errors", "billing", "deploy", "data"], n), "language": rng.choice(["en", "es"], n)}
    )
    names = [f"doc{i:07}" for i in range(N_DOCUMENTS)]
    documents = Documents.of(names, [f"{WORDS[i % 12]} {WORDS[i % 7]} text of {i}" for i in range(N_DOCUMENTS)])
    qrels = Qrels.of([ids[i] for i in rows], [f"doc{d:07}" for d in docs], grades)
    return Reading("json", qrels, Queries.of(ids, texts, metadata), documents)


def run(name: str, qrels: Qrels, depth: int, skill: float, rng: np.random.Generator) -> Run:
    """`depth` documents a query; each judged one is found with a chance that follows the run's skill."""
    n = qrels.n_queries
    docs = rng.integers(0, N_DOCUMENTS, (n, depth))
    starts = qrels.starts
    known = np.array([int(one[3:]) for one in qrels.doc_ids.to_pylist()])
    for i in range(n):
        mine = known[starts[i] : starts[i + 1]]
        mine = mine[rng.random(len(mine)) < skill]
        docs[i, np.minimum(rng.geometric(0.12, len(mine)), depth) - 1] = mine
    names = pa.array([f"doc{i:07}" for i in range(N_DOCUMENTS)]).take(pa.array(docs.ravel()))
    scores = np.tile(np.linspace(30, 1, depth), n) + np.repeat(rng.random(n), depth)
    ids = qrels.query_ids.take(pa.array(np.repeat(np.arange(n), depth)))
    return Run.of(name, ids, names, scores, source=Source(f"{name}.trec"))


def sizes(at: AppTest) -> list[tuple[str, int]]:
    """Every element with its size on the wire, the largest first."""
    out = [(type(one.proto).__name__, int(one.proto.ByteSize())) for one in _elements(at._tree)]
    return sorted(out, key=lambda pair: -pair[1])


def _elements(block: Any) -> Iterator[Any]:
    for child in getattr(block, "children", {}).values():
        if hasattr(child, "children"):
            yield from _elements(child)
        elif hasattr(getattr(child, "proto", None), "ByteSize"):
            yield child


def timed(at: AppTest) -> float:
    started = time.perf_counter()
    at.run()
    if at.exception:
        raise SystemExit(f"a page broke: {at.exception[0].message}")
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=6980)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--depth", type=int, default=100)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--pages", nargs="*", default=list(CLICKS), choices=list(CLICKS))
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    started = time.perf_counter()
    data = dataset(options.queries, rng)
    skills = np.linspace(0.55, 0.8, options.runs)
    runs = [run(f"run{i:02}", data.qrels, options.depth, skill, rng) for i, skill in enumerate(skills)]
    made = time.perf_counter() - started
    os.environ["RAGDASH_PRIVATE"] = "1"
    print(f"{options.queries:,} queries, {options.runs} runs, {options.depth} deep; made in {made:.0f} s")
    print(f"{'page':14}{'first s':>9}{'again s':>9}{'click s':>9}{'run s':>9}{'K s':>9}{'kB':>9}{'largest kB':>12}")
    part = Part(Source("synthetic.json"), data)
    source = shelf().add(Workspace((part,), tuple(runs)), private=True)
    late = []
    for page in [place.file.removeprefix("pages/").removesuffix(".py") for place in nav.PLACES.values()]:
        if page not in options.pages:
            continue
        at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=600)
        at.switch_page(f"pages/{page}.py")
        at.query_params["source"] = source
        first, again = timed(at), timed(at)
        for key, value in CLICKS[page].items():
            at.query_params[key] = value
        click = timed(at)
        at.query_params.update({"contender": "run04"})
        other = timed(at)
        at.query_params.update({"k": "5"})
        cutoff = timed(at)
        if page == "judgments":
            at.button(key="grade_0").click()
            judged = timed(at)
            print(f"{'a judgment':14}{judged:9.2f}", flush=True)
            late += ["a judgment"] if judged > SLOW else []
        found = sizes(at)
        total = sum(size for _, size in found)
        name, largest = found[0]
        times = "".join(f"{one:9.2f}" for one in (first, again, click, other, cutoff))
        print(f"{page:14}{times}{total / 1e3:9.0f}{largest / 1e3:12.0f} {name}", flush=True)
        late += [page] if max(again, click, other, cutoff) > SLOW or largest > HEAVY else []
    print(f"above {SLOW} s or {HEAVY / 1e6:.0f} MB: {', '.join(late) if late else 'none'}")


if __name__ == "__main__":
    main()
