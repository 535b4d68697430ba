"""Which tables does the database have, and how is it opened? The same ones in SQLite and PostgreSQL, in plain types.

Text from outside is kept as JSON text: PostgreSQL refuses the NUL character, neither database takes half a surrogate
pair, and ids are kept as they are in the file.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from errno import EACCES, EDQUOT, EEXIST, ENOSPC, ENOTDIR, EPERM, EROFS
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import exc, text
from sqlalchemy.pool import StaticPool

from ragdash.store.errors import StorageError

WAIT = 20  # seconds that a change waits for another one
_LOCK = 0x7261676461736800  # "ragdash": the advisory lock that upgrades hold in PostgreSQL


class Json(sa.types.TypeDecorator[Any]):
    """A value as JSON in a text column, in ASCII."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Any) -> str:
        return json.dumps(value, separators=(",", ":"))

    def process_result_value(self, value: str | None, dialect: Any) -> Any:
        return None if value is None else json.loads(value)


schema = sa.MetaData()
meta = sa.Table("ragdash_meta", schema, sa.Column("key", sa.Text, primary_key=True), sa.Column("value", sa.Text))
#: `changes` counts every change and numbers notes and judgments; `contents` is its value when files or title changed.
workspaces = sa.Table(
    "ragdash_workspaces",
    schema,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("edit_hash", sa.Text),
    sa.Column("view_hash", sa.Text),
    sa.Column("title", Json),
    sa.Column("faults", Json),
    sa.Column("changes", sa.BigInteger),
    sa.Column("contents", sa.BigInteger),
    sa.Column("created_at", sa.Double),
    sa.Column("used_at", sa.Double),
    sa.Column("gone", sa.Text),
    sa.Column("gone_at", sa.Double),
)
#: Parts and runs in their order; a run that lies inside a part has the part's place in `inside`.
items = sa.Table(
    "ragdash_items",
    schema,
    sa.Column("workspace_id", sa.Text, primary_key=True),
    sa.Column("place", sa.BigInteger, primary_key=True),
    sa.Column("inside", sa.BigInteger),
    sa.Column("kind", sa.Text),
    sa.Column("digest", sa.Text),
    sa.Column("about", sa.Text),
)
choices = sa.Table(
    "ragdash_choices",
    schema,
    sa.Column("workspace_id", sa.Text, primary_key=True),
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("value", Json),
)
notes = sa.Table(
    "ragdash_notes",
    schema,
    sa.Column("workspace_id", sa.Text, primary_key=True),
    sa.Column("number", sa.BigInteger, primary_key=True),
    sa.Column("query_id", Json),
    sa.Column("text", Json),
    sa.Column("tags", Json),
    sa.Column("author", Json),
    sa.Column("at", sa.Double),
    sa.Column("replaces", sa.BigInteger),
    sa.Column("removed", sa.BigInteger),
)
judgments = sa.Table(
    "ragdash_judgments",
    schema,
    sa.Column("workspace_id", sa.Text, primary_key=True),
    sa.Column("number", sa.BigInteger, primary_key=True),
    sa.Column("query_id", Json),
    sa.Column("doc_id", Json),
    sa.Column("grade", sa.Double),
    sa.Column("author", Json),
    sa.Column("at", sa.Double),
    sa.Column("withdrawn", sa.BigInteger),
)
tables = sa.Table("ragdash_tables", schema, sa.Column("digest", sa.Text, primary_key=True))
#: Who is about to use a table says so first: a table that is claimed is not removed, though no workspace has it yet.
claims = sa.Table(
    "ragdash_claims",
    schema,
    sa.Column("claim", sa.Text, primary_key=True),
    sa.Column("digest", sa.Text, primary_key=True),
    sa.Column("until", sa.Double),
)

