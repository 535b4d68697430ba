"""Runs and files of a dataset in which everything occurs that a store has to keep."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from ragdash.data.evidence import Evidence
from ragdash.data.findings import Finding
from ragdash.data.formats.base import Reading
from ragdash.data.intake import Part
from ragdash.data.nouns import Documents, Qrels, Queries, Run, Source
from ragdash.store import Workspace

TOLD = Finding(
    "repeated-judgment", "warning", "a.csv: one repeats.", "a.csv", "dense", 2, (3, 5), ("d1",), None, ("q1",)
)


def dense(name: str = "dense") -> Run:
    """A run with all there can be: texts with nulls and odd letters, measurements, lines, findings, a silent query."""
    return Run.of(
        name,
        ["q1", "q1", "q\0two", "q\0two", "q\0two"],
        ["d1", "", "dé", "d\U0001f600", "d2"],
        [3.0, 2.5, 1e-300, -0.0, -7.25],
        empty=["silent"],
        lines=np.array([2, 3, 4, 5, 9], dtype=np.int32),
        source=Source("dense.csv", "CSV", "ab" * 32, 123),
        query_texts=pa.array(["one?", None, ""]),
        texts=pa.array(["of this row", None, None, "", "d2 here"]),
        documents=Documents.of(
            ["d1", "d2", "d3"],
            ["text", None, ""],
            [None, "Title", "x"],
            ["long", None, "long"],
            [0, -1, 9],
            [9, -1, 20],
        ),
        measurements={"latency (ms)": np.array([1.5, np.nan, 0.0]), "tokens": np.array([1.0, 2.0, 3.0])},
        findings=(TOLD,),
    )


def bm25(name: str = "bm25") -> Run:
    """A run without scores whose lines are a range."""
    return Run.of(name, ["q1", "q1", "q3"], ["d2", "d1", "d9"], source=Source(f"{name}.trec"), lines=range(1, 4))


def many(name: str, n: int) -> Run:
    """A run that differs for each `n`."""
    return Run.of(
        name, [f"q{i // 10}" for i in range(100)], [f"{n}-{i}" for i in range(100)], np.arange(100.0)[::-1] + n
    )


def judged() -> Part:
    """A file with judgments, queries with metadata of every kind, documents, and a run inside."""
    metadata = pd.DataFrame(
        {
            "number": [1.5, np.nan, 3.0],
            "whole": [1, 2, 3],
            "yes": [True, False, True],
            "topic": pd.Series(["a", None, "c"], dtype="str"),
            "object": pd.Series(["a", None, ""], dtype=object),
            "mixed": pd.Series([1, "two", None], dtype=object),
        }
    )
    reading = Reading(
        "JSON list",
        Qrels.of(
            ["q1", "q1", "q3"],
            ["d1", "d2", "d9"],
            [2.0, 0.0, 0.5],
            lines=np.array([1, 2, 7], dtype=np.int32),
            empty=["none"],
        ),
        Queries.of(["q1", "q3", "x"], ["one?", None, "three"], metadata),
        Documents.of(["d1", "d9"], ["text of d1", "text of d9"]),
        (bm25("inside"),),
        (TOLD,),
        frozenset({"queries"}),
        Evidence.of(["q1", "q1", "x"], ["long", None, "d9"], [3, -1, 0], [12, -1, 4], [None, "a quote", "text"]),
    )
    return Part(Source("eval.json", "JSON list", "cd" * 32, 77), reading)


def texts() -> Part:
    """A file that holds nothing but documents."""
    documents = Documents.of([f"d{i}" for i in range(50)], [f"text {i}" for i in range(50)])
    return Part(Source("corpus.jsonl", "JSON Lines", "ef" * 32, 5), Reading("JSON Lines", documents=documents))


def workspace() -> Workspace:
    return Workspace((judged(), texts()), (dense(), bm25()), ("c.csv: empty.",), "Two retrievers")


def plain(thing: Any) -> Any:
    """Everything that a noun says as plain values, for comparing: arrays with their kinds, text with its nulls."""
    if isinstance(thing, Workspace):
        return [plain(thing.parts), plain(thing.runs), thing.faults, thing.title]
    if is_dataclass(thing) and not isinstance(thing, type):
        return {one.name: plain(getattr(thing, one.name)) for one in fields(thing)}
    if isinstance(thing, np.ndarray):
        return [str(thing.dtype), thing.tobytes()]
    if isinstance(thing, pa.Array):
        return [str(thing.type), thing.to_pylist()]
    if isinstance(thing, pd.DataFrame):
        return [list(thing.columns), [str(kind) for kind in thing.dtypes], thing.to_json(orient="split")]
    if isinstance(thing, dict):
        return {key: plain(value) for key, value in thing.items()}
    if isinstance(thing, tuple | list):
        return [plain(one) for one in thing]
    return thing
