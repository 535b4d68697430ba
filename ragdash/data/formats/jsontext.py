"""How is JSON read without losing the text of an id? Numbers stay text, repeated keys are kept, lines are known.

The standard library's scanner does the work, one record at a time, so that memory follows the largest record and not
the file. (orjson is faster, but turns 12345678901234567891234 and 1e5 into floats and drops repeated keys in silence.)
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import pyarrow as pa

from ragdash.data.findings import Finding
from ragdash.data.formats.base import Blob
from ragdash.data.formats.encoding import Text, decoded, head_text
from ragdash.data.formats.json_faults import broken, plainly
from ragdash.errors import MalformedError

Kind = Literal["", "list", "object", "lines"]
HEAD = 1 << 18


class Number(str):
    """A JSON number, still as the file wrote it (`1e5`, `7.0`, `NaN`)."""

    __slots__ = ()


class Repeated(dict[str, Any]):
    """A JSON object in which keys occur twice: the first value of each is kept, `again` names the others."""

    again: tuple[str, ...] = ()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    whole = dict(pairs)
    if len(whole) == len(pairs):
        return whole
    first = Repeated()
    again: dict[str, None] = {}
    for key, value in pairs:
        if key in first:
            again[key] = None
        else:
            first[key] = value
    first.again = tuple(again)
    return first


_DECODER = json.JSONDecoder(
    parse_float=Number, parse_int=Number, parse_constant=Number, object_pairs_hook=_object, strict=False
)
_BLANK = re.compile(r"[ \t\n\r]*")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
_CLOSER = {"{": "}", "[": "]"}


def loads(text: str) -> Any:
    """One JSON value in our reading of it; raises `ValueError` where it is none."""
    try:
        return _DECODER.decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


@dataclass(frozen=True)
class Peek:
    """What the head of a JSON file shows: its outer shape and as much of its content as the head holds."""

    kind: Kind = ""
    sample: Any = None

    @property
    def records(self) -> list[dict[str, Any]]:
        """The first objects of a list, of JSON Lines, or the one object of the file."""
        values = self.sample if self.kind in ("list", "lines") else [self.sample]
        if self.kind == "lines":  # each line may be a list
            values = [one for value in values for one in (value if isinstance(value, list) else [value])]
        return [value for value in values if isinstance(value, dict)]


def peek(blob: Blob) -> Peek:
    """The outer shape of a JSON file, from its head alone; `kind` is "" where it is no JSON."""
    head = head_text(blob, HEAD)
    return _peek(head, len(blob) <= HEAD) if head.lstrip()[:1] in ("{", "[") else Peek()


def object_keys(blob: Blob) -> dict[str, Any]:
    """What the head shows of a file that is one JSON object; empty for any other file."""
    seen = peek(blob)
    return seen.sample if seen.kind == "object" and isinstance(seen.sample, dict) else {}


@lru_cache(maxsize=32)
def _peek(head: str, whole: bool) -> Peek:
    values: list[Any] = []
    place = _BLANK.match(head).end()  # type: ignore[union-attr]
    while place < len(head) and len(values) < 50:
        try:
            value, place = _DECODER.raw_decode(head, place)
        except (ValueError, RecursionError):
            if values:  # a later value is cut or broken: the first ones say enough
                break
            value = _mended(head[place:])
            return Peek("list" if isinstance(value, list) else "object" if isinstance(value, dict) else "", value)
        values.append(value)
        place = _BLANK.match(head, place).end()  # type: ignore[union-attr]
        if head[place : place + 1] == ",":  # objects in a row with commas: no list, but often meant as lines
            break
    if len(values) > 1 or (values and place < len(head) and isinstance(values[0], (dict, list))):
        return Peek("lines", values)
    if not values:
        return Peek()
    return Peek("list" if isinstance(values[0], list) else "object" if isinstance(values[0], dict) else "", values[0])


def _mended(text: str) -> Any:
    """The longest readable beginning of cut JSON, its open brackets closed; None where there is nothing."""
    stack: list[str] = []
    cut, closers, end = 0, "", 0
    for token in _TOKEN.finditer(text):
        if text[end : token.start()].strip():  # a string that does not end
            break
        sign, end = token[0], token.end()
        if sign in _CLOSER:
            stack.append(_CLOSER[sign])
            if len(stack) > 200:
                break
            cut, closers = token.end(), "".join(reversed(stack))
        elif sign in ("}", "]"):
            if not stack or stack.pop() != sign:
                break
            cut, closers = token.end(), "".join(reversed(stack))
        elif sign == ",":
            cut, closers = token.start(), "".join(reversed(stack))
    try:
        return _DECODER.decode(text[:cut] + closers)
    except (ValueError, RecursionError):
        return None


_ESCAPE = re.compile(  # a backslash, two halves of a character, or (the group) one half
    r"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)


_HALF = re.compile(rb"\\u[dD][89a-fA-F]")


def opened(blob: Blob) -> Text:
    """The text of a JSON file, in which half a character (one escape of the two that it takes) is a lost one."""
    text = decoded(blob)
    if not _HALF.search(memoryview(text.buffer)):
        return text
    halves: list[int] = []

    def mended(found: re.Match[str]) -> str:
        if found[1] is None:
            return found[0]
        halves.append(found.start())
        return "\\ufffd"

    content = text.decode()
    whole_ones = _ESCAPE.sub(mended, content)
    if not halves:
        return text
    line = content.count("\n", 0, halves[0]) + 1
    message = (
        f"{blob.name} line {line:,}: {len(halves):,} {'escape is' if len(halves) == 1 else 'escapes are'} half a "
        "character (shown as \ufffd), cut off where the file was written; ids with it match nothing."
    )
    said = Finding("encoding-repaired", "warning", message, file=blob.name, count=len(halves), lines=(line,))
    return Text(pa.py_buffer(whole_ones.encode()), text.encoding, (*text.findings, said))


def records(text: Text, file: str, kind: Kind) -> Iterator[tuple[int, Any]]:
    """The values of a list or of JSON Lines, each with the line on which it begins."""
    if kind == "lines":
        yield from _lines(text, file)
    elif kind == "list":
        for member in _members(text.decode(), file):
            yield member.line, member.value
    else:
        yield 1, whole(text, file)


def members(text: Text, file: str) -> Iterator[tuple[str, int, Any]]:
    """The members of the file's one object: key, line, value. A key may occur twice."""
    return ((one.key, one.line, one.value) for one in _members(text.decode(), file))


