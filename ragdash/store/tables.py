"""Where do tables lie? In a folder, behind an fsspec URL, or in memory; each whole or not at all, named by digest."""

from __future__ import annotations

import math
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from errno import EEXIST, ENOTEMPTY
from pathlib import Path
from typing import Protocol

from ragdash.store.columnfiles import MANIFEST, Packed, is_sound, manifest_of, mapped, table_of, verify, write
from ragdash.store.errors import StorageError
from ragdash.store.pieces import Table

STALE = 24 * 3600.0  # seconds after which a folder that was never finished is nobody's any more
UNKNOWN = 3600.0  # seconds after which a copy is removed whose table nobody knows


class Tables(Protocol):
    """A place for tables. Digests that come here are 64 hexadecimal digits: they were made or checked before."""

    def has(self, digest: str) -> bool:
        """Whether the table is there, whole."""

    def put(self, packed: Packed) -> None:
        """Keep a table; nothing happens where it is kept already."""

    def open(self, digest: str) -> Table:
        """The table, its arrays read-only."""

    def verify(self, digest: str) -> None:
        """Read every byte and compare. Raises StorageError."""

    def remove(self, digest: str) -> None:
        """Remove a table, if it is there."""

    def tidy(self, known: Iterable[str], now: float) -> None:
        """Remove what a killed process left half written, and copies of tables that are not `known` any more."""


