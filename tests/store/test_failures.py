"""What does a person read when disk or database fail? A sentence; and nothing was changed."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from ragdash.store import Settings, StorageError, Store, Workspace, columnfiles, database
from tests.store import server
from tests.store.conftest import PLACES
from tests.store.things import dense, many, plain, workspace


@pytest.fixture
def folder(tmp_path: Path) -> Settings:
    return Settings(tmp_path / "store")


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
@pytest.mark.parametrize("settings", PLACES[:3], indirect=True)
def test_a_full_disk_is_a_message(settings: Settings, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    store = Store(settings)
    access = store.create(workspace())
    calls = []

    def full(file: Any) -> None:
        calls.append(file.name)
        if len(calls) > 3:
            raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patch:
        patch.setattr(columnfiles, "_settle", full)
        with pytest.raises(StorageError, match=r"is full; nothing was changed\. Free some space"):
            store.save(access, replace(store.load(access), runs=(many("new", 1),)))
    assert len(calls) == 4
    assert plain(store.load(access)) == plain(workspace())
    assert list(settings.folder.rglob("tmp/*")) == []
    assert len(store.save(access, Workspace(runs=(many("new", 1),))).runs) == 3
    store.close()


def test_a_full_disk_of_the_database_is_a_message(folder: Settings) -> None:
    store = Store(folder)
    access = store.create(workspace())
    engine = store._kept.database.engine
    with engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
    sa.event.listen(engine, "connect", lambda connection, _: connection.execute(f"PRAGMA max_page_count = {pages + 2}"))
    engine.dispose()
    with pytest.raises(StorageError, match="keeps the database of workspaces is full; nothing was changed"):
        for i in range(100):
            store.add_note(access, "q", f"{i} " + "long " * 1000)
    assert plain(Store(folder).load(access)) == plain(workspace())
    store.close()


def test_a_tiny_disk_of_its_own() -> None:
    """Where this test may mount one (as root, on Linux): a real disk of 1 MB that is really full."""
    script = """
import os, sys
from pathlib import Path
from dataclasses import replace
from ragdash.store import Settings, StorageError, Store, Workspace
from tests.store.things import many
where = Path(sys.argv[1])
store = Store(Settings(where))
access = store.create(Workspace(runs=(many("first", 1),)))
saved = 1
try:
    for i in range(2, 500):
        now = store.load(access)
        store.save(access, replace(now, runs=(*now.runs, many(f"r{i}", i))))
        saved = i
except StorageError as error:
    print(error)
