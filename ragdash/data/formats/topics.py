"""Query texts, and small documents, in the mark-up of TREC or as `id:text`."""

from __future__ import annotations

import re

from ragdash.data.formats.base import Blob, Format, Reading, Role
from ragdash.data.formats.encoding import decoded, head_text, lines_of
from ragdash.data.nouns import Queries
from ragdash.errors import MalformedError, WrongRoleError

_TOP = re.compile(r"<top>(.*?)</top>", re.DOTALL | re.IGNORECASE)
_DOC = re.compile(r"<doc>(.*?)</doc>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<[^>]*>")
_COLON = re.compile(r"^([^\s:]{1,40}):(?!//)(.*\S.*)$")


def _field(block: str, tag: str) -> str | None:
    """What follows `<tag>`, up to the next tag: TREC's topics do not close theirs."""
    found = re.search(rf"<{tag}>(.*?)(?=<[a-z/]|$)", block, re.DOTALL | re.IGNORECASE)
    return None if found is None else " ".join(found[1].split()) or None


def only_dataset(blob: Blob, role: Role, what: str) -> None:
    if role == "run":
        raise WrongRoleError(
            blob.name,
            f"{what}, no results",
            expected="a run, such as query Q0 doc rank score tag",
            todo="Load this file with the dataset",
        )


def _is_markup(blob: Blob, role: Role) -> float:
    head = head_text(blob).lower()
    if "<top>" in head and ("<num>" in head or "<title>" in head):
        return 0.95
    return 0.9 if "<doc>" in head and "<docno>" in head else 0.0


def _read_markup(blob: Blob, role: Role) -> Reading:
    text = decoded(blob)
    content = text.decode()
    is_topics = "<top>" in content[:65536].lower()
    only_dataset(blob, role, "topics in mark-up" if is_topics else "texts in mark-up")
    ids, texts, lines = [], [], []
    line, counted = 1, 0
    for match in (_TOP if is_topics else _DOC).finditer(content):
        line, counted = line + content.count("\n", counted, match.start()), match.start()
        block = match[1]
        number = _field(block, "num" if is_topics else "docno")
        if number is None:
            raise MalformedError(
                blob.name,
                "an entry without a number",
                line=line,
                expected="<num> Number: 301" if is_topics else "<DOCNO> 1 </DOCNO>",
            )
        ids.append(re.sub(r"^number:\s*", "", number, flags=re.IGNORECASE))
        if is_topics:
            shown = _field(block, "title") or re.sub(
                r"^description:\s*", "", _field(block, "desc") or "", flags=re.IGNORECASE
            )
        else:
            rest = re.sub(r"<docno>.*?</docno>", " ", block, flags=re.DOTALL | re.IGNORECASE)
            shown = " ".join(_TAG.sub(" ", rest).split())
        texts.append(shown or None)
        lines.append(line)
    if not ids:
        raise MalformedError(
            blob.name,
            "no entry that is closed",
            expected="<top> ... </top>",
            todo="Download it again: it may be cut off",
        )
    title = "TREC topics" if is_topics else "TREC mark-up"
    return Reading(
        title,
        None,
        Queries.of(ids, texts),
        None,
        (),
        text.findings,
        frozenset() if is_topics else frozenset({"queries"}),
    )


def _is_colon(blob: Blob, role: Role) -> float:
    lines = [line for line in lines_of(head_text(blob))[:50] if line.strip()]
    if not lines or "\t" in lines[0] or lines[0].lstrip()[:1] in ("{", "[", "<", '"'):
        return 0.0
    fitting = [_COLON.match(line) for line in lines]
    ids = {match[1] for match in fitting if match}
    return (
        0.65 if all(fitting) and len(ids) == len(lines) and sum(" " in line for line in lines) > len(lines) / 3 else 0.0
    )


def _read_colon(blob: Blob, role: Role) -> Reading:
    text = decoded(blob)
    only_dataset(blob, role, "queries as id:text")
    ids, texts = [], []
    for number, line in enumerate(lines_of(text.decode()), start=1):
        if not line.strip():
            continue
        match = _COLON.match(line)
        if match is None:
            raise MalformedError(
                blob.name, f"no id and colon: {line[:60]}", line=number, expected="id:text", todo="Mend the line"
            )
        ids.append(match[1])
        texts.append(match[2].strip())
    return Reading("topics as id:text", None, Queries.of(ids, texts), None, (), text.findings)


TOPICS = Format(
    "topics", "TREC topics or documents in mark-up", ("dataset",),
    "<top>\n<num> Number: 301\n<title> International Organized Crime\n</top>",
    _is_markup, _read_markup, (".txt", ".xml"),
)  # fmt: skip
COLON = Format(
    "topics-colon",
    "topics as id:text",
    ("dataset",),
    "8091:michigan v. rick sitz\n8092:inmates of state prison",
    _is_colon,
    _read_colon,
    (".txt",),
)
