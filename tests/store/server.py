"""A PostgreSQL server of the tests' own: in a temporary folder, reached through a socket file, gone afterwards."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

PLACES = ("/usr/lib/postgresql/*/bin", "/opt/homebrew/opt/postgresql*/bin", "/usr/local/opt/postgresql*/bin")
MISSING = (
    "PostgreSQL is not installed, and these tests need it. Run them through .ci/setup.py, which installs it, or "
    "install it yourself: 'apt-get install postgresql' on Debian, 'brew install postgresql' on macOS."
)


def binaries() -> Path:
    """The folder of `initdb` and `pg_ctl`; of several versions the newest."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    found = [path for place in PLACES for path in Path("/").glob(f"{place.lstrip('/')}/initdb")]
    assert found, MISSING
    return max(found, key=lambda path: [int(part) if part.isdigit() else 0 for part in path.parts]).parent


def unprivileged() -> dict[str, Any]:
    """How to start what refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    import pwd

    names = {entry.pw_name for entry in pwd.getpwall()}
    user = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


@contextmanager
def running() -> Iterator[Path]:
    """A server; yields the folder of its socket. fsync is off: these tests kill clients, not the machine."""
    where, who = binaries(), unprivileged()
    folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))  # a socket's path has at most 107 letters
    if who:
        os.chown(folder, who["user"], who["group"])
    data = folder / "data"

    def do(*command: object) -> None:
        done = subprocess.run(
            [str(part) for part in command], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **who
        )
        log = folder / "log"
        assert done.returncode == 0, done.stderr.decode() + (log.read_text() if log.exists() else "")

    try:
        do(where / "initdb", "-D", data, "-U", "tests", "-A", "trust", "-E", "UTF8", "--no-sync")
        options = f"-k {folder} -c listen_addresses='' -c fsync=off -c max_connections=60"
        do(where / "pg_ctl", "-D", data, "-l", folder / "log", "-w", "-o", options, "start")
        try:
            yield folder
        finally:
            do(where / "pg_ctl", "-D", data, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def database(folder: Path) -> Iterator[str]:
    """A database of its own for one test; yields its URL."""
    name = f"t{secrets.token_hex(6)}"
    with psycopg.connect(host=str(folder), user="tests", dbname="postgres", autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
        yield f"postgresql://tests@/{name}?host={folder}"
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())
