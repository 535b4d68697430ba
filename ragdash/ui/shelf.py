"""Where do loaded files live between page views? In the server's memory, under a name that nobody can guess.

A reload or a second tab finds them by the token in its URL. Bounded in number and age; gone when the server stops.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

import streamlit as st

from ragdash.data import samples
from ragdash.data.intake import Part, assemble
from ragdash.data.nouns import Dataset, Run

SAMPLE = "sample"
MAX_ENTRIES = 40
MAX_AGE = 24 * 3600.0  # seconds without use
TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")


@dataclass(frozen=True)
class Workspace:
    """What was loaded: the dataset's files as understood, the runs, and why other files could not be read."""

    parts: tuple[Part, ...] = ()
    runs: tuple[Run, ...] = ()
    faults: tuple[str, ...] = ()

    @cached_property
    def dataset(self) -> Dataset:
        """All files of the dataset as one. Raises RagdashError."""
        return assemble(self.parts)

    @cached_property
    def sha256(self) -> str:
        """One digest over content and names."""
        parts = [self.dataset.sha256, *(f"{run.name}\0{run.sha256}" for run in self.runs)]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    @property
    def empty(self) -> bool:
        return not self.parts and not self.runs

    def renamed(self, place: int, name: str) -> Workspace:
        """The run at `place` under another name."""
        runs = list(self.runs)
        runs[place] = runs[place].named(name)
        return replace(self, runs=tuple(runs))

    def without_run(self, place: int) -> Workspace:
        return replace(self, runs=self.runs[:place] + self.runs[place + 1 :])

    def without_part(self, place: int) -> Workspace:
        return replace(self, parts=self.parts[:place] + self.parts[place + 1 :])

    @staticmethod
    def sample() -> Workspace:
        """The sample that comes with ragdash, read once."""
        return _sample()


@st.cache_resource(show_spinner="Reading the sample …")
def _sample() -> Workspace:
    return Workspace(samples.dataset_parts(), samples.runs())


@dataclass
class Shelf:
    """Workspaces by token; the one that was not used for longest leaves first."""

    clock: Callable[[], float] = time.monotonic
    _kept: OrderedDict[str, tuple[float, Workspace]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, workspace: Workspace) -> str:
        """Keep a workspace; returns its token."""
        token = secrets.token_urlsafe(16)
        self.replace(token, workspace)
        return token

    def find(self, token: str) -> Workspace | None:
        """The workspace, its age beginning anew; None where there is none (or no longer)."""
        if not TOKEN.fullmatch(token):
            return None
        with self._lock:
            self._drop_old()
            if token not in self._kept:
                return None
            workspace = self._kept.pop(token)[1]
            self._kept[token] = (self.clock(), workspace)
            return workspace

    def replace(self, token: str, workspace: Workspace) -> None:
        """Keep another workspace under the same token."""
        with self._lock:
            self._kept.pop(token, None)
            self._kept[token] = (self.clock(), workspace)
            self._drop_old()

    def remove(self, token: str) -> None:
        with self._lock:
            self._kept.pop(token, None)

    def _drop_old(self) -> None:
        while self._kept and (
            len(self._kept) > MAX_ENTRIES or self.clock() - next(iter(self._kept.values()))[0] > MAX_AGE
        ):
            self._kept.popitem(last=False)


@st.cache_resource
def shelf() -> Shelf:
    """The one shelf of this server."""
    return Shelf()
