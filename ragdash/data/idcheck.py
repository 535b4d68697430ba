"""Do the ids of dataset and run speak of the same things? Shares of both sides, the likeliest reason, examples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ragdash.data.columns import places_in, positions, take
from ragdash.data.findings import Finding, Severity
from ragdash.data.nouns import Dataset, Run
from ragdash.data.remedies import CHUNK, REMEDIES, chunk_change

LOW = 0.5  # a share below which a reason is looked for
_SAMPLE = 200_000  # ids of the run on which remedies are tried
_MANGLED = r"^\d(\.\d+)?[eE][+-]?\d{2,}$"
Change = Callable[[pa.Array], pa.Array]


@dataclass(frozen=True)
class Shares:
    """How far the two sides meet: queries, rows of the run, and distinct judged documents."""

    n_queries: int
    common_queries: int
    n_rows: int
    judged_rows: int
    n_judged_documents: int
    returned_documents: int

    @property
    def queries(self) -> float:
        """Share of the judged queries that the run answers."""
        return self.common_queries / max(self.n_queries, 1)

    @property
    def run_documents(self) -> float:
        """Share of the run's results whose document is judged for any query."""
        return self.judged_rows / max(self.n_rows, 1)

    @property
    def judged_documents(self) -> float:
        """Share of the judged documents that the run returns for any query."""
        return self.returned_documents / max(self.n_judged_documents, 1)


def shares(dataset: Dataset, run: Run) -> Shares:
    """The shares of ids in common, by exact text."""
    judged = dataset.qrels.doc_ids.unique()
    return _shares(dataset, run, judged, places_in(run.doc_ids, judged))


def _shares(dataset: Dataset, run: Run, judged: pa.Array, places: NDArray[np.int32]) -> Shares:
    met = places[places >= 0]
    common = _common(run.query_ids, dataset.qrels.query_ids)
    return Shares(dataset.qrels.n_queries, common, len(run), len(met), len(judged), len(np.unique(met)))


def check_ids(dataset: Dataset, run: Run) -> list[Finding]:
    """What is wrong with the ids of a run against a dataset; empty where enough of them meet."""
    judged = dataset.qrels.doc_ids.unique()
    places = places_in(run.doc_ids, judged)
    found = _shares(dataset, run, judged, places)
    out: list[Finding] = []
    file = run.source.file or run.name
    if found.n_queries and found.common_queries == 0:
        out += _no_query(dataset, run, file)
        if out[0].remedy == "swap-columns":
            return out
    elif found.n_queries and found.queries < LOW:
        out += _differ("queries", run.query_ids, dataset.qrels.query_ids, found.common_queries, file, run.name)
    if not len(judged) or not len(run):
        return out
    missing = run.doc_ids if not found.judged_rows else run.doc_ids.filter(pa.array(places < 0))
    if found.judged_rows == 0:
        out += _no_document(missing, judged, file, run.name)
    elif found.judged_documents < LOW:
        out += _differ("judged documents", missing, judged, found.returned_documents, file, run.name)
    return out + _mangled(run, missing, file)


def _common(ids: pa.Array, among: pa.Array) -> int:
    return int(np.sum(positions(ids, among) >= 0))


def _no_query(dataset: Dataset, run: Run, file: str) -> list[Finding]:
    theirs, ours = _example(run.query_ids), _example(dataset.qrels.query_ids)
    n = dataset.qrels.n_queries
    reason = likeliest(run.query_ids, dataset.qrels.query_ids)
    if _swapped(dataset, run):
        key: str | None = "swap-columns"
        tail = " Its query and document columns look exchanged: apply swap-columns."
    elif reason is not None:
        key, words, would = reason
        theirs, ours = _pair(run.query_ids, dataset.qrels.query_ids, key)
        tail = f" {words}: with {key} {would:,} of {min(n, run.n_queries):,} would match."
    else:
        key, tail = None, ""
    message = f"{file}: 0 of {n:,} queries match (run has {theirs!r}, dataset has {ours!r}).{tail}"
    return [Finding("no-common-query", "error", message, file, run.name, n, examples=(theirs, ours), remedy=key)]


def _swapped(dataset: Dataset, run: Run) -> bool:
    """Whether the run's query column holds documents, and the other way round."""
    as_docs = _common(run.query_ids, dataset.qrels.doc_ids.unique())
    met = places_in(run.doc_ids, dataset.qrels.query_ids) if as_docs else np.zeros(0, dtype=np.int32)
    as_queries = len(np.unique(met[met >= 0]))
    return as_docs > 0 and as_queries > 0 and as_queries >= dataset.qrels.n_queries / 2