#: One entry a version, never edited once it was released: a database of version n gets those from n on.
STEPS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE ragdash_workspaces (id TEXT PRIMARY KEY, edit_hash TEXT NOT NULL UNIQUE, "
        "view_hash TEXT NOT NULL UNIQUE, title TEXT NOT NULL, faults TEXT NOT NULL, changes BIGINT NOT NULL, "
        "contents BIGINT NOT NULL, created_at DOUBLE PRECISION NOT NULL, used_at DOUBLE PRECISION NOT NULL, "
        "gone TEXT, gone_at DOUBLE PRECISION)",
        "CREATE TABLE ragdash_items (workspace_id TEXT NOT NULL, place BIGINT NOT NULL, inside BIGINT, "
        "kind TEXT NOT NULL, digest TEXT NOT NULL, about TEXT NOT NULL, PRIMARY KEY (workspace_id, place))",
        "CREATE INDEX ragdash_items_digest ON ragdash_items (digest)",
        "CREATE TABLE ragdash_choices (workspace_id TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, "
        "PRIMARY KEY (workspace_id, key))",
        "CREATE TABLE ragdash_notes (workspace_id TEXT NOT NULL, number BIGINT NOT NULL, query_id TEXT NOT NULL, "
        "text TEXT NOT NULL, tags TEXT NOT NULL, author TEXT NOT NULL, at DOUBLE PRECISION NOT NULL, replaces BIGINT, "
        "removed BIGINT NOT NULL, PRIMARY KEY (workspace_id, number))",
        "CREATE TABLE ragdash_judgments (workspace_id TEXT NOT NULL, number BIGINT NOT NULL, query_id TEXT NOT NULL, "
        "doc_id TEXT NOT NULL, grade DOUBLE PRECISION, author TEXT NOT NULL, at DOUBLE PRECISION NOT NULL, "
        "withdrawn BIGINT NOT NULL, PRIMARY KEY (workspace_id, number))",
        "CREATE TABLE ragdash_tables (digest TEXT PRIMARY KEY)",
        "CREATE TABLE ragdash_claims (claim TEXT NOT NULL, digest TEXT NOT NULL, until DOUBLE PRECISION NOT NULL, "
        "PRIMARY KEY (claim, digest))",
    ),
)