store = Store(Settings(where))
assert len(store.load(access).runs) in (saved, saved + 1), saved
store.verify(access)
"""
    mounted = f'mkdir -p $1 && mount -t tmpfs -o size=1m tmpfs $1 && {sys.executable} -c "$2" $1'
    where = f"/tmp/tiny-{os.getpid()}"
    command = ["unshare", "--mount", "sh", "-c", mounted, "sh", where, script]
    if os.geteuid() != 0 or sys.platform != "linux":
        return
    if subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode:
        return
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True)
    Path(where).rmdir()
    assert done.returncode == 0, done.stderr
    assert "is full; nothing was changed. Free some space" in done.stdout


def test_a_database_that_is_locked_is_a_message(folder: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "WAIT", 0.1)
    store, other = Store(folder), Store(folder)
    access = store.create(workspace())
    with other._kept.database.writing():
        with pytest.raises(StorageError, match=r"took longer than .* seconds\. Nothing was changed; try again"):
            store.judge(access, "q", "d", 1)
        assert plain(store.load(access)) == plain(workspace())  # who reads waits for nobody
    assert store.judgments(access) == ()
    store.judge(access, "q", "d", 1)


def test_a_database_out_of_reach_is_a_message(tmp_path: Path) -> None:
    url = f"postgresql://somebody:secret@/nothing?host={tmp_path}"
    with pytest.raises(StorageError, match=r"does not answer\. Nothing was changed.*RAGDASH_DATABASE_URL") as raised:
        Store(Settings(tmp_path / "store", url))
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("url", ["nonsense", "oracle://x/y", "sqlserver+no://x"])
def test_a_database_url_that_is_none(tmp_path: Path, url: str) -> None:
    with pytest.raises(StorageError, match="RAGDASH_DATABASE_URL is none that can be used"):
        Store(Settings(tmp_path / "store", url))


@pytest.mark.parametrize("url", ["nonsense://bucket", "s3://no-such-bucket-of-ragdash/x"])
def test_a_file_store_that_cannot_be_used(tmp_path: Path, url: str) -> None:
    with pytest.raises(StorageError, match=r"file store cannot be used.*RAGDASH_FILES_URL"):
        Store(Settings(tmp_path / "store", files_url=url)).create(workspace())


def test_a_connection_that_broke_is_made_again(postgres: Path, settings_for: Any) -> None:
    import psycopg

    settings = settings_for("postgres and a share")
    store = Store(settings)
    access = store.create(workspace())
    with psycopg.connect(host=str(postgres), user="tests", dbname="postgres", autocommit=True) as connection:
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname LIKE 't%'")
    store.add_note(access, "q", "still there")
    assert len(store.notes(access)) == 1
    store.close()


def test_a_folder_that_cannot_be_written_to_is_a_message(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match=r"folder that keeps workspaces .*RAGDASH_STORE"):
        Store(Settings(tmp_path / "file" / "store"))


def table_files(store: Store) -> list[Path]:
    return sorted(store._kept.tables.root.glob("*/*.npy"))  # type: ignore[attr-defined]


def test_a_file_that_was_cut_is_noticed_on_opening(folder: Settings) -> None:
    access = Store(folder).create(workspace())
    for path in table_files(Store(folder)):
        whole = path.read_bytes()
        path.write_bytes(whole[:-1])
        with pytest.raises(StorageError, match=r"damaged in the store \(a file was cut off\)\. Load its file again"):
            Store(folder).load(access)
        path.unlink()
        with pytest.raises(StorageError, match="a file is missing"):
            Store(folder).load(access)
        path.write_bytes(whole)
    assert plain(Store(folder).load(access)) == plain(workspace())


def test_a_changed_byte_is_noticed_when_asked_for(folder: Settings) -> None:
    store = Store(folder)
    access = store.create(workspace())
    store.verify(access)
    path = next(path for path in table_files(store) if path.name == "scores.npy")
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(StorageError, match=r"damaged in the store \(a file was changed\)"):
        Store(folder).verify(access)


def test_a_changed_manifest_is_noticed_on_opening(folder: Settings) -> None:
    store = Store(folder)
    access = store.create(workspace())
    path = next(iter(store._kept.tables.root.glob("*/manifest.json")))  # type: ignore[attr-defined]
    path.write_bytes(path.read_bytes().replace(b'"n":', b'"n": '))
    with pytest.raises(StorageError, match="its manifest was changed"):
        Store(folder).load(access)


def test_loading_a_damaged_file_again_mends_it(folder: Settings) -> None:
    access = Store(folder).create(Workspace(runs=(dense(),)))
    path = table_files(Store(folder))[0]
    path.write_bytes(b"")
    Store(folder).create(Workspace(runs=(dense(),)))
    assert plain(Store(folder).load(access).runs) == plain((dense(),))


def test_a_damaged_database_is_a_message(folder: Settings) -> None:
    store = Store(folder)
    store.create(workspace())
    store.close()
    (folder.folder / "workspaces.sqlite").write_bytes(b"no database at all " * 500)
    with pytest.raises(StorageError, match="damaged"):
        Store(folder)


def test_a_copy_that_was_changed_behind_the_url_is_refused(tmp_path: Path, settings_for: Any) -> None:
    settings = settings_for("postgres and a share")
    access = Store(settings).create(workspace())
    path = next(iter((tmp_path / "share").rglob("scores.npy")))
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(StorageError, match="a file was changed"):
        Store(replace(settings, folder=tmp_path / "another server")).load(access)
    path.unlink()
    with pytest.raises(StorageError, match="missing in the file store"):
        Store(replace(settings, folder=tmp_path / "a third server")).load(access)


def test_copies_are_kept_down_to_the_limit(tmp_path: Path, settings_for: Any) -> None:
    settings = replace(settings_for("postgres and a share"), cache_mb=0)
    store = Store(settings)
    access = store.create(workspace())
    store.tidy()
    copies = [path for path in settings.folder.glob("copies-*/*") if path.name != "tmp"]
    assert copies == []
    assert plain(Store(settings).load(access)) == plain(workspace())


def test_a_newer_database_is_refused_and_left_alone(shared: Settings) -> None:
    store = Store(shared)
    with store._kept.database.writing() as connection:
        connection.execute(database.meta.update().where(database.meta.c.key == "version").values(value="99"))
    with pytest.raises(StorageError, match=r"of version 99, .* written by a newer one\. Update ragdash"):
        Store(shared)


def test_an_older_database_is_brought_up_step_by_step(shared: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    old = Store(shared)
    access = old.create(workspace())
    more = ("ALTER TABLE ragdash_notes ADD COLUMN colour TEXT", "UPDATE ragdash_notes SET colour = 'blue'")
    old.add_note(access, "q", "kept")
    monkeypatch.setattr(database, "STEPS", (*database.STEPS, more))
    new = Store(shared)
    with new._kept.database.reading() as connection:
        assert connection.execute(sa.text("SELECT colour FROM ragdash_notes")).scalar_one() == "blue"
    assert plain(Store(shared).load(access)) == plain(workspace())


def test_a_step_that_fails_changes_nothing(shared: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    access = Store(shared).create(workspace())
    bad = ("ALTER TABLE ragdash_notes ADD COLUMN colour TEXT", "UPDATE no_such_table SET x = 1")
    with monkeypatch.context() as patch:
        patch.setattr(database, "STEPS", (*database.STEPS, bad))
        with pytest.raises((sa.exc.DBAPIError, StorageError)):
            Store(shared)
    assert plain(Store(shared).load(access)) == plain(workspace())


def test_the_tables_are_those_that_the_code_names(shared: Settings) -> None:
    store = Store(shared)
    there = sa.inspect(store._kept.database.engine)
    for table in database.schema.tables.values():
        assert {one["name"] for one in there.get_columns(table.name)} == {one.name for one in table.columns}
        assert there.get_pk_constraint(table.name)["constrained_columns"] == [one.name for one in table.primary_key]
    assert {name for name in there.get_table_names() if name.startswith("ragdash_")} == set(database.schema.tables)


def test_nobody_else_on_this_computer_can_look_in(folder: Settings) -> None:
    Store(folder).create(workspace())
    assert folder.folder.stat().st_mode & 0o077 == 0
    for path in folder.folder.glob("workspaces.sqlite*"):
        assert path.stat().st_mode & 0o077 == 0, path
    for path in folder.folder.rglob("*"):
        assert not path.is_dir() or path.stat().st_mode & 0o077 == 0, path


def test_what_is_kept_holds_no_token(folder: Settings) -> None:
    store = Store(folder)
    access = store.create(workspace())
    store.add_note(access, "q", "a note")
    for path in folder.folder.rglob("*"):
        if path.is_file():
            assert not re.search(f"{access.token}|{access.view_token}".encode(), path.read_bytes())


def test_two_databases_in_one_folder_remove_only_what_is_theirs(tmp_path: Path, settings_for: Any) -> None:
    one, other = settings_for("postgres and a share"), settings_for("postgres and a share")
    assert (one.files_url, one.folder) == (other.files_url, other.folder)
    first, second = Store(one), Store(other)
    gone, kept = first.create(workspace()), second.create(workspace())
    first.delete(gone)
    first.tidy()
    second.verify(kept)
    assert plain(Store(replace(other, folder=tmp_path / "another server")).load(kept)) == plain(workspace())


def test_without_postgresql_the_tests_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "PLACES", ())
    monkeypatch.setenv("PATH", "")
    with pytest.raises(AssertionError, match="apt-get install postgresql"):
        server.binaries()
