"""Judgments for learning to rank (SVMrank): `4 qid:1 # 7555 Rambo`, the document behind the `#`."""

from __future__ import annotations

import re

import numpy as np

from ragdash.data.columns import text_column
from ragdash.data.formats.base import Blob, Format, Reading, Role
from ragdash.data.formats.encoding import Text, decoded, head_text, lines_of
from ragdash.data.formats.grades import grades_of
from ragdash.data.formats.topics import only_dataset
from ragdash.data.judgments import settle
from ragdash.data.nouns import Queries
from ragdash.errors import MalformedError

_LTR = re.compile(r"^\s*(-?\d+(?:\.\d+)?)\s+qid:(\S+)\s*(.*)$")
_LTR_QUERY = re.compile(r"^#\s*qid:(\S+?):\s*(.*?)(?:\*[\d.]+)?\s*$")


def _is_ltr(blob: Blob, role: Role) -> float:
    lines = [line for line in lines_of(head_text(blob)) if line.strip() and not line.startswith("#")][:20]
    return 0.95 if lines and all(_LTR.match(line) for line in lines[:-1] or lines) else 0.0


def _read_ltr(blob: Blob, role: Role) -> Reading:
    text: Text = decoded(blob)
    only_dataset(blob, role, "judgments for learning to rank")
    names: dict[str, str] = {}
    queries, docs, grades, lines = [], [], [], []
    for number, line in enumerate(lines_of(text.decode()), start=1):
        if line.startswith("#") or not line.strip():
            named = _LTR_QUERY.match(line)
            if named:
                names[named[1]] = named[2]
            continue
        match = _LTR.match(line)
        comment = match[3].partition("#")[2].split() if match else []
        if match is None or not comment:
            raise MalformedError(
                blob.name,
                f"{'no document id after #' if match else 'no judgment'}: {line[:60]}",
                line=number,
                expected="grade qid:query features # document",
                todo="Add the document id as a comment, or use another format",
            )
        queries.append(match[2])
        docs.append(comment[0])
        grades.append(match[1])
        lines.append(number)
    at = np.asarray(lines, dtype=np.int32)
    values, _, said = grades_of(grades, at, blob.name)
    qrels, settled = settle(text_column(queries), text_column(docs), values, at, blob.name)
    ids = list(dict.fromkeys(queries))
    return Reading(
        "learning-to-rank judgments",
        qrels,
        Queries.of(ids, [names.get(one) for one in ids]),
        None,
        (),
        (*text.findings, *said, *settled),
    )


LTR = Format(
    "ltr", "learning-to-rank judgments (SVMrank)", ("dataset",),
    "# qid:1: rambo\n4 qid:1 # 7555 Rambo\n3 qid:1 # 1370 Rambo III", _is_ltr, _read_ltr, (".txt",),
)  # fmt: skip
