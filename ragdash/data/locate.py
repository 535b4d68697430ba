"""Where is a chunk cut from? By the fields of its file, by its id, by its text; for distinct chunks, then for rows."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ragdash.data.columns import Ints, numbers_of, places_in, positions, take
from ragdash.data.evidence import Evidence, Locations
from ragdash.data.findings import Finding, some
from ragdash.data.nouns import Dataset, Documents, Run
from ragdash.data.quotes import Texts, snippets

#: `doc:120-620`, `doc#120-620`, `doc[120:620]`, `doc@chars=120,620`
PLACED = r"^(?P<parent>.+?)[:#@|\[(]+(?:chars?[=:])?(?P<begin>\d{1,15})(?:-|–|\.\.|:|,)(?P<end>\d{1,15})[\])]?$"
_MOST = 0.9  # share of ids that must have a place in them, for these to be places


def by_id(ids: pa.Array) -> Documents:
    """Places that stand in the ids, `doc:120-620`, for distinct `ids`; nothing where they do not stand in most."""
    nothing = Documents(ids)
    if not len(ids) or not pc.any(pc.match_substring_regex(ids[:1000], PLACED)).as_py():
        return nothing
    found = pc.extract_regex(ids, PLACED)
    parents = pc.struct_field(found, "parent")
    begins, ends = (_numbers(pc.struct_field(found, name)) for name in ("begin", "end"))
    good = (begins >= 0) & (ends > begins)
    if np.mean(good) < _MOST or not good.any():
        return nothing
    parents = pc.if_else(pa.array(good), parents, pa.scalar(None, parents.type))
    return Documents(ids, parents=parents, begins=np.where(good, begins, -1), ends=np.where(good, ends, -1))


def _numbers(texts: pa.Array) -> Ints:
    return numbers_of(pc.fill_null(texts.cast(pa.int64()), -1)).astype(np.int64)


def places(ids: pa.Array, known: Documents, texts: Texts | None = None) -> Documents:
    """Where each of the distinct `ids` is cut from, a row each.

    `known` is what files say of chunks; what they do not say stands in the id, or is found by the chunk's text among
    `texts` (None: not looked for).
    """
    at = positions(ids, known.ids)
    found, at = at >= 0, np.maximum(at, 0)
    if len(known):
        parents = pc.if_else(pa.array(found), take(known.parents, at), pa.scalar(None, known.parents.type))
        begins, ends = (np.where(found, column[at], -1) for column in (known.begins, known.ends))
    else:
        parents, begins, ends = Documents(ids).parents, *(np.full(len(ids), -1, dtype=np.int64),) * 2
    said = by_id(ids)
    if said.located:
        take_it = (begins < 0) & (said.begins >= 0)
        parents = pc.if_else(parents.is_null(), said.parents.cast(parents.type), parents)
        begins, ends = np.where(take_it, said.begins, begins), np.where(take_it, said.ends, ends)
    out = Documents(ids, parents=parents, begins=begins, ends=ends)
    return out if texts is None else _by_text(out, known, at, found, texts)


def _by_text(out: Documents, known: Documents, at: Ints, found: NDArray[np.bool_], texts: Texts) -> Documents:
    """Chunks without a place, looked for by their text: in the document that they name, else in all."""
    lost = np.flatnonzero((out.begins < 0) & found)
    if not len(lost) or not texts.whole:
        return out
    parents, begins, ends = out.parents.to_pylist(), out.begins.copy(), out.ends.copy()
    named, words = take(out.parents, lost).to_pylist(), take(known.texts, at[lost]).to_pylist()
    anywhere = texts.affordable(sum(one is None for one in named))
    for row, parent, text in zip(lost.tolist(), named, words):
        if text and (parent in texts.whole or anywhere) and (place := texts.place(text, _in(texts, parent))):
            parents[row], begins[row], ends[row] = place
    return Documents(out.ids, parents=pa.array(parents, pa.string()), begins=begins, ends=ends)


def _in(texts: Texts, parent: str | None) -> str | None:
    return parent if parent in texts.whole else None


def places_of(run: Run, dataset: Dataset, texts: Texts | None = None) -> Documents:
    """The distinct ids of a run and where each is cut from, as its own file says, else the dataset's files."""
    known = [one for one in (run.documents, dataset.documents) if one.located or (texts is not None and len(one))]
    return places(run.doc_ids.unique(), Documents.merged(known), texts)


