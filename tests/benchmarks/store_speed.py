"""How long does a run of seven million rows take to keep, to open, and to read one query of?

PYTHONPATH=. python tests/benchmarks/store_speed.py [rows]
"""

from __future__ import annotations

import io
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from ragdash.data.columns import arrow_ints
from ragdash.data.nouns import Run
from ragdash.store import Settings, Store, Workspace, export, import_

DEPTH = 1000


def timed(what: str, work: Callable[[], object], times: int = 1) -> None:
    took = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        took.append(time.perf_counter() - start)
    print(f"{what:60} {sorted(took)[len(took) // 2] * 1000:10.2f} ms")


def large(rows: int) -> Run:
    generator = np.random.default_rng(1)
    ids = arrow_ints(generator.integers(0, 8_841_823, rows)).cast(pa.string())
    queries = pa.array([f"q{i}" for i in range(rows // DEPTH)])
    starts = np.arange(0, rows + 1, DEPTH, dtype=np.int64)
    return Run("large", queries, starts, ids, generator.random(rows), lines=range(1, rows + 1))


def main(rows: int) -> None:
    run = large(rows)
    with tempfile.TemporaryDirectory() as where:
        settings = Settings(Path(where) / "store")
        store = Store(settings)
        timed(f"keep {rows:,} rows (digests and fsync included)", lambda: store.create(Workspace(runs=(run,))))
        access = store.create(Workspace(runs=(run,)))
        size = sum(path.stat().st_size for path in settings.folder.rglob("*.npy"))
        print(f"{'on disk':60} {size / 1e6:10.0f} MB")

        def opened() -> Workspace:
            return store._kept.opened(store.load(access).base)

        def anew() -> None:
            store._kept.nouns._alive.clear()
            store._kept.nouns._held.clear()
            opened()

        timed("open it, mapped (row of the database read already)", anew, 50)

        def new_process() -> None:
            other = Store(settings)
            other.load(other.find(access.token))

        timed("open store and workspace as a new process does", new_process, 20)
        timed(
            "find and load what is in memory: every rerun of a page", lambda: store.load(store.find(access.token)), 200
        )
        found = store.load(access).runs[0]
        generator = np.random.default_rng(2)

        def one_query() -> None:
            i = int(generator.integers(found.n_queries))
            rows_of = slice(int(found.starts[i]), int(found.starts[i + 1]))
            found.doc_ids[rows_of].to_pylist(), found.scores[rows_of].sum()  # type: ignore[index]

        timed("read one query of 1,000 documents", one_query, 200)
        timed("save a workspace whose runs are kept already", lambda: store.save(access, store.load(access)), 5)
        timed("rename the run", lambda: store.save(access, store.load(access).renamed(0, "other")))
        timed("a note", lambda: store.add_note(access, "q1", "a note"), 50)
        timed("digests of every byte", lambda: store.verify(access))
        stream = io.BytesIO()
        timed("as a zip", lambda: export(store, access, stream))
        print(f"{'the zip':60} {len(stream.getvalue()) / 1e6:10.0f} MB")
        timed("from the zip, every column checked", lambda: import_(store, stream))
        assert replace(store.load(access).runs[0]).sha256 == run.sha256


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 7_000_000)
