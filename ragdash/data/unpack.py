"""What is in an archive? Unpacked in memory, within limits; a cut archive is refused, not read in part."""

from __future__ import annotations

import bz2
import io
import json
import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import IO, Any

from ragdash.data.formats.base import Blob
from ragdash.data.formats.excel import is_workbook
from ragdash.data.limits import in_bytes, limit, setting
from ragdash.errors import EmptyFileError, LimitError, MalformedError


class _Zstd:
    """Frames of zstandard, read to the end of the last one. (Its own reader takes half a frame for a whole one.)"""

    def __init__(self, raw: IO[bytes]) -> None:
        import zstandard

        self._raw, self._new = raw, zstandard.ZstdDecompressor().decompressobj
        self._frame: Any = None
        self._left = b""

    def __enter__(self) -> _Zstd:
        return self

    def __exit__(self, *_: object) -> None:
        self._raw.close()

    def read(self, size: int) -> bytes:
        """Some bytes, none at the end. Raises EOFError where the last frame is cut off."""
        out = b""
        while not out:
            given = self._left or self._raw.read(size)
            self._left = b""
            if not given:
                if self._frame is not None:
                    raise EOFError("it ends within a frame")
                return b""
            if self._frame is None:
                self._frame = self._new()
            out = self._frame.decompress(given)
            if self._frame.eof:
                self._left, self._frame = self._frame.unused_data, None
        return out


def _gzip(raw: IO[bytes]) -> Any:
    """Intel's decoder with the interface of `gzip`, which takes half the time."""
    from isal import igzip

    return igzip.IGzipFile(fileobj=raw)  # type: ignore[no-untyped-call]


_STREAMS: tuple[tuple[bytes, str, tuple[str, ...], Callable[[IO[bytes]], Any]], ...] = (
    (b"\x1f\x8b", "gzip", (".gz", ".gzip"), _gzip),
    (b"BZh", "bzip2", (".bz2",), lambda raw: bz2.BZ2File(raw)),
    (b"\x28\xb5\x2f\xfd", "zstd", (".zst", ".zstd"), _Zstd),
    (b"\xfd7zXZ\x00", "xz", (".xz",), lzma.open),
)
_BROKEN = (EOFError, OSError, zlib.error, lzma.LZMAError, ValueError)
_CHUNK = 1 << 20
_TEXTS = (".html", ".htm", ".txt")


def unpacked(blob: Blob, depth: int = 0) -> list[Blob]:
    """The files in `blob`: itself where it is no archive."""
    head = blob.head(512)
    for magic, kind, endings, opener in _STREAMS:
        if head.startswith(magic):
            inner = _stream(blob, kind, endings, opener)
            _check_depth(blob.name, depth)
            return unpacked(inner, depth + 1)
    if head[257:262] == b"ustar":
        return _tar(blob, depth)
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")) and not is_workbook(blob) and not _is_word(blob):
        return _zip(blob, depth)
    return [blob]


def _is_word(blob: Blob) -> bool:
    tail = blob.bytes[-65536:]
    return b"word/document" in tail or b"ppt/presentation" in tail


def _stream(blob: Blob, kind: str, endings: tuple[str, ...], opener: Callable[[IO[bytes]], Any]) -> Blob:
    name = next((blob.name[: -len(end)] for end in endings if blob.name.lower().endswith(end)), blob.name)
    parts: list[bytes] = []
    size = 0
    try:
        with opener(io.BytesIO(blob.bytes)) as stream:
            while chunk := stream.read(_CHUNK):
                size += len(chunk)
                if size > in_bytes("unpacked_mb"):
                    raise _too_large(blob.name)
                parts.append(chunk)
    except _BROKEN as error:
        raise _cut(blob.name, kind, error) from None
    except Exception as error:  # the libraries' own classes, which are not imported for other archives
        if type(error).__name__ not in ("ZstdError", "IsalError"):
            raise
        raise _cut(blob.name, kind, error) from None
    return Blob(name, data=b"".join(parts))


def _cut(name: str, kind: str, error: Exception) -> MalformedError:
    found = "is cut off" if isinstance(error, EOFError) or "end" in str(error).lower() else "is damaged"
    return MalformedError(
        name,
        f"the {kind} archive {found} ({str(error)[:80] or type(error).__name__})",
        expected="a whole archive",
        todo="Download it again",
    )


def _too_large(name: str) -> LimitError:
    return LimitError(
        name,
        f"it unpacks to more than {limit('unpacked_mb'):,} MB",
        expected="a smaller file",
        todo=f"Split it, or raise {setting('unpacked_mb')}",
    )