class Folder:
    """Tables as folders of `root`.

    A table is written into `root/tmp` and then renamed: that publishes all of it at once, also after a power cut, and
    of two processes that write the same table at the same time one wins and the other throws its copy away.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        private_folder(root)
        private_folder(root / "tmp")

    def path(self, digest: str) -> Path:
        return self.root / digest

    def has(self, digest: str) -> bool:
        return is_sound(digest, self.path(digest))

    def put(self, packed: Packed) -> None:
        if self.has(packed.digest):
            return
        with self.scratch() as folder:
            write(packed, folder)
            self.publish(packed.digest, folder)

    def publish(self, digest: str, folder: Path) -> None:
        """Rename a finished folder; a damaged table of the same name makes way."""
        _sync(folder)
        while not self.has(digest):
            self.remove(digest)
            try:
                folder.rename(self.path(digest))
            except OSError as error:  # another process was faster, and perhaps has removed its copy again
                if error.errno not in (EEXIST, ENOTEMPTY):
                    raise
        _sync(self.root)

    def open(self, digest: str) -> Table:
        return mapped(digest, self.path(digest))

    def verify(self, digest: str) -> None:
        verify(digest, self.path(digest))

    def remove(self, digest: str) -> None:
        """Renamed first, so that no reader finds half a table."""
        away = self.root / "tmp" / secrets.token_hex(8)
        try:
            self.path(digest).rename(away)
        except FileNotFoundError:
            return
        shutil.rmtree(away, ignore_errors=True)

    def tidy(self, known: Iterable[str], now: float) -> None:
        for left in (self.root / "tmp").iterdir():
            if now - _changed(left) > STALE:
                shutil.rmtree(left, ignore_errors=True)

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """A folder to write into, readable by nobody else; gone afterwards unless it was renamed."""
        folder = self.root / "tmp" / secrets.token_hex(8)
        folder.mkdir(mode=0o700)
        try:
            yield folder
        finally:
            if folder.exists():
                shutil.rmtree(folder, ignore_errors=True)


class Remote:
    """Tables behind an fsspec URL, fetched into a folder of this computer when they are opened and mapped from there.

    An object store renames no folders. There the manifest is written last: a table without one is not there. A shared
    folder (`file://`) renames, so tables appear in it whole. Both are copied before they are mapped: a mapped file on
    a share that goes away would take the process with it.
    """

    def __init__(self, url: str, cache: Folder, cache_bytes: int) -> None:
        with remote_errors():
            import fsspec  # type: ignore[import-untyped]

            self.fs, root = fsspec.core.url_to_fs(url)
        self.root = str(root).rstrip("/")
        self.cache, self.cache_bytes = cache, cache_bytes
        protocol = self.fs.protocol if isinstance(self.fs.protocol, str) else self.fs.protocol[0]
        self.share = Folder(Path(self.root)) if protocol in ("file", "local") else None

    def has(self, digest: str) -> bool:
        if self.share is not None:
            return self.share.has(digest)
        with remote_errors():
            return bool(self.fs.exists(f"{self.root}/{digest}/{MANIFEST}"))

    def put(self, packed: Packed) -> None:
        self.cache.put(packed)
        if self.share is not None:
            self.share.put(packed)
            return
        there, here = f"{self.root}/{packed.digest}", self.cache.path(packed.digest)
        if self.has(packed.digest):
            return
        with remote_errors():
            self.fs.makedirs(there, exist_ok=True)
            for name in (*(file for file, _, _ in packed.files), MANIFEST):
                self.fs.put_file(str(here / name), f"{there}/{name}")

    def open(self, digest: str) -> Table:
        for _ in range(3):
            with suppress(
                StorageError, FileNotFoundError
            ):  # no copy yet, or another process removes what it has in excess
                table = self.cache.open(digest)
                os.utime(self.cache.path(digest))
                return table
            with self._fetched(digest) as folder:
                self.cache.publish(digest, folder)
        return self.cache.open(digest)

    @contextmanager
    def _fetched(self, digest: str) -> Iterator[Path]:
        """A table as it lies behind the URL, every byte compared, in a folder that is gone afterwards."""
        there = f"{self.root}/{digest}"
        with self.cache.scratch() as folder:
            with remote_errors():
                self.fs.get_file(f"{there}/{MANIFEST}", str(folder / MANIFEST))
                told = manifest_of(digest, (folder / MANIFEST).read_bytes())
                for name in told["files"]:
                    self.fs.get_file(f"{there}/{name}", str(folder / name))
            verify(digest, folder)
            yield folder

    def verify(self, digest: str) -> None:
        """Fetched anew, so that what lies behind the URL is read and not the copy."""
        with self._fetched(digest):
            pass

    def remove(self, digest: str) -> None:
        self.cache.remove(digest)
        if self.share is not None:
            self.share.remove(digest)
            return
        with remote_errors():
            there = f"{self.root}/{digest}"
            if self.fs.exists(f"{there}/{MANIFEST}"):
                self.fs.rm_file(f"{there}/{MANIFEST}")
            if self.fs.exists(there):
                self.fs.rm(there, recursive=True)

    def tidy(self, known: Iterable[str], now: float) -> None:
        """Copies of tables that were removed by another server go, then those used longest ago, down to the limit."""
        self.cache.tidy(known, now)
        if self.share is not None:
            self.share.tidy(known, now)
        keep, used = set(known), 0
        for copy in sorted((one for one in self.cache.root.iterdir() if one.name != "tmp"), key=_changed, reverse=True):
            with suppress(FileNotFoundError):  # another process tidies the same folder
                used += sum(file.stat().st_size for file in copy.iterdir())
                if (copy.name not in keep and now - _changed(copy) > UNKNOWN) or used > self.cache_bytes:
                    self.cache.remove(copy.name)


class Memory:
    """Tables that are written nowhere: the very arrays that were put here."""

    def __init__(self) -> None:
        self.kept: dict[str, Table] = {}

    def has(self, digest: str) -> bool:
        return digest in self.kept

    def put(self, packed: Packed) -> None:
        if not self.has(packed.digest):
            bodies = {name: body for name, _, body in packed.files}
            for body in bodies.values():
                body.flags.writeable = False
            told = manifest_of(packed.digest, packed.manifest)
            self.kept[packed.digest] = table_of(told, lambda file, entry: bodies[file])

    def open(self, digest: str) -> Table:
        return self.kept[digest]

    def verify(self, digest: str) -> None:
        """What is in memory is what was put there."""

    def remove(self, digest: str) -> None:
        self.kept.pop(digest, None)

    def tidy(self, known: Iterable[str], now: float) -> None:
        """There is nothing half written in memory."""


def private_folder(path: Path) -> None:
    """Make a folder that only this user can look into."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)


@contextmanager
def remote_errors() -> Iterator[None]:
    """Whatever a file system behind a URL raises, as a sentence."""
    try:
        yield
    except StorageError:
        raise
    except FileNotFoundError:
        raise StorageError(
            "A table of this workspace is missing in the file store (setting RAGDASH_FILES_URL). "
            "Load its file again, or restore a backup."
        ) from None
    except Exception as error:  # each object store has classes of its own, and none of them is imported here
        raise StorageError(
            f"The file store cannot be used: {type(error).__name__}, {str(error)[:200]}. Check the setting "
            "RAGDASH_FILES_URL, its credentials and the network; nothing was changed."
        ) from error


def _sync(folder: Path) -> None:
    """Wait until the disk has the names in a folder. Windows cannot, and does not need to."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:  # another process tidies the same folder
        return math.inf
