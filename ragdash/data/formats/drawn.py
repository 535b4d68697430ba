"""Is a table drawn rather than written? Bars of Markdown or a database shell, columns in line: made plain."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from ragdash.data.formats.encoding import lines_of
from ragdash.data.formats.words import KNOWN, plain

Kind = Literal["", "bars", "gaps", "blanks"]
_RULE = re.compile(r"^\s*[|+]?\s*:?-{2,}:?\s*(?:[|+]\s*:?-{2,}:?\s*)+[|+]?\s*$")
_BARS = re.compile(r"[ \t]*\|[ \t]*")
_GAPS = {"gaps": re.compile(r"[ \t]{2,}"), "blanks": re.compile(r"[ \t]+")}
_LINES = 40


@lru_cache(maxsize=16)
def drawn(head: str) -> Kind:
    """How a table is drawn, from its head: between bars under a ruled line, or in columns kept apart by blanks."""
    lines = [line for line in lines_of(head)[:_LINES] if line.strip() and not line.startswith("#")]
    if len(lines) < 2:
        return ""
    if any(_RULE.match(line) for line in lines[:2]) and any("|" in line for line in lines[:3]):
        return "bars"
    first = lines[0].strip()
    if "\t" in first or "," in first or ";" in first or "  " not in first:
        return ""
    kinds: tuple[Kind, Kind] = ("gaps", "blanks")
    for kind in kinds:
        names = _GAPS[kind].split(first)
        rows = [_GAPS[kind].split(line.strip()) for line in lines[1:-1] or lines[1:]]
        known = sum(plain(name) in KNOWN for name in names)
        if known >= 2 and all(len(row) == len(names) for row in rows):
            return kind
    return ""


def straightened(text: str, kind: Kind) -> str:
    """The same table with one separator between cells (a bar, or a tab); lines keep their numbers."""
    if not kind:
        return text
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if kind != "bars":
        return "\n".join(_GAPS[kind].sub("\t", line.strip()) for line in lines)
    return "\n".join("" if _RULE.match(line) else _without_frame(line) for line in lines)


def _without_frame(line: str) -> str:
    cells = _BARS.sub("|", line.strip())
    framed = cells.startswith("|") and cells.endswith("|") and len(cells) > 1
    return cells[1:-1] if framed else cells
