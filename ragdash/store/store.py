"""What does a page ask of the store? Workspaces by token, what people said in them, and that deleted is gone.

Whoever has a token may do what the token allows; there is no list of workspaces. What changes is rows of a database,
each change one transaction that holds the workspace's row; what never changes (runs, files of a dataset) is a table of
its own, written whole before the transaction that refers to it. So a process that dies at any moment leaves the last
saved state, and two that change the same workspace follow each other.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from ragdash.store import database as db
from ragdash.store import rows
from ragdash.store.access import TOKEN, Access, hashed, new_token
from ragdash.store.errors import LinkError, StorageError, StoreError, ViewOnlyError
from ragdash.store.place import DAY, Place
from ragdash.store.remarks import Judgment, Note, latest, standing
from ragdash.store.settings import Settings
from ragdash.store.tables import Folder, Memory, Remote, Tables
from ragdash.store.workspace import Workspace, merged

HOUR = 3600.0
#: Private workspaces live in memory: at most so many, each until it was not used for a day.
PRIVATE_MOST, PRIVATE_EXPIRY = 40, DAY
LONGEST = {"note": 20_000, "tag": 100, "author": 200, "title": 500, "choice": 200_000}
MOST_TAGS = 20


@dataclass
class Turn:
    """One change under way: its number within the workspace, and the time."""

    connection: sa.Connection
    row: sa.Row[Any]
    number: int
    now: float


class Store:
    """Workspaces on disk, and private ones in memory, behind the same methods.

    One store a process is enough; its methods may be called from any thread. Every method raises LinkError where the
    workspace is gone, StorageError where disk or database cannot be used, and ViewOnlyError where an access that
    may only look would change something.
    """

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.time) -> None:
        self.settings, self.clock = settings, clock
        self._memory = Place(db.Database("sqlite://"), Memory(), True, PRIVATE_EXPIRY, PRIVATE_MOST)
        self._kept = self._memory if settings.private else _on_disk(settings)
        self._tidied = -math.inf

    @classmethod
    def open(cls, settings: Settings | None = None) -> Store:
        """The store of `settings`, else the one that the environment names."""
        return cls(settings or Settings.of())

    # Workspaces

    def create(self, workspace: Workspace, *, private: bool = False) -> Access:
        """Keep a new workspace, `private` in memory only. The access that is returned may edit."""
        return self.restore(workspace, private=private)

    def restore(
        self,
        workspace: Workspace,
        choices: Mapping[str, Any] | None = None,
        notes: Sequence[Note] = (),
        judgments: Sequence[Judgment] = (),
        *,
        private: bool = False,
    ) -> Access:
        """Keep a workspace that came from elsewhere with what was said in it there; numbers and times stay."""
        _fits("title", workspace.title)
        place = self._memory if private else self._kept
        self.tidy_if_due()
        access, now = Access(new_token(), True, new_token(), place.private), self.clock()
        with place.published(workspace, now) as mine, place.database.writing() as connection:
            number = max([1, *(one.number for one in notes), *(one.number for one in judgments)])
            row = {
                "id": access.workspace_id,
                "edit_hash": hashed(access.token),
                "view_hash": hashed(access.view_token),
                "title": mine.title,
                "faults": mine.faults,
                "changes": number,
                "contents": number,
                "created_at": now,
                "used_at": now,
            }
            connection.execute(db.workspaces.insert(), [row])
            rows.write_items(connection, access.workspace_id, mine.items)
            for key, value in (choices or {}).items():
                rows.write_choice(connection, access.workspace_id, key, value)
            rows.write_notes(connection, access.workspace_id, notes)
            rows.write_judgments(connection, access.workspace_id, judgments)
        if place.most:
            place.tidy(now)  # memory is not filled up between two hours
        return access

    def find(self, token: str) -> Access:
        """What a token leads to; its age begins anew. The LinkError says why there is nothing."""
        if not isinstance(token, str) or not TOKEN.fullmatch(token):
            raise LinkError("unknown")
        table, digest = db.workspaces, hashed(token)
        for place in self._places():
            with place.database.reading() as connection:
                wanted = sa.or_(table.c.edit_hash == digest, table.c.view_hash == digest)
                row = connection.execute(sa.select(table).where(wanted)).first()
            if row is None:
                continue
            now = self.clock()
            if row.gone or (place.expiry and row.used_at + place.expiry < now):
                raise LinkError(row.gone or "expired")
            if place.private or now - row.used_at > HOUR:  # on disk not at every look, and no reason not to show it
                with suppress(StorageError), place.database.writing() as connection:
                    connection.execute(table.update().where(table.c.id == row.id).values(used_at=now))
            return Access(row.id, row.edit_hash == digest, token, place.private)
        raise LinkError("unknown")

    def load(self, access: Access) -> Workspace:
        """The workspace. Tables are mapped, not read, and every session of this process gets the same objects."""
        place = self._place(access)
        with place.database.reading() as connection:
            row = rows.workspace_row(connection, access)
        return place.loaded.get((row.id, row.contents), lambda: self._opened(place, access))

    def _opened(self, place: Place, access: Access) -> Workspace:
        with place.database.reading() as connection:
            saved = rows.read_saved(connection, rows.workspace_row(connection, access))
        return place.opened(saved)

    def save(self, access: Access, workspace: Workspace) -> Workspace:
        """Keep a changed workspace, and return what it is now: what others changed meanwhile stays changed.

        `workspace` comes from `load` by `dataclasses.replace`; one that does not adds its files to those there are.
        """
        if not access.may_edit:
            raise ViewOnlyError  # before anything is written; the database is asked below
        _fits("title", workspace.title)
        place = self._place(access)
        with place.published(workspace, self.clock()) as mine, self._change(access) as turn:
            theirs = rows.read_saved(turn.connection, turn.row)
            new = merged(workspace.base, mine, theirs)
            rows.write_items(turn.connection, turn.row.id, new.items)
            values = {"title": new.title, "faults": new.faults, "contents": turn.number}
            turn.connection.execute(db.workspaces.update().where(db.workspaces.c.id == turn.row.id).values(**values))
        place.remove_unused(rows.digests_of(theirs.items) - rows.digests_of(new.items), self.clock())
        return self.load(access)

    def delete(self, access: Access) -> None:
        """Remove a workspace with all that was said in it, and the tables that no other one has."""
        place = self._place(access)
        with self._change(access) as turn:
            digests = rows.digests_of(rows.read_saved(turn.connection, turn.row).items)
            rows.bury(turn.connection, turn.row.id, "deleted", turn.now)
        place.loaded.drop(access.workspace_id)
        place.remove_unused(digests, self.clock())
        place.database.forget()

    def changes(self, access: Access) -> int:
        """A number that grows with every change: whether somebody else was at work."""
        with self._place(access).database.reading() as connection:
            return int(rows.workspace_row(connection, access).changes)

    def verify(self, access: Access) -> None:
        """Read every byte of a workspace's tables and compare digests."""
        place = self._place(access)
        with place.database.reading() as connection:
            saved = rows.read_saved(connection, rows.workspace_row(connection, access))
        with db.spoken():
            for digest in sorted(rows.digests_of(saved.items)):
                place.tables.verify(digest)

    # What was picked

    def choices(self, access: Access) -> dict[str, Any]:
        """What was chosen in this workspace (remedies, baseline, ...), as it was given to `choose`."""
        with self._place(access).database.reading() as connection:
            return rows.read_choices(connection, rows.workspace_row(connection, access).id)

    def choose(self, access: Access, changes: Mapping[str, Any]) -> None:
        """Keep choices, each a JSON value; None takes one out. Those that are not named stay as others left them."""
        for key, value in changes.items():
            check_choice(key, value)
        with self._change(access) as turn:
            for key, value in changes.items():
                rows.write_choice(turn.connection, turn.row.id, key, value)

    # What people said

    def notes(self, access: Access) -> tuple[Note, ...]:
        """The notes that stand, oldest first."""
        return standing(self.note_history(access))

    def note_history(self, access: Access) -> tuple[Note, ...]:
        """Every note there ever was, also those replaced or removed since."""
        with self._place(access).database.reading() as connection:
            return tuple(rows.read_notes(connection, rows.workspace_row(connection, access).id))

    def add_note(
        self,
        access: Access,
        query_id: str,
        text: str,
        *,
        tags: Sequence[str] = (),
        author: str = "",
        replaces: int | None = None,
    ) -> Note:
        """Keep a note on a query ("" for the whole); `replaces` is the number of the note that it changes."""
        check_note(text, tags, author)
        return self._note(access, query_id, text, tuple(tags), author, replaces, False)

    def remove_note(self, access: Access, number: int, *, author: str = "") -> None:
        """Take a note away. It stays in the history, with who took it away."""
        _fits("author", author)
        self._note(access, "", "", (), author, number, True)

    def _note(
        self,
        access: Access,
        query_id: str,
        text: str,
        tags: tuple[str, ...],
        author: str,
        of: int | None,
        removed: bool,
    ) -> Note:
        with self._change(access) as turn:
            if of is not None:
                earlier = {note.number: note for note in rows.read_notes(turn.connection, turn.row.id)}
                if of not in earlier:
                    raise StoreError(f"There is no note {of} in this workspace; reload the page.")
                query_id = earlier[of].query_id
            note = Note(turn.number, query_id, text, tags, author, rows.moment(turn.now), of, removed)
            rows.write_notes(turn.connection, turn.row.id, [note])
        return note

    def judgments(self, access: Access) -> tuple[Judgment, ...]:
        """The last word of each author on each document; see `rulings` for what counts."""
        return latest(self.judgment_history(access))

    def judgment_history(self, access: Access) -> tuple[Judgment, ...]:
        """Every judgment made in the app, in order."""
        with self._place(access).database.reading() as connection:
            return tuple(rows.read_judgments(connection, rows.workspace_row(connection, access).id))

    def judge(self, access: Access, query_id: str, doc_id: str, grade: float | None, *, author: str = "") -> Judgment:
        """Keep what somebody says of a document: a grade, or None for "cannot tell"."""
        check_grade(grade)
        return self._judge(access, query_id, doc_id, None if grade is None else float(grade), author, False)

    def withdraw(self, access: Access, query_id: str, doc_id: str, *, author: str = "") -> Judgment:
        """Take back what `author` said of a document."""
        return self._judge(access, query_id, doc_id, None, author, True)

    def _judge(
        self, access: Access, query_id: str, doc_id: str, grade: float | None, author: str, withdrawn: bool
    ) -> Judgment:
        _fits("author", author)
        with self._change(access) as turn:
            now = rows.moment(turn.now)
            judgment = Judgment(turn.number, query_id, doc_id, grade, author, now, withdrawn)
            rows.write_judgments(turn.connection, turn.row.id, [judgment])
        return judgment

    # Keeping house

    def tidy_if_due(self) -> None:
        """Tidy at most once an hour."""
        if self.clock() - self._tidied > HOUR:
            self.tidy()

    def tidy(self) -> None:
        """Remove what expired, what nobody refers to, and what killed processes left behind."""
        self._tidied = self.clock()
        for place in self._places():
            place.tidy(self.clock())

    def close(self) -> None:
        """Let go of the database's connections."""
        for place in self._places():
            place.database.engine.dispose()

    def _places(self) -> tuple[Place, ...]:
        return (self._kept,) if self._kept is self._memory else (self._memory, self._kept)

    def _place(self, access: Access) -> Place:
        return self._memory if access.private else self._kept

    @contextmanager
    def _change(self, access: Access) -> Iterator[Turn]:
        """One transaction that changes a workspace, its row locked."""
        with self._place(access).database.writing() as connection:
            row = rows.workspace_row(connection, access, edit=True)
            now = self.clock()
            values = {"changes": row.changes + 1, "used_at": max(now, row.used_at)}
            connection.execute(db.workspaces.update().where(db.workspaces.c.id == row.id).values(**values))
            yield Turn(connection, row, row.changes + 1, now)


