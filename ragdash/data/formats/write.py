"""How are a dataset and a run written, so that what is read again is the same? Ids as text, numbers to the last digit.

A dataset becomes up to four files (judgments, queries, documents, evidence), which `read_dataset` puts together again;
several sets of judgments are a file each. Places of chunks stand beside the chunks, in all but TREC's files.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ragdash.data.columns import Ints, positions, take
from ragdash.data.evidence import Evidence
from ragdash.data.nouns import Dataset, Documents, Qrels, Run
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
    columns |= _places(run.documents, run.doc_ids)
    table = _with_silent(pa.table(columns), run.query_ids, run.depths, run.measurements)
    return f"{run.name}.{kind}", _TABLES[kind](table)


def dataset_files(dataset: Dataset, kind: str) -> dict[str, bytes]:
    """The files of a dataset by name."""
    _known(kind)
    qrels, queries, documents = dataset.qrels, dataset.queries, dataset.documents
    ending = {"trec": "csv"}.get(kind, kind)  # queries and documents have no form of TREC's that keeps every text
    files: dict[str, bytes] = {}
    sets = [(one.name, one.qrels) for one in dataset.labels] or [("qrels", qrels)]
    for name, judged in sets if len(qrels) or not len(dataset.evidence) else ():
        files[f"{name}.{'txt' if kind == 'trec' else kind}"] = _qrels_file(judged, kind)
    if len(queries):
        extras = {name: pa.array(queries.metadata[name], from_pandas=True) for name in queries.metadata}
        files[f"queries.{ending}"] = _TABLES[ending](
            pa.table({"query_id": queries.ids, "query": queries.texts, **extras})
        )
    if len(documents):
        columns = {"doc_id": documents.ids, "title": documents.titles, "text": documents.texts}
        columns |= _places(documents, documents.ids)
        files[f"documents.{ending}"] = _TABLES[ending](pa.table(columns))
    if len(dataset.evidence):
        files[f"evidence.{ending}"] = _evidence_file(dataset.evidence, ending)
    return files


def _qrels_file(qrels: Qrels, kind: str) -> bytes:
    if kind == "trec":
        return _trec_qrels(qrels)
    if kind == "json":
        return _json_qrels(qrels)
    rows = {"query_id": take(qrels.query_ids, qrels.query_codes()), "doc_id": qrels.doc_ids}
    table = pa.table({**rows, "relevance": pa.array(qrels.grades)})
    return _TABLES[kind](_with_silent(table, qrels.query_ids, np.diff(qrels.starts), {}))


def _places(documents: Documents, ids: pa.Array) -> Columns:
    """Where each of `ids` is cut from, as columns; none where no chunk is located."""
    if not documents.located:
        return {}
    at = positions(ids, documents.ids)
    found = pa.array(at >= 0)
    at = np.maximum(at, 0)
    columns: Columns = {"parent_id": take(documents.parents, at)}
    for name, values in (("start", documents.begins), ("end", documents.ends)):
        columns[name] = _known_places(values[at])
    return {name: pc.if_else(found, one, pa.scalar(None, one.type)) for name, one in columns.items()}


def _known_places(values: Ints) -> pa.Array:
    return pa.array(values, mask=values < 0)


def _evidence_file(evidence: Evidence, kind: str) -> bytes:
    """A row a span, in JSON a record a query."""
    columns = {
        "doc_id": evidence.doc_ids,
        "start": _known_places(evidence.begins),
        "end": _known_places(evidence.ends),
        "quote": evidence.quotes,
    }
    if kind != "json":
        return _TABLES[kind](pa.table({"query_id": take(evidence.query_ids, evidence.query_codes()), **columns}))
    spans = [{key: one for key, one in row.items() if one is not None} for row in pa.table(columns).to_pylist()]
    ends = evidence.starts.tolist()
    records = zip(evidence.query_ids.to_pylist(), ends, ends[1:])
    return _json_list([{"query_id": query, "evidence": spans[start:end]} for query, start, end in records])


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
    places = pa.table(_places(run.documents, run.doc_ids)).to_pylist() if run.documents.located else None
    records = []
    for i, query_id in enumerate(run.query_ids.to_pylist()):
        rows = range(int(run.starts[i]), int(run.starts[i + 1]))
        record: dict[str, Any] = {"query_id": query_id}
        if run.query_texts is not None and run.query_texts[i].is_valid:
            record["query"] = run.query_texts[i].as_py()
        record["retrieved"] = [docs[j] if scores is None else {"id": docs[j], "score": scores[j]} for j in rows]
        if places is not None:
            hits = [{"id": docs[j], **({} if scores is None else {"score": scores[j]}), **places[j]} for j in rows]
            record["retrieved"] = [{key: one for key, one in hit.items() if one is not None} for hit in hits]
        record.update({name: float(v[i]) for name, v in run.measurements.items() if np.isfinite(v[i])})
        records.append(record)
    return _json_list(records)


def _json_qrels(qrels: Qrels) -> bytes:
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


def _trec_qrels(qrels: Qrels) -> bytes:
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
