"""Why can a file be no data at all? Each common mistake has its own sentence."""

from __future__ import annotations

import json
import re

from ragdash.data.formats.base import Blob
from ragdash.data.formats.encoding import wide_codec
from ragdash.data.formats.excel import is_workbook
from ragdash.errors import EmptyFileError, MalformedError, UnknownFormatError

_KINDS: tuple[tuple[bytes, str], ...] = (
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"GIF8", "a picture (GIF)"),
    (b"RIFF", "a sound or picture file"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"SQLite format 3", "an SQLite database"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"\x89HDF", "an HDF5 file"),
    (b"\x80\x04\x95", "a Python pickle"),
    (b"\x80\x05\x95", "a Python pickle"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"\x04\x22\x4d\x18", "an LZ4 archive"),
    (b"\x1f\x9d\x90", "an archive of compress (.Z)"),
    (b"]\x00\x00", "an LZMA archive"),
    (b"Obj\x01", "an Avro file"),
    (b"ORC", "an ORC file"),
    (b"{\\rtf", "a text document (RTF)"),
)
_REFUSAL = re.compile(
    r"(http/\d\S* )?([45]\d\d)?[: -]*(error )?(not found|unauthorized|forbidden|access denied|bad request|bad gateway"
    r"|internal server error|service unavailable|gateway time-?out|too many requests|invalid credentials[^\n]*)[.!]?",
    re.IGNORECASE,
)
_TELLING = {"error", "errors", "message", "detail", "error_description"}
_TOLD = _TELLING | {
    "details", "status", "statuscode", "status_code", "code", "documentation_url", "success", "title", "type", "path",
    "timestamp",
}  # fmt: skip
_MARKUP = re.compile(rb"<(top|doc)\b", re.IGNORECASE)
_LFS = b"version https://git-lfs.github.com"
_TAGS = rb"!doctype\s+html|html|head|body|title|div|p|h1|h2|center|table|script|meta"
_HTML = re.compile(rb"^\s*(?:<!--.*?-->\s*)*<(?:" + _TAGS + rb")\b", re.IGNORECASE | re.DOTALL)


def _answer(head: bytes) -> str:
    """What a short file says that is the message of a server: `404: Not Found`, `{"detail": "Not Found"}`."""
    text = head.decode("utf-8", "replace").strip()
    if _REFUSAL.fullmatch(text):
        return text[:80]
    try:
        said = json.loads(text)
    except ValueError:
        return ""
    keys = {key.lower() for key in said} if isinstance(said, dict) else set()
    return " ".join(text.split())[:80] if keys & _TELLING and keys <= _TOLD else ""


def refuse_unreadable(blob: Blob) -> None:
    """Raise where a file is empty, a web page, a picture, a document or other binary data."""
    if not len(blob):
        raise EmptyFileError(
            blob.name, "the file is empty (0 bytes)", expected="data", todo="Export or download it again"
        )
    head = blob.head(65536)
    if not head.strip(b" \t\r\n\x00\xef\xbb\xbf"):
        if not blob.bytes.strip(b" \t\r\n\x00\xef\xbb\xbf"):
            raise EmptyFileError(
                blob.name, "the file has no rows, only blanks", expected="data", todo="Export or download it again"
            )
        return
    if is_workbook(blob):
        return
    if len(head) < 65536 and all(not line.strip() or line.startswith(b"#") for line in head.splitlines()):
        raise EmptyFileError(blob.name, "only comments, no rows", expected="data", todo="Export or download it again")
    if _HTML.match(head):
        raise UnknownFormatError(
            blob.name,
            "this is a web page (HTML), perhaps a login or error page that was saved instead of the data",
            expected="the data file itself",
            todo="Open the address in a browser, sign in, and download the file",
        )
    answer = _answer(head) if len(blob) < 4096 else ""
    if answer:
        raise UnknownFormatError(
            blob.name,
            f"this is the answer of a server that has no such file, or does not give it ({answer!r})",
            expected="the data file itself",
            todo="Check the address and the access, and download the file again",
        )
    if head.lstrip().startswith(b"<?xml") and not _MARKUP.search(head):
        raise UnknownFormatError(
            blob.name,
            "this is an XML file",
            expected="a table, JSON or TREC file",
            todo="Export the data as CSV or JSON",
        )
    if head.startswith(_LFS):
        raise UnknownFormatError(
            blob.name,
            "this is a Git LFS pointer, not the file it points to",
            expected="the data file itself",
            todo="Run git lfs pull",
        )
    if head.startswith(b"PK\x03\x04"):
        raise UnknownFormatError(
            blob.name, "this is an Office document", expected="a table or JSON", todo="Save the data as CSV UTF-8"
        )
    for magic, what in _KINDS:
        if head.startswith(magic) and (len(magic) > 2 or b"\x00" in head[:512]):
            raise UnknownFormatError(
                blob.name,
                f"this is {what}",
                expected="a table, JSON or TREC file",
                todo="Export the data as CSV or JSON",
            )
    if b"\x00" in head[:4096] and not wide_codec(head)[0] and head[:4] not in (b"PAR1", b"ARRO"):
        raise MalformedError(
            blob.name,
            f"the file holds binary data, no text (a zero byte on line {head[: head.index(0)].count(10) + 1:,})",
            expected="a table, JSON or TREC file",
            todo="Export the data as CSV or JSON",
        )
