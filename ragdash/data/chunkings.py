"""Are these the same documents, cut in different ways? Runs whose ids never meet though their documents do."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ragdash.data.columns import joined, positions, take
from ragdash.data.nouns import Dataset, Documents, Run
from ragdash.data.quotes import fold
from ragdash.data.remedies import CHUNK, chunk_change

_MEET = 0.02  # share of ids in common above which two runs return the same chunks
_PARENTS = 0.5  # share of documents in common from which two runs speak of the same documents
_TEXTS = 0.2  # share of texts that overlap from which two runs speak of the same documents
_SAMPLE = 2000
_LOOKED_AT = 20_000  # ids of a run that are looked for in another
_WORDS = 8  # words of a text that are compared
_SHAPE = 0.8  # share of ids that a suffix must fit to be the pattern


@dataclass(frozen=True)
class Chunking:
    """Runs that return the same chunks: places in the list of runs, their distinct ids, and the document of each.

    `how` says what names the documents: "field", "id" (a suffix), "text" (their words) or "" (nothing does).
    """

    runs: tuple[int, ...]
    ids: pa.Array
    parents: pa.Array
    how: str

    @cached_property
    def documents(self) -> pa.Array:
        """The documents that the chunks are cut from, each once."""
        return self.parents.drop_null().unique()


def groups_of(ids: Sequence[pa.Array], runs: Sequence[Run]) -> list[list[int]]:
    """Places of runs that return the same chunks; `ids` are the distinct ids of each run.

    Runs whose ids meet do, whatever words their files give with an id: a document may come with its best passage, which
    is another one for each run and query.
    """
    groups: list[list[int]] = []
    for i, mine in enumerate(ids):
        if not len(mine):
            continue
        near = [one for one in groups if any(meets(ids[j], mine) for j in one)]
        near = [one for one in near if all(_same_places(runs[i], runs[j]) for j in one)]
        groups = [one for one in groups if one not in near]
        groups.append(sorted([i, *(j for one in near for j in one)]))
    return sorted(groups)


def chunkings(
    dataset: Dataset, runs: Sequence[Run], groups: Sequence[Sequence[int]], places: Sequence[Documents]
) -> tuple[Chunking, ...]:
    """The groups of runs that return different chunks of the same documents; () where no two do.

    `places` are the distinct ids of each run with what is known of where they are cut from.
    """
    found = [_chunking(group, places) for group in groups]
    kept = {
        i
        for i, one in enumerate(found)
        for other in (*found[:i], *found[i + 1 :])
        if _same_documents(one, other) or _overlap([runs[j] for j in one.runs], [runs[j] for j in other.runs], dataset)
    }
    return tuple(found[i] for i in sorted(kept))


def meets(ids: pa.Array, others: pa.Array) -> bool:
    """Whether two sides have ids in common, but for a few that may be so by chance."""
    few, many = sorted((ids, others), key=len)
    if len(few) > _LOOKED_AT:
        few = take(few, np.linspace(0, len(few) - 1, _LOOKED_AT).astype(np.int64))
    met = positions(many, few)
    return len(np.unique(met[met >= 0])) > _MEET * len(few)


def _chunking(group: Sequence[int], places: Sequence[Documents]) -> Chunking:
    known = Documents.merged([places[i] for i in group])
    ids, parents = known.ids, known.parents.cast(pa.string())
    if parents.null_count * 2 < len(ids):
        return Chunking(tuple(group), ids, parents, "field")
    pattern = suffix(ids)
    if not pattern:
        return Chunking(tuple(group), ids, pa.nulls(len(ids), pa.string()), "")
    return Chunking(tuple(group), ids, chunk_change(pattern)(ids).cast(pa.string()), "id")


def _same_documents(one: Chunking, other: Chunking) -> bool:
    """Whether chunks of both sides are cut from the same documents, several from each on one side at least."""
    few, many = sorted((one.documents, other.documents), key=len)
    if not len(few) or np.mean(positions(few, many) >= 0) < _PARENTS:
        return False
    if "id" in (one.how, other.how):  # two numberings of one shape would meet: then it is one chunking
        mine, theirs = suffix(one.ids), suffix(other.ids)
        if len(few) < 2 or (mine == theirs and "-fA-F" not in mine):
            return False
    return bool(len(one.ids) > len(one.documents) or len(other.ids) > len(other.documents))


def crossing(mine: Documents, theirs: Documents) -> bool:
    """Whether chunks of two sides, which have no id in common, hold the same characters; so, too, where places of one
    are not known: then other signs must do."""
    known = [one.begins >= 0 for one in (mine, theirs)]
    if not all(one.any() for one in known):
        return True
    few, many = (_places(one, at) for one, at in zip((mine, theirs), known))
    if len(few[0]) > len(many[0]):
        few, many = many, few
    documents = joined([few[0], many[0]]).unique()
    wide = int(max(few[2].max(), many[2].max())) + 2
    place, other = positions(few[0], documents) * wide, positions(many[0], documents) * wide
    begun = np.searchsorted(np.sort(other + many[1]), place + few[2], side="left")
    ended = np.searchsorted(np.sort(other + many[2]), place + few[1], side="right")
    return bool(np.mean(begun > ended) >= _TEXTS)


def _places(documents: Documents, known: Any) -> tuple[pa.Array, Any, Any]:
    """Document, begin and end of the rows in `known`."""
    rows = np.flatnonzero(known & documents.parents.is_valid().to_numpy(zero_copy_only=False))
    return take(documents.parents, rows).cast(pa.string()), documents.begins[rows], documents.ends[rows]


def suffix(ids: pa.Array) -> str:
    """The shape of the end that makes chunk ids of document ids, as a regular expression; "" where there is none.

    The end that the general pattern cuts is looked at in a sample: digits stand for digits, hexadecimal ids for
    themselves, all else as it is. Up to three shapes are joined where each is common.
    """
    if not len(ids):
        return ""
    few = take(ids, np.unique(np.linspace(0, len(ids) - 1, min(len(ids), _SAMPLE)).astype(np.int64)))
    ends: Counter[str] = Counter()
    names = few.to_pylist()
    for name, document in zip(names, chunk_change(CHUNK)(few).to_pylist()):
        if document != name:
            ends[_shape(name[len(document) :])] += 1
    common = [shape for shape, n in ends.most_common(3) if n >= 0.1 * len(names)]
    if sum(ends[shape] for shape in common) < _SHAPE * len(names):
        return ""
    return f"{common[0]}$" if len(common) == 1 else f"(?:{'|'.join(common)})$"


def _shape(end: str) -> str:
    if re.search(r"[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?", end):
        return re.sub(r"[0-9a-fA-F]{8}(-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12}", "[0-9a-fA-F-]{32,36}", end)
    return re.sub(r"\d+", r"\\d+", re.sub(r"([.|+*?()\[\]{}^$\\])", r"\\\1", end))


def suffix_of(runs: Sequence[Run]) -> str:
    """One regular expression for the suffixes of the chunks of some runs; "" where one of them has none."""
    return _joined_patterns([suffix(run.doc_ids.unique()) for run in runs])


def pattern_of(found: Sequence[Chunking]) -> str:
    """One regular expression for the suffixes of all chunkings; "" where one of them has none."""
    return _joined_patterns([suffix(one.ids) for one in found])


def _joined_patterns(found: Sequence[str]) -> str:
    patterns = list(dict.fromkeys(found))
    if not patterns or not all(patterns):
        return ""
    return patterns[0] if len(patterns) == 1 else f"(?:{'|'.join(one.removesuffix('$') for one in patterns)})$"


def _texts(runs: Sequence[Run], dataset: Dataset) -> dict[str, str]:
    """Texts of some chunks by id, as their own files have them, else the dataset."""
    out: dict[str, str] = {}
    for run in runs:
        ids = run.doc_ids[: _SAMPLE * 4].unique()[:_SAMPLE].to_pylist()
        for known in (run.documents, dataset.documents):
            if len(known) and known.texts.null_count < len(known):
                found = known.look_up([one for one in ids if one not in out])
                out |= {one: text for one, (_, text) in found.items() if text}
    return out


def _pieces(text: str) -> set[str]:
    words = fold(text).split()
    return {" ".join(words[i : i + _WORDS]) for i in range(max(len(words) - _WORDS + 1, 1))}


def _overlap(mine: Sequence[Run], theirs: Sequence[Run], dataset: Dataset) -> bool:
    """Whether the texts of two sides hold the same words, eight in a row."""
    ours, others = _texts(mine, dataset), _texts(theirs, dataset)
    if not ours or not others:
        return False
    if np.mean([text in set(others.values()) for text in ours.values()]) > _PARENTS:
        return False  # the same chunks under other ids
    held: set[str] = set().union(*(_pieces(text) for text in others.values()))
    return bool(np.mean([bool(_pieces(text) & held) for text in ours.values()]) >= _TEXTS)


def _same_places(run: Run, other: Run) -> bool:
    """Whether an id means the same chunk in both: a number in its list (`chunk_3`) may stand for another place.

    Only chunks are looked at, of which a document has several: a document by itself has no place.
    """
    mine, theirs = (_chunks(one.documents) for one in (run, other))
    at = positions(mine.ids[:_SAMPLE], theirs.ids)
    rows = np.flatnonzero(at >= 0)
    if not len(rows):
        return True
    differs = (mine.begins[rows] != theirs.begins[at[rows]]) | (mine.ends[rows] != theirs.ends[at[rows]])
    return bool(np.mean(differs) <= 0.5)


def _chunks(documents: Documents) -> Documents:
    """Those of some documents that are chunks, at a known place of a document of which there are several."""
    whole = pc.fill_null(pc.equal(documents.ids, documents.parents.cast(documents.ids.type)), True)
    rows = np.flatnonzero((documents.begins >= 0) & ~whole.to_numpy(zero_copy_only=False))
    parents = take(documents.parents, rows)
    if len(parents.unique()) == len(rows):
        rows, parents = rows[:0], parents[:0]
    return Documents(
        take(documents.ids, rows), parents=parents, begins=documents.begins[rows], ends=documents.ends[rows]
    )
