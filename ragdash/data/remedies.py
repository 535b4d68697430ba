"""What can be mended without touching a file? Ids made alike, scores turned, duplicates dropped, visibly.

A remedy is a pure transformation of a text column. `trim-blanks` and `unicode-form` are applied by themselves where
they make ids match; every other one only on request, by its key.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ragdash.data.columns import group_rows, places_in, positions, take, text_column
from ragdash.data.findings import Finding, some
from ragdash.data.judgments import pair_keys, settle
from ragdash.data.nouns import Dataset, Documents, Qrels, Queries, Run
from ragdash.errors import OptionError

Acts = Literal["ids", "documents", "runs"]
Side = Literal["both", "run"]
CHUNK = r"[-_.:#/|]?(?:chunk|chunks|part|passage|p|c|seg|segment|node|split|#)?[-_.:#]?\d+(?:[-_:]\d+)?$"


@dataclass(frozen=True)
class Remedy:
    """One way to mend ids or runs.

    `acts` says on what: `ids` (query and document ids of both sides), `documents` (document ids of the runs), `runs`
    (scores or rows). `change` maps a text column to a text column of the same length, where the remedy is about ids.
    """

    key: str
    title: str
    sentence: str
    acts: Acts
    change: Callable[[pa.Array], pa.Array] | None = None
    safe: bool = False


def _number_text(column: pa.Array) -> pa.Array:
    """Whole numbers in one spelling: `1.00E+05`, `100000.0` and `100000` are `100000`."""
    number = pc.match_substring_regex(column, r"^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$")
    odd = pc.and_(number, pc.match_substring_regex(column, r"[.eE]|^\+"))
    values = pc.if_else(odd, pc.replace_substring_regex(column, r"^\+", ""), None).cast(pa.float64())
    floats = values.to_numpy(zero_copy_only=False)
    fits = np.isfinite(floats) & (np.abs(floats) < 2**53)
    whole = fits & (np.where(fits, floats, 0.5) % 1 == 0)
    texts = pa.array(np.where(whole, floats, 0).astype(np.int64)).cast(pa.string())
    return pc.if_else(pa.array(whole), texts, column)


def _composed(column: pa.Array) -> pa.Array:
    """Each text in NFC. (Arrow's own normalization leaves letters and accents apart before version 26.)"""
    plain = pc.string_is_ascii(column)
    if pc.all(plain).as_py() in (True, None):
        return column
    texts = [one if one is None else unicodedata.normalize("NFC", one) for one in column.to_pylist()]
    return pa.array(texts, type=column.type)


def _folded(column: pa.Array) -> pa.Array:
    return pc.utf8_lower(column)


REMEDIES: dict[str, Remedy] = {
    one.key: one
    for one in (
        Remedy(
            "trim-blanks", "Trim blanks", "Blanks, tabs and line ends around ids are removed.", "ids",
            lambda column: pc.utf8_trim_whitespace(column), True,
        ),
        Remedy(
            "unicode-form", "One Unicode form", "Accented letters are compared in one form (NFC).", "ids",
            lambda column: _composed(column), True,
        ),
        Remedy("ignore-case", "Ignore case", "Capital and small letters in ids are the same.", "ids", _folded),
        Remedy(
            "ignore-leading-zeros", "Ignore leading zeros", "0007 and 7 are the same id.", "ids",
            lambda column: pc.replace_substring_regex(column, r"^0+(\d)", r"\1"),
        ),
        Remedy(
            "drop-trailing-.0", "Drop a trailing .0", "7.0 and 7 are the same id.", "ids",
            lambda column: pc.replace_substring_regex(column, r"^(-?\d+)\.0+$", r"\1"),
        ),
        Remedy(
            "numbers-as-text", "One spelling of numbers", "1.00E+05, 1E5 and 100000 are the same id.", "ids",
            _number_text,
        ),
        Remedy(
            "file-ending", "Ignore folders and file endings", "docs/guide.md and guide are the same document.", "ids",
            lambda column: pc.replace_substring_regex(column, r"^.*/|\.[A-Za-z]{1,5}$", ""),
        ),
        Remedy(
            "chunk-to-document", "Chunks to documents",
            "A chunk suffix is cut off the run's document ids; the first chunk of a document is kept.", "documents",
        ),
        Remedy("swap-columns", "Swap query and document", "The run's query and document ids are exchanged.", "runs"),
        Remedy("flip-scores", "Smaller is better", "The run's scores are distances: their sign is turned.", "runs"),
        Remedy("drop-duplicates", "Drop duplicates", "A document counts once a query, at its first place.", "runs"),
    )
}  # fmt: skip


def parse_remedy(text: str) -> Remedy:
    """A remedy by its key.

    `chunk-to-document:REGEX` cuts what REGEX matches; `flip-scores:RUN` and `swap-columns:RUN` mend that run alone.
    """
    key, colon, argument = text.partition(":")
    known = REMEDIES.get(key.strip())
    if known is None:
        raise OptionError(f"There is no remedy {text!r}. Remedies: {', '.join(REMEDIES)}.")
    if colon and key != "chunk-to-document":
        if key in ("flip-scores", "swap-columns") and argument:
            return replace(known, key=text)
        raise OptionError(f"The remedy {key} takes no argument ({argument!r}).")
    if key == "chunk-to-document":
        return replace(known, key=text, change=chunk_change(argument or CHUNK))
    return known


def chunk_change(pattern: str) -> Callable[[pa.Array], pa.Array]:
    """Cuts what `pattern` matches. Raises OptionError where it is no regular expression."""
    try:
        re.compile(pattern)
        pc.replace_substring_regex(pa.array(["a"]), pattern, "")
    except (re.error, pa.ArrowInvalid) as error:
        raise OptionError(f"chunk-to-document: {pattern!r} is no regular expression ({error}).") from None

    def change(column: pa.Array) -> pa.Array:
        cut = pc.replace_substring_regex(column, pattern, "", max_replacements=1)
        return pc.if_else(pc.equal(cut, ""), column, cut)  # an id that is nothing but a number stays

    return change


def apply_remedies(
    dataset: Dataset, runs: Sequence[Run], remedies: Sequence[Remedy]
) -> tuple[Dataset, list[Run], list[Finding]]:
    """Dataset and runs with the remedies applied, safe ones first where they help, and what was done."""
    said: list[Finding] = []
    out = list(runs)
    for key in ("trim-blanks", "unicode-form"):
        if all(one.key != key for one in remedies):
            dataset, out = _safely(dataset, out, REMEDIES[key], said)
    for remedy in remedies:
        if remedy.acts == "ids":
            dataset, said = _dataset_changed(dataset, remedy, said)
        out = [_applied(run, remedy, said) for run in out]
    return dataset, out, said


def _applied(run: Run, remedy: Remedy, said: list[Finding]) -> Run:
    base, _, only = remedy.key.partition(":")
    if base in ("flip-scores", "swap-columns") and only and only != run.name:
        return run
    if remedy.change is not None:
        changed = renamed(run, remedy.change, queries=remedy.acts == "ids")
    elif base == "flip-scores":
        changed = run if run.scores is None else replace(run, scores=-run.scores)
    elif base == "swap-columns":
        rows = take(run.query_ids, np.repeat(np.arange(run.n_queries), run.depths))
        changed = Run.of(run.name, run.doc_ids, rows, run.scores, lines=None, source=run.source, findings=run.findings)
    else:
        changed = without_duplicates(run)
    message = f"{remedy.key} was applied to {run.name}: {remedy.sentence}"
    said.append(
        Finding(
            "remedy-applied",
            "info",
            message,
            file=run.source.file or None,
            run=run.name,
            count=len(run),
            remedy=remedy.key,
        )
    )
    if base == "flip-scores":
        changed = replace(
            changed, findings=tuple(one for one in changed.findings if one.code != "scores-look-like-distances")
        )
    return changed


def _dataset_changed(dataset: Dataset, remedy: Remedy, said: list[Finding]) -> tuple[Dataset, list[Finding]]:
    assert remedy.change is not None
    changed, settled = renamed_dataset(dataset, remedy.change)
    message = f"{remedy.key} was applied to {dataset.name}: {remedy.sentence}"
    return changed, [
        *said,
        Finding("remedy-applied", "info", message, file=_file(dataset), remedy=remedy.key),
        *settled,
    ]


def _safely(dataset: Dataset, runs: list[Run], remedy: Remedy, said: list[Finding]) -> tuple[Dataset, list[Run]]:
    """Apply a safe remedy to each side on which it makes more ids match, and say so."""
    assert remedy.change is not None
    change = remedy.change
    if _differs(dataset.qrels.query_ids, change) or _differs(dataset.qrels.doc_ids, change):
        tried, settled = renamed_dataset(dataset, change)
        tried_runs = [renamed(run, change) for run in runs]
        if sum(matches(tried, run) for run in tried_runs) > sum(matches(dataset, run) for run in runs):
            said.append(
                _told(
                    dataset.name,
                    _file(dataset),
                    None,
                    _changed(dataset.qrels.doc_ids, dataset.qrels.lines, change),
                    remedy,
                )
            )
            said += settled
            dataset = tried
    out: list[Run] = []
    for run in runs:
        if _differs(run.query_ids, change) or _differs(run.doc_ids, change):
            tried_run = renamed(run, change)
            if matches(dataset, tried_run) > matches(dataset, run):
                touched = _changed_run(run, change)
                said.append(_told(run.name, run.source.file or None, run.name, touched, remedy))
                run = tried_run
        out.append(run)
    return dataset, out


def _told(
    name: str, file: str | None, run: str | None, touched: tuple[int, tuple[int, ...], tuple[str, ...]], remedy: Remedy
) -> Finding:
    count, lines, examples = touched
    what = "blanks around ids" if remedy.key == "trim-blanks" else "ids in another Unicode form"
    where = f" (line {', '.join(f'{line:,}' for line in lines)})" if lines else ""
    done = "they were trimmed" if remedy.key == "trim-blanks" else "they were brought to one form"
    first = examples[0] if examples else ""
    message = f"{what} in {file or name}{where}, {count:,} in all, such as {first}; {done}, as they match then."
    return Finding("ids-differ-by", "warning", message, file, run, count, lines, examples, remedy.key)


def _changed(
    column: pa.Array, lines: Sequence[int] | NDArray[np.int32] | None, change: Callable[[pa.Array], pa.Array]
) -> tuple[int, tuple[int, ...], tuple[str, ...]]:
    rows = np.flatnonzero(pc.not_equal(column, change(column)).to_numpy(zero_copy_only=False))
    at = tuple(int(lines[row]) for row in rows[:5]) if lines is not None else ()
    return len(rows), at, some(repr(one) for one in take(column, rows[:5]).to_pylist())


def _changed_run(run: Run, change: Callable[[pa.Array], pa.Array]) -> tuple[int, tuple[int, ...], tuple[str, ...]]:
    """Rows of a run whose query or document id changes."""
    queries = pc.not_equal(run.query_ids, change(run.query_ids)).to_numpy(zero_copy_only=False)
    docs = pc.not_equal(run.doc_ids, change(run.doc_ids)).to_numpy(zero_copy_only=False)
    codes = np.repeat(np.arange(run.n_queries), run.depths)
    rows = np.flatnonzero(queries[codes] | docs) if len(codes) else np.zeros(0, dtype=np.int64)
    lines = tuple(sorted(int(run.lines[row]) for row in rows[:5])) if run.lines is not None else ()
    shown = [run.doc_ids[int(row)].as_py() if docs[row] else run.query_ids[int(codes[row])].as_py() for row in rows[:5]]
    return len(rows), tuple(dict.fromkeys(lines)), some(repr(one) for one in shown)


def _differs(column: pa.Array, change: Callable[[pa.Array], pa.Array]) -> bool:
    return bool(pc.any(pc.not_equal(column, change(column))).as_py())


def matches(dataset: Dataset, run: Run) -> int:
    """How much of a run meets the judgments: queries in common, and its documents that are judged at all."""
    queries = int(np.sum(positions(run.query_ids, dataset.qrels.query_ids) >= 0))
    met = places_in(run.doc_ids, dataset.qrels.doc_ids.unique())
    return queries + len(np.unique(met[met >= 0]))


def renamed(run: Run, change: Callable[[pa.Array], pa.Array], queries: bool = True) -> Run:
    """A run with other ids; a document that occurs twice then is kept at its best place."""
    docs = change(run.doc_ids)
    texts = (
        None
        if run.documents is None
        else Documents.of(change(run.documents.ids), run.documents.texts, run.documents.titles)
    )
    changed = replace(run, doc_ids=docs, documents=texts)
    if queries:
        ids = change(run.query_ids)
        distinct = len(ids.unique()) == len(ids)
        changed = replace(changed, query_ids=ids) if distinct else _regrouped(changed, ids)
    had = len(np.unique(_pairs(run)))
    return without_duplicates(changed) if len(np.unique(_pairs(changed))) < had else changed


def _regrouped(run: Run, ids: pa.Array) -> Run:
    """Two queries became one: their rows are joined, measurements of the first kept."""
    rows = take(ids, np.repeat(np.arange(run.n_queries), run.depths))
    distinct, starts, order = group_rows(ids)
    first = starts[:-1] if order is None else order[starts[:-1]]
    empty = distinct.to_pylist()
    out = Run.of(
        run.name,
        rows,
        run.doc_ids,
        run.scores,
        lines=run.lines,
        empty=empty,
        source=run.source,
        documents=run.documents,
        findings=run.findings,
    )
    back = first[positions(out.query_ids, distinct)]
    return replace(
        out,
        query_texts=None if run.query_texts is None else take(run.query_texts, back),
        measurements={key: values[back] for key, values in run.measurements.items()},
    )


def _pairs(run: Run) -> NDArray[np.int64]:
    codes = np.repeat(np.arange(run.n_queries, dtype=np.int64), run.depths)
    docs = run.doc_ids.dictionary_encode()
    pairs: NDArray[np.int64] = codes * max(len(docs.dictionary), 1) + docs.indices.to_numpy(zero_copy_only=False)
    return pairs


def without_duplicates(run: Run) -> Run:
    """Each document once a query: the row with the best score, the first of equals."""
    pairs = _pairs(run)
    place = np.arange(len(pairs)) if run.scores is None else np.lexsort((np.arange(len(pairs)), -run.scores))
    _, first = np.unique(pairs[place], return_index=True)
    kept = np.sort(place[first])
    if len(kept) == len(pairs):
        return run
    codes = np.repeat(np.arange(run.n_queries), run.depths)[kept]
    starts = np.concatenate([[0], np.cumsum(np.bincount(codes, minlength=run.n_queries))]).astype(np.int64)
    lines = None if run.lines is None else np.asarray(run.lines)[kept]
    return replace(
        run,
        starts=starts,
        doc_ids=take(run.doc_ids, kept),
        scores=None if run.scores is None else run.scores[kept],
        lines=lines,
    )


def renamed_dataset(dataset: Dataset, change: Callable[[pa.Array], pa.Array]) -> tuple[Dataset, Iterable[Finding]]:
    """A dataset with other ids; pairs that become the same are settled."""
    qrels = dataset.qrels
    ids = change(qrels.query_ids)
    docs = change(qrels.doc_ids)
    queries = Queries.of(change(dataset.queries.ids), dataset.queries.texts, dataset.queries.metadata)
    documents = Documents.of(change(dataset.documents.ids), dataset.documents.texts, dataset.documents.titles)
    rows = take(ids, qrels.query_codes())
    settled: Iterable[Finding] = ()
    if len(ids.unique()) < len(ids) or len(np.unique(pair_keys(rows, docs))) < len(docs):
        judged, settled = settle(rows, docs, qrels.grades, qrels.lines, _file(dataset) or dataset.name)
        empty = text_column(ids).to_pylist()
        rows = take(judged.query_ids, judged.query_codes())
        judged = Qrels.of(rows, judged.doc_ids, judged.grades, lines=judged.lines, empty=empty)
    else:
        judged = replace(qrels, query_ids=ids, doc_ids=docs)
    return replace(dataset, qrels=judged, queries=queries, documents=documents), settled


def _file(dataset: Dataset) -> str | None:
    return dataset.sources[0].file if dataset.sources else None
