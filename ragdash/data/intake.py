"""How do files become nouns? Unpacked, recognised by content, read whole or refused in a sentence, and merged."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from ragdash.data.assembly import Part, assemble, other_splits
from ragdash.data.chunkmap import open_remedy
from ragdash.data.findings import Finding
from ragdash.data.formats import FORMATS
from ragdash.data.formats.base import Blob, Format, Reading, Role
from ragdash.data.formats.encoding import head_text
from ragdash.data.formats.grades import worth
from ragdash.data.formats.jsontext import peek, refuse_broken
from ragdash.data.formats.tables import understand
from ragdash.data.limits import in_bytes, limit, setting
from ragdash.data.mending import apply_remedies
from ragdash.data.nouns import Dataset, Run, Source
from ragdash.data.unpack import ignored, unpacked
from ragdash.data.unreadable import refuse_unreadable
from ragdash.errors import EmptyFileError, FileError, LimitError, UnknownFormatError, WrongRoleError

__all__ = [
    "BESIDE",
    "Input",
    "Part",
    "assemble",
    "left_out",
    "open_blobs",
    "read",
    "read_dataset",
    "read_part",
    "read_parts",
    "read_run",
    "read_runs",
    "recognise",
    "unique_names",
]
T = TypeVar("T")
#: Why a file of an archive or folder is left out: it is something else, or nothing.
BESIDE = (UnknownFormatError, WrongRoleError, EmptyFileError)
Input = str | os.PathLike[str] | Blob
EXPECTED: dict[Role, str] = {
    "dataset": "judgments, such as the lines\n  query_id,doc_id,relevance\n  q1,doc_7,1\n"
    'or [{"query": "...", "relevant_docs": ["doc_7"]}]',
    "run": "results, such as the lines\n  query_id,doc_id,score\n  q1,doc_7,0.93\n"
    'or [{"query": "...", "retrieved": ["doc_7"]}]',
}


def open_blobs(name: str, data: bytes | None = None, path: str | os.PathLike[str] | None = None) -> list[Blob]:
    """The files in a file: itself, or what an archive or a folder holds.

    Compressed files are unpacked in memory, within the limits; `__MACOSX`, hidden files, READMEs and licences are left
    out. `name` is how messages call it.
    """
    if data is not None:
        return _unpacked(Blob(name, data=data))
    where = Path(path if path is not None else name)
    if where.is_dir():
        return _folder(name, where)
    if not where.is_file():
        raise FileError(name, "there is no such file", todo="Check the path")
    return _unpacked(Blob(name, path=where))


def _unpacked(blob: Blob) -> list[Blob]:
    if len(blob) > in_bytes("file_mb"):
        raise LimitError(
            blob.name,
            f"{len(blob) >> 20:,} MB",
            expected=f"at most {limit('file_mb'):,} MB",
            todo=f"Split it, or raise {setting('file_mb')}",
        )
    return unpacked(blob)


def _opened(source: Input) -> list[Blob]:
    return _unpacked(source) if isinstance(source, Blob) else open_blobs(Path(source).name or str(source), path=source)


def _folder(name: str, path: Path) -> list[Blob]:
    files = sorted(one for one in path.rglob("*") if one.is_file())
    kept = [one for one in files if not ignored(one.relative_to(path).as_posix())]
    if not kept:
        raise EmptyFileError(
            name, "a folder without a file that could be read", expected="corpus.jsonl, queries.jsonl, qrels/test.tsv"
        )
    if len(kept) > limit("members"):
        raise LimitError(
            name, f"{len(kept):,} files", expected=f"at most {limit('members'):,}", todo=f"Raise {setting('members')}"
        )
    return [blob for one in kept for blob in open_blobs(f"{name}/{one.relative_to(path).as_posix()}", path=one)]


def recognise(blob: Blob, role: Role) -> Format:
    """The format that is surest of the content. Raises where there is none, saying what was seen."""
    refuse_unreadable(blob)
    surest, best = 0.0, None
    for one in FORMATS:
        sure = one.recognise(blob, role) - (0.0 if role in one.roles else 0.05)
        if sure > surest:
            surest, best = sure, one
    if best is None or surest < 0.25:
        refuse_broken(blob)
        raise UnknownFormatError(
            blob.name,
            f"this is none of the known formats ({_seen(blob)})",
            expected=EXPECTED[role],
            todo="Export it in one of these shapes, or see the list of formats",
        )
    return best


def _seen(blob: Blob) -> str:
    """What a person sees on opening the file: the keys of its JSON, or its first line."""
    seen = peek(blob)
    if seen.kind == "object" and isinstance(seen.sample, dict):
        shown = f"keys found: {', '.join(list(seen.sample)[:8])}"
        for key, value in seen.sample.items():
            if isinstance(value, list) and value and isinstance(value[0], dict):
                return f"{shown}; first item of {key}: keys {', '.join(list(value[0])[:8])}"
        return shown
    if seen.kind and seen.records:
        return f"keys of the first object: {', '.join(list(seen.records[0])[:10])}"
    first = next((line for line in head_text(blob).splitlines() if line.strip()), "")
    return f"first line: {first.strip()[:80]!r}"


def read(blob: Blob, role: Role, mapping: Mapping[str, str] | None = None) -> Reading:
    """One file as nouns.

    `mapping` is what a person said: of a table role -> column, and of any file `grade:LABEL` -> what a label is worth.
    """
    chosen = recognise(blob, role)
    with worth(mapping):
        if mapping and any(not key.startswith("grade:") for key in mapping) and chosen.table is not None:
            if chosen.mapped is not None:
                return chosen.mapped(blob, role, mapping)
            return understand(chosen.table(blob, role), role, blob.name, chosen.title, mapping)
        reading = chosen.read(blob, role)
    if role == "run" and not reading.runs:
        raise WrongRoleError(
            blob.name,
            f"{reading.format or chosen.title}: no results of a run",
            expected=EXPECTED["run"],
            todo="Load this file with the dataset",
        )
    return reading


def read_run(source: Input, name: str | None = None) -> Run:
    """The one run of a file. Raises where it holds several: `read_runs` gives them all."""
    runs = read_runs(source)
    if len(runs) > 1:
        raise FileError(
            _label(source),
            f"{len(runs):,} runs ({', '.join(run.name for run in runs[:5])})",
            expected="one run",
            todo="Read it with read_runs, or keep one run a file",
        )
    return runs[0] if name is None else runs[0].named(name)


def read_runs(source: Input, mapping: Mapping[str, str] | None = None) -> list[Run]:
    """Every run that a file, an archive or a folder holds."""
    runs: list[Run] = []
    blobs = _opened(source)
    readings, left_out = _each(blobs, lambda blob: read(blob, "run", mapping))
    for blob, reading in readings:
        origin = Source(blob.name, reading.format, blob.sha256, len(blob))
        for run in reading.runs:
            found = (finding.of_run(run.name) for finding in (*left_out, *reading.findings))
            runs.append(replace(run, source=origin, findings=tuple(dict.fromkeys((*found, *run.findings)))))
        left_out = []
    return runs


def _each(blobs: Sequence[Blob], one: Callable[[Blob], T]) -> tuple[list[tuple[Blob, T]], list[Finding]]:
    """Each file read. Of several in an archive or folder, those that are something else are left out and named.

    A file that is what it should be, but broken, is refused; and so is the last one that might have been read.
    """
    found: list[tuple[Blob, T]] = []
    faults: list[FileError] = []
    for blob in blobs:
        try:
            found.append((blob, one(blob)))
        except BESIDE as fault:
            if len(blobs) == 1:
                raise
            faults.append(fault)
    if faults and not found:
        raise faults[0]
    return found, left_out(faults)


def left_out(faults: Sequence[FileError]) -> list[Finding]:
    """What of an archive or folder was left out, and why."""
    return [Finding("file-left-out", "warning", f"Left out: {fault}", file=fault.file, count=1) for fault in faults]


def unique_names(runs: Sequence[Run]) -> list[Run]:
    """The same runs, of one name the later ones named `run (2)`, `run (3)`, with a finding."""
    taken: set[str] = set()
    out: list[Run] = []
    for run in runs:
        name, copy = run.name, 2
        while name in taken:
            name, copy = f"{run.name} ({copy})", copy + 1
        taken.add(name)
        if name != run.name:
            file = run.source.file or run.name
            message = f"Two runs share the name {run.name} (file {file}); this one is shown as {name}."
            finding = Finding("name-changed", "warning", message, file=run.source.file or None, run=name, count=1)
            run = run.named(name)
            run = replace(run, findings=(*run.findings, finding))
        out.append(run)
    return out


def read_part(blob: Blob, mapping: Mapping[str, str] | None = None) -> Part:
    """One file of a dataset: judgments, queries or documents."""
    reading = read(blob, "dataset", mapping)
    return Part(Source(blob.name, reading.format, blob.sha256, len(blob)), reading)


def read_parts(name: str, data: bytes | Blob | None = None, path: str | os.PathLike[str] | None = None) -> list[Part]:
    """The files of a dataset in a file, an archive or a folder (of several splits one)."""
    blobs = _unpacked(data) if isinstance(data, Blob) else open_blobs(name, data, path)
    parts, said = _parts(blobs, None)
    if said:
        first = parts[0].reading
        parts[0] = replace(parts[0], reading=replace(first, findings=(*said, *first.findings)))
    return parts


def _parts(blobs: Sequence[Blob], mapping: Mapping[str, str] | None) -> tuple[list[Part], list[Finding]]:
    splits, said = other_splits([blob.name for blob in blobs])
    kept = [blob for blob in blobs if blob.name not in splits]
    found, left_out = _each(kept, lambda blob: read_part(blob, mapping))
    return [part for _, part in found], [*said, *left_out]


def read_dataset(
    *sources: Input,
    apply: Sequence[str] = (),
    mapping: Mapping[str, str] | None = None,
    labels: Sequence[Input] = (),
) -> Dataset:
    """Judgments, queries and documents of one or more files, folders or archives as one dataset.

    `labels` are further files of judgments, of which each is a set of its own: those of one chunking.
    """
    parts: list[Part] = []
    said: list[Finding] = []
    apart: list[str] = []
    every = [*sources, *labels]
    for place, source in enumerate(every):
        blobs = [replace(blob, name=_with_folder(source, blob.name, every)) for blob in _opened(source)]
        some, found = _parts(blobs, mapping)
        parts, said = parts + some, said + found
        apart += [part.source.file for part in some] if place >= len(sources) else []
    dataset = assemble(parts, apart)
    dataset = replace(dataset, findings=(*said, *dataset.findings))
    if apply:
        dataset, _, found = apply_remedies(dataset, [], [open_remedy(text) for text in apply])
        dataset = replace(dataset, findings=(*dataset.findings, *found))
    return dataset


def _with_folder(source: Input, name: str, among: Sequence[Input]) -> str:
    """The name of a file with its folder, where another of `among` has the same one."""
    if isinstance(source, Blob):
        return name
    path = Path(source)
    same = sum(not isinstance(one, Blob) and Path(one).name == path.name for one in among)
    return f"{path.parent.name}/{name}" if same > 1 and path.parent.name else name


def _label(source: Input) -> str:
    """How messages call a file: its name without the folders above it."""
    if isinstance(source, Blob):
        return source.name
    path = Path(source)
    return path.name or str(path)
