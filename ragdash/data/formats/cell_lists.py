"""Which list does a text hold? JSON, the notation of Python, numpy or PostgreSQL, or ids between separators."""

from __future__ import annotations

import ast
import re
from typing import Any

from ragdash.data.findings import Finding
from ragdash.data.formats.jsontext import Number, loads

_ITEM = re.compile(r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s,'"]+)""")
_BRACKETS = ("[]", "()", "{}")


def listed(value: Any) -> Any:
    """Nested Arrow values as JSON values in our reading."""
    if isinstance(value, dict):
        return {key: listed(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [listed(one) for one in value]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return Number(value)
    return value


def cell_list(value: Any, sign: str) -> Any:
    """The list that a cell holds: JSON, the notation of Python, or ids between separators."""
    if not isinstance(value, str):
        return listed(value)
    text = value.strip()
    if not text:
        return []
    if sign == "json":
        try:
            return loads(text)
        except ValueError:
            return _in_python(text)
    return [one.strip() for one in (text.split() if sign == " " else text.split(sign)) if one.strip()]


def _in_python(text: str) -> Any:
    """A list in the notation of Python or numpy; a flat one item by item, as `['a' 'b']` is one text to Python."""
    if re.search(r"\[.*[\[{(]|[{(].*[\[{(]|\{.*:", text, re.DOTALL):
        try:
            return listed(ast.literal_eval(text))
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return [one for one in re.split(r"[,\s\[\]'\"]+", text) if one]
    items = _ITEM.finditer(text[1:-1] if text[:1] + text[-1:] in ("[]", "()", "{}") else text)
    return [one[1] or one[2] or one[3] for one in items if one[3] not in ("None", "...")]


def ids_in(text: str) -> list[Any]:
    """The ids of a text that stands where a list should: those of a list in it, of what stands between separators, or
    the text itself. Commas and blanks separate only where no part of the text holds a blank of its own."""
    bare = text.strip()
    if bare[:1] + bare[-1:] in _BRACKETS:
        found = cell_list(bare, "json")
        if isinstance(found, list):
            return found
    for sign in ("|", ";", "\n", ","):
        parts = [part.strip() for part in bare.split(sign)]
        if len(parts) > 1 and all(parts) and not any(re.search(r"\s", part) for part in parts):
            return parts
    return [text]


def split_text(file: str, text: str, found: list[Any], line: int) -> Finding:
    """That a text was taken apart, with what came of it."""
    where = f" line {line:,}" if line else ""
    ids = ", ".join(repr(one) for one in found[:3]) + (", ..." if len(found) > 3 else "")
    message = f"{file}{where}: {text[:60]!r} stands where a list should; it was read as {len(found):,} ids ({ids})."
    return Finding("split-cells", "warning", message, file, None, 1, (line,) if line else (), (text[:60],))
