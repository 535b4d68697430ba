"""How is a table files? One npy file for each row of bytes, and a manifest whose SHA-256 is the table's name.

npy files are read by anybody with numpy, and mapped into memory without reading a row: opening is a matter of
milliseconds, however long the table. Text is two of them, offsets and UTF-8 bytes, which is how Arrow holds it in
memory; a third has the bits that tell null from empty.
"""

from __future__ import annotations

import hashlib
import io
import json
import mmap
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ragdash.store.errors import StorageError
from ragdash.store.pieces import Column, Table

MANIFEST = "manifest.json"
VERSION = 1
#: Kinds of numbers a file may hold. All are little-endian: a big-endian machine would turn them on reading.
KINDS = {"<i4": np.int32, "<i8": np.int64, "<f8": np.float64, "<f4": np.float32, "|u1": np.uint8, "|b1": np.bool_}
_DAMAGED = "A table of this workspace is damaged in the store ({}). Load its file again, or restore a backup."


@dataclass(frozen=True)
class Packed:
    """A table ready to be written: `files` are (name, head, body), `manifest` says what they are."""

    digest: str
    manifest: bytes
    files: tuple[tuple[str, bytes, NDArray[Any]], ...]


def packed(table: Table) -> Packed:
    """The files of a table. Nothing is copied but text that begins in the middle of a buffer."""
    files, listed = [], {}
    for name, column in table.columns.items():
        for suffix, array in _arrays(column).items():
            array = _as_kept(array)
            head, file = _head(array), f"{name}{suffix}.npy"
            digest = hashlib.sha256(head)
            digest.update(array.data)
            listed[file] = {
                "kind": array.dtype.str,
                "n": len(array),
                "offset": len(head),
                "sha256": digest.hexdigest(),
            }
            files.append((file, head, array))
    told = {"ragdash": VERSION, "kind": table.kind, "facts": table.facts, "files": listed}
    manifest = json.dumps(told, sort_keys=True, separators=(",", ":")).encode()
    return Packed(hashlib.sha256(manifest).hexdigest(), manifest, tuple(files))


def _arrays(column: Column) -> dict[str, NDArray[Any]]:
    """A column as rows of bytes, by the end of the file's name."""
    if not isinstance(column, pa.Array):
        return {"": column}
    large = pa.types.is_large_string(column.type)
    kind = np.dtype(np.int64 if large else np.int32)
    if not len(column):
        return {".offsets": np.zeros(1, dtype=kind), ".bytes": np.zeros(0, dtype=np.uint8)}
    valid, offsets_buffer, values = column.buffers()
    offsets = np.frombuffer(offsets_buffer, dtype=kind)[column.offset : column.offset + len(column) + 1]
    text = np.frombuffer(values, dtype=np.uint8) if values is not None else np.zeros(0, dtype=np.uint8)
    text = text[offsets[0] : offsets[-1]]
    out = {".offsets": offsets if offsets[0] == 0 else offsets - offsets[0], ".bytes": text}
    if column.null_count:
        bits = np.unpackbits(np.frombuffer(valid, dtype=np.uint8), bitorder="little")
        out[".valid"] = np.packbits(bits[column.offset : column.offset + len(column)], bitorder="little")
    return out


def _as_kept(array: NDArray[Any]) -> NDArray[Any]:
    """In one piece, of a kind that `KINDS` knows; a kind it does not know (16 bits, say) is widened."""
    if array.dtype.newbyteorder("<").str not in KINDS:
        array = array.astype(np.float64 if array.dtype.kind == "f" else np.int64)
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))


def _head(array: NDArray[Any]) -> bytes:
    """What stands before the numbers in an npy file: a multiple of 64 bytes, so that what is mapped is aligned."""
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(head, np.lib.format.header_data_from_array_1_0(array))
    return head.getvalue()


