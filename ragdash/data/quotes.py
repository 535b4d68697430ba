"""Where in a document do words stand? Exactly, else with blanks and Unicode form folded, else the nearest place."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ragdash.data.columns import Ints, take
from ragdash.data.nouns import Documents

_CLUSTER = re.compile(r"\s+|[\u00ad\u200b\u2060\ufeff]+|\S[\u0300-\u036f\u1ab0-\u1aff\u20d0-\u20ff\ufe00-\ufe0f]*")
_SIGNS = str.maketrans("‘’‚‛“”„‟‐‑‒–—−", "''''\"\"\"\"------")
_BLANKS = re.compile(r"\s+")
_PIECES = (12, 8, 5, 3)  # words of a piece by which the nearest place is looked for
_WORK = 5_000_000_000  # characters looked through for chunks that name no document


def fold(text: str) -> str:
    """Words in one form: NFKC, typographic quotes and dashes as plain ones, any run of blanks as one."""
    return _BLANKS.sub(" ", unicodedata.normalize("NFKC", text).translate(_SIGNS)).strip()


@dataclass(frozen=True)
class Folded:
    """A text as `fold` has it, and for each of its characters where in the text it begins and ends."""

    text: str
    begins: Ints
    ends: Ints

    @classmethod
    def of(cls, text: str) -> Folded:
        if unicodedata.is_normalized("NFKC", text):
            codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
            blank = np.isin(codes, np.array([ord(one) for one in set(text) if one.isspace()], dtype=np.uint32))
            kept = np.flatnonzero(~blank | np.concatenate([[True], ~blank[:-1]]) if len(codes) else blank)
            plain = np.where(blank, np.uint32(32), codes)[kept]
            return cls(plain.tobytes().decode("utf-32-le", "surrogatepass").translate(_SIGNS), kept, kept + 1)
        parts: list[str] = []
        begins: list[int] = []
        ends: list[int] = []
        for found in _CLUSTER.finditer(text):
            part = " " if found[0].isspace() else unicodedata.normalize("NFKC", found[0]).translate(_SIGNS)
            if found[0][0] in "\u00ad\u200b\u2060\ufeff":
                continue
            parts.append(part)
            begins += [found.start()] * len(part)
            ends += [found.end()] * len(part)
        return cls("".join(parts), np.array(begins, dtype=np.int64), np.array(ends, dtype=np.int64))

    def find(self, words: str) -> tuple[int, int] | None:
        """Where folded `words` stand in the text, as characters of it; None where they do not."""
        at = self.text.find(words) if words else -1
        return None if at < 0 else (int(self.begins[at]), int(self.ends[at + len(words) - 1]))


@dataclass(frozen=True)
class Texts:
    """The texts of whole documents: those of the files, else put together from chunks of which the place is known."""

    documents: Documents
    _folded: dict[str, Folded] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def whole(self) -> dict[str, str]:
        """Text of each document by its id."""
        known = self.documents
        out: dict[str, str] = {}
        of_chunks = set(known.parents.drop_null().unique().to_pylist())
        is_chunk = known.parents.is_valid().to_numpy(zero_copy_only=False)
        has = known.texts.is_valid().to_numpy(zero_copy_only=False)
        rows = np.flatnonzero(has & ~is_chunk)
        for name, text in zip(take(known.ids, rows).to_pylist(), take(known.texts, rows).to_pylist()):
            out[name] = text
        placed: Ints = np.flatnonzero(has & is_chunk & (known.begins >= 0) & bool(of_chunks - set(out)))
        pieces: dict[str, list[tuple[int, str]]] = {}
        names, texts = take(known.parents, placed).to_pylist(), take(known.texts, placed).to_pylist()
        for row, name, text in zip(placed, names, texts):
            if name not in out and len(text) == known.ends[row] - known.begins[row]:
                pieces.setdefault(name, []).append((int(known.begins[row]), text))
        return out | {name: _stitched(found) for name, found in pieces.items()}

    def place(self, words: str, document: str | None) -> tuple[str, int, int] | None:
        """Document, begin and end of `words`: exactly, else folded. Looks in `document`, in all where it is None."""
        named = self._among(document)
        for name, text in named:
            at = text.find(words)
            if at >= 0 and words:
                return name, at, at + len(words)
        plain = fold(words)
        for name, text in named:
            found = self.folded(name, text).find(plain)
            if found:
                return name, *found
        return None

    def holds(self, document: str | None, begin: int, end: int, words: str) -> bool | None:
        """Whether the document has these words at this place; None where its text is not known."""
        text = self.whole.get(document or "")
        return None if text is None else fold(text[begin:end]) == fold(words)

    def nearest(self, words: str, document: str | None) -> tuple[str, int, str] | None:
        """Document, place and a few words around the longest piece of `words` that is found; None where none is."""
        parts = fold(words).split()
        for size in _PIECES:
            for start in range(0, max(len(parts) - size + 1, 0), max(size // 2, 1)):
                piece = " ".join(parts[start : start + size])
                for name, text in self._among(document):
                    found = self.folded(name, text).find(piece)
                    if found:
                        return name, found[0], " ".join(text[found[0] : found[0] + 80].split())
        return None

    def folded(self, name: str, text: str) -> Folded:
        if name not in self._folded:
            self._folded[name] = Folded.of(text)
        return self._folded[name]

    def _among(self, document: str | None) -> Sequence[tuple[str, str]]:
        if document is None:
            return list(self.whole.items())
        return [(document, self.whole[document])] if document in self.whole else []

    def affordable(self, n: int) -> bool:
        """Whether `n` chunks that name no document may be looked for in all of them."""
        return n * sum(map(len, self.whole.values())) <= _WORK


def _stitched(pieces: Sequence[tuple[int, str]]) -> str:
    """Pieces at their places; what no piece covers is a character that no text holds."""
    size = max(begin + len(text) for begin, text in pieces)
    out = np.zeros(size, dtype=np.uint32)
    for begin, text in pieces:
        out[begin : begin + len(text)] = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    return out.tobytes().decode("utf-32-le", "surrogatepass")


def snippets(quotes: Sequence[str], most: int = 3) -> Iterator[str]:
    """The beginnings of some quotes, for a message."""
    for one in quotes[:most]:
        words = " ".join(one.split())
        yield words if len(words) <= 60 else words[:57] + "..."