class Database:
    """Transactions on SQLite or PostgreSQL.

    SQLite has one writer at a time: a transaction that will write says so when it begins, and waits. In memory there is
    one connection, and a lock of this process in place of SQLite's.
    """

    def __init__(self, url: str | sa.URL) -> None:
        with spoken():
            self.url = sa.make_url(url.replace("postgres://", "postgresql://", 1) if isinstance(url, str) else url)
            if self.url.drivername == "postgresql":
                self.url = self.url.set(drivername="postgresql+psycopg")
            if self.url.drivername not in ("sqlite", "postgresql+psycopg"):
                raise exc.ArgumentError("a database of another kind")
            self.is_sqlite = self.url.drivername == "sqlite"
            in_memory = self.is_sqlite and self.url.database in (None, "", ":memory:")
            self._lock = threading.RLock() if in_memory else None
            self.engine = self._engine(in_memory)
            self.store_id = self._upgrade()

    def _engine(self, in_memory: bool) -> sa.Engine:
        if not self.is_sqlite:
            return sa.create_engine(self.url, pool_pre_ping=True, connect_args={"connect_timeout": 10})
        if in_memory:
            connect = {"check_same_thread": False}
            engine = sa.create_engine("sqlite://", poolclass=StaticPool, connect_args=connect)
        else:
            _owned(Path(str(self.url.database)))
            engine = sa.create_engine(self.url, connect_args={"timeout": WAIT})
        sa.event.listen(engine, "connect", _prepare)
        sa.event.listen(engine, "begin", _begin)
        return engine

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """A transaction that only reads, all of it as of one moment."""
        with spoken(), self._lock or nullcontext(), self.engine.connect() as plain:
            level = {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"}
            connection = plain.execution_options(**level)
            with connection.begin():
                yield connection

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """A transaction that writes: all of it is kept, or nothing where an error leaves the block."""
        with spoken(), self._lock or nullcontext(), self.engine.connect() as plain:
            connection = plain.execution_options(writes=True)
            with connection.begin():
                if not self.is_sqlite:
                    connection.execute(text(f"SET LOCAL lock_timeout = '{WAIT}s'"))
                yield connection

    def forget(self) -> None:
        """Let go of what was deleted: SQLite keeps old pages in a file beside the database until it is emptied.

        Where somebody else is at work for longer than a moment it stays until the next time.
        """
        if self.is_sqlite and self._lock is None:
            with spoken(), closing(self.engine.raw_connection()) as connection:
                cursor = connection.cursor()
                cursor.execute("PRAGMA busy_timeout = 500")
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                cursor.execute(f"PRAGMA busy_timeout = {int(WAIT * 1000)}")

    def _upgrade(self) -> str:
        """Bring the database to this version; returns the name that its tables' folder bears."""
        with self.writing() as connection:
            if not self.is_sqlite:
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            connection.execute(text("CREATE TABLE IF NOT EXISTS ragdash_meta (key TEXT PRIMARY KEY, value TEXT)"))
            said = {row.key: row.value for row in connection.execute(sa.select(meta))}
            version = int(said.get("version", 0))
            if version > len(STEPS):
                raise StorageError(
                    f"The database of workspaces is of version {version}, this ragdash knows versions up to "
                    f"{len(STEPS)}: it was written by a newer one. Update ragdash to use it; nothing was changed."
                )
            if version == len(STEPS):
                return str(said["store"])
            for statement in (one for step in STEPS[version:] for one in step):
                connection.execute(text(statement))
            if not said:
                said["store"] = os.urandom(8).hex()
                connection.execute(meta.insert(), [{"key": "store", "value": said["store"]}])
            connection.execute(meta.delete().where(meta.c.key == "version"))
            connection.execute(meta.insert(), [{"key": "version", "value": str(len(STEPS))}])
            return str(said["store"])


#: An update that changes nothing locks the row all the same.
_KNOWN = text(
    "INSERT INTO ragdash_tables (digest) VALUES (:digest) ON CONFLICT (digest) DO UPDATE SET digest = :digest"
)


def claim(connection: sa.Connection, name: str, digests: set[str], until: float) -> None:
    """Say that tables are about to be used. Waits for a removal of one of them that is under way."""
    for digest in sorted(digests):  # in one order, so that two who claim the same tables do not wait for each other
        connection.execute(_KNOWN, {"digest": digest})
        connection.execute(claims.insert(), [{"claim": name, "digest": digest, "until": until}])


def remove_unused(database: Database, digest: str, now: float, remove: Callable[[str], None]) -> bool:
    """Remove a table that no workspace has and nobody claims; True where it was removed.

    The row is locked until the files are gone, so that who claims the table meanwhile finds it removed and writes it
    anew, and never finds half of it.
    """
    with database.writing() as connection:
        row = connection.execute(sa.select(tables).where(tables.c.digest == digest).with_for_update()).first()
        claimed = connection.execute(
            sa.select(claims.c.claim).where(claims.c.digest == digest, claims.c.until > now).limit(1)
        ).first()
        # After the claims: a save refers to its tables before it lets go of its claim.
        used = connection.execute(sa.select(items.c.place).where(items.c.digest == digest).limit(1)).first()
        if row is None or used or claimed:
            return False
        remove(digest)
        connection.execute(tables.delete().where(tables.c.digest == digest))
        return True


def _owned(path: Path) -> None:
    """Make the database's file, readable by this user only; SQLite gives its side files the same rights."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def _prepare(connection: sqlite3.Connection, _record: Any) -> None:
    connection.isolation_level = None  # BEGIN is said by `_begin`, not by the driver
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "secure_delete = ON", "temp_store = MEMORY"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: sa.Connection) -> None:
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def spoken() -> Iterator[None]:
    """Say what a disk or a database has to say in a sentence. What is no fault of theirs stays what it is: a bug."""
    try:
        yield
    except exc.TimeoutError as error:
        raise StorageError("The database of workspaces is busy. Nothing was changed; try again.") from error
    except (exc.ArgumentError, exc.NoSuchModuleError, ModuleNotFoundError) as error:
        raise StorageError(
            "The setting RAGDASH_DATABASE_URL is none that can be used. Expected: postgresql://user@host/database, or "
            "nothing for a file of its own."
        ) from error
    except exc.DBAPIError as error:
        if sentence := _said_by_database(error):
            raise StorageError(sentence) from error
        raise
    except OSError as error:
        if sentence := _said_by_disk(error):
            raise StorageError(sentence) from error
        raise


def _said_by_disk(error: OSError) -> str:
    if error.errno in (ENOSPC, EDQUOT):
        return "The disk that keeps workspaces is full; nothing was changed. Free some space there, then try again."
    if error.errno in (EACCES, EPERM, EROFS, ENOTDIR, EEXIST):
        return (
            "The folder that keeps workspaces cannot be written to; nothing was changed. Give ragdash the right to, or "
            "name another one (setting RAGDASH_STORE)."
        )
    return ""


def _said_by_database(error: exc.DBAPIError) -> str:
    said = str(error.orig).lower()
    if "disk is full" in said or "no space left" in said or getattr(error.orig, "sqlstate", "") == "53100":
        return "The disk that keeps the database of workspaces is full; nothing was changed. Free some space there."
    if "locked" in said or "lock timeout" in said:
        return f"Somebody else's change took longer than {WAIT} seconds. Nothing was changed; try again."
    if "readonly" in said or "read-only" in said or "unable to open" in said:
        return (
            "The database of workspaces cannot be written to; nothing was changed. Give ragdash the right to, or name "
            "another folder (setting RAGDASH_STORE)."
        )
    if "malformed" in said or "not a database" in said:
        return "The database of workspaces is damaged. Restore a backup, or name another one (setting RAGDASH_STORE)."
    if "disk i/o" in said:
        return "The disk that keeps the database of workspaces reports an error; the last change was not kept."
    if isinstance(error.orig, sqlite3.Error):
        return ""  # here a table that is missing is an OperationalError too
    if isinstance(error, exc.OperationalError | exc.InterfaceError) or error.connection_invalidated:
        return (
            "The database of workspaces does not answer. Nothing was changed; try again, and if it lasts, check the "
            "setting RAGDASH_DATABASE_URL and that the server runs."
        )
    return ""
