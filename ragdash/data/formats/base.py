"""What does a format promise? To say whether it knows a file by its content, and to read it whole or not at all."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa

from ragdash.data.evidence import Evidence
from ragdash.data.findings import Finding
from ragdash.data.nouns import Documents, Qrels, Queries, Run

Role = Literal["dataset", "run"]


@dataclass(frozen=True)
class Blob:
    """A file's name and its bytes, from memory or memory-mapped from a path. `name` is a label, never opened."""

    name: str
    data: bytes | None = None
    path: Path | None = None

    @cached_property
    def buffer(self) -> pa.Buffer:
        """All bytes, without copying them."""
        if self.path is None:
            return pa.py_buffer(self.data or b"")
        if self.path.stat().st_size == 0:
            return pa.py_buffer(b"")
        with pa.memory_map(str(self.path)) as file:
            return file.read_buffer()

    def __len__(self) -> int:
        return int(self.buffer.size)

    def head(self, n: int = 65536) -> bytes:
        """The first `n` bytes."""
        return self.buffer[:n].to_pybytes() if len(self) > n else self.bytes

    @property
    def bytes(self) -> bytes:
        """All bytes as one `bytes` object (a copy where the file is mapped)."""
        return self.data if self.data is not None else self.buffer.to_pybytes()

    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256(memoryview(self.buffer)).hexdigest()


@dataclass(frozen=True)
class Reading:
    """What was understood in one file. Empty parts are None; findings name the file and its lines.

    `unsure` names parts that may be something else: `qrels` (a query and a document in a row, no grade) counts only if
    no other file has judgments; `queries` (an id and a text) are documents if their ids are those of judged documents.
    """

    format: str
    qrels: Qrels | None = None
    queries: Queries | None = None
    documents: Documents | None = None
    runs: tuple[Run, ...] = ()
    findings: tuple[Finding, ...] = ()
    unsure: frozenset[str] = frozenset()
    evidence: Evidence | None = None


@dataclass(frozen=True)
class Format:
    """One file format.

    `recognise(blob, role)` returns how sure it is (0 not mine, 1 certainly mine) from the head of the file
    and must be quick; `read(blob, role)` returns the whole file's content or raises a `FileError`. `role` is the slot
    the file was put in: it settles what a table with `query_id, doc_id, score` means. `sample` is a three-line example.
    `table(blob, role)` gives the file as a `Sheet`, where it is one: a person may then say which column is which
    (`mapped` reads it so, where a file holds several tables).
    """

    key: str
    title: str
    roles: tuple[Role, ...]
    sample: str
    recognise: Callable[[Blob, Role], float]
    read: Callable[[Blob, Role], Reading]
    suffixes: tuple[str, ...] = field(default=())
    table: Callable[[Blob, Role], Any] | None = None
    mapped: Callable[[Blob, Role, Mapping[str, str]], Reading] | None = None
