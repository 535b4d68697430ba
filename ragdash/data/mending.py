"""How is a remedy put to work? Ids of both sides renamed, rows that become one joined, all of it told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ragdash.data.columns import places_in, positions, take
from ragdash.data.findings import Finding, some
from ragdash.data.nouns import Dataset, Run
from ragdash.data.remedies import REMEDIES, Change, Remedy
from ragdash.data.renaming import file_of, renamed, renamed_dataset, without_duplicates


def apply_remedies(
    dataset: Dataset, runs: Sequence[Run], remedies: Sequence[Remedy], *, everywhere: bool = False
) -> tuple[Dataset, list[Run], list[Finding]]:
    """Dataset and runs with the remedies applied, safe ones first where they help, and what was done.

    `everywhere`: runs are of several chunkings, so that chunks become documents in all runs and in the judgments.
    """
    said: list[Finding] = []
    out = list(runs)
    for key in ("trim-blanks", "unicode-form"):
        if all(one.key != key for one in remedies):
            dataset, out = _safely(dataset, out, REMEDIES[key], said)
    for remedy in remedies:
        if remedy.acts == "ids":
            dataset, said = _dataset_changed(dataset, remedy, said)
        if remedy.acts == "documents":
            dataset, out = _to_documents(dataset, out, remedy, said, everywhere)
        elif remedy.acts != "labels":
            out = [_applied(run, remedy, said) for run in out]
    return dataset, out, said


def _applied(run: Run, remedy: Remedy, said: list[Finding]) -> Run:
    base, _, only = remedy.key.partition(":")
    if base in ("flip-scores", "swap-columns") and only and only != run.name:
        return run
    if remedy.chunks is not None:
        said += _unmapped(run, remedy)
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


def _to_documents(
    dataset: Dataset, runs: list[Run], remedy: Remedy, said: list[Finding], everywhere: bool
) -> tuple[Dataset, list[Run]]:
    """Chunks become documents in the runs, and in the judgments where they name chunks too.

    A mapping file says which ids are chunks, and of several chunkings all are. What a pattern would cut may otherwise
    be part of a document's id: it is left where it stands if fewer judged documents would be met without it.
    """
    change = remedy.change
    assert change is not None
    judged = dataset.qrels.doc_ids.unique()
    rolled = change(judged).unique() if _differs(judged, change) else judged
    if remedy.chunks is not None or everywhere:
        cut, roll = [True] * len(runs), rolled is not judged
    else:
        ids = [run.doc_ids.unique() for run in runs]
        as_judged = [(met_by(change(one), judged), met_by(one, judged)) for one in ids]
        as_rolled = (
            as_judged if rolled is judged else [(met_by(change(one), rolled), met_by(one, rolled)) for one in ids]
        )
        roll = sum(map(max, as_rolled)) > sum(map(max, as_judged))
        cut = [after >= before for after, before in (as_rolled if roll else as_judged)]
    mended = [_applied(run, remedy, said) if wanted else _left(run, remedy, said) for run, wanted in zip(runs, cut)]
    return (_rolled_up(dataset, remedy, said) if roll else dataset), mended


def _left(run: Run, remedy: Remedy, said: list[Finding]) -> Run:
    message = f"{remedy.key} was not applied to {run.name}: its ids match better as they are."
    said.append(Finding("remedy-applied", "info", message, run.source.file or None, run.name, remedy=remedy.key))
    return run


def _rolled_up(dataset: Dataset, remedy: Remedy, said: list[Finding]) -> Dataset:
    """Judgments that name chunks become judgments of their documents, each with the highest grade of its chunks."""
    assert remedy.change is not None
    qrels = dataset.qrels
    rolled, _ = renamed_dataset(dataset, remedy.change, queries=False)
    message = (
        f"{len(qrels):,} judgments of chunks became {len(rolled.qrels):,} of documents; a document has the "
        "highest grade of its chunks."
    )
    file = file_of(dataset)
    said.append(Finding("remedy-applied", "info", message, file, None, len(qrels), remedy=remedy.key))
    if remedy.chunks is not None:
        said += _not_named(qrels.doc_ids.unique(), remedy, "the judgments", file, None)
    return rolled


def _unmapped(run: Run, remedy: Remedy) -> list[Finding]:
    """Ids of a run that a mapping names neither as chunk nor as document."""
    return _not_named(run.doc_ids.unique(), remedy, run.name, run.source.file or None, run.name)


def _not_named(ids: pa.Array, remedy: Remedy, whose: str, file: str | None, run: str | None) -> list[Finding]:
    assert remedy.chunks is not None
    left = ids.filter(pa.array(places_in(ids, remedy.chunks) < 0))
    if not len(left):
        return []
    examples = some(left[:5].to_pylist())
    mapping = PurePath(remedy.key.partition("@")[2]).name or "what the files say of chunks"
    message = (
        f"{len(left):,} of {len(ids):,} document ids of {whose} are not in {mapping} "
        f"(such as {examples[0]}); they stay as they are."
    )
    return [Finding("unmapped-chunk", "warning", message, file, run, len(left), examples=examples)]


def _dataset_changed(dataset: Dataset, remedy: Remedy, said: list[Finding]) -> tuple[Dataset, list[Finding]]:
    assert remedy.change is not None
    changed, settled = renamed_dataset(dataset, remedy.change)
    message = f"{remedy.key} was applied to {dataset.name}: {remedy.sentence}"
    return changed, [
        *said,
        Finding("remedy-applied", "info", message, file=file_of(dataset), remedy=remedy.key),
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
                    file_of(dataset),
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
    if remedy.key == "trim-blanks" and any(re.search(r"\\[ux]", one) for one in examples):
        what = "blanks or invisible characters in ids"
    where = f" (line {', '.join(f'{line:,}' for line in lines)})" if lines else ""
    done = "they were trimmed" if remedy.key == "trim-blanks" else "they were brought to one form"
    first = examples[0] if examples else ""
    message = f"{what} in {file or name}{where}, {count:,} in all, such as {first}; {done}, as they match then."
    return Finding("ids-differ-by", "warning", message, file, run, count, lines, examples, remedy.key)


def _changed(
    column: pa.Array, lines: Sequence[int] | NDArray[np.int32] | None, change: Change
) -> tuple[int, tuple[int, ...], tuple[str, ...]]:
    rows = np.flatnonzero(pc.not_equal(column, change(column)).to_numpy(zero_copy_only=False))
    at = tuple(int(lines[row]) for row in rows[:5]) if lines is not None else ()
    return len(rows), at, some(repr(one) for one in take(column, rows[:5]).to_pylist())


def _changed_run(run: Run, change: Change) -> tuple[int, tuple[int, ...], tuple[str, ...]]:
    """Rows of a run whose query or document id changes."""
    queries = pc.not_equal(run.query_ids, change(run.query_ids)).to_numpy(zero_copy_only=False)
    docs = pc.not_equal(run.doc_ids, change(run.doc_ids)).to_numpy(zero_copy_only=False)
    codes = np.repeat(np.arange(run.n_queries), run.depths)
    rows = np.flatnonzero(queries[codes] | docs) if len(codes) else np.zeros(0, dtype=np.int64)
    lines = tuple(sorted(int(run.lines[row]) for row in rows[:5])) if run.lines is not None else ()
    shown = [run.doc_ids[int(row)].as_py() if docs[row] else run.query_ids[int(codes[row])].as_py() for row in rows[:5]]
    return len(rows), tuple(dict.fromkeys(lines)), some(repr(one) for one in shown)


def _differs(column: pa.Array, change: Change) -> bool:
    return bool(pc.any(pc.not_equal(column, change(column))).as_py())


def matches(dataset: Dataset, run: Run) -> int:
    """How much of a run meets the judgments: queries in common, and its documents that are judged at all."""
    queries = int(np.sum(positions(run.query_ids, dataset.qrels.query_ids) >= 0))
    return queries + met_by(run.doc_ids, dataset.qrels.doc_ids.unique())


def met_by(ids: pa.Array, among: pa.Array) -> int:
    """How many of `among` (distinct) occur among `ids`."""
    met = places_in(ids, among)
    return len(np.unique(met[met >= 0]))
