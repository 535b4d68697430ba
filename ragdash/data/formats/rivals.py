"""Which of several columns is the score? The one that the ranks follow; where none says, it is asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ragdash.data.formats import words
from ragdash.data.formats.numbers import numbers
from ragdash.data.formats.words import is_distance, is_score, plain

_ROWS = 5_000  # looked at


class Table(Protocol):
    """What is asked of a `Sheet`."""

    @property
    def names(self) -> tuple[str, ...]: ...
    def __getitem__(self, name: str) -> pa.Array: ...


def rival_scores(table: Table, roles: Mapping[str, str]) -> list[str]:
    """The columns that may be the score, the likeliest first; empty where there is no doubt.

    A plain `score` is beyond doubt beside its parts (`bm25_score`, `dense_score`), unless a reranker gave another one;
    a number that is the same for all results of a query is none of them.
    """
    taken = roles.get("score")
    keys = roles.get("query_id") or roles.get("query")
    if taken is None or keys is None or "doc_id" not in roles:
        return []
    others = [name for name in table.names if name not in roles.values() and _may_be(name)]
    if plain(taken) == "score":
        others = [name for name in others if plain(name).startswith("rerank")]
    others = [name for name in others if _varies(table, keys, name)]
    if not others:
        return []
    ranks = roles.get("rank")
    if ranks is None:
        return [taken, *others]
    fitting = [name for name in (taken, *others) if _follows(table, keys, ranks, name)]
    if not fitting:
        return [taken, *others]
    return [fitting[0], *(name for name in (taken, *others) if name != fitting[0])]


def _may_be(name: str) -> bool:
    return (plain(name) in words.SCORE or is_score(name)) and not is_distance(name)


def _values(table: Table, name: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    column = table[name][:_ROWS]
    if not pa.types.is_string(column.type) and not pa.types.is_large_string(column.type):
        return np.full(len(column), np.nan)
    return numbers(pc.fill_null(column, "")).values


def _keys(table: Table, name: str) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    column = pc.fill_null(table[name][:_ROWS], "")
    codes: np.ndarray[tuple[int], np.dtype[np.int64]] = column.dictionary_encode().indices.to_numpy(False)
    return codes


def _varies(table: Table, keys: str, name: str) -> bool:
    """Whether a column holds numbers that differ within a query."""
    values, codes = _values(table, name), _keys(table, keys)
    if np.isnan(values).any():
        return False
    order = np.lexsort((values, codes))
    return bool(np.any((np.diff(codes[order]) == 0) & (np.diff(values[order]) != 0)))


def _follows(table: Table, keys: str, ranks: str, name: str) -> bool:
    """Whether the numbers fall as the ranks of each query rise."""
    values, places, codes = _values(table, name), _values(table, ranks), _keys(table, keys)
    order = np.lexsort((places, codes))
    same = np.diff(codes[order]) == 0
    return not bool(np.any(same & (np.diff(values[order]) > 0)))