def manifest_of(digest: str, manifest: bytes) -> dict[str, Any]:
    """What a manifest says, once it is the one that `digest` names."""
    if hashlib.sha256(manifest).hexdigest() != digest:
        raise StorageError(_DAMAGED.format("its manifest was changed"))
    told: dict[str, Any] = json.loads(manifest)
    if told["ragdash"] != VERSION:
        raise StorageError("A table of this workspace was written by a newer ragdash. Update ragdash to open it.")
    return told


def table_of(told: Mapping[str, Any], array_of: Callable[[str, Mapping[str, Any]], NDArray[Any]]) -> Table:
    """The table that a manifest describes; `array_of(file, entry)` gives each file's numbers."""
    arrays = {file.removesuffix(".npy"): array_of(file, entry) for file, entry in told["files"].items()}
    columns: dict[str, Column] = {}
    for name, array in arrays.items():
        stem, _, suffix = name.rpartition(".")
        if suffix == "offsets" and f"{stem}.bytes" in arrays:
            columns[stem] = _text(array, arrays[f"{stem}.bytes"], arrays.get(f"{stem}.valid"))
        elif not (suffix in ("bytes", "valid") and f"{stem}.offsets" in arrays):
            columns[name] = array
    return Table(told["kind"], columns, told["facts"])


def _text(offsets: NDArray[Any], text: NDArray[Any], valid: NDArray[Any] | None) -> pa.Array:
    kind = pa.large_string() if offsets.dtype == np.int64 else pa.string()
    bits = None if valid is None else pa.py_buffer(valid)
    buffers = [bits, pa.py_buffer(offsets), pa.py_buffer(text)]
    return pa.Array.from_buffers(kind, len(offsets) - 1, buffers, 0 if valid is None else -1)


def write(packed: Packed, folder: Path) -> None:
    """Write a table into an empty folder, and wait until the disk has it."""
    for name, head, body in packed.files:
        with open(folder / name, "xb") as file:
            file.write(head)
            file.write(body.data)
            _settle(file)
    with open(folder / MANIFEST, "xb") as file:
        file.write(packed.manifest)
        _settle(file)


def _settle(file: Any) -> None:
    file.flush()
    os.fsync(file.fileno())


def is_sound(digest: str, folder: Path) -> bool:
    """Whether a table is there, its manifest the right one and each file of the right size. Reads no row."""
    try:
        told = manifest_of(digest, (folder / MANIFEST).read_bytes())
        return all((folder / file).stat().st_size == size(entry) for file, entry in told["files"].items())
    except (OSError, StorageError):
        return False


def size(entry: Mapping[str, Any]) -> int:
    """Bytes of a file by what the manifest says of it."""
    return int(entry["offset"]) + int(entry["n"]) * int(np.dtype(KINDS[entry["kind"]]).itemsize)


def mapped(digest: str, folder: Path) -> Table:
    """The table in `folder`, mapped into memory and read-only. Manifest and sizes are checked, rows are not read.

    The check of sizes is no luxury: reading a mapping beyond the end of a file that was cut kills the process.
    """
    try:
        told = manifest_of(digest, (folder / MANIFEST).read_bytes())
        return table_of(told, lambda file, entry: _map(folder / file, entry))
    except FileNotFoundError:
        raise StorageError(_DAMAGED.format("a file is missing")) from None


def _map(path: Path, entry: Mapping[str, Any]) -> NDArray[Any]:
    with open(path, "rb") as file:
        if os.fstat(file.fileno()).st_size != size(entry):
            raise StorageError(_DAMAGED.format("a file was cut off"))
        view = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return np.frombuffer(view, dtype=entry["kind"], count=entry["n"], offset=entry["offset"])


def verify(digest: str, folder: Path) -> None:
    """Read every byte of a table and compare digests. Raises StorageError."""
    mapped(digest, folder)
    told = manifest_of(digest, (folder / MANIFEST).read_bytes())
    for file, entry in told["files"].items():
        with open(folder / file, "rb") as stream:
            if hashlib.file_digest(stream, "sha256").hexdigest() != entry["sha256"]:
                raise StorageError(_DAMAGED.format("a file was changed"))
