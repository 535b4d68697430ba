"""Which part of a document's text is worth showing? The passage that holds most of the question's words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ragdash import escape

SNIPPET, WORD = 200, 4
_HEADING = re.compile(r"^#+\s+", re.MULTILINE)  # the marks of a heading say nothing in a preview
Piece = tuple[str, bool]


def query_words(text: str) -> list[str]:
    """Words of the question that are worth marking: four letters and more, thirty at most."""
    words = re.findall(r"\w+", text[:2000].casefold())
    return list(dict.fromkeys(word for word in words if len(word) >= WORD))[:30]


def flat(text: str) -> str:
    """A text's first 20,000 characters on one line, without the marks of its headings."""
    return escape.one_line(_HEADING.sub("", text[:20_000]))


def passage(text: str, words: Sequence[str], width: int = SNIPPET) -> list[Piece]:
    """About `width` characters of the text, in pieces: `(text, whether it is one of the words)`."""
    line = flat(text)
    at = best_passage(line, words, width)
    cut = line[at : at + width]
    if at + width < len(line):  # no half word at the end, unless the word is all there is
        cut = cut[: cut.rfind(" ")] if " " in cut[width // 2 :] else cut
    pieces = marked(cut, words)
    return [*([("… ", False)] if at else []), *pieces, *([(" …", False)] if at + width < len(line) else [])]


def marked(text: str, words: Sequence[str]) -> list[Piece]:
    """The text in pieces, the question's words apart."""
    if not words:
        return [(text, False)]
    parts = re.split("(" + "|".join(re.escape(word) for word in words) + ")", text, flags=re.IGNORECASE)
    return [(part, i % 2 == 1) for i, part in enumerate(parts) if part]


def best_passage(text: str, words: Sequence[str], width: int = SNIPPET) -> int:
    """Where a window of `width` characters begins that holds most of the words; at a word's beginning."""
    low = text.casefold()
    hits = sorted({found.start() for word in words for found in re.finditer(re.escape(word), low)})
    if not hits or len(text) <= width or len(low) != len(text):
        return 0
    best = max(hits, key=lambda at: (sum(at <= other < at + width - 30 for other in hits), -at))
    return 0 if best < width // 2 else text.rfind(" ", 0, max(1, best - 20)) + 1
