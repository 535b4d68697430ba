"""How is a run called where there is little room? Shortened in the middle, folded to one line, inert."""

from __future__ import annotations

from collections.abc import Iterable

from ragdash import escape, wording
from ragdash.charts.theme import short
from ragdash.data.findings import Finding

WIDTH = 36


def said(name: str, width: int = WIDTH) -> str:
    """A name for a Markdown sentence."""
    return escape.markdown(short(name, width))


def plain(name: str, width: int = WIDTH) -> str:
    """A name for a cell of a table, where text stays text."""
    return short(name, width)


def finding(one: Finding) -> str:
    """What a finding says in the page's word, a question for a query; names and ids stay as they are."""
    return wording.as_questions(one.message, (one.run, one.file, *one.examples))


def trimmed(text: str, names: Iterable[str]) -> str:
    """A sentence from below, for Markdown, with the long names in it shortened."""
    for name in sorted(names, key=len, reverse=True):
        if len(name) > WIDTH:
            text = text.replace(name, short(name, WIDTH))
    return escape.markdown(text)
