"""What of a run or a file of a dataset is a column, and what is a fact about it?

A `Table` is columns and the facts that belong to them; it is stored once, by digest, however many workspaces use it.
What a person may change without changing a row (the name) or what names the file (source, findings) is said *about* it
and kept with each workspace, so that a renamed run is no new table.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, TypeAlias

import numpy as np

from ragdash.data.columns import text_column
from ragdash.data.evidence import Evidence
from ragdash.data.findings import Finding
from ragdash.data.formats.base import Reading
from ragdash.data.intake import Part
from ragdash.data.nouns import Documents, Lines, Qrels, Queries, Run, Source

Column: TypeAlias = Any  # NDArray or pa.Array
PARTS = ("qrels", "queries", "documents", "evidence")
Facts = dict[str, Any]


@dataclass(frozen=True)
class Table:
    """Columns by name (numpy arrays or Arrow text) and facts, which are plain JSON values."""

    kind: str
    columns: Mapping[str, Column]
    facts: Facts


def run_table(run: Run) -> Table:
    """Columns and facts of a run. The digest of its content is a fact, so that opening it reads no row."""
    columns: dict[str, Column] = {"query_ids": run.query_ids, "starts": run.starts, "doc_ids": run.doc_ids}
    facts: Facts = {"sha256": run.sha256, "measurements": list(run.measurements)}
    if run.scores is not None:
        columns["scores"] = run.scores
    if run.query_texts is not None:
        columns["query_texts"] = run.query_texts
    if run.texts is not None:
        columns["texts"] = run.texts
    _put_lines(columns, facts, "lines", run.lines)
    _put_documents(columns, run.documents)
    for i, name in enumerate(run.measurements):
        columns[f"measurements.{i}"] = run.measurements[name]
    return Table("run", columns, facts)


def run_of(table: Table, about: Facts) -> Run:
    """The run again."""
    columns, facts = table.columns, table.facts
    run = Run(
        about["name"],
        columns["query_ids"],
        columns["starts"],
        columns["doc_ids"],
        columns.get("scores"),
        Source(**about["source"]),
        columns.get("query_texts"),
        _documents(columns),
        {name: columns[f"measurements.{i}"] for i, name in enumerate(facts["measurements"])},
        _findings(about),
        _lines(columns, facts, "lines"),
        columns.get("texts"),
    )
    vars(run)["sha256"] = facts["sha256"]  # the cached property, so that no row is read for it
    return run


def about_run(run: Run) -> Facts:
    """What is said about a run beside its table."""
    return {"name": run.name, "source": asdict(run.source), "findings": [asdict(one) for one in run.findings]}


def part_table(part: Part) -> Table:
    """Columns and facts of one file of a dataset, without the runs in it: those are tables of their own."""
    reading = part.reading
    columns: dict[str, Column] = {}
    facts: Facts = {"has": [name for name in PARTS if getattr(reading, name) is not None]}
    if reading.qrels is not None:
        columns["qrels.query_ids"], columns["qrels.starts"] = reading.qrels.query_ids, reading.qrels.starts
        columns["qrels.doc_ids"], columns["qrels.grades"] = reading.qrels.doc_ids, reading.qrels.grades
        _put_lines(columns, facts, "qrels.lines", reading.qrels.lines)
    if reading.queries is not None:
        columns["queries.ids"], columns["queries.texts"] = reading.queries.ids, reading.queries.texts
        facts["metadata"] = _put_metadata(columns, reading.queries.metadata)
    if reading.documents is not None:
        _put_documents(columns, reading.documents)
    if reading.evidence is not None:
        columns |= {f"evidence.{one.name}": getattr(reading.evidence, one.name) for one in fields(Evidence)}
    return Table("part", columns, facts)


def part_of(table: Table, about: Facts, runs: tuple[Run, ...] = ()) -> Part:
    """The file of a dataset again."""
    columns, facts = table.columns, table.facts
    qrels, queries, documents = None, None, None
    if "qrels" in facts["has"]:
        lines = _lines(columns, facts, "qrels.lines")
        ids, docs = columns["qrels.query_ids"], columns["qrels.doc_ids"]
        qrels = Qrels(ids, columns["qrels.starts"], docs, columns["qrels.grades"], lines)
    if "queries" in facts["has"]:
        metadata = _metadata(columns, facts["metadata"], len(columns["queries.ids"]))
        queries = Queries(columns["queries.ids"], columns["queries.texts"], metadata)
    if "documents" in facts["has"]:
        documents = _documents(columns)
    evidence = None
    if "evidence" in facts["has"]:
        evidence = Evidence(**{one.name: columns[f"evidence.{one.name}"] for one in fields(Evidence)})
    unsure = frozenset(about["unsure"])
    reading = Reading(about["format"], qrels, queries, documents, runs, _findings(about), unsure, evidence)
    return Part(Source(**about["source"]), reading)


def about_part(part: Part) -> Facts:
    """What is said about a file of a dataset beside its table."""
    reading = part.reading
    return {
        "source": asdict(part.source),
        "format": reading.format,
        "unsure": sorted(reading.unsure),
        "findings": [asdict(one) for one in reading.findings],
    }


def _findings(about: Facts) -> tuple[Finding, ...]:
    many = ("lines", "examples", "queries")
    return tuple(Finding(**{**one, **{key: tuple(one[key]) for key in many}}) for one in about["findings"])


def _put_documents(columns: dict[str, Column], documents: Documents) -> None:
    if len(documents):
        columns["documents.ids"] = documents.ids
        columns["documents.titles"] = documents.titles
        columns["documents.texts"] = documents.texts
    if documents.located:
        columns["documents.parents"] = documents.parents
        columns["documents.begins"], columns["documents.ends"] = documents.begins, documents.ends


def _documents(columns: Mapping[str, Column]) -> Documents:
    if "documents.ids" not in columns:
        return Documents()
    plain = Documents(columns["documents.ids"], columns["documents.titles"], columns["documents.texts"])
    if "documents.parents" not in columns:
        return plain
    places = (columns[f"documents.{name}"] for name in ("parents", "begins", "ends"))
    return Documents(plain.ids, plain.titles, plain.texts, *places)


def _put_lines(columns: dict[str, Column], facts: Facts, name: str, lines: Lines | None) -> None:
    """Lines of a regular file are a range: three numbers instead of a column."""
    if isinstance(lines, range):
        facts[name] = [lines.start, lines.stop, lines.step]
    elif lines is not None:
        columns[name] = np.asarray(lines, dtype=np.int32)


def _lines(columns: Mapping[str, Column], facts: Facts, name: str) -> Lines | None:
    return range(*facts[name]) if name in facts else columns.get(name)


def _put_metadata(columns: dict[str, Column], metadata: Any) -> list[Facts]:
    """Columns of metadata by place: numbers as numbers, text as text, what is mixed as JSON, cell by cell."""
    told: list[Facts] = []
    for i, name in enumerate(metadata.columns):
        series = metadata.iloc[:, i]
        kind, key = series.dtype.kind, f"queries.metadata.{i}"
        is_numpy = isinstance(series.dtype, np.dtype)
        if is_numpy and kind in "ifb":
            shape, columns[key] = "numbers", series.to_numpy()
        else:
            cells = series.tolist()
            plain = not is_numpy and str(series.dtype) == "str"
            cells = [None if plain and cell != cell else cell for cell in cells]
            if all(cell is None or isinstance(cell, str) for cell in cells):
                shape, columns[key] = "text" if plain else "objects", text_column(cells)
            else:
                shape, columns[key] = "json", text_column([json.dumps(cell, default=_plain) for cell in cells])
        told.append({"name": str(name), "as": shape})
    return told


def _plain(value: Any) -> Any:
    """A value that JSON does not know: numpy's numbers as numbers, a date as text."""
    return value.item() if isinstance(value, np.generic) else str(value)


def _metadata(columns: Mapping[str, Column], told: list[Facts], n_rows: int) -> Any:
    import pandas as pd

    series = []
    for i, one in enumerate(told):
        column = columns[f"queries.metadata.{i}"]
        if one["as"] == "numbers":
            series.append(pd.Series(column))
        elif one["as"] == "json":
            series.append(pd.Series([json.loads(cell) for cell in column.to_pylist()], dtype=object))
        else:
            series.append(pd.Series(column.to_pylist(), dtype="str" if one["as"] == "text" else object))
    if not series:
        return pd.DataFrame(index=range(n_rows))
    frame = pd.concat(series, axis=1)
    frame.columns = pd.Index([one["name"] for one in told])
    return frame
