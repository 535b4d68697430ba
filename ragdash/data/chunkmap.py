"""Which document is a chunk of? A mapping file (CSV, TSV, JSON, Excel, Parquet) as a remedy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ragdash.data.assembly import Part
from ragdash.data.chunkings import suffix
from ragdash.data.columns import joined, places_in, take, text_column
from ragdash.data.formats import delimited, json_records, words
from ragdash.data.formats.base import Blob, Reading
from ragdash.data.formats.encoding import decoded
from ragdash.data.formats.excel import excel_sheet, is_workbook
from ragdash.data.formats.hits import is_scalar, text_of
from ragdash.data.formats.jsontext import members, peek
from ragdash.data.formats.parquet import COLUMNAR
from ragdash.data.formats.sheet import Sheet
from ragdash.data.formats.words import find, plain
from ragdash.data.nouns import Documents, Source
from ragdash.data.remedies import EXPRESSION, REMEDIES, Remedy, chunk_change, parse_remedy
from ragdash.data.unpack import unpacked
from ragdash.data.unreadable import refuse_unreadable
from ragdash.errors import EmptyFileError, FileError, MalformedError, UnknownFormatError

CHUNK_ID = words.listed(
    "chunk_id chunkid chunk node_id nodeid node passage_id passageid psg_id segment_id split_id child_id child from "
    "source_id id _id key"
)
DOCUMENT_ID = words.listed(
    "doc_id docid document_id documentid document doc docno parent_id parent parent_document_id ref_doc_id ref_doc "
    "file_id file filename file_name source url to target target_id corpus_id pid value"
)
MAPPING = "documents of chunks"
EXPECTED = 'two columns, such as\n  chunk_id,doc_id\n  guide-04_chunk_2,guide-04\nor {"guide-04_chunk_2": "guide-04"}'


def open_remedy(text: str) -> Remedy:
    """A remedy by its key, where `chunk-to-document:@FILE` opens that file: for people at their own computer."""
    key, _, argument = text.partition(":")
    path = Path(argument[1:])
    if key != "chunk-to-document" or not argument.startswith("@") or argument == "@":
        return parse_remedy(text)
    if path.is_file():
        return mapping_remedy(Blob(path.name, path=path), text)
    if EXPRESSION.search(argument):
        return parse_remedy(text)  # an expression that begins with @
    raise FileError(argument[1:], "there is no such mapping file", expected=EXPECTED, todo="Check the path")


def mapping_part(blob: Blob) -> Part:
    """A mapping file as a file of the dataset: chunks and the document of each. Raises FileError."""
    chunks, documents = read_mapping(blob)
    source = Source(blob.name, MAPPING, blob.sha256, len(blob))
    return Part(source, Reading(MAPPING, documents=Documents(chunks, parents=documents)))


def opened(parts: Sequence[Part], text: str) -> Remedy:
    """A remedy by its key, where `chunk-to-document:@NAME` is a mapping file among `parts`. Raises OptionError."""
    key, _, argument = text.partition(":")
    if key == "chunk-to-document" and argument.startswith("@"):
        for part in parts:
            if (part.source.file, part.source.format) == (argument[1:], MAPPING) and part.reading.documents:
                known = part.reading.documents
                return _remedy(known.ids, known.parents, part.source.file, text)
    return parse_remedy(text)


def mapping_remedy(blob: Blob, key: str = "") -> Remedy:
    """Chunks to documents by a file, as a remedy. Raises FileError where the file does not say it."""
    return _remedy(*read_mapping(blob), blob.name, key)


def _remedy(chunks: pa.Array, documents: pa.Array, name: str, key: str) -> Remedy:
    """Chunks to documents as the file `name` says it."""

    def change(column: pa.Array) -> pa.Array:
        at = places_in(column, chunks)
        found = take(documents, np.maximum(at, 0)).cast(column.type)
        return pc.if_else(pa.array(at >= 0), found, column)

    return replace(
        REMEDIES["chunk-to-document"],
        key=key or f"chunk-to-document:@{name}",
        sentence=f"Chunks became documents as {name} says ({len(chunks):,} chunks of "
        f"{len(documents.unique()):,} documents); the first chunk of a document is kept.",
        change=change,
        chunks=pa.concat_arrays([chunks, documents.unique().cast(chunks.type)]) if len(chunks) else chunks,
    )


def field_remedy(remedy: Remedy, known: Documents) -> Remedy:
    """`chunk-to-document` without an argument: by the document that files or ids name for each chunk, where they do.

    `known` are chunks with their documents. What is not known is cut by the suffix that the known ones have, if it
    leads from each to its document. Another remedy is given back as it is.
    """
    chunks = known.ids.filter(known.parents.is_valid())
    if remedy.key != "chunk-to-document" or not len(chunks):
        return remedy
    documents = known.parents.drop_null()
    pattern = suffix(chunks)
    cut = chunk_change(pattern) if pattern else None
    if cut is not None and pc.mean(pc.equal(cut(chunks), documents.cast(chunks.type)).cast(pa.int8())).as_py() < 0.95:
        cut = None

    def change(column: pa.Array) -> pa.Array:
        at = places_in(column, chunks)
        found = take(documents, np.maximum(at, 0)).cast(column.type)
        lost = pa.array(at < 0)
        left = column.filter(lost)
        return pc.replace_with_mask(found, lost, left if cut is None else cut(left)) if len(left) else found

    example = f"{chunks[0].as_py()} is of {documents[0].as_py()}"
    how = "by the document that is known of each" + (f", else without {pattern}" if cut is not None else "")
    return replace(
        remedy,
        sentence=f"Chunks became documents {how} ({example}); the first chunk of a document is kept.",
        change=change,
        chunks=None if cut is not None else joined([chunks, documents.unique().cast(chunks.type)]),
    )


def read_mapping(blob: Blob) -> tuple[pa.Array, pa.Array]:
    """Chunk ids, each once, and the document of each."""
    blobs = unpacked(blob)
    if len(blobs) != 1:
        raise FileError(blob.name, f"{len(blobs):,} files", expected="one mapping file", todo="Unpack it first")
    (blob,) = blobs
    refuse_unreadable(blob)
    seen = peek(blob)
    if seen.kind == "object" and not json_records.recognise(blob, "dataset") > 0.5:
        chunks, documents, lines = _of_object(blob)
    else:
        chunks, documents, lines = _of_table(_table(blob), blob.name)
    if not len(chunks):
        raise EmptyFileError(blob.name, "no chunk in it", expected=EXPECTED)
    return _once(chunks, documents, lines, blob.name)


def _table(blob: Blob) -> Sheet:
    if is_workbook(blob):
        return excel_sheet(blob)
    if peek(blob).kind in ("list", "lines", "object"):
        return json_records.sheet(blob)
    if COLUMNAR.recognise(blob, "dataset") and COLUMNAR.table:
        sheet: Sheet = COLUMNAR.table(blob, "dataset")
        return sheet
    return delimited.sheet(blob)


def _of_object(blob: Blob) -> tuple[pa.Array, pa.Array, list[int]]:
    """`{"chunk": "document"}`, or `{"document": ["chunk", ...]}`."""
    rows: list[tuple[str, str, int]] = []
    for key, line, value in members(decoded(blob), blob.name):
        rows += [(chunk, document, line) for chunk, document in _pairs(key, value, blob.name, line)]
    return (
        pa.array([row[0] for row in rows], pa.string()),
        pa.array([row[1] for row in rows], pa.string()),
        [row[2] for row in rows],
    )


def _pairs(key: str, value: Any, file: str, line: int) -> Iterator[tuple[str, str]]:
    if is_scalar(value):
        yield key, text_of(value) or ""
    elif isinstance(value, list) and all(is_scalar(one) for one in value):
        yield from ((text_of(one) or "", key) for one in value)
    elif isinstance(value, dict) and (name := find([k for k, one in value.items() if is_scalar(one)], DOCUMENT_ID)):
        yield key, text_of(value[name]) or ""
    else:
        raise MalformedError(file, f"{key!r} has neither a document nor a list of chunks", line=line, expected=EXPECTED)


def _of_table(sheet: Sheet, file: str) -> tuple[pa.Array, pa.Array, Any]:
    named = all(finding.code != "no-header" for finding in sheet.findings)
    chunk = find(sheet.names, CHUNK_ID) if named else None
    document = find([name for name in sheet.names if name != chunk], DOCUMENT_ID) if named else None
    if (chunk is None or document is None) and len(sheet.names) != 2:
        seen = ", ".join(sheet.names[:8])
        raise UnknownFormatError(file, f"columns {seen}, none of which is a chunk and a document", expected=EXPECTED)
    first = sheet.names[0] if document is None else next(name for name in sheet.names if name != document)
    chunk = chunk or first
    document = document or next(name for name in sheet.names if name != chunk)
    chunks, documents = (pc.fill_null(text_column(sheet[name]), "") for name in (chunk, document))
    lines = sheet.lines
    if named and not {plain(chunk), plain(document)} & {*CHUNK_ID, *DOCUMENT_ID}:  # no header, a row like any other
        chunks, documents = joined([pa.array([chunk]), chunks]), joined([pa.array([document]), documents])
        lines = None if lines is None else np.concatenate([[1], lines])
    if not named and len(chunks.unique()) < len(chunks) == len(documents.unique()):
        chunks, documents = documents, chunks  # of two nameless columns the chunks are those that stand once
    return chunks, documents, lines


def _once(chunks: pa.Array, documents: pa.Array, lines: Any, file: str) -> tuple[pa.Array, pa.Array]:
    """Each chunk once; one that has two documents, or none, is refused."""
    blank = np.flatnonzero(pc.or_(pc.equal(chunks, ""), pc.equal(documents, "")).to_numpy(zero_copy_only=False))
    if len(blank):
        at = int(blank[0])
        what = "a chunk" if chunks[at].as_py() == "" else f"the document of chunk {chunks[at].as_py()!r}"
        raise MalformedError(file, f"{what} is missing", line=_line(lines, at), expected=EXPECTED, todo="Fill it in")
    distinct = chunks.unique()
    if len(distinct) == len(chunks):
        return chunks, documents
    place = places_in(chunks, distinct)
    _, first = np.unique(place, return_index=True)
    kept = take(documents, first)
    other = np.flatnonzero(pc.not_equal(documents, take(kept, place.astype(np.int64))).to_numpy(zero_copy_only=False))
    if len(other):
        row = int(other[0])
        raise MalformedError(
            file,
            f"chunk {chunks[row].as_py()!r} belongs to {kept[int(place[row])].as_py()!r} "
            f"and to {documents[row].as_py()!r}",
            line=_line(lines, row),
            expected="one document a chunk",
            todo="Delete one of the two rows",
        )
    return distinct, kept


def _line(lines: Any, row: int) -> int | None:
    return int(lines[row]) or None if lines is not None and len(lines) > row else None