def _zip(blob: Blob, depth: int) -> list[Blob]:
    out: list[Blob] = []
    try:
        with zipfile.ZipFile(io.BytesIO(blob.bytes)) as archive:
            members = [one for one in archive.infolist() if not one.is_dir() and not ignored(one.filename)]
            _check(blob.name, len(members), sum(one.file_size for one in members), depth)
            left = in_bytes("unpacked_mb")
            for member in members:
                with archive.open(member) as stream:
                    data = stream.read(left + 1)
                left -= len(data)
                if left < 0:
                    raise _too_large(blob.name)
                out += unpacked(Blob(f"{blob.name}/{member.filename}", data=data), depth + 1)
    except RuntimeError as error:  # a member with a password
        raise MalformedError(
            blob.name, f"the zip archive cannot be opened ({error})", expected="one without a password"
        ) from None
    except (zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError, *_BROKEN) as error:
        raise _cut(blob.name, "zip", error) from None
    if not out:
        raise EmptyFileError(
            blob.name, "an archive without a file that could be read", todo="Pack the data files themselves"
        )
    return out


def _tar(blob: Blob, depth: int) -> list[Blob]:
    out: list[Blob] = []
    try:
        with tarfile.open(fileobj=io.BytesIO(blob.bytes)) as archive:
            members = [one for one in archive.getmembers() if one.isfile() and not ignored(one.name)]
            texts = [one for one in members if one.name.lower().endswith(_TEXTS)]
            if len(texts) == len(members) > 10:
                return [_as_documents(blob.name, [(one.name, archive.extractfile(one)) for one in members])]
            _check(blob.name, len(members), sum(one.size for one in members), depth)
            for member in members:
                stream = archive.extractfile(member)
                if stream is not None:
                    out += unpacked(Blob(f"{blob.name}/{member.name}", data=stream.read()), depth + 1)
    except (tarfile.TarError, *_BROKEN) as error:
        raise _cut(blob.name, "tar", error) from None
    if not out:
        raise EmptyFileError(
            blob.name, "an archive without a file that could be read", todo="Pack the data files themselves"
        )
    return out


def _check(name: str, n: int, size: int, depth: int) -> None:
    _check_depth(name, depth)
    if n > limit("members"):
        raise LimitError(
            name, f"{n:,} files", expected=f"at most {limit('members'):,}", todo=f"Raise {setting('members')}"
        )
    if size > in_bytes("unpacked_mb"):
        raise _too_large(name)


def _check_depth(name: str, depth: int) -> None:
    if depth >= limit("nesting"):
        raise LimitError(
            name,
            "archives packed into each other",
            expected=f"at most {limit('nesting'):,} of them",
            todo=f"Unpack it first, or raise {setting('nesting')}",
        )


def _as_documents(name: str, files: list[tuple[str, IO[bytes] | None]]) -> Blob:
    """Many small texts are a corpus: one document a file, named by the file."""
    lines = []
    size = 0
    for path, stream in files:
        raw = stream.read() if stream is not None else b""
        size += len(raw)
        if size > in_bytes("unpacked_mb"):
            raise _too_large(name)
        text = raw.decode("utf-8", "replace")
        title = re.search(r"<title>(.*?)</title>", text, re.DOTALL | re.IGNORECASE)
        shown = re.sub(r"<[^>]*>", " ", text).strip() if path.lower().endswith((".html", ".htm")) else text.strip()
        record = {"doc_id": PurePosixPath(path).stem, "title": title[1].strip() if title else None, "text": shown}
        lines.append(json.dumps(record, ensure_ascii=False))
    return Blob(name, data="\n".join(lines).encode())


_ALONG = re.compile(
    r"(readme|licen[cs]e|notice|copying|changelog)([^a-z.][^.]*)?(\.(txt|md|rst|html?))?", re.IGNORECASE
)


def ignored(member: str) -> bool:
    """Files that come along and hold no data: hidden ones, those of macOS and Windows, READMEs, licences."""
    parts = [part for part in PurePosixPath(member).parts if part not in (".", "..")]
    last = parts[-1].lower() if parts else ""
    return (
        any(part.startswith(".") or part == "__MACOSX" for part in parts)
        or bool(_ALONG.fullmatch(last))
        or last in ("thumbs.db", "desktop.ini")
        or last.endswith((".md", ".py", ".pdf"))
    )
