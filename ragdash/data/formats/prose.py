"""A text as it is: Markdown or plain words, one document a file, named after it."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from ragdash.data.formats.base import Blob, Format, Reading, Role
from ragdash.data.formats.encoding import decoded, head_text
from ragdash.data.formats.gathering import stem
from ragdash.data.formats.jsontext import peek
from ragdash.data.nouns import Documents
from ragdash.errors import EmptyFileError

_MARKED = (".md", ".markdown", ".mdx", ".rst", ".adoc")
_SENTENCE = re.compile(r"[a-zà-ÿ,;'’)] [a-zA-Zà-ÿ(\"“'‘]")
_LEAST = 40  # pairs of words beside each other, from which on a .txt file is prose


def recognise(blob: Blob, role: Role) -> float:
    """Markdown by the ending of its name; a `.txt` file where most of it is words in sentences."""
    ending = PurePosixPath(blob.name.lower()).suffix
    if role != "dataset" or ending not in (*_MARKED, ".txt", ".text") or peek(blob).kind:
        return 0.0
    if ending in _MARKED:
        return 0.9
    head = head_text(blob)
    words = len(_SENTENCE.findall(head))
    lines = [line for line in head.splitlines() if line.strip()]
    tabs = sum("\t" in line for line in lines)
    long = sum(len(line.split()) > 8 for line in lines)
    if words < _LEAST or tabs * 4 > len(lines) or long * 3 < len(lines):
        return 0.0
    return 0.6 if words * 9 > len(head) * 0.5 else 0.0


def read(blob: Blob, role: Role) -> Reading:
    """One document: its id is the file's name without folders and ending, its text the file to the last character."""
    text = decoded(blob)
    whole = text.decode()
    if not whole.strip():
        raise EmptyFileError(blob.name, "no words in it", expected="the text of a document")
    return Reading("text of a document", None, None, Documents.of([stem(blob.name)], [whole]), (), tuple(text.findings))


PROSE = Format(
    key="text",
    title="Text of a document (Markdown, plain)",
    roles=("dataset",),
    sample="# Guide\n\nRotate a key under Settings.\nThe old key works for another hour.",
    recognise=recognise,
    read=read,
    suffixes=(".md", ".txt"),
)
