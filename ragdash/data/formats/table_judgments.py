"""What does a table judge, or say of queries and documents? One row a judgment, a query or a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ragdash.data.columns import take
from ragdash.data.evidence import Evidence
from ragdash.data.findings import Finding
from ragdash.data.formats import words
from ragdash.data.formats.base import Reading
from ragdash.data.formats.gathering import different_texts, with_empty
from ragdash.data.formats.grades import grades_of, like_scores
from ragdash.data.formats.numbers import looks_numeric, numbers
from ragdash.data.formats.sheet import LONG_QRELS
from ragdash.data.formats.table_columns import Columns, constant, filled, first_rows, names_of
from ragdash.data.formats.words import plain
from ragdash.data.judgments import settle
from ragdash.data.nouns import Documents, Queries
from ragdash.errors import MalformedError, UnknownFormatError, WrongRoleError

if TYPE_CHECKING:
    import pandas as pd


def judgments(columns: Columns) -> Reading:
    """One row a judgment; a row without a document states a query."""
    if "grade" not in columns.roles and {"rank", "distance"} & set(columns.roles):
        raise WrongRoleError(
            columns.file,
            f"columns {names_of(columns.sheet)}: a ranking, no judgments",
            expected=f"a dataset, {LONG_QRELS}",
            todo="Load this file as a run",
        )
    query_ids, doc_ids = columns.query_column(), pc.fill_null(columns.column("doc_id"), "")
    grades = columns.column("grade")
    kept, empty = columns.rows_with_document(query_ids, doc_ids, grades)
    grades = pa.nulls(len(query_ids), pa.string()) if grades is None else pc.fill_null(grades, "")
    lines = columns.sheet.lines
    judged, docs = query_ids, doc_ids
    if kept is not None:
        judged, docs, grades = take(judged, kept), take(docs, kept), take(grades, kept)
        lines = None if lines is None else lines[kept]
    if "grade" not in columns.roles:
        columns.said.append(without_grade(columns, len(docs)))
    _looks_like_scores(columns, grades)
    values, graded, said = grades_of(grades, lines, columns.file, columns.worth or None)
    columns.said += said
    if graded is not None:
        judged, docs = take(judged, graded), take(docs, graded)
        lines = None if lines is None else lines[graded]
    qrels, settled = settle(judged, docs, values, lines, columns.file)
    columns.said += settled
    queries = _queries(columns, query_ids)
    unsure = frozenset() if "grade" in columns.roles else frozenset({"qrels"})
    return Reading(
        columns.title, with_empty(qrels, empty), queries, columns.documents(doc_ids), (), tuple(columns.said), unsure
    )


def without_grade(columns: Columns, n: int) -> Finding:
    """Pairs of query and document, and no column of grades: each pair counts as relevant, and that is said."""
    text = columns.roles.get("text")
    message = (
        f"{columns.file} has no column of grades (columns {names_of(columns.sheet)}): each of its {n:,} pairs of query "
        "and document counts as relevant (grade 1)."
    )
    if text:
        message += " If these are the results of a run, load the file as a run."
    return Finding("no-grade", "warning" if text else "info", message, file=columns.file, count=n)


def evidence(columns: Columns) -> Reading:
    """One row a span or a quote."""
    query_ids, doc_ids = columns.query_column(), pc.fill_null(columns.column("doc_id"), "")
    begins, ends = columns.place("begin"), columns.place("end")
    known = (begins >= 0) & (ends > begins)
    quotes = columns.column("quote")
    quotes = pa.nulls(len(query_ids), pa.string()) if quotes is None else filled(quotes)
    kept = np.flatnonzero(known | quotes.is_valid().to_numpy(zero_copy_only=False))
    if not len(kept):
        raise MalformedError(columns.file, "no span with a start before its end", expected="query_id,doc_id,start,end")
    begins, ends = np.where(known, begins, -1)[kept], np.where(known, ends, -1)[kept]
    spans = Evidence.of(take(query_ids, kept), filled(take(doc_ids, kept)), begins, ends, take(quotes, kept))
    queries = _queries(columns, query_ids)
    return Reading(columns.title, None, queries, None, (), tuple(columns.said), evidence=spans)


def _looks_like_scores(columns: Columns, grades: pa.Array) -> None:
    """A run in the dataset's slot: a column `score`, or one without a name, with many different fractions."""
    nameless = any(one.code == "no-header" for one in columns.said)
    if plain(columns.roles.get("grade", "")) not in words.SCORE and not nameless:
        return
    values = numbers(grades).values
    known = values[~np.isnan(values)]
    if like_scores(values):
        raise WrongRoleError(
            columns.file,
            f"the column {columns.roles['grade']!r} holds {len(np.unique(known)):,} different fractions such as "
            f"{known[0]:g}: scores of a run, no grades",
            expected=f"a dataset, {LONG_QRELS}",
            todo="Load this file as a run",
        )


