"""Which results does a table hold? One row a result; several runs where a column names them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ragdash.data.columns import take
from ragdash.data.formats.base import Reading
from ragdash.data.formats.gathering import stem
from ragdash.data.formats.numbers import looks_numeric, numbers
from ragdash.data.formats.ranking import Rows, as_run
from ragdash.data.formats.sheet import LONG_RUN
from ragdash.data.formats.table_columns import Columns, constant, first_rows, names_of
from ragdash.data.nouns import Documents, Run
from ragdash.errors import WrongRoleError


def run(columns: Columns) -> Reading:
    """One row a result; several runs where a column names them."""
    if "grade" in columns.roles and not {"score", "distance", "rank"} & set(columns.roles):
        raise WrongRoleError(
            columns.file,
            f"columns {names_of(columns.sheet)}: judgments ({columns.roles['grade']!r}), no results of a run",
            expected=f"a run, {LONG_RUN}",
            todo="Load this file as the dataset",
        )
    if {"query-id", "corpus-id", "score"} <= set(columns.sheet.names) and _whole_scores(columns):
        raise WrongRoleError(
            columns.file,
            "judgments in the layout of BEIR (query-id, corpus-id, score)",
            expected=f"a run, {LONG_RUN}",
            todo="Load this file as the dataset",
        )
    names = columns.column("run")
    distinct = names.unique().to_pylist() if names is not None else []
    if names is not None and not several_runs(columns.query_column(), pc.fill_null(names, "")):
        distinct = []
    if len(distinct) > 1:
        rows = [
            (str(name), np.flatnonzero(pc.equal(names, name).to_numpy(zero_copy_only=False)))
            for name in distinct
            if name
        ]
        runs = [_run(columns, name, at) for name, at in rows]
    else:
        runs = [_run(columns, stem(columns.file), None)]
    return Reading(columns.title, None, None, None, tuple(runs), tuple(columns.said))


def several_runs(query_ids: pa.Array, names: pa.Array) -> bool:
    """Whether a column tells runs apart: then a query stands under several names. One that does not is of the query,
    such as a tag, or it is the same on every row."""
    pairs = pa.table({"q": query_ids, "n": names}).group_by(["q", "n"]).aggregate([])
    return bool(pairs.num_rows > len(query_ids.unique()))


def _whole_scores(columns: Columns) -> bool:
    values = numbers(pc.fill_null(columns.sheet["score"], "")).values
    return bool(np.all(values == np.round(values)) and np.all(values < 10))


def _run(columns: Columns, name: str, at: NDArray[np.int64] | None) -> Run:
    def part(column: pa.Array | None) -> pa.Array | None:
        return column if column is None or at is None else take(column, at)

    query_ids, doc_ids = part(columns.query_column()), pc.fill_null(part(columns.column("doc_id")), "")
    assert query_ids is not None
    score_role = "score" if "score" in columns.roles else "distance"
    scores, ranks, texts = part(columns.column(score_role)), part(columns.column("rank")), part(columns.column("query"))
    lines = columns.sheet.lines if at is None or columns.sheet.lines is None else columns.sheet.lines[at]
    kept, empty = columns.rows_with_document(query_ids, doc_ids, scores if scores is not None else ranks, lines)
    query_texts: dict[str, str] = {}
    if texts is not None and "query_id" in columns.roles:
        first = first_rows(query_ids)
        pairs = zip(take(query_ids, first).to_pylist(), take(texts, first).to_pylist())
        query_texts = {one: text for one, text in pairs if text}
    measurements = _measurements(columns, query_ids, at)
    documents = columns.documents(doc_ids, at)
    doc_ids, _ = columns.placed(doc_ids, at)
    texts_of_rows = columns.other_texts(doc_ids, documents, at)
    if kept is not None:
        query_ids, doc_ids = take(query_ids, kept), take(doc_ids, kept)
        scores, ranks = (None if one is None else take(one, kept) for one in (scores, ranks))
        lines = None if lines is None else lines[kept]
        texts_of_rows = None if texts_of_rows is None else take(texts_of_rows, kept)
    rows = Rows(
        query_ids,
        doc_ids,
        None if scores is None else pc.fill_null(scores, ""),
        None if ranks is None else pc.fill_null(ranks, ""),
        columns.roles.get(score_role, "score"),
        "rows",
        lines,
        empty,
        query_texts,
        measurements,
        documents or Documents(),
        texts=texts_of_rows,
    )
    return as_run(rows, name, columns.file)


def _measurements(
    columns: Columns, query_ids: pa.Array, at: NDArray[np.int64] | None
) -> dict[str, tuple[list[str], list[float]]]:
    """Further numeric columns that have one value a query: latency, cost, an answer's score."""
    out: dict[str, tuple[list[str], list[float]]] = {}
    first = first_rows(query_ids)
    ids = take(query_ids, first).to_pylist()
    for name in columns.further():
        column = columns.sheet[name] if at is None else take(columns.sheet[name], at)
        if looks_numeric(column) and constant(query_ids, column):
            values = numbers(pc.fill_null(take(column, first), "")).values
            out[name] = (ids, values.tolist())
    return out
