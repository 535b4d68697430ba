"""How are millions of ids compared without sorting text? By their UTF-8 bytes, eight at a time, as 64-bit numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ragdash.data.columns import Ints

Keys = NDArray[np.uint64]

_ODD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio: multiplying by it spreads the bits
_FIRST = np.array([(1 << 8 * n) - 1 for n in range(9)], dtype=np.uint64)  # keeps the first n bytes of eight


class IdBytes:
    """The bytes of a text column without nulls, as words of eight; a text that has ended reads as zeros.

    `rows` renumbers: row `i` that is asked for is row `rows[i]` of the column.
    """

    def __init__(self, column: pa.Array, rows: Ints | None = None) -> None:
        kind: Any = np.int64 if pa.types.is_large_string(column.type) else np.int32
        _, offsets, data = column.buffers()
        if len(column):
            self._offsets = np.frombuffer(offsets, dtype=kind)[column.offset : column.offset + len(column) + 1]
        else:
            self._offsets = np.zeros(1, dtype=kind)
        raw: Any = b"" if data is None else memoryview(data)
        if len(raw) < 8:
            raw = bytes(raw).ljust(8, b"\0")
        self._last = len(raw) - 8
        self._words: Keys = np.ndarray((self._last + 1,), dtype="<u8", buffer=raw, strides=(1,))
        self._rows = rows

    @property
    def n_words(self) -> int:
        """How many words the longest text has."""
        return -(-int(np.max(np.diff(self._offsets), initial=0)) // 8)

    def length(self, rows: Ints) -> Ints:
        """The number of bytes of each text."""
        start, end = self._span(rows)
        out: Ints = (end - start).astype(np.int64)
        return out

    def word(self, rows: Ints, depth: int) -> Keys:
        """Bytes `8 * depth` to `8 * depth + 7` of each text, the first one most significant: in order of the bytes."""
        start, end = self._span(rows)
        return self._load(start, end, depth).byteswap()

    def fingerprints(self, start: int, stop: int) -> Keys:
        """A hash of each text of these rows; texts of equal length up to eight bytes never share one."""
        offsets = self._offsets[start : stop + 1]
        at, end = offsets[:-1], offsets[1:]
        length = end - at
        out = self._load(at, end, 0)
        for depth in range(1, -(-int(np.max(length, initial=0)) // 8)):
            mixed = ((out * _ODD) ^ (out >> np.uint64(29))) + self._load(at, end, depth)
            out = np.where(length > 8 * depth, mixed, out)  # the same hash, whatever stands beside it
        out += length.astype(np.uint64)
        out *= _ODD
        return out

    def greater(self, rows: Ints, than: Ints) -> NDArray[np.bool_]:
        """For each pair of rows whether the first text comes after the second, bytewise."""
        out = np.zeros(len(rows), dtype=bool)
        undecided = np.arange(len(rows))
        for depth in range(self.n_words):
            left, right = self.word(rows[undecided], depth), self.word(than[undecided], depth)
            out[undecided] = left > right
            undecided = undecided[left == right]
            if not len(undecided):
                return out
        # one text ends where the other has zero bytes
        out[undecided] = self.length(rows[undecided]) > self.length(than[undecided])
        return out

    def descending(self, rows: Ints, group: Ints) -> Ints:
        """The place of each row, from 0, within its group by text descending, bytewise. `group` is ascending."""
        start = np.searchsorted(group, group, side="left")
        code = start.copy()  # the first place of the rows that a row cannot be told from yet
        undecided = np.arange(len(rows))
        for depth in range(self.n_words + 1):
            some = rows[undecided]
            key = ~self.word(some, depth) if depth < self.n_words else -self.length(some)
            order = np.lexsort((key, code[undecided]))
            undecided, key = undecided[order], key[order]
            here = np.arange(len(order))
            changed = np.ones(len(order), dtype=bool)
            changed[1:] = code[undecided][1:] != code[undecided][:-1]
            base = np.maximum.accumulate(np.where(changed, here, 0))
            changed[1:] |= key[1:] != key[:-1]
            code[undecided] += np.maximum.accumulate(np.where(changed, here, 0)) - base
            size = np.diff(np.append(np.flatnonzero(changed), len(order)))
            undecided = undecided[np.repeat(size > 1, size)]
            if not len(undecided):
                break
        places: Ints = code - start
        return places

    def _span(self, rows: Ints) -> tuple[Any, Any]:
        if self._rows is not None:
            rows = self._rows[rows]
        return self._offsets[rows], self._offsets[rows + 1]

    def _load(self, start: Any, end: Any, depth: int) -> Keys:
        """Word `depth` of the texts, first byte least significant."""
        if not len(start):
            return np.zeros(0, dtype=np.uint64)
        if depth:
            start = np.minimum(start.astype(np.int64) + 8 * depth, end)
        length = end - start
        if int(start.max()) > self._last:  # the end of the buffer: read from its last eight bytes and shift
            within = np.minimum(start, self._last)
            over = (start - within).astype(np.uint64)
            out: Keys = self._words[within] >> (np.minimum(over, 7) * np.uint64(8))
        else:
            out = self._words[start]
        out &= _FIRST[length if not depth and int(length.max()) <= 8 else np.minimum(length, 8)]
        return out
