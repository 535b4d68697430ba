"""Do the ids of dataset and run speak of the same things? Shares of both sides, the likeliest reason, examples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ragdash.data.columns import places_in, positions, take
from ragdash.data.findings import Finding, Severity
from ragdash.data.mangled import mangled
from ragdash.data.nouns import Dataset, Documents, Run
from ragdash.data.remedies import parse_remedy

LOW = 0.5  # a share below which a reason is looked for
_SAMPLE = 200_000  # ids of the run on which remedies are tried
_FEW = 20_000  # as many where at least half of the ids meet


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
    asked = dataset.qrels.query_ids
    if found.n_queries and found.common_queries == 0:
        out += _no_query(dataset, run, file)
        if out[0].remedy == "swap-columns":
            return out
    if found.queries < 1:
        unknown, unasked = (_without(*pair) for pair in ((run.query_ids, asked), (asked, run.query_ids)))
        if found.common_queries:
            out += _differ("queries", unknown, unasked, len(asked), file, run.name)
        out += mangled(run, unknown, unasked, file, not found.common_queries)
    if not len(judged) or not len(run):
        return out
    missing = run.doc_ids if not found.judged_rows else run.doc_ids.filter(pa.array(places < 0))
    if found.judged_rows == 0:
        out += _no_document(missing, judged, file, run.name)
    wanted = judged.filter(pa.array(~np.isin(np.arange(len(judged)), places)))
    if found.judged_rows and len(wanted):
        few = _sample(missing, _SAMPLE if found.judged_documents < LOW else _FEW)
        out += _differ("judged documents", few, wanted, len(judged), file, run.name)
    spoiled = list(mangled(run, _sample(missing), wanted, file, not found.judged_rows))
    told = {one.remedy for one in spoiled}
    return [one for one in out if one.code != "ids-differ-by" or one.remedy not in told] + spoiled


def check_evidence(dataset: Dataset, run: Run, chunks: Documents) -> list[Finding]:
    """Whether evidence and the chunks of a run (`chunks`: its distinct ids) name the same documents."""
    named, cut = dataset.evidence.doc_ids.drop_null().unique(), chunks.parents.drop_null().unique()
    if not len(named) or not len(cut) or bool((positions(cut, named) >= 0).any()):
        return []
    by_field = run.documents.located or dataset.documents.located  # what stands in an id no remedy can reach
    reason = likeliest(cut, named) if by_field else None
    theirs, ours = (_example(cut), _example(named)) if reason is None else _pair(cut, named, reason[0], reason[1])
    tail = f" {reason[1]}: with {reason[0]} {reason[2]:,} of {len(named):,} would match." if reason else ""
    message = (
        f"{run.name}: no chunk is cut from a document in which evidence lies (chunks are of {theirs!r}, evidence is in "
        f"{ours!r}).{tail}"
    )
    severity: Severity = "warning" if len(dataset.qrels) else "error"
    file, key = run.source.file or None, reason[0] if reason else None
    return [Finding("no-common-evidence", severity, message, file, run.name, len(cut), (), (theirs, ours), key)]


def _without(ids: pa.Array, others: pa.Array) -> pa.Array:
    """Those of `ids` that do not occur among `others`."""
    return ids.filter(pa.array(positions(ids, others) < 0))


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
        theirs, ours = _pair(run.query_ids, dataset.qrels.query_ids, key, words)
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
        theirs, ours = _pair(docs, judged, key, words)
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


def _differ(what: str, missing: pa.Array, wanted: pa.Array, of: int, file: str, run: str) -> list[Finding]:
    """Some ids meet, many do not: told only where a remedy would mend it.

    `missing` are ids of the run that are unknown to the dataset, `wanted` those of the dataset that the run lacks.
    """
    reason = likeliest(missing, wanted)
    if reason is None or reason[2] < max(1, 0.2 * min(len(missing.unique()), len(wanted))):
        return []
    key, words, would = reason
    common = of - len(wanted)
    theirs, ours = _pair(missing, wanted, key, words)
    message = (
        f"{file}: only {common:,} of {of:,} {what} match. {words} (run has {theirs!r}, dataset has {ours!r}): "
        f"with {key} {common + would:,} would match."
    )
    return [Finding("ids-differ-by", "warning", message, file, run, would, examples=(theirs, ours), remedy=key)]


WORDS = {
    "trim-blanks": "Blanks around ids differ",
    "unicode-form": "The Unicode form differs",
    "ignore-case": "Upper and lower case differ",
    "ignore-leading-zeros": "Leading zeros were probably lost",
    "drop-trailing-.0": "A trailing .0 differs (ids went through a number column)",
    "numbers-as-text": "Numbers are spelled differently (a spreadsheet?)",
    "trim-quotes": "Quotes around ids differ",
    "drop-word-before-number": "A word before the number differs",
    "ignore-typography": "Dashes, quotes or full-width letters differ",
    "decode-escapes": "Escapes such as %20 or &amp; differ",
    "repair-encoding": "Letters are garbled (UTF-8 taken for Windows-1252)",
    "ignore-address": "The address is written differently (http, www, slashes)",
    "file-ending": "Folders or file endings differ",
    "chunk-to-document": "The run returns chunks, the judgments name documents",
    r"chunk-to-document:(::|[#@?]).*$": "The run returns chunks, the judgments name documents",
    r"chunk-to-document:^(chunk|passage|part|c|p)[-_.:#]?\d+[-_.:#/|]": (
        "The run returns chunks, the judgments name documents"
    ),
    r"chunk-to-document:[-_./|][^-_./|]*$": "The run returns parts of documents, the judgments name documents",
}
TURNED = "The judgments name chunks, the run names documents"


def likeliest(ids: pa.Array, among: pa.Array) -> tuple[str, str, int] | None:
    """The remedy with which most of `among` would be met, in words, and how many would: None where none helps.

    The simplest of equals wins. Remedies are tried on a sample where there are very many ids; how many the best one
    would mend is then counted on all of them.
    """
    best: tuple[int, str, bool] | None = None
    some_ids = _sample(ids).unique()
    for key in WORDS:
        for turned in (False, True) if key.startswith("chunk") else (False,):
            would = _would(key, some_ids, among, turned)
            if would > (best[0] if best else 0):
                best = would, key, turned
    if best is None:
        return None
    would, key, turned = best
    if len(ids) > _SAMPLE:
        would = _would(key, ids, among, turned)
    return key, TURNED if turned else WORDS[key], would


def _would(key: str, ids: pa.Array, among: pa.Array, turned: bool) -> int:
    """How many of `among` are met with a remedy; chunks are cut on the side of the run, or `turned` of the dataset."""
    theirs, ours = _changed(key, ids, among, turned)
    ours = ours.unique()
    met = places_in(theirs, ours)
    return len(np.unique(met[met >= 0]))


def _changed(key: str, ids: pa.Array, among: pa.Array, turned: bool) -> tuple[pa.Array, pa.Array]:
    change = parse_remedy(key).change
    assert change is not None
    if key.startswith("chunk"):
        return (ids, change(among)) if turned else (change(ids), among)
    if key == "drop-word-before-number":  # x1 and q1 have different words, 1 and q1 have not
        plain_side = pc.any(pc.match_substring_regex(ids, r"^\d+$")).as_py()
        return (ids, change(among)) if plain_side else (change(ids), among)
    return change(ids), change(among)


def _sample(ids: pa.Array, most: int = _SAMPLE) -> pa.Array:
    """All ids, or some from everywhere where there are very many."""
    return ids if len(ids) <= most else take(ids, np.linspace(0, len(ids) - 1, most).astype(np.int64))


def _pair(ids: pa.Array, among: pa.Array, key: str, words: str) -> tuple[str, str]:
    """One id of each side that are the same with the remedy."""
    ids = _sample(ids)
    theirs, ours = _changed(key, ids, among, words == TURNED)
    at = positions(theirs, ours.unique())
    first = np.flatnonzero(at >= 0)
    if not len(first):
        return _example(ids), _example(among)
    mine = int(first[0])
    other = np.flatnonzero(positions(ours, take(theirs, [mine])) >= 0)
    return str(ids[mine].as_py()), str(among[int(other[0])].as_py())


def _example(ids: pa.Array) -> str:
    return str(ids[0].as_py()) if len(ids) else ""