def _no_document(docs: pa.Array, judged: pa.Array, file: str, run: str) -> list[Finding]:
    reason = likeliest(docs, judged)
    theirs, ours = _example(docs), _example(judged)
    tail = ""
    if reason is not None:
        key, words, would = reason
        theirs, ours = _pair(docs, judged, key)
        tail = f" {words}: with {key} {would:,} of {len(judged):,} judged documents would be found."
    message = (
        f"{file}: no document id of the dataset occurs in the run (run has {theirs!r}, dataset has {ours!r}).{tail}"
    )
    severity: Severity = "error" if reason is not None else "warning"
    return [
        Finding(
            "no-common-document",
            severity,
            message,
            file,
            run,
            len(docs),
            examples=(theirs, ours),
            remedy=reason[0] if reason else None,
        )
    ]


def _differ(what: str, ids: pa.Array, among: pa.Array, common: int, file: str, run: str) -> list[Finding]:
    """Some ids meet, many do not: told only where a remedy would mend it."""
    missing = ids.filter(pa.array(positions(ids, among) < 0))
    wanted = among.filter(pa.array(positions(among, ids) < 0))
    reason = likeliest(missing, wanted)
    if reason is None or reason[2] < max(2, 0.2 * min(len(missing), len(wanted))):
        return []
    key, words, would = reason
    theirs, ours = _pair(missing, wanted, key)
    message = (
        f"{file}: only {common:,} of {len(among):,} {what} match. {words} (run has {theirs!r}, dataset has {ours!r}): "
        f"with {key} {common + would:,} would match."
    )
    return [Finding("ids-differ-by", "warning", message, file, run, would, examples=(theirs, ours), remedy=key)]


def _mangled(run: Run, missing: pa.Array, file: str) -> list[Finding]:
    """Ids such as 1.00E+05, which a spreadsheet makes of 1E5 or 100000."""
    tried = _sample(missing)
    odd = tried.filter(pc.match_substring_regex(tried, _MANGLED)).unique()
    if not len(odd):
        return []
    rows = np.flatnonzero(positions(run.doc_ids, odd) >= 0)
    lines = tuple(int(run.lines[row]) for row in rows[:5]) if run.lines is not None else ()
    where = f" (line {', '.join(f'{line:,}' for line in lines)})" if lines else ""
    shown = odd[0].as_py()
    message = (
        f"{file}: ids like {shown} look like spreadsheet numbers{where}; {len(rows):,} rows cannot be matched. "
        f"Export the file again with the id column as text."
    )
    return [Finding("ids-differ-by", "warning", message, file, run.name, len(rows), lines, (shown,), "numbers-as-text")]


WORDS = {
    "trim-blanks": "Blanks around ids differ",
    "unicode-form": "The Unicode form differs",
    "ignore-case": "Upper and lower case differ",
    "ignore-leading-zeros": "Leading zeros were probably lost",
    "drop-trailing-.0": "A trailing .0 differs (ids went through a number column)",
    "numbers-as-text": "Numbers are spelled differently (a spreadsheet?)",
    "file-ending": "Folders or file endings differ",
    "chunk-to-document": "The run returns chunks, the judgments name documents",
}


def likeliest(ids: pa.Array, among: pa.Array) -> tuple[str, str, int] | None:
    """The remedy with which most of `among` would be met, in words, and how many would: None where none helps.

    The simplest of equals wins. Remedies are tried on a sample where there are very many ids; how many the best one
    would mend is then counted on all of them.
    """
    best: tuple[int, str] | None = None
    some_ids = _sample(ids).unique()
    for key in WORDS:
        would = _would(key, some_ids, among)
        if would > (best[0] if best else 0):
            best = would, key
    if best is None:
        return None
    would = best[0] if len(ids) <= _SAMPLE else _would(best[1], ids, among)
    return best[1], WORDS[best[1]], would


def _would(key: str, ids: pa.Array, among: pa.Array) -> int:
    """How many of `among` are met with a remedy."""
    change = _change(key)
    ours = among if key == "chunk-to-document" else change(among).unique()
    met = places_in(change(ids), ours)
    return len(np.unique(met[met >= 0]))


def _sample(ids: pa.Array) -> pa.Array:
    """All ids, or some from everywhere where there are very many."""
    return ids if len(ids) <= _SAMPLE else take(ids, np.linspace(0, len(ids) - 1, _SAMPLE).astype(np.int64))


def _change(key: str) -> Change:
    change = REMEDIES[key].change
    return change if change is not None else chunk_change(CHUNK)


def _pair(ids: pa.Array, among: pa.Array, key: str) -> tuple[str, str]:
    """One id of each side that are the same with the remedy."""
    ids = _sample(ids)
    change = _change(key)
    at = positions(change(ids), (among if key == "chunk-to-document" else change(among)).unique())
    first = np.flatnonzero(at >= 0)
    if not len(first):
        return _example(ids), _example(among)
    mine = ids[int(first[0])].as_py()
    ours = among if key == "chunk-to-document" else change(among)
    other = np.flatnonzero(positions(ours, change(take(ids, first[:1]))) >= 0)
    return str(mine), str(among[int(other[0])].as_py())


def _example(ids: pa.Array) -> str:
    return str(ids[0].as_py()) if len(ids) else ""
