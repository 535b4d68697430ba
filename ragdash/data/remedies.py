"""What can be mended without touching a file? Ids made alike, scores turned, duplicates dropped, visibly.

A remedy is a pure transformation of a text column. `trim-blanks` and `unicode-form` are applied by themselves where
they make ids match; every other one only on request, by its key.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, replace
from html import unescape
from typing import Literal
from urllib.parse import unquote

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ragdash.errors import OptionError

Acts = Literal["ids", "documents", "runs", "labels"]
Change = Callable[[pa.Array], pa.Array]
_INVISIBLE = "[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\ufeff]"
_DASHES = "[\u2010-\u2015\u2212\u00ad]"
EXPRESSION = re.compile(r"[*+?$^()\[\]{}|\\]")  # what a file's name seldom holds, and an expression after @ does
CHUNK = (  # _chunk_2, #4_163, ::3, :page:12, -part-3, #c0ffee12-..., and chunks of a whole text :26994-27427
    r"[-_.:#/|]*(?:chunk|chunks|part|passage|page|pg|para|paragraph|sec|section|sent|line|row|block|p|c|seg|segment|node"
    r"|split|#)?[-_.:#]?\d+(?:[-_:]\d+)?$|[-_.:#/|]+[0-9a-fA-F]{8}(?:-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12}$"
)


@dataclass(frozen=True)
class Remedy:
    """One way to mend ids or runs.

    `acts` says on what: `ids` (query and document ids of both sides), `documents` (document ids of the runs, and of
    the judgments where they name chunks too), `runs` (scores or rows), `labels` (which judgments a run is
    scored against). `change` maps a text column to a text column of
    the same length, where the remedy is about ids. `chunks` are the ids that a mapping file names, None without one.
    """

    key: str
    title: str
    sentence: str
    acts: Acts
    change: Change | None = None
    safe: bool = False
    chunks: pa.Array | None = None


def _number_text(column: pa.Array) -> pa.Array:
    """Whole numbers in one spelling: `1.00E+05`, `100,000`, `100000.0` and `100000` are `100000`."""
    grouped = pc.match_substring_regex(column, r"^[+-]?\d{1,3}([,'’   ]\d{3})+$")
    column = pc.if_else(grouped, pc.replace_substring_regex(column, r"[,'’   ]", ""), column)
    number = pc.match_substring_regex(column, r"^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$")
    odd = pc.and_(number, pc.match_substring_regex(column, r"[.eE]|^\+"))
    values = pc.if_else(odd, pc.replace_substring_regex(column, r"^\+", ""), None).cast(pa.float64())
    floats = values.to_numpy(zero_copy_only=False)
    fits = np.isfinite(floats) & (np.abs(floats) < 2**53)
    whole = fits & (np.where(fits, floats, 0.5) % 1 == 0)
    texts = pa.array(np.where(whole, floats, 0).astype(np.int64)).cast(pa.string())
    return pc.if_else(pa.array(whole), texts, column)


def _composed(column: pa.Array) -> pa.Array:
    """Each text in NFC. (Arrow's own normalization leaves letters and accents apart before version 26.)"""
    plain = pc.string_is_ascii(column)
    if pc.all(plain).as_py() in (True, None):
        return column
    texts = [one if one is None else unicodedata.normalize("NFC", one) for one in column.to_pylist()]
    return pa.array(texts, type=column.type)


def _trimmed(column: pa.Array) -> pa.Array:
    if not pc.all(pc.string_is_ascii(column)).as_py():
        column = pc.replace_substring_regex(column, _INVISIBLE, "")
    return pc.utf8_trim_whitespace(column)


def _plain_signs(column: pa.Array) -> pa.Array:
    column = pc.replace_substring_regex(pc.utf8_normalize(_trimmed(column), "NFKC"), _DASHES, "-")
    return pc.replace_substring_regex(pc.replace_substring_regex(column, "[‘’]", "'"), "[“”]", '"')


def _decoded(column: pa.Array) -> pa.Array:
    """`%20` and `&amp;` as the signs they stand for, in the ids that have them."""
    has = pc.match_substring_regex(column, r"%[0-9A-Fa-f]{2}|&(#\d+|#x[0-9a-fA-F]+|[A-Za-z]+);")
    if not pc.any(has).as_py():
        return column
    odd = column.filter(has).unique()
    plain = pa.array([unescape(unquote(one)) for one in odd.to_pylist()], column.type)
    return pc.if_else(has, plain.take(pc.index_in(column, value_set=odd)), column)


def _ungarbled(column: pa.Array) -> pa.Array:
    """UTF-8 that was read as Windows-1252 and written as UTF-8 again, once."""
    has = pc.match_substring_regex(column, "[\u00c2-\u00f4]")
    if not pc.any(has).as_py():
        return column
    odd = column.filter(has).unique()
    plain = pa.array([_reread(one) for one in odd.to_pylist()], column.type)
    return pc.if_else(has, plain.take(pc.index_in(column, value_set=odd)), column)


def _reread(text: str) -> str:
    for codec in ("cp1252", "latin-1"):
        try:
            return text.encode(codec).decode("utf-8")
        except UnicodeError:
            continue
    return text


def _unless_empty(column: pa.Array, changed: pa.Array) -> pa.Array:
    return pc.if_else(pc.equal(changed, ""), column, changed)


def _folded(column: pa.Array) -> pa.Array:
    return pc.utf8_lower(column)


REMEDIES: dict[str, Remedy] = {
    one.key: one
    for one in (
        Remedy(
            "trim-blanks", "Trim blanks", "Blanks, tabs, line ends and invisible characters around ids are removed.",
            "ids", _trimmed, True,
        ),
        Remedy(
            "unicode-form", "One Unicode form", "Accented letters are compared in one form (NFC).", "ids",
            lambda column: _composed(column), True,
        ),
        Remedy("ignore-case", "Ignore case", "Capital and small letters in ids are the same.", "ids", _folded),
        Remedy(
            "ignore-leading-zeros", "Ignore leading zeros", "0007 and 7 are the same id.", "ids",
            lambda column: pc.replace_substring_regex(column, r"^0+(\d)", r"\1"),
        ),
        Remedy(
            "drop-trailing-.0", "Drop a trailing .0", "7.0 and 7 are the same id.", "ids",
            lambda column: pc.replace_substring_regex(column, r"^(-?\d+)\.0+$", r"\1"),
        ),
        Remedy(
            "numbers-as-text", "One spelling of numbers", "1.00E+05, 100,000 and 100000 are the same id.", "ids",
            _number_text,
        ),
        Remedy(
            "trim-quotes", "Trim quotes", 'Quotes and apostrophes around ids are removed, ="..." as well.', "ids",
            lambda column: pc.replace_substring_regex(column, r"""^=?["'‘’“”`]+|["'‘’“”`]+$""", ""),
        ),
        Remedy(
            "drop-word-before-number", "Ignore a word before a number", "doc_10, doc10 and 10 are the same id.", "ids",
            lambda column: pc.replace_substring_regex(column, r"^[A-Za-z]+[-_.:#/ ]?(\d+)$", r"\1"),
        ),
        Remedy(
            "file-ending", "Ignore folders and file endings", "docs/guide.md and guide are the same document.", "ids",
            lambda column: _unless_empty(column, pc.replace_substring_regex(column, r"^.*[/\\]|\.[A-Za-z]{1,5}$", "")),
        ),
        Remedy(
            "ignore-typography", "Ignore typography", "Any dash, quote, blank or full-width letter is its plain one.",
            "ids", _plain_signs,
        ),
        Remedy("decode-escapes", "Decode escapes", "a%20b and a b, a&amp;b and a&b are the same id.", "ids", _decoded),
        Remedy(
            "repair-encoding", "Repair garbled letters", "Ã© is read as é: UTF-8 that was taken for Windows-1252.",
            "ids", _ungarbled,
        ),
        Remedy(
            "ignore-address", "Ignore http, www and slashes", "https://www.x.org/a/ and x.org/a are the same.", "ids",
            lambda column: pc.replace_substring_regex(
                pc.replace_substring(column, "\\", "/"), r"^(https?://)?(www\.)?(\./)?|/+$", ""
            ),
        ),
        Remedy(
            "chunk-to-document", "Chunks to documents",
            "A chunk gets its document's id (a suffix is cut off, or a file says which); the first chunk of a document "
            "is kept, and judgments of its chunks become one, with the highest grade.",
            "documents",
        ),
        Remedy(
            "labels", "Labels of a run",
            "Each run is scored against the judgments that name its chunks; labels:RUN=NAME says which, no NAME: all.",
            "labels",
        ),
        Remedy(
            "join-labels", "All judgments as one",
            "Every run is scored against all judgments, also against those of the other chunking.", "labels",
        ),
        Remedy("swap-columns", "Swap query and document", "The run's query and document ids are exchanged.", "runs"),
        Remedy("flip-scores", "Smaller is better", "The run's scores are distances: their sign is turned.", "runs"),
        Remedy("drop-duplicates", "Drop duplicates", "A document counts once a query, at its first place.", "runs"),
    )
}  # fmt: skip


def parse_remedy(text: str) -> Remedy:
    """A remedy by its key.

    `chunk-to-document:REGEX` cuts what REGEX matches; `flip-scores:RUN` and `swap-columns:RUN` mend that run alone.
    No file is opened: a remedy may come out of a link. `ragdash.data.chunkmap` reads `chunk-to-document:@FILE`.
    """
    key, colon, argument = text.partition(":")
    known = REMEDIES.get(key.strip())
    if known is None:
        raise OptionError(f"There is no remedy {text!r}. Remedies: {', '.join(REMEDIES)}.")
    if (
        key == "chunk-to-document"
        and argument.startswith("@")
        and len(argument) > 1
        and not EXPRESSION.search(argument)
    ):
        raise OptionError(f"The mapping file of {text!r} is not loaded. Load it again to map chunks to documents.")
    if key == "labels" and colon and "=" not in argument:
        raise OptionError(f"{text!r} names no run and no judgments. Say labels:RUN=NAME.")
    if key == "labels":
        return replace(known, key=text)
    if colon and key != "chunk-to-document":
        if key in ("flip-scores", "swap-columns") and argument:
            return replace(known, key=text)
        raise OptionError(f"The remedy {key} takes no argument ({argument!r}).")
    if key == "chunk-to-document":
        return replace(known, key=text, change=chunk_change(argument or CHUNK))
    return known


def titled(text: str) -> str:
    """A remedy in words, with what was said about it."""
    key, _, argument = text.partition(":")
    known = REMEDIES.get(key)
    return (known.title if known else key) + (f" ({argument})" if argument else "")


def chunk_change(pattern: str) -> Change:
    """Cuts what `pattern` matches. Raises OptionError where it is no regular expression."""
    try:
        re.compile(pattern)
        pc.replace_substring_regex(pa.array(["a"]), pattern, "")
    except (re.error, pa.ArrowInvalid) as error:
        raise OptionError(f"chunk-to-document: {pattern!r} is no regular expression ({error}).") from None

    def change(column: pa.Array) -> pa.Array:
        cut = pc.replace_substring_regex(column, pattern, "", max_replacements=1)
        return pc.if_else(pc.equal(cut, ""), column, cut)  # an id that is nothing but a number stays

    return change
