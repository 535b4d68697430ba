"""How do items, notes and judgments become rows of the database, and rows become them again?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from ragdash.store import database as db
from ragdash.store.access import Access, hashed
from ragdash.store.errors import LinkError, ViewOnlyError
from ragdash.store.remarks import Judgment, Note
from ragdash.store.workspace import Item, Saved


def workspace_row(connection: sa.Connection, access: Access, *, edit: bool = False) -> sa.Row[Any]:
    """The row of a workspace, locked where it will be changed.

    The token is compared with what is kept: what `access` says of itself opens nothing and allows nothing.
    """
    table, token = db.workspaces, hashed(access.token)
    wanted = sa.select(table).where(table.c.id == access.workspace_id)
    row = connection.execute(wanted.with_for_update() if edit else wanted).first()
    if row is None or token not in (row.edit_hash, row.view_hash):
        raise LinkError("unknown")
    if row.gone:
        raise LinkError(row.gone)
    if edit and token != row.edit_hash:
        raise ViewOnlyError
    return row


def read_saved(connection: sa.Connection, row: sa.Row[Any]) -> Saved:
    """A workspace as it is kept."""
    table = db.items
    outer: list[Item] = []
    inner: dict[int, list[Item]] = {}
    places: list[int] = []
    for one in connection.execute(sa.select(table).where(table.c.workspace_id == row.id).order_by(table.c.place)):
        item = Item(one.kind, one.digest, one.about)
        if one.inside is None:
            outer.append(item)
            places.append(one.place)
        else:
            inner.setdefault(one.inside, []).append(item)
    items = [
        Item(item.kind, item.digest, item.about, tuple(inner.get(place, ()))) for place, item in zip(places, outer)
    ]
    return Saved(tuple(items), tuple(row.faults), row.title)


def write_items(connection: sa.Connection, workspace_id: str, items: Sequence[Item]) -> None:
    """Replace the items of a workspace."""
    connection.execute(db.items.delete().where(db.items.c.workspace_id == workspace_id))
    rows: list[dict[str, Any]] = []
    for item in items:
        outer = len(rows)
        rows.append(_item_row(workspace_id, outer, None, item))
        rows += [_item_row(workspace_id, outer + 1 + i, outer, one) for i, one in enumerate(item.inside)]
    if rows:
        connection.execute(db.items.insert(), rows)


def _item_row(workspace_id: str, place: int, inside: int | None, item: Item) -> dict[str, Any]:
    return {
        "workspace_id": workspace_id,
        "place": place,
        "inside": inside,
        "kind": item.kind,
        "digest": item.digest,
        "about": item.about,
    }


def digests_of(items: Iterable[Item]) -> set[str]:
    """Every table that items refer to."""
    return {one.digest for item in items for one in (item, *item.inside)}


def read_notes(connection: sa.Connection, workspace_id: str) -> Iterator[Note]:
    for row in _of(connection, db.notes, workspace_id):
        tags, at = tuple(row.tags), moment(row.at)
        yield Note(row.number, row.query_id, row.text, tags, row.author, at, row.replaces, bool(row.removed))


def write_notes(connection: sa.Connection, workspace_id: str, notes: Iterable[Note]) -> None:
    rows = [
        {
            "workspace_id": workspace_id,
            "number": note.number,
            "query_id": note.query_id,
            "text": note.text,
            "tags": note.tags,
            "author": note.author,
            "at": note.at.timestamp(),
            "replaces": note.replaces,
            "removed": int(note.removed),
        }
        for note in notes
    ]
    if rows:
        connection.execute(db.notes.insert(), rows)


def read_judgments(connection: sa.Connection, workspace_id: str) -> Iterator[Judgment]:
    for row in _of(connection, db.judgments, workspace_id):
        at = moment(row.at)
        yield Judgment(row.number, row.query_id, row.doc_id, row.grade, row.author, at, bool(row.withdrawn))


def write_judgments(connection: sa.Connection, workspace_id: str, judgments: Iterable[Judgment]) -> None:
    rows = [
        {
            "workspace_id": workspace_id,
            "number": one.number,
            "query_id": one.query_id,
            "doc_id": one.doc_id,
            "grade": one.grade,
            "author": one.author,
            "at": one.at.timestamp(),
            "withdrawn": int(one.withdrawn),
        }
        for one in judgments
    ]
    if rows:
        connection.execute(db.judgments.insert(), rows)


def read_choices(connection: sa.Connection, workspace_id: str) -> dict[str, Any]:
    table = db.choices
    mine = sa.select(table).where(table.c.workspace_id == workspace_id).order_by(table.c.key)
    return {row.key: row.value for row in connection.execute(mine)}


def write_choice(connection: sa.Connection, workspace_id: str, key: str, value: Any) -> None:
    """Keep one choice in place of what was chosen before; None takes it out."""
    table = db.choices
    connection.execute(table.delete().where(table.c.workspace_id == workspace_id, table.c.key == key))
    if value is not None:
        connection.execute(table.insert(), [{"workspace_id": workspace_id, "key": key, "value": value}])


def bury(connection: sa.Connection, workspace_id: str, why: str, now: float) -> None:
    """Remove everything of a workspace but that there was one, so that its links can say what became of it."""
    table = db.workspaces
    values = {"gone": why, "gone_at": now, "title": "", "faults": []}
    connection.execute(table.update().where(table.c.id == workspace_id).values(**values))
    for other in (db.items, db.choices, db.notes, db.judgments):
        connection.execute(other.delete().where(other.c.workspace_id == workspace_id))


def moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def _of(connection: sa.Connection, table: sa.Table, workspace_id: str) -> Iterator[sa.Row[Any]]:
    yield from connection.execute(sa.select(table).where(table.c.workspace_id == workspace_id).order_by(table.c.number))