def _on_disk(settings: Settings) -> Place:
    """The place that settings name.

    The folder of tables bears the name of its database: where two databases share a folder, each removes only what it
    has put there itself.
    """
    with db.spoken():
        file = sa.URL.create("sqlite", database=str(settings.folder / "workspaces.sqlite"))
        database = db.Database(settings.database_url or file)
        name = f"tables-{database.store_id}"
        tables: Tables = Folder(settings.folder / name)
        if settings.files_url:
            copies = Folder(settings.folder / f"copies-{database.store_id}")
            tables = Remote(f"{settings.files_url.rstrip('/')}/{name}", copies, settings.cache_mb << 20)
    return Place(database, tables, expiry=settings.expiry_days * DAY)


def check_note(text: str, tags: Sequence[str], author: str) -> None:
    """Raises StoreError where a note cannot be kept as it is."""
    if not text.strip() and not tags:
        raise StoreError("A note without text and tags says nothing. Write something, or remove the note.")
    if len(tags) > MOST_TAGS:
        raise StoreError(f"A note has at most {MOST_TAGS} tags; these are {len(tags):,}.")
    _fits("note", text)
    _fits("author", author)
    for tag in tags:
        _fits("tag", tag)


def check_choice(key: str, value: Any) -> None:
    """Raises StoreError where a choice cannot be kept as it is."""
    _fits("choice", f"{key}{json.dumps(value)}")


def check_grade(grade: float | None) -> None:
    """Raises StoreError where a grade is no number."""
    if grade is not None and not math.isfinite(grade):
        raise StoreError(f"A grade is a number; this is {grade}.")


def _fits(what: str, text: str) -> None:
    if len(text) > LONGEST[what]:
        raise StoreError(f"This {what} has {len(text):,} characters; at most {LONGEST[what]:,} are kept. Shorten it.")
