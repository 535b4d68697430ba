"""What does the author want in the report? Title, remarks, blocks, questions, notes: everything beside the numbers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragdash.errors import MalformedError


@dataclass(frozen=True)
class Remark:
    """A note on one question, or on the whole where `query_id` is ""."""

    query_id: str
    text: str
    tags: tuple[str, ...] = ()
    author: str = ""


@dataclass(frozen=True)
class Contents:
    """What to put on paper. The same contents and the same study give the same bytes, on any day.

    `blocks` are keys of `ragdash.report.blocks.BLOCKS`, all of them by default; `queries` are ids of questions to show
    in full; `date` is printed as it is, and left out where it is empty; `interactive` puts plotly.js into the file
    (2 MB), without it the charts are pictures only.
    """

    title: str = ""
    remarks: str = ""
    blocks: tuple[str, ...] | None = None
    queries: tuple[str, ...] = ()
    notes: tuple[Remark, ...] = ()
    date: str = ""
    interactive: bool = True


def read_notes(path: str) -> tuple[Remark, ...]:
    """Notes from a JSON file: a list of `{"query_id": ..., "text": ..., "tags": [...], "author": ...}`."""
    name = Path(path).name
    expected = '[{"query_id": "q1", "text": "...", "tags": ["..."], "author": "..."}]'
    try:
        records = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise MalformedError(name, f"it cannot be opened ({error.strerror})", todo="Check the path") from error
    except ValueError as error:
        raise MalformedError(name, "this is no JSON", expected=expected) from error
    if not isinstance(records, list) or not all(isinstance(one, dict) and "text" in one for one in records):
        raise MalformedError(name, "notes without a text", expected=expected)
    return tuple(_remark(one) for one in records)


def _remark(record: dict[str, Any]) -> Remark:
    tags = record.get("tags") or ()
    return Remark(
        str(record.get("query_id") or ""),
        str(record["text"]),
        tuple(map(str, tags)) if isinstance(tags, list) else (str(tags),),
        str(record.get("author") or ""),
    )


def notes_json(notes: Sequence[Remark]) -> str:
    """Notes as the file that `read_notes` reads."""
    records = [
        {"query_id": one.query_id, "text": one.text, "tags": list(one.tags), "author": one.author} for one in notes
    ]
    return json.dumps(records, ensure_ascii=False, indent=1) + "\n"
