"""Do the ids of dataset and run speak of the same things? Shares of both sides, the likeliest reason, examples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ragdash.data.columns import positions, take
from ragdash.data.findings import Finding, Severity
from ragdash.data.nouns import Dataset, Run
from ragdash.data.remedies import CHUNK, REMEDIES, chunk_change

LOW = 0.5  # a share below which a reason is looked for
_SAMPLE = 200_000  # ids of the run on which remedies are tried
_MANGLED = r"^\d(\.\d+)?[eE][+-]?\d{2,}$"
Change = Callable[[pa.Array], pa.Array]


@dataclass(frozen=True)
class Shares:
    """How far the two sides meet."""

    n_queries: int
    common_queries: int
    n_run_documents: int
    judged_run_documents: int
    n_judged_documents: int

    @property
    def queries(self) -> float:
        return self.common_queries / max(self.n_queries, 1)

    @property
    def run_documents(self) -> float:
        """Share of the run's distinct documents that are judged for any query."""
        return self.judged_run_documents / max(self.n_run_documents, 1)

    @property
    def judged_documents(self) -> float:
        """Share of the judged documents that the run returns for any query."""
        return self.judged_run_documents / max(self.n_judged_documents, 1)


def shares(dataset: Dataset, run: Run) -> Shares:
    """The shares of ids in common, by exact text."""
    docs, judged = run.doc_ids.unique(), dataset.qrels.doc_ids.unique()
    return Shares(
        dataset.qrels.n_queries,
        _common(run.query_ids, dataset.qrels.query_ids),
        len(docs),
        _common(docs, judged),
        len(judged),
    )


def check_ids(dataset: Dataset, run: Run) -> list[Finding]:
    """What is wrong with the ids of a run against a dataset; empty where enough of them meet."""
    found = shares(dataset, run)
    out: list[Finding] = []
    file = run.source.file or run.name
    if found.n_queries and found.common_queries == 0:
        out += _no_query(dataset, run, file)
        if _swapped(dataset, run):
            return out
    elif found.n_queries and found.queries < LOW:
        out += _differ("queries", run.query_ids, dataset.qrels.query_ids, found.common_queries, file, run.name)
    docs, judged = run.doc_ids.unique(), dataset.qrels.doc_ids.unique()
    if not len(judged) or not len(docs):
        return out
    if found.judged_run_documents == 0:
        out += _no_document(docs, judged, file, run.name)
    elif found.judged_documents < LOW:
        out += _differ("judged documents", docs, judged, found.judged_run_documents, file, run.name)
    out += _mangled(run, docs, judged, file)
    return out


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
    as_queries = _common(run.doc_ids.unique(), dataset.qrels.query_ids)
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


def _mangled(run: Run, docs: pa.Array, judged: pa.Array, file: str) -> list[Finding]:
    """Ids such as 1.00E+05, which a spreadsheet makes of 1E5 or 100000."""
    odd = docs.filter(pc.match_substring_regex(docs, _MANGLED))
    odd = odd.filter(pa.array(positions(odd, judged) < 0)) if len(odd) else odd
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

    The simplest of equals wins. Ids are tried on a sample where there are very many.
    """
    ids = _sample(ids)
    best: tuple[str, str, int] | None = None
    for key, words in WORDS.items():
        change = _change(key)
        theirs = change(ids).unique()
        ours = among if key == "chunk-to-document" else change(among).unique()
        would = _common(ours, theirs)
        if would > (best[2] if best else 0):
            best = key, words, would
    return best


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