def parts(blob: Blob) -> Iterator[tuple[str, Any, Blob]]:
    """The members of the file's one object, each as a file of its own that keeps the numbers of its lines."""
    content = opened(blob).decode()
    for one in _members(content, blob.name):
        yield one.key, one.value, Blob(blob.name, ("\n" * (one.line - 1) + content[one.start : one.end]).encode())


def whole(text: Text, file: str) -> Any:
    """The one value of a file, at once: for small files and nested ones."""
    content = text.decode()
    value, place = _value(content, _BLANK.match(content).end(), file)  # type: ignore[union-attr]
    _nothing_after(content, place, file)
    return value


class _Member(NamedTuple):
    """One member of an object or a list: `text[start:end]` is its value."""

    key: str
    line: int
    value: Any
    start: int
    end: int


def _members(text: str, file: str) -> Iterator[_Member]:
    place = _BLANK.match(text).end()  # type: ignore[union-attr]
    is_object = text[place : place + 1] == "{"
    closer = "}" if is_object else "]"
    place = _skip(text, place + 1)
    line, counted = 1, 0
    if text[place : place + 1] == closer:
        return
    while True:
        line, counted = line + text.count("\n", counted, place), place
        key = ""
        if is_object:
            key, place = _value(text, place, file)
            if not isinstance(key, str) or isinstance(key, Number):
                raise broken(text, counted, file, "a key without quotes")
            place = _skip(text, place)
            if text[place : place + 1] != ":":
                raise broken(text, place, file, f"no colon after the key {key!r:.60}")
            place = _skip(text, place + 1)
        start = place
        value, place = _value(text, place, file)
        yield _Member(key, line, value, start, place)
        place = _skip(text, place)
        sign = text[place : place + 1]
        if sign == closer:
            _nothing_after(text, place + 1, file)
            return
        if sign != ",":
            raise broken(text, place, file, "no comma between two values")
        place = _skip(text, place + 1)
        if text[place : place + 1] == closer:
            raise broken(text, place, file, "a comma before the closing bracket")


def _lines(text: Text, file: str) -> Iterator[tuple[int, Any]]:
    for number, raw in enumerate(io.BytesIO(text.data), start=1):
        line = raw.decode("utf-8").strip()
        if not line:
            continue
        try:
            value = _DECODER.decode(line.rstrip(","))
        except RecursionError:
            raise MalformedError(file, "brackets nested too deeply", line=number) from None
        except ValueError as error:
            if number == 1:  # objects one after the other, each over several lines
                yield from _concatenated(text.decode(), file)
                return
            raise MalformedError(
                file,
                f"this is not one whole JSON object ({plainly(error)}): {line[:60]}",
                line=number,
                expected="one JSON object a line",
                todo="Mend or delete the line; if it is the last one, the file was cut off: download it again",
            ) from None
        yield number, value


def _concatenated(text: str, file: str) -> Iterator[tuple[int, Any]]:
    place, line, counted = _skip(text, 0), 1, 0
    while place < len(text):
        line, counted = line + text.count("\n", counted, place), place
        value, place = _value(text, place, file)
        yield line, value
        place = _skip(text, place)
        if text[place : place + 1] == ",":
            place = _skip(text, place + 1)


def _value(text: str, place: int, file: str) -> tuple[Any, int]:
    try:
        return _DECODER.raw_decode(text, place)
    except json.JSONDecodeError as error:
        raise broken(text, error.pos, file, plainly(error)) from None
    except RecursionError:
        line = text.count("\n", 0, place) + 1
        raise MalformedError(file, "brackets nested too deeply", line=line, expected="a list of objects") from None


def _nothing_after(text: str, place: int, file: str) -> None:
    place = _skip(text, place)
    if place < len(text):
        raise broken(text, place, file, "there is more text after the end of the JSON value")


def refuse_broken(blob: Blob) -> None:
    """Raise where a file begins like JSON and is none, naming the place."""
    text = decoded(blob).decode().lstrip()
    if text.startswith(("//", "/*")):
        raise broken(text, 0, blob.name, "a comment")
    if text.startswith('"') and isinstance(inner := _string(text), str) and inner.lstrip()[:1] in ("{", "["):
        raise MalformedError(
            blob.name,
            "the JSON stands in a text (it was encoded twice)",
            expected="a list or an object",
            todo="Write the value itself, not json.dumps of it a second time",
        )
    if text[:1] in ("{", "["):
        again = Text(pa.py_buffer(decoded(blob).decode().encode()))
        for _ in records(again, blob.name, peek(blob).kind or "object"):
            pass


def _string(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _skip(text: str, place: int) -> int:
    return _BLANK.match(text, place).end()  # type: ignore[union-attr]