def located(run: Run, chunks: Documents, parents: pa.Array) -> Locations:
    """Where each row of `run` is cut from, as `chunks` (its distinct ids) say; `parents` are what codes count in."""
    if not chunks.located:
        unknown = np.full(len(run), -1, dtype=np.int64)
        return Locations(unknown, unknown, unknown)
    at = places_in(run.doc_ids, chunks.ids).astype(np.int64)
    found, at = at >= 0, np.maximum(at, 0)
    codes = positions(chunks.parents, parents)
    return Locations(*(np.where(found, column[at], -1) for column in (codes, chunks.begins, chunks.ends)))


def located_evidence(evidence: Evidence, texts: Texts, file: str | None) -> tuple[Evidence, list[Finding]]:
    """Quotes with their places, and what could not be found, with the nearest place.

    A span with place and quote is checked where the document's text is known: of words that stand elsewhere the place
    of the words is taken.
    """
    if evidence.quotes.null_count == len(evidence) or not texts.whole:
        return evidence, []
    docs, quotes = evidence.doc_ids.to_pylist(), evidence.quotes.to_pylist()
    begins, ends = evidence.begins.copy(), evidence.ends.copy()
    lost: list[int] = []
    moved: list[int] = []
    for row, (document, words) in enumerate(zip(docs, quotes)):
        if not words or (document is not None and document not in texts.whole):
            continue
        if begins[row] >= 0 and texts.holds(document, int(begins[row]), int(ends[row]), words) is not False:
            continue
        place = texts.place(words, document)
        if place is None:
            lost.append(row)
        else:
            moved += [row] if begins[row] >= 0 else []
            docs[row], begins[row], ends[row] = place
    out = Evidence(evidence.query_ids, evidence.starts, pa.array(docs, pa.string()), begins, ends, evidence.quotes)
    return out, [*_lost(evidence, texts, lost, file), *_moved(evidence, moved, file)]


def _lost(evidence: Evidence, texts: Texts, rows: list[int], file: str | None) -> list[Finding]:
    if not rows:
        return []
    docs, quotes = take(evidence.doc_ids, rows).to_pylist(), take(evidence.quotes, rows).to_pylist()
    asked = take(evidence.query_ids, evidence.query_codes()[rows]).to_pylist()
    near = []
    for query, document, words in list(zip(asked, docs, quotes))[:3]:
        place = texts.nearest(words, document)
        where = "no part of it stands there" if place is None else f"nearest: {place[0]} at {place[1]:,}, {place[2]!r}"
        near.append(f"{query}: {next(snippets([words]))!r} ({where})")
    n = len(rows)
    message = (
        f"{n:,} of {len(evidence):,} quotes {'is' if n == 1 else 'are'} not in the documents, not even with blanks "
        f"and Unicode form folded; no run can find {'it' if n == 1 else 'them'}. {'; '.join(near)}."
    )
    return [
        Finding(
            "quote-not-found", "warning", message, file, None, n, examples=tuple(snippets(quotes, 5)),
            queries=tuple(dict.fromkeys(asked)),
        )
    ]  # fmt: skip


def _moved(evidence: Evidence, rows: list[int], file: str | None) -> list[Finding]:
    if not rows:
        return []
    asked = take(evidence.query_ids, evidence.query_codes()[rows]).to_pylist()
    n = len(rows)
    message = (
        f"{n:,} of {len(evidence):,} spans {'has' if n == 1 else 'have'} other words at the given place than "
        f"{'it quotes' if n == 1 else 'they quote'} (first in query {asked[0]}); the place of the words was taken."
    )
    return [Finding("span-moved", "warning", message, file, None, n, examples=some(asked), queries=tuple(asked))]


def not_located(run: Run, chunks: Documents) -> list[Finding]:
    """Chunks of a run of which nobody knows the place: they hold no evidence."""
    lost = np.flatnonzero((chunks.begins < 0) | chunks.parents.is_null().to_numpy(zero_copy_only=False))
    if not len(lost):
        return []
    ids = take(chunks.ids, lost[:5]).to_pylist()
    message = (
        f"{len(lost):,} of {len(chunks):,} chunks of {run.name} are at no known place of a document (such as "
        f"{ids[0]}): evidence in them is not seen. Give doc_id, start and end with the chunks, places in "
        "their ids (doc:120-620), or the texts of chunks and documents."
    )
    file = run.source.file or None
    return [Finding("chunk-not-located", "warning", message, file, run.name, len(lost), examples=some(ids))]
