"""Are files of columns what went into them, for any text and numbers, and readable with numpy alone?"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragdash.data.nouns import Documents, Run
from ragdash.store import Settings, Store, Workspace
from ragdash.store.columnfiles import mapped, packed, write
from ragdash.store.pieces import Table
from tests.store.things import plain

texts = st.lists(st.one_of(st.none(), st.text(max_size=6)), max_size=20)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(values=texts, start=st.integers(0, 5), large=st.booleans())
def test_text_comes_back_whatever_its_offset(values: list[str | None], start: int, large: bool) -> None:
    column = pa.array(values, type=pa.large_string() if large else pa.string())[start:]
    ready = packed(Table("run", {"ids": column}, {}))
    with tempfile.TemporaryDirectory() as folder:
        write(ready, Path(folder))
        found = mapped(ready.digest, Path(folder)).columns["ids"]
    found.validate(full=True)
    assert found.type == column.type
    assert found.to_pylist() == column.to_pylist()
    assert found.null_count == column.null_count
    # The same text has the same digest, wherever in memory it began.
    assert packed(Table("run", {"ids": pa.array(column.to_pylist(), type=column.type)}, {})).digest == ready.digest


def test_numbers_come_back_in_their_kind(tmp_path: Path) -> None:
    columns = {
        "a": np.array([1, -(2**40)]), "b": np.array([1.5, np.nan]), "c": np.array([True, False]),
        "d": np.array([7], dtype=np.int32), "e": np.zeros(0), "f": np.arange(10.0)[::2],
    }  # fmt: skip
    ready = packed(Table("run", columns, {"a fact": [1, None]}))
    write(ready, tmp_path)
    found = mapped(ready.digest, tmp_path)
    assert plain(dict(found.columns)) == plain(columns)
    assert found.facts == {"a fact": [1, None]}
    assert np.load(tmp_path / "f.npy").tolist() == [0, 2, 4, 6, 8]


def test_the_digest_depends_on_every_column_and_fact() -> None:
    tables = [
        Table("run", {"a": np.array([1, 2])}, {}), Table("part", {"a": np.array([1, 2])}, {}),
        Table("run", {"b": np.array([1, 2])}, {}), Table("run", {"a": np.array([1, 3])}, {}),
        Table("run", {"a": np.array([1.0, 2.0])}, {}), Table("run", {"a": np.array([1, 2])}, {"x": 1}),
        Table("run", {"a": pa.array(["1", "2"])}, {}), Table("run", {"a": pa.array(["12", ""])}, {}),
        Table("run", {"a": pa.array(["12", None])}, {}),
    ]  # fmt: skip
    assert len({packed(table).digest for table in tables}) == len(tables)


def test_text_over_two_gigabytes_keeps_its_wide_offsets(tmp_path: Path) -> None:
    documents = Documents(*(pa.array(["a", "b"], type=pa.large_string()) for _ in range(3)))
    run = Run.of("r", ["q"], ["a"], documents=documents)
    store = Store(Settings(tmp_path / "store"))
    loaded = Store(store.settings).load(store.create(Workspace(runs=(run,))))
    assert loaded.runs[0].documents.texts.type == pa.large_string()


def test_a_long_run_is_opened_without_reading_it(tmp_path: Path) -> None:
    """Two million rows open in the time that ten take; the limit is about twenty times what it takes."""
    n = 2_000_000
    ids = pa.array(np.arange(n)).cast(pa.string())
    starts = np.arange(0, n + 1, 1000, dtype=np.int64)
    run = Run("long", pa.array([f"q{i}" for i in range(n // 1000)]), starts, ids, np.arange(n, dtype=float))
    store = Store(Settings(tmp_path / "store"))
    access = store.create(Workspace(runs=(run,)))
    took = []
    for _ in range(5):
        other = Store(store.settings)
        start = time.perf_counter()
        found = other.load(access).runs[0]
        rows = slice(int(found.starts[700]), int(found.starts[701]))
        assert found.doc_ids[rows][0].as_py() == "700000"
        assert found.sha256 == run.sha256
        took.append(time.perf_counter() - start)
        other.close()
    assert min(took) < 0.1
