"""How do rows become a run? Ranks and distances turned into an order, unusable scores left out, all of it said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ragdash.data.columns import positions, take, text_column
from ragdash.data.findings import MAX_EXAMPLES, Finding, some
from ragdash.data.formats.numbers import numbers
from ragdash.data.formats.order import Order, like_grades, only_ranks, ranks_beside_scores, rising_scores
from ragdash.data.formats.placing import placed_ids
from ragdash.data.formats.words import is_distance
from ragdash.data.nouns import Documents, Floats, Run
from ragdash.errors import MalformedError

_PLACE = r"^\s*#?\s*(\d+)(?:st|nd|rd|th|\.)?\s*$"  # 1st, 2., #3


@dataclass
class Rows:
    """The rows of one run as a file has them. `scores` and `ranks` are text columns, or None where there are none."""

    query_ids: pa.Array
    doc_ids: pa.Array
    scores: pa.Array | None = None
    ranks: pa.Array | None = None
    score_name: str = "score"
    order: Order = "rows"
    lines: NDArray[np.int32] | None = None
    empty: Sequence[str] = ()
    query_texts: Mapping[str, str] = field(default_factory=dict)
    measurements: Mapping[str, tuple[Sequence[str], Sequence[float]]] = field(default_factory=dict)
    documents: Documents = field(default_factory=Documents)
    chunk_texts: Documents = field(default_factory=Documents)
    parents: pa.Array | None = None
    begins: NDArray[np.int64] | None = None
    ends: NDArray[np.int64] | None = None
    texts: pa.Array | None = None  # of single rows, null where the text is that of `documents`


def as_run(rows: Rows, name: str, file: str) -> Run:
    """A `Run` of these rows, with findings; the caller sees to it that there is at least one row."""
    said: list[Finding] = []
    rows = placed(rows)
    scores, keep = _scores(rows, file, said)
    query_ids, doc_ids, lines = text_column(rows.query_ids), text_column(rows.doc_ids), rows.lines
    texts_of_rows = rows.texts
    ranks = None if rows.ranks is None else _ranks(rows.ranks)
    if keep is not None:
        query_ids, doc_ids = take(query_ids, keep), take(doc_ids, keep)
        lines = None if lines is None else lines[keep]
        texts_of_rows = None if texts_of_rows is None else take(texts_of_rows, keep)
        ranks = None if ranks is None else ranks[keep]
    if ranks is not None and len(ranks) and not np.isnan(ranks).all():
        codes = _codes(query_ids)
        if scores is None:
            said += only_ranks(ranks, codes, file)
            order = np.lexsort((np.nan_to_num(ranks, nan=np.inf), codes))
            query_ids, doc_ids = take(query_ids, order), take(doc_ids, order)
            lines = None if lines is None else lines[order]
            texts_of_rows = None if texts_of_rows is None else take(texts_of_rows, order)
        else:
            said += ranks_beside_scores(ranks, scores, codes, query_ids, file)
    elif scores is not None:
        said += rising_scores(scores, _codes(query_ids), rows.order, rows.score_name, file)
    if scores is not None:
        said += like_grades(scores, _codes(query_ids), file)
    elif (ranks is None or np.isnan(ranks).all()) and (ranks is not None or rows.order == "rows"):
        lacks = "neither scores nor ranks" if ranks is None else "no scores, and ranks that are no numbers"
        message = f"{file} has {lacks}; the order of its rows was taken as the ranking."
        said.append(Finding("order-of-the-file", "warning", message, file=file, count=len(doc_ids)))
    empty = [*rows.empty, *_all_gone(rows.query_ids, query_ids, keep)]
    run = Run.of(
        name, query_ids, doc_ids, scores, lines=lines, texts=texts_of_rows, empty=empty, documents=rows.documents
    )
    texts = [rows.query_texts.get(one) for one in run.query_ids.to_pylist()] if rows.query_texts else None
    return replace(
        run,
        query_texts=None if texts is None else pa.array(texts, type=pa.string()),
        measurements={key: _aligned(run.query_ids, *column) for key, column in rows.measurements.items()},
        findings=tuple(finding.of_run(name) for finding in said),
    )


def placed(rows: Rows) -> Rows:
    """The rows with ids that name chunks, and where these are cut from among the documents."""
    if rows.parents is None and rows.begins is None:
        return rows
    doc_ids = text_column(rows.doc_ids)
    ids, chunks = placed_ids(doc_ids, rows.parents, rows.begins, rows.ends)
    documents = rows.documents
    if ids is not doc_ids:  # what stands under the id of the document is the text of one of its chunks
        documents = rows.chunk_texts
    return replace(rows, doc_ids=ids, documents=Documents.merged([documents, chunks]))


def _ranks(column: pa.Array) -> Floats:
    parsed = numbers(column)
    if parsed.bad.any():
        parsed = numbers(pc.replace_substring_regex(column, _PLACE, r"\1"))
    return parsed.values


def _scores(rows: Rows, file: str, said: list[Finding]) -> tuple[Floats | None, NDArray[np.int64] | None]:
    """The scores as numbers and the rows to keep (None: all); None where the file has no scores."""
    if rows.scores is None:
        return None, None
    if rows.order == "list" and rows.scores.null_count:
        rows = replace(rows, scores=_filled(rows, file, said))
    assert rows.scores is not None
    parsed = numbers(rows.scores)
    values, bad = parsed.values, parsed.bad
    if parsed.commas:
        said.append(
            Finding(
                "decimal-comma",
                "warning",
                f"The scores of {file} have a decimal comma (0,95); it was read as a decimal point (0.95).",
                file=file,
                count=parsed.commas,
            )
        )
    if parsed.signs:
        message = (
            f"{file}: {parsed.signs:,} {'score has' if parsed.signs == 1 else 'scores have'} thousands separators, a "
            "percent sign or a typographic minus; read as the numbers they mean."
        )
        said.append(Finding("number-signs", "warning", message, file=file, count=parsed.signs))
    keep = None
    if bad.any():
        blank = np.asarray([not (one or "").strip() for one in rows.scores.filter(pa.array(bad)).to_pylist()])
        if bad.all() and blank.all():
            return None, None
        if bad.all():
            raise _no_score(rows, file)
        said.append(_unusable(rows, np.flatnonzero(bad), file))
        keep = np.flatnonzero(~bad)
        values = values[keep]
    if is_distance(rows.score_name):
        said.append(
            Finding(
                "scores-look-like-distances",
                "warning",
                f"{file}: {rows.score_name!r} was read as a distance: smaller is better. Its sign was turned.",
                file=file,
                count=len(values),
            )
        )
        values = -values
    return values, keep


def _filled(rows: Rows, file: str, said: list[Finding]) -> pa.Array:
    """Scores for the queries of which no result has one: falling along their list."""
    assert rows.scores is not None
    absent = rows.scores.is_null().to_numpy(zero_copy_only=False)
    codes = _codes(text_column(rows.query_ids))
    without = np.bincount(codes, minlength=1) == np.bincount(codes, weights=absent, minlength=1)
    fill = without[codes]
    if not fill.any():
        return rows.scores
    n = int(without.sum())
    message = (
        f"{file}: {n:,} {'query has' if n == 1 else 'queries have'} results without scores; their order was taken."
    )
    said.append(Finding("order-of-the-file", "warning", message, file=file, count=n))
    falling = pa.array([str(-i) for i in range(len(codes))])
    return pc.if_else(pa.array(fill), falling, rows.scores)


def _unusable(rows: Rows, bad: NDArray[np.int64], file: str) -> Finding:
    assert rows.scores is not None
    few = bad[:MAX_EXAMPLES].tolist()
    pairs = [
        f"query {rows.query_ids[i].as_py()} document {rows.doc_ids[i].as_py()}: {rows.scores[i].as_py() or 'nothing'}"
        for i in few
    ]
    lines = tuple(dict.fromkeys(int(rows.lines[i]) for i in few)) if rows.lines is not None else ()
    place = f" (line {', '.join(map(str, lines))})" if lines else ""
    what = "1 score is not a number" if len(bad) == 1 else f"{len(bad):,} scores are not numbers"
    return Finding(
        "unusable-score",
        "warning",
        f"{what} in {file}{place}: {'; '.join(pairs)}{', ...' if len(bad) > len(few) else ''}. "
        f"{'This result was' if len(bad) == 1 else 'These results were'} left out.",
        file=file,
        count=len(bad),
        lines=lines,
        examples=some(rows.doc_ids[i].as_py() for i in few),
    )


def _no_score(rows: Rows, file: str) -> MalformedError:
    assert rows.scores is not None
    shown = rows.scores[0].as_py() or "nothing"
    return MalformedError(
        file,
        f"none of the {len(rows.scores):,} scores is a number, the first is {shown[:40]!r}",
        line=int(rows.lines[0]) if rows.lines is not None and rows.lines[0] else None,
        expected="numbers such as 0.93 or 0,93",
        todo="Export the scores as numbers, or leave the column out",
    )


def _all_gone(before: pa.Array, after: pa.Array, keep: Any) -> list[str]:
    """Queries of which every row was left out: they stay answered, with nothing."""
    if keep is None:
        return []
    left = set(after.unique().to_pylist())
    return [one for one in before.unique().to_pylist() if one not in left]


def _codes(query_ids: pa.Array) -> NDArray[np.int64]:
    out: NDArray[np.int64] = query_ids.dictionary_encode().indices.to_numpy(zero_copy_only=False).astype(np.int64)
    return out


def _aligned(query_ids: pa.Array, keys: Sequence[str], values: Sequence[float]) -> Floats:
    """Values given for `keys`, in the order of `query_ids`; NaN where there is none."""
    column = text_column(keys)
    at = positions(query_ids, column)
    known = np.append(np.asarray(values, dtype=np.float64), np.nan)
    out: Floats = known[np.where(at < 0, len(column), at)]
    return out
