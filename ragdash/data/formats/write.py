"""How are a dataset and a run written, so that what is read again is the same? Ids as text, numbers to the last digit.

A dataset becomes up to three files (judgments, queries, documents), which `read_dataset` puts together again.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ragdash.data.columns import take
from ragdash.data.nouns import Dataset, Run
from ragdash.errors import OptionError

Columns = dict[str, Any]
KINDS = ("json", "trec", "csv", "parquet")


def run_file(run: Run, kind: str) -> tuple[str, bytes]:
    """The name and the bytes of a run as a file. TREC needs scores: a run without gets falling numbers."""
    _known(kind)
    if kind == "json":
        return f"{run.name}.json", _json_run(run)
    if kind == "trec":
        return f"{run.name}.trec", _trec_run(run)
    ranks = np.arange(len(run)) - np.repeat(run.starts[:-1], run.depths) + 1
    codes = np.repeat(np.arange(run.n_queries), run.depths)
    columns: Columns = {"query_id": take(run.query_ids, codes), "doc_id": run.doc_ids, "rank": pa.array(ranks)}
    if run.scores is not None:
        columns["score"] = pa.array(run.scores)
    for name, values in run.measurements.items():
        columns[name] = pa.array(values[codes], from_pandas=True)
    table = _with_silent(pa.table(columns), run.query_ids, run.depths, run.measurements)
    return f"{run.name}.{kind}", _TABLES[kind](table)


def dataset_files(dataset: Dataset, kind: str) -> dict[str, bytes]:
    """The files of a dataset by name."""
    _known(kind)
    qrels, queries, documents = dataset.qrels, dataset.queries, dataset.documents
    ending = {"trec": "csv"}.get(kind, kind)  # queries and documents have no form of TREC's that keeps every text
    files: dict[str, bytes] = {}
    if kind == "trec":
        files["qrels.txt"] = _trec_qrels(dataset)
    elif kind == "json":
        files["qrels.json"] = _json_qrels(dataset)
    else:
        rows = {"query_id": take(qrels.query_ids, qrels.query_codes()), "doc_id": qrels.doc_ids}
        table = pa.table({**rows, "relevance": pa.array(qrels.grades)})
        files[f"qrels.{kind}"] = _TABLES[kind](_with_silent(table, qrels.query_ids, np.diff(qrels.starts), {}))
    if len(queries):
        extras = {name: pa.array(queries.metadata[name], from_pandas=True) for name in queries.metadata}
        files[f"queries.{ending}"] = _TABLES[ending](
            pa.table({"query_id": queries.ids, "query": queries.texts, **extras})
        )
    if len(documents):
        columns = {"doc_id": documents.ids, "title": documents.titles, "text": documents.texts}
        files[f"documents.{ending}"] = _TABLES[ending](pa.table(columns))
    return files


def _known(kind: str) -> None:
    if kind not in KINDS:
        raise OptionError(f"{kind!r} cannot be written. Known are {', '.join(KINDS)}.")


def _with_silent(table: pa.Table, query_ids: pa.Array, depths: Any, measurements: Any) -> pa.Table:
    """Rows without a document for queries that have none: they are stated, with nothing."""
    silent = np.flatnonzero(depths == 0)
    if not len(silent):
        return table
    n = len(silent)
    columns = {name: pa.nulls(n, table.schema.field(name).type) for name in table.column_names}
    columns["query_id"] = take(query_ids, silent).cast(table.schema.field("query_id").type)
    for name, values in measurements.items():
        columns[name] = pa.array(values[silent], from_pandas=True)
    return pa.concat_tables([table, pa.table(columns)])


def _json_run(run: Run) -> bytes:
    docs = run.doc_ids.to_pylist()
    scores = None if run.scores is None else run.scores.tolist()
    records = []
    for i, query_id in enumerate(run.query_ids.to_pylist()):
        rows = range(int(run.starts[i]), int(run.starts[i + 1]))
        record: dict[str, Any] = {"query_id": query_id}
        if run.query_texts is not None and run.query_texts[i].is_valid:
            record["query"] = run.query_texts[i].as_py()
        record["retrieved"] = [docs[j] if scores is None else {"id": docs[j], "score": scores[j]} for j in rows]
        record.update({name: float(v[i]) for name, v in run.measurements.items() if np.isfinite(v[i])})
        records.append(record)
    return _json_list(records)


def _json_qrels(dataset: Dataset) -> bytes:
    qrels = dataset.qrels
    docs, grades = qrels.doc_ids.to_pylist(), qrels.grades.tolist()
    records = []
    for i, query_id in enumerate(qrels.query_ids.to_pylist()):
        rows = range(int(qrels.starts[i]), int(qrels.starts[i + 1]))
        records.append({"query_id": query_id, "relevant_docs": {docs[j]: _grade(grades[j]) for j in rows}})
    return _json_list(records)


def _json_table(table: pa.Table) -> bytes:
    return _json_list([{key: value for key, value in row.items() if value is not None} for row in table.to_pylist()])


def _json_list(records: Sequence[Any]) -> bytes:
    """A list with one object a line: people read it, and diffs stay small."""
    lines = ",\n ".join(json.dumps(record, ensure_ascii=False, allow_nan=False) for record in records)
    return f"[{lines}]\n".encode("utf-8", "surrogatepass")


def _grade(grade: float) -> float | int:
    return int(grade) if grade.is_integer() else grade


def _csv_table(table: pa.Table) -> bytes:
    from pyarrow import csv

    out = io.BytesIO()
    csv.write_csv(table, out)
    return out.getvalue()


def _parquet_table(table: pa.Table) -> bytes:
    from pyarrow import parquet

    out = io.BytesIO()
    parquet.write_table(table, out)
    return out.getvalue()


_TABLES: dict[str, Callable[[pa.Table], bytes]] = {"json": _json_table, "csv": _csv_table, "parquet": _parquet_table}


def _trec_run(run: Run) -> bytes:
    check_ids(run.query_ids, run.doc_ids)
    docs = run.doc_ids.to_pylist()
    tag = "-".join(run.name.split()) or "run"

    def lines() -> Iterator[str]:
        for i, query_id in enumerate(run.query_ids.to_pylist()):
            start, end = int(run.starts[i]), int(run.starts[i + 1])
            for j in range(start, end):
                score = float(end - j) if run.scores is None else float(run.scores[j])
                yield f"{query_id} Q0 {docs[j]} {j - start + 1} {score!r} {tag}\n"

    return "".join(lines()).encode()


def _trec_qrels(dataset: Dataset) -> bytes:
    qrels = dataset.qrels
    check_ids(qrels.query_ids, qrels.doc_ids)
    rows = take(qrels.query_ids, qrels.query_codes()).to_pylist()
    lines = (f"{q} 0 {d} {_grade(g)!r}\n" for q, d, g in zip(rows, qrels.doc_ids.to_pylist(), qrels.grades.tolist()))
    return "".join(lines).encode()


def check_ids(*columns: pa.Array) -> None:
    """TREC separates by blanks: raises OptionError for an id that holds one, or is empty."""
    for column in columns:
        bad = column.filter(pc.or_(pc.match_substring_regex(column, r"\s"), pc.equal(column, "")))
        if len(bad):
            raise OptionError(
                f"The id {bad[0].as_py()!r} holds a blank, which TREC files cannot keep. Write JSON or CSV."
            )
