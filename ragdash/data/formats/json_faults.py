"""Where does JSON break off, and why? In the words of someone who wrote it."""

from __future__ import annotations

import json
import re

from ragdash.errors import MalformedError


def broken(text: str, place: int, file: str, found: str) -> MalformedError:
    """The fault at `place` of `text`: cut off, or broken there."""
    line = text.count("\n", 0, place) + 1
    rest = text[place : place + 4096].strip()
    if not rest or (rest[0] == '"' and not re.match(r'"(?:[^"\\]|\\.)*"', text[place:], re.DOTALL)):
        return MalformedError(
            file,
            "the JSON ends in the middle: the file was cut off",
            line=text.count("\n") + 1,
            expected="a closing bracket at the end",
            todo="Download or export the file again",
        )
    found = _reason(text, place, found)
    near = text[max(place - 20, 0) : place + 20].strip().replace("\n", " ")
    return MalformedError(
        file,
        f"the JSON is broken here ({found}), near {near!r}",
        line=line,
        expected="well-formed JSON",
        todo="Mend that place or export the file again",
    )


def _reason(text: str, place: int, found: str) -> str:
    """Why the JSON breaks off at `place`, in the words of someone who wrote it."""
    here, before = text[place : place + 2], text[:place].rstrip()[-1:]
    if before == "," and here[:1] in ("]", "}"):
        return "a comma before the closing bracket"
    if here[:1] == "'":
        return "single quotes, which is Python's notation; write it with json.dump"
    if here in ("//", "/*") or here[:1] == "#":
        return "a comment"
    if re.match(r"(None|True|False)\b", text[place:]):
        return f"{text[place : place + 5].rstrip(',}] ')}, which is Python's notation; write it with json.dump"
    if before in ("{", ",") and re.match(r"[A-Za-z_]\w*\s*:", text[place:]):
        return "a key without quotes"
    return found


def plainly(error: ValueError) -> str:
    """What the parser says, without its capitals."""
    return (error.msg if isinstance(error, json.JSONDecodeError) else str(error)).lower()