def texts(columns: Columns) -> Reading:
    """A list of queries or of documents: ids and texts, no judgments."""
    if "doc_id" in columns.roles:
        return Reading(
            columns.title,
            None,
            None,
            columns.documents(columns.column("doc_id")) or Documents(),
            (),
            tuple(columns.said),
        )
    ids = columns.query_column()
    texts, titles = columns.column("text"), columns.column("title")
    if "query" not in columns.roles and titles is not None and texts is not None:
        return Reading(
            columns.title, None, None, Documents.of(ids, filled(texts), filled(titles)), (), tuple(columns.said)
        )
    if "query" in columns.roles:
        return Reading(columns.title, None, _queries(columns, ids), None, (), tuple(columns.said))
    if texts is None and titles is None:
        raise UnknownFormatError(
            columns.file,
            f"columns {names_of(columns.sheet)}: ids of queries, but neither documents nor texts",
            expected=f"columns such as {LONG_QRELS}",
            todo="Rename the columns, or say on the Data page which is which",
        )
    queries = Queries.of(ids, filled(texts if texts is not None else titles))
    unsure = frozenset({"queries"} if plain(columns.roles["query_id"]) in words.ID else ())
    return Reading(columns.title, None, queries, None, (), tuple(columns.said), unsure)


def _queries(columns: Columns, query_ids: pa.Array) -> Queries | None:
    """One row a query: text, and the further columns that have one value a query. None where there is neither."""
    import pandas as pd

    first = first_rows(query_ids)
    texts = columns.column("query")
    if texts is not None and "query_id" in columns.roles:
        _same_texts(columns, query_ids, texts)
    table = {name: columns.sheet[name] for name in columns.further() if constant(query_ids, columns.sheet[name])}

    frame = pd.DataFrame(
        {n: _extra(columns, n, take(c, first)) for n, c in table.items() if c.null_count < len(c)},
        index=range(len(first)),
    )
    frame = frame[[name for name in frame if not (frame[name].isna() | (frame[name] == "")).all()]]
    if texts is None and not len(frame.columns):
        return None
    return Queries.of(take(query_ids, first), None if texts is None else filled(take(texts, first)), frame)


def _extra(columns: Columns, name: str, column: pa.Array) -> pd.Series[Any]:
    import pandas as pd

    if (columns.sheet.numeric is None or name in columns.sheet.numeric) and looks_numeric(column):
        return pd.Series(numbers(pc.fill_null(column, "")).values)
    return pd.Series(np.asarray(column.to_pylist(), dtype=object), dtype="object")


def _same_texts(columns: Columns, query_ids: pa.Array, texts: pa.Array) -> None:
    if not constant(query_ids, texts):
        pairs = pa.table({"q": query_ids, "t": texts}).group_by(["q", "t"]).aggregate([])
        counts = pairs.group_by("q", use_threads=False).aggregate([([], "count_all")])
        several = counts.filter(pc.greater(counts["count_all"], 1))["q"].to_pylist()
        columns.said.append(different_texts(columns.file, several))
