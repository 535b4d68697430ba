"""What is a workspace, and what becomes of it when two people change it at once?"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from ragdash.data.intake import Part, assemble
from ragdash.data.nouns import Dataset, Run


@dataclass(frozen=True)
class Item:
    """A part or a run as it is kept: `about` is JSON, `inside` are the runs that a part of the dataset holds."""

    kind: str
    digest: str
    about: str
    inside: tuple[Item, ...] = ()


@dataclass(frozen=True)
class Saved:
    """A workspace as it was when it was loaded: what a change is measured against."""

    items: tuple[Item, ...] = ()
    faults: tuple[str, ...] = ()
    title: str = ""


@dataclass(frozen=True)
class Workspace:
    """What was loaded: the dataset's files as understood, the runs, and why other files could not be read.

    `base` is how the store gave it out; `dataclasses.replace` carries it along, so that `Store.save` can tell what was
    changed from what somebody else changed meanwhile.
    """

    parts: tuple[Part, ...] = ()
    runs: tuple[Run, ...] = ()
    faults: tuple[str, ...] = ()
    title: str = ""
    base: Saved = field(default=Saved(), repr=False, compare=False)

    @cached_property
    def dataset(self) -> Dataset:
        """All files of the dataset as one. Raises RagdashError."""
        return assemble(self.parts)

    @cached_property
    def sha256(self) -> str:
        """One digest over content and names."""
        parts = [self.dataset.sha256, *(f"{run.name}\0{run.sha256}" for run in self.runs)]
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()

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


def merged(base: Saved, mine: Saved, theirs: Saved) -> Saved:
    """My changes since `base` on top of what the workspace has become: additions of both stay, removals of either hold.

    Of something that both changed (a name, the title) mine is kept: it is the later one. My order is kept too, and
    what others added comes last.
    """
    if theirs == base:
        return mine
    known, here, there = _numbered(base.items), _numbered(mine.items), _numbered(theirs.items)
    items = []
    for key, item in here.items():
        if key in there:
            items.append(item if known.get(key) != item else there[key])
        elif key not in known:
            items.append(item)
    items += [item for key, item in there.items() if key not in here and key not in known]
    faults = [one for one in mine.faults if one in theirs.faults or one not in base.faults]
    faults += [one for one in theirs.faults if one not in mine.faults and one not in base.faults]
    return Saved(tuple(items), tuple(faults), mine.title if mine.title != base.title else theirs.title)


def _numbered(items: Sequence[Item]) -> dict[tuple[str, str, int], Item]:
    """Items by kind and digest; the same table twice is told apart by a number."""
    out: dict[tuple[str, str, int], Item] = {}
    for item in items:
        copy = 0
        while (item.kind, item.digest, copy) in out:
            copy += 1
        out[item.kind, item.digest, copy] = item
    return out
