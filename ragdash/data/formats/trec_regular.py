"""How is a regular TREC file read? By Arrow, by column, in parallel: one blank or tab between fields, no comments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from ragdash.data.columns import Ints, numbers_of, take, text_column
from ragdash.data.findings import Finding
from ragdash.data.formats.base import Blob
from ragdash.data.formats.encoding import head_text, lines_of
from ragdash.data.formats.gathering import stem
from ragdash.data.formats.order import grade_like, like_grades
from ragdash.data.formats.ranking import Rows, as_run
from ragdash.data.formats.trec_lines import Columns
from ragdash.data.formats.trec_rows import RUN_COLUMNS, number_in
from ragdash.data.nouns import Floats, Run

_ALL_RANKS = 32 << 20  # up to this size all ranks are compared with the scores, in larger files those of the head


def regular_table(blob: Blob, columns: Sequence[str], types: dict[str, pa.DataType]) -> pa.Table | None:
    """The columns named in `types`, or None where the file is not as regular as it must be for Arrow."""
    head = blob.head(1 << 16)
    lines = head.splitlines()[: None if len(head) < 1 << 16 else -1]
    separator = b"\t" if lines and b"\t" in lines[0] else b" "
    for line in lines:
        fields = line.split(separator)
        if len(fields) != len(columns) or not all(fields) or line.startswith(b"#") or fields != line.split():
            return None
    if not lines:
        return None
    source = pa.OSFile(str(blob.path)) if blob.path is not None else pa.BufferReader(blob.buffer)
    try:
        return csv.read_csv(
            source,
            csv.ReadOptions(column_names=list(columns), block_size=1 << 22),
            csv.ParseOptions(
                delimiter=separator.decode(), quote_char=False, double_quote=False, ignore_empty_lines=False
            ),
            csv.ConvertOptions(
                column_types=types, include_columns=list(types), null_values=[], strings_can_be_null=False
            ),
        )
    except pa.ArrowInvalid:
        return None  # read line by line: either that can be done, or the message then names the line


def fixed(column: pa.ChunkedArray) -> Any:
    """A column of numbers as one numpy array."""
    return numbers_of(pa.concat_arrays(column.chunks)) if column.num_chunks else np.zeros(0)


def _grouped(column: pa.ChunkedArray) -> tuple[list[str], Ints, Ints | None]:
    """A dictionary-encoded column as groups: its values, where the rows of each start, and the row order to apply.

    The order is None where equal values stand together, as nearly always; it is found by their few changes then.
    """
    place: dict[str, int] = {}
    parts, changes, offset, last = [], [np.zeros(1, dtype=np.int64)], 0, -1
    for chunk in column.chunks:
        known = np.array(
            [place.setdefault(value, len(place)) for value in chunk.dictionary.to_pylist()], dtype=np.int32
        )
        codes = numbers_of(chunk.indices)
        if not len(codes):
            continue
        parts.append((known, codes))
        if known[codes[0]] != last and offset:
            changes.append(np.array([offset]))
        changes.append(np.flatnonzero(codes[1:] != codes[:-1]) + 1 + offset)
        offset, last = offset + len(codes), known[codes[-1]]
    if sum(map(len, changes)) == len(place):
        return list(place), np.append(np.concatenate(changes), offset), None
    code = np.concatenate([known[codes] for known, codes in parts]) if parts else np.zeros(0, dtype=np.int32)
    starts = np.concatenate([[0], np.cumsum(np.bincount(code, minlength=len(place)))])
    few = len(place) < 1 << 16  # 16 bits are sorted by counting
    return list(place), starts, np.argsort(code.astype(np.uint16) if few else code, kind="stable")


def regular_run(blob: Blob) -> Run | None:
    """The run of a regular file, without a copy of anything that need not be copied."""
    types = {"query": pa.dictionary(pa.int32(), pa.string()), "doc": pa.string(), "score": pa.float64()}
    if len(blob) <= _ALL_RANKS:
        types["rank"] = pa.float64()
    table = regular_table(blob, RUN_COLUMNS, types)
    if table is None:
        return None
    columns = dict(zip(table.column_names, table.columns))
    del table
    docs = text_column(columns.pop("doc"))  # joined first, its parts freed: their memory then takes the joined scores
    scores: Floats = fixed(columns.pop("score"))
    names, starts, order = _grouped(columns.pop("query"))
    odd = any(not name or name.startswith(("#", "\ufeff")) for name in names)
    if odd or not len(scores) or not np.isfinite(scores).all() or pc.any(pc.equal(docs, "")).as_py():
        return None
    ranks = fixed(columns.pop("rank")) if "rank" in columns else None
    name = stem(blob.name)
    lines: Any = range(1, len(scores) + 1)
    if order is not None:
        docs, scores, lines = take(docs, order), scores[order], (order + 1).astype(np.int32)
        ranks = None if ranks is None else ranks[order]
    run = Run(name, _texts(names), starts, docs, scores, lines=lines)
    said = tuple(one for one in _about_ranks(run, ranks, blob) if one.code != "scores-look-like-grades")
    if grade_like(scores):
        codes = np.repeat(np.arange(run.n_queries, dtype=np.int64), run.depths)
        said += tuple(one.of_run(name) for one in like_grades(scores, codes, blob.name))
    return replace(run, findings=said)


def _texts(values: list[str]) -> pa.Array:
    """Texts as a column, built from bytes: `pyarrow.array` would import pandas first."""
    encoded = [value.encode() for value in values]
    offsets = np.zeros(len(values) + 1, dtype=np.int32)
    np.cumsum([len(one) for one in encoded], out=offsets[1:])
    return pa.Array.from_buffers(
        pa.string(), len(values), [None, pa.py_buffer(offsets), pa.py_buffer(b"".join(encoded))]
    )


def _about_ranks(run: Run, ranks: Floats | None, blob: Blob) -> tuple[Finding, ...]:
    """What the rank column says that the scores do not; of a large file, what its first lines say."""
    assert run.scores is not None
    if ranks is None:
        rows = [fields for fields in map(str.split, lines_of(head_text(blob))[:-1]) if len(fields) == 6]
        head = Columns(4)
        for number, fields in enumerate(rows, start=1):
            head.add(number, fields[0], fields[2], fields[4], fields[3])
        queries = np.array([fields[0] for fields in rows])
        scores, ranks = (np.array([number_in(fields[at]) or 0.0 for fields in rows]) for at in (4, 3))
        same = queries[1:] == queries[:-1]
        return as_run(Rows(*head.columns()), run.name, blob.name).findings if _odd(same, scores, ranks) else ()
    same = np.ones(len(run), dtype=bool)
    same[run.starts[:-1][run.depths > 0]] = False
    if not _odd(same[1:], run.scores, ranks):
        return ()
    query = take(run.query_ids, np.repeat(np.arange(run.n_queries), run.depths))
    scores_text, ranks_text = (pa.array(column).cast(pa.string()) for column in (run.scores, ranks))
    return as_run(Rows(query, run.doc_ids, scores_text, ranks_text), run.name, blob.name).findings


def _odd(same: Any, scores: Floats, ranks: Floats) -> bool:
    """Whether ranks contradict scores anywhere, or are all the same. `same` says of each row but the first whether it
    stands in the query of the row before."""
    rising = same & (ranks[1:] > ranks[:-1]) & (scores[1:] > scores[:-1])
    return bool(rising.any() or (same.any() and np.all(ranks == ranks[0])))
