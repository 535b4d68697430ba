"""How do a database and its tables stay in step? Tables first, what refers to them after; removal in reverse."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

import sqlalchemy as sa

from ragdash.data.intake import Part, unique_names
from ragdash.data.nouns import Run
from ragdash.store import database as db
from ragdash.store.columnfiles import Packed, packed
from ragdash.store.pieces import Facts, about_part, about_run, part_of, part_table, run_of, run_table
from ragdash.store.rows import bury
from ragdash.store.shared import Shared
from ragdash.store.tables import Tables
from ragdash.store.workspace import Item, Saved, Workspace

DAY = 24 * 3600.0
CLAIM = 3600.0  # seconds that a save may take from its first table to the transaction that refers to it
REMEMBERED = 90 * DAY  # how long a link to something gone is told apart from one that never was

Noun = TypeVar("Noun", Part, Run)
Later = dict[str, Callable[[], Packed]]


@dataclass
class Place:
    """A database and the tables that belong to it, and what is loaded from them in this process.

    `expiry` is in seconds without use (0: never), `most` how many workspaces there may be (0: any number).
    """

    database: db.Database
    tables: Tables
    private: bool = False
    expiry: float = 0
    most: int = 0
    loaded: Shared = field(default_factory=lambda: Shared(64))
    nouns: Shared = field(default_factory=lambda: Shared(256))

    @contextmanager
    def published(self, workspace: Workspace, now: float) -> Iterator[Saved]:
        """Write the tables of a workspace, and hold them until the block has referred to them."""
        later: Later = {}
        items = [_item(part, later) for part in workspace.parts] + [_item(run, later) for run in workspace.runs]
        claim = secrets.token_hex(16)
        with self.database.writing() as connection:
            db.claim(connection, claim, set(later), now + CLAIM)
        try:
            with db.spoken():
                for digest, pack in later.items():
                    if not self.tables.has(digest):
                        self.tables.put(pack())
            yield Saved(tuple(items), tuple(workspace.faults), workspace.title)
        finally:
            with self.database.writing() as connection:
                connection.execute(db.claims.delete().where(db.claims.c.claim == claim))

    def opened(self, saved: Saved) -> Workspace:
        """A workspace, its tables mapped; what another workspace has loaded already is shared with it."""
        with db.spoken():
            parts = [self._part(item) for item in saved.items if item.kind == "part"]
            runs = [self._run(item) for item in saved.items if item.kind == "run"]
        named = unique_names(runs)  # two people may each have added a run of the same name
        return Workspace(tuple(parts), tuple(named), saved.faults, saved.title, saved)

    def _run(self, item: Item) -> Run:
        return self.nouns.get(
            (item.digest, item.about),
            lambda: _known(run_of(self.tables.open(item.digest), json.loads(item.about)), item.digest),
        )

    def _part(self, item: Item) -> Part:
        runs = tuple(self._run(one) for one in item.inside)
        key = (item.digest, item.about, *((one.digest, one.about) for one in item.inside))
        return self.nouns.get(
            key, lambda: _known(part_of(self.tables.open(item.digest), json.loads(item.about), runs), item.digest)
        )

    def remove_unused(self, digests: Iterable[str], now: float) -> None:
        """Remove those tables that no workspace has any more."""
        for digest in sorted(digests):
            if db.remove_unused(self.database, digest, now, self.tables.remove):
                self.nouns.drop(digest)

    def tidy(self, now: float) -> None:
        """Remove what expired, what nobody refers to, and what killed processes left behind."""
        with self.database.writing() as connection:
            for workspace_id in self._expired(connection, now):
                bury(connection, workspace_id, "expired", now)
                self.loaded.drop(workspace_id)
            connection.execute(db.workspaces.delete().where(db.workspaces.c.gone_at < now - REMEMBERED))
            connection.execute(db.claims.delete().where(db.claims.c.until < now))
        with self.database.reading() as connection:
            known = set(connection.scalars(sa.select(db.tables.c.digest)))
            used = set(connection.scalars(sa.select(db.items.c.digest).union(sa.select(db.claims.c.digest))))
        self.remove_unused(known - used, now)
        with db.spoken():
            self.tables.tidy(used, now)
        self.database.forget()

    def _expired(self, connection: sa.Connection, now: float) -> list[str]:
        """Ids of workspaces that were not used for too long or are too many, locked against being used meanwhile."""
        table, out = db.workspaces, set()
        living = sa.select(table.c.id).where(table.c.gone.is_(None)).with_for_update()
        if self.expiry:
            out |= set(connection.scalars(living.where(table.c.used_at < now - self.expiry).order_by(table.c.id)))
        if self.most:
            out |= set(connection.scalars(living.order_by(table.c.used_at.desc()).offset(self.most)))
        return sorted(out)


def _item(noun: Part | Run, later: Later) -> Item:
    """A part or a run as it will be kept; how to write its table is put into `later`."""
    if isinstance(noun, Run):
        return Item("run", _digest(noun, later, lambda: packed(run_table(noun))), _json(about_run(noun)))
    inside = tuple(_item(run, later) for run in noun.reading.runs)
    return Item("part", _digest(noun, later, lambda: packed(part_table(noun))), _json(about_part(noun)), inside)


def _digest(noun: Part | Run, later: Later, pack: Callable[[], Packed]) -> str:
    """The digest of a table. What a store gave out bears it already, and is not read again to be saved again."""
    known: str | None = vars(noun).get("_digest")
    if known is None:
        ready = pack()
        later[ready.digest] = lambda: ready
        return ready.digest
    later.setdefault(known, pack)
    return known


def _json(about: Facts) -> str:
    return json.dumps(about, separators=(",", ":"))


def _known(noun: Noun, digest: str) -> Noun:
    vars(noun)["_digest"] = digest
    return noun
