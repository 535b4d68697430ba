"""How do bytes become text? UTF-8 as it is, everything else recognised, converted and said."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, replace

import pyarrow as pa

from ragdash.data.findings import Finding
from ragdash.data.formats.base import Blob
from ragdash.errors import MalformedError

MARKS = (  # longest first: the mark of UTF-32 begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)
OTHER_SCRIPTS = ["cp1251", "koi8_r", "cp1253", "cp1255", "cp1256", "shift_jis", "euc_jp", "gb18030", "big5", "euc_kr"]
_STRAY = re.compile("[\udc80-\udcff]")  # what `surrogateescape` makes of a byte that is not UTF-8
_LOST = "\ufffd".encode()
_END = b"\x1a"
_MARK = codecs.BOM_UTF8
_INNER = re.compile(rb"[\r\n]" + _MARK)
_BREAK = re.compile(rb"\r\n|\n|\r")
_CHUNK = 1 << 22
_MAX_LINES = 5


@dataclass(frozen=True)
class Text:
    """A file as UTF-8 without a byte order mark: `buffer`, the name of its encoding, and what had to be said."""

    buffer: pa.Buffer
    encoding: str = "UTF-8"
    findings: tuple[Finding, ...] = ()

    @property
    def data(self) -> bytes:
        """All of it as one `bytes` object."""
        return bytes(memoryview(self.buffer))

    def decode(self) -> str:
        """All of it as one `str`."""
        return str(memoryview(self.buffer), "utf-8")


def decoded(blob: Blob) -> Text:
    """The text of a file; raises `MalformedError` where it is none.

    Valid UTF-8 is passed on without a copy. A few bytes that are no UTF-8 in a file that otherwise is keep the rest as
    it stands: only they are read as Windows-1252, and their lines are named.
    """
    buffer = blob.buffer
    head = blob.head(4096)
    if buffer.size and bytes(buffer[-1:]) == _END:  # DOS marked the end of a text with it
        buffer = buffer[:-1]
    if head.startswith(codecs.BOM_UTF8):
        buffer = buffer[len(codecs.BOM_UTF8) :]
    codec, name, mark = wide_codec(head)
    if codec:
        try:
            text = buffer[mark:].to_pybytes().decode(codec)
        except UnicodeDecodeError as error:
            raise MalformedError(
                blob.name,
                f"the file begins as {name}, but byte {error.start:,} does not fit",
                expected="a whole file",
                todo="Download or export it again, as UTF-8 if you can choose",
            ) from None
        said = Finding("encoding-repaired", "info", f"{blob.name} is {name}; it was read as such.", file=blob.name)
        return Text(pa.py_buffer(text.encode("utf-8", "replace")), name, (said,))
    joined, marks = _without_marks(blob.name, buffer)
    if _is_utf8(joined):
        return Text(joined, findings=marks + _lost(blob.name, joined))
    repaired = _repaired(blob.name, joined.to_pybytes())
    return replace(repaired, findings=marks + repaired.findings)


def lines_of(text: str) -> list[str]:
    """The lines of a text, as every other program counts them: `str.splitlines` breaks at a dozen further signs."""
    lines = re.split("\r\n|\n|\r", text)
    return lines[:-1] if lines and not lines[-1] else lines


def ends_within(blob: Blob, line: int) -> bool:
    """Whether a file ends on this line without a line break: where the line is broken too, the file was cut off."""
    data = bytes(memoryview(decoded(blob).buffer))
    return not data.endswith((b"\n", b"\r")) and len(_BREAK.findall(data)) + 1 == line


def head_text(blob: Blob, n: int = 65536) -> str:
    """The first `n` bytes as text, good enough to recognise a format; never raises."""
    head = blob.head(n)
    codec, _, mark = wide_codec(head)
    if codec:
        return head[mark:].decode(codec, "ignore")
    head = head.removeprefix(codecs.BOM_UTF8)
    return head.decode("utf-8", "surrogateescape").encode("utf-8", "replace").decode("utf-8")


def wide_codec(head: bytes) -> tuple[str, str, int]:
    """Codec, name and length of the byte order mark where text takes two or four bytes a character."""
    for mark, codec, name in MARKS:
        if head.startswith(mark):
            return codec, name, len(mark)
    sample = head[:1024]
    zeros_even, zeros_odd = sample[::2].count(0), sample[1::2].count(0)
    if len(sample) >= 8 and max(zeros_even, zeros_odd) > 0.3 * len(sample) / 2 and min(zeros_even, zeros_odd) <= 2:
        return ("utf-16-le", "UTF-16", 0) if zeros_odd > zeros_even else ("utf-16-be", "UTF-16", 0)
    return "", "", 0


def _without_marks(file: str, buffer: pa.Buffer) -> tuple[pa.Buffer, tuple[Finding, ...]]:
    """Byte order marks at the beginning of later lines, as files put one under the other have them, taken out."""
    view = memoryview(buffer)
    if not any(_MARK in bytes(view[place : place + _CHUNK + 2]) for place in range(0, len(view), _CHUNK)):
        return buffer, ()
    data = bytes(view)
    places = [found.end() - len(_MARK) for found in _INNER.finditer(data)]
    if not places:
        return buffer, ()
    lines = tuple(len(_BREAK.findall(data, 0, place)) + 1 for place in places[:_MAX_LINES])
    where = f"line{'s' if len(lines) > 1 else ''} {', '.join(f'{line:,}' for line in lines)}"
    n = len(places)
    marks = "1 byte order mark stands" if n == 1 else f"{n:,} byte order marks stand"
    message = f"{file}: {marks} between the lines ({where}); left out. Are these several files in one?"
    said = Finding("encoding-repaired", "warning", message, file=file, count=n, lines=lines)
    return pa.py_buffer(_INNER.sub(lambda found: found[0][: -len(_MARK)], data)), (said,)


def _is_utf8(buffer: pa.Buffer) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    view = memoryview(buffer)
    try:
        for start in range(0, len(view), _CHUNK):
            decoder.decode(view[start : start + _CHUNK])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _lost(file: str, buffer: pa.Buffer) -> tuple[Finding, ...]:
    """Characters that an earlier conversion could not read: they cannot be brought back."""
    head = buffer[: 1 << 20].to_pybytes() if buffer.size else b""
    n = head.count(_LOST)
    if not n:
        return ()
    line = head.count(b"\n", 0, head.find(_LOST)) + 1
    message = (
        f"{file} line {line:,}: {n:,} {'character was' if n == 1 else 'characters were'} lost (shown as \ufffd) in an "
        "earlier conversion; ids with it match nothing."
    )
    return (Finding("encoding-repaired", "warning", message, file=file, count=n, lines=(line,)),)


def _repaired(file: str, raw: bytes) -> Text:
    """Text that is not UTF-8: mostly UTF-8 with stray bytes, or an older encoding as a whole."""
    escaped = raw.decode("utf-8", "surrogateescape")
    stray = [match.start() for match in _STRAY.finditer(escaped)]
    proper = len(re.findall("[^\x00-\x7f\udc80-\udcff]", escaped))
    lines = _lines_of(escaped, stray)
    where = "line" + ("s" if len(lines) > 1 else "") + " " + ", ".join(f"{line:,}" for line in lines[:_MAX_LINES])
    if proper >= len(stray):
        text, encoding = _STRAY.sub(lambda match: _single(ord(match[0]) - 0xDC00), escaped), "UTF-8"
        what = "1 byte that is" if len(stray) == 1 else f"{len(stray):,} bytes that are"
        message = f"{file} {where}: {what} not UTF-8, read as Windows-1252; the rest stays UTF-8."
    else:
        text, encoding = _older(raw, other_script=len(stray) > max(30, len(raw) / 4))
        message = f"{file} is not UTF-8 (first on line {lines[0]:,}); it was read as {encoding}."
    finding = Finding(
        "encoding-repaired", "warning", message, file=file, count=len(stray), lines=tuple(lines[:_MAX_LINES])
    )
    return Text(pa.py_buffer(text.encode("utf-8", "replace")), encoding, (finding,))


def _older(raw: bytes, other_script: bool) -> tuple[str, str]:
    """A file of one encoding before UTF-8: Windows-1252, unless most letters seem to be of another script."""
    if other_script:
        from charset_normalizer import from_bytes  # slow to import, and seldom needed

        best = from_bytes(raw[:65536], cp_isolation=OTHER_SCRIPTS).best()
        if best is not None:
            return raw.decode(best.encoding, "replace"), best.encoding.replace("_", "-").upper().replace(
                "CP", "Windows-"
            )
    return "".join(map(_single, raw)) if any(b in raw for b in _UNDEFINED) else raw.decode("cp1252"), "Windows-1252"


_UNDEFINED = (b"\x81", b"\x8d", b"\x8f", b"\x90", b"\x9d")


def _single(byte: int) -> str:
    """One byte of Windows-1252; the five that it leaves undefined as in Latin-1."""
    one = bytes([byte])
    return one.decode("latin-1" if one in _UNDEFINED else "cp1252")


def _lines_of(text: str, places: list[int]) -> list[int]:
    """1-based line numbers of the first few places, each once."""
    lines: list[int] = []
    line, last = 1, 0
    for place in places:
        line, last = line + text.count("\n", last, place), place
        if not lines or lines[-1] != line:
            lines.append(line)
        if len(lines) > _MAX_LINES:
            break
    return lines
