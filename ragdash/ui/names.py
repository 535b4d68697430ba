"""How is a run called where there is little room? Shortened in the middle, folded to one line, inert."""

from __future__ import annotations

from collections.abc import Iterable

from ragdash import escape
from ragdash.charts.theme import short

WIDTH = 36


def said(name: str, width: int = WIDTH) -> str:
    """A name for a Markdown sentence."""
    return escape.markdown(short(name, width))


def plain(name: str, width: int = WIDTH) -> str:
    """A name for a cell of a table, where text stays text."""
    return short(name, width)


def trimmed(text: str, names: Iterable[str]) -> str:
    """A sentence from below, for Markdown, with the long names in it shortened."""
    for name in sorted(names, key=len, reverse=True):
        if len(name) > WIDTH:
            text = text.replace(name, short(name, WIDTH))
    return escape.markdown(text)
