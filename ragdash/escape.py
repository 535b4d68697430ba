"""How is text from the data made safe for the place it goes to? One function for each place.

Ids, query texts, document texts, run names and file names come from outside. They are shown letter by letter: they
never make a link, load an image, start a formula or run a script.
"""

from __future__ import annotations

import html
import re
from typing import Any

_MARKDOWN = re.compile(r"([!-/:-@\[-`{-~])")
_GITHUB = re.compile(r"([\\`*_{}\[\]<>|#$~!&@]|:(?=//)|(?<=www)\.)")
_LINK = re.compile(r"\b(?:https?|ftp|mailto|xmpp)(?=:)|\bwww(?=\.)|(?<=[\w.+-])(?=@[-\w]+\.)", re.IGNORECASE)
_JOINER = "\u2060"  # seen by nobody; without it addresses become links whatever is escaped (GitHub's autolinks)
_BLANKS = re.compile(r"\s+")
_OVERRIDES = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F])
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": "$-$",
    "≤": r"$\leq$",
}


def inert(text: str) -> str:
    """Direction overrides taken out, lines kept: text that does not move its neighbours."""
    return text.translate(_OVERRIDES)


def one_line(text: str) -> str:
    """White space folded, direction overrides taken out: what fits into a label without moving its neighbours."""
    return _BLANKS.sub(" ", inert(text)).strip()


def markdown(text: str) -> str:
    """For every Markdown surface of the screen: each ASCII punctuation mark gets a backslash, blanks are folded.

    Web and mail addresses get an invisible joiner inside, so that they stay text.
    """
    return _MARKDOWN.sub(r"\\\1", _LINK.sub(lambda found: found[0] + _JOINER, one_line(text)))


def github(text: str) -> str:
    """For Markdown in a pull request or a file: what would mark up, link or mention somebody gets a backslash."""
    return _GITHUB.sub(r"\\\1", one_line(text))


def plotly(text: str) -> str:
    """For Plotly's titles, labels, hover boxes, legends and annotations, which read a small HTML."""
    return html.escape(one_line(text), quote=False).replace("$", "&#36;")


def html_text(text: str) -> str:
    """For HTML text and attribute values."""
    return html.escape(text, quote=True)


def csv_cell(value: Any) -> Any:
    """For a CSV or spreadsheet cell: text that a spreadsheet would run as a formula gets a leading apostrophe.

    Numbers stay numbers: -0.5 is not text. A text that has such an apostrophe of its own gets another one, so that
    `csv_uncell` gives back what was there.
    """
    return "'" + value if isinstance(value, str) and value.lstrip("'").startswith(_FORMULA) else value


def csv_uncell(value: str) -> str:
    """Undo `csv_cell`, so that what is exported and read again is what it was."""
    return value[1:] if value.startswith("'") and value.lstrip("'").startswith(_FORMULA) else value


def latex(text: str) -> str:
    """For LaTeX text."""
    return "".join(_LATEX.get(sign, sign) for sign in one_line(text))


def shortened(text: str, width: int = 40) -> str:
    """Long names shortened in the middle: both ends of a run's name tell runs apart."""
    if len(text) <= width:
        return text
    left = (width - 1) // 2
    return f"{text[:left]}…{text[-(width - 1 - left) :]}"
