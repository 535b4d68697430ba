"""Whose judgments are a run's? Several sets of judgments of the same queries, each bound to the runs that it fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath

import numpy as np
import pyarrow as pa

from ragdash.data.columns import Ints, places_in, positions, take
from ragdash.data.findings import Finding
from ragdash.data.formats.gathering import stem
from ragdash.data.judgments import join_judgments
from ragdash.data.nouns import Dataset, Labels, Qrels, Run
from ragdash.errors import OptionError

_SAME = 0.05  # share of documents in common from which two files judge the same chunks
_COMMON = 0.5  # share of queries in common from which two files ask the same
_CLEAR = 0.9  # share of a run's judged results that one set must hold to be the run's


def on_axis(qrels: Qrels, query_ids: pa.Array) -> Qrels:
    """The same judgments for the queries `query_ids`, in their order; a query without any has none."""
    at = positions(query_ids, qrels.query_ids)
    counts = np.where(at >= 0, np.diff(qrels.starts)[np.maximum(at, 0)] if qrels.n_queries else 0, 0)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    rows = np.repeat(qrels.starts[np.maximum(at, 0)] - starts[:-1], counts) + np.arange(starts[-1])
    lines = None if qrels.lines is None else np.asarray(qrels.lines)[rows]
    return Qrels(query_ids, starts, take(qrels.doc_ids, rows), qrels.grades[rows], lines)


def label_sets(parts: Sequence[tuple[str, Qrels]], apart: Sequence[str] = ()) -> tuple[Labels, ...]:
    """The judgments of several files as sets that judge different documents for the same queries; () where none do.

    Files that share documents are one set, but those named in `apart`, which are a set each. `parts` are (file,
    judgments).
    """
    groups: list[list[tuple[str, Qrels]]] = []
    for part in parts:
        if part[0] in apart:
            groups.append([part])
            continue
        near = [group for group in groups if _near(group, part[1], apart)]
        groups = [group for group in groups if all(group is not other for other in near)]
        groups.append([one for group in near for one in group] + [part])
    sets = [(group[0][0], join_judgments(group)[0]) for group in groups]
    if not apart and not any(
        _share(one.query_ids, other.query_ids) >= _COMMON for i, (_, one) in enumerate(sets) for _, other in sets[:i]
    ):
        return ()
    names = names_of([file for file, _ in sets])
    files = [tuple(file for file, _ in group) for group in groups]
    return tuple(Labels(name, qrels, held) for name, (_, qrels), held in zip(names, sets, files))


def _near(group: Sequence[tuple[str, Qrels]], qrels: Qrels, apart: Sequence[str]) -> bool:
    """Whether a file judges the documents of a group that it may join."""
    return group[0][0] not in apart and any(_share(one.doc_ids, qrels.doc_ids) > _SAME for _, one in group)


def names_of(files: Sequence[str]) -> list[str]:
    """A name for each file, all different: its stem, with the folder where stems are the same, else with a number."""
    names = [stem(file) for file in files]
    if len(set(names)) < len(names):
        folders = [PurePosixPath(file.replace("\\", "/")).parent.name for file in files]
        names = [f"{folder}/{name}" if folder else name for folder, name in zip(folders, names)]
    out: list[str] = []
    for name in names:
        copy, numbered = 2, name
        while numbered in out:
            numbered, copy = f"{name} ({copy})", copy + 1
        out.append(numbered)
    return out


def _share(ids: pa.Array, others: pa.Array) -> float:
    """Share of the distinct ids of the smaller side that the other side has."""
    ids, others = sorted((ids.unique(), others.unique()), key=len)
    return float(np.mean(positions(ids, others) >= 0)) if len(ids) else 0.0


def met(qrels: Qrels, run: Run) -> int:
    """How many results of a run are judged for any query."""
    return int(np.sum(places_in(run.doc_ids, qrels.doc_ids.unique()) >= 0))


def bind(dataset: Dataset, runs: Sequence[Run], said: Sequence[str] = ()) -> tuple[str, ...]:
    """The name of each run's labels, "" for the union of all; () where all runs are judged by the same.

    A run gets the set that judges (nearly) all of its judged results; where one finds judged results in several, the
    sets are none of different chunkings, and nothing is bound by itself. `said` are remedies `labels:RUN=NAME` that
    settle it, and `join-labels`, with which nothing is bound. Raises OptionError naming what there is.
    """
    if not dataset.labels or "join-labels" in said:
        return ()
    chosen = dict(_settled(dataset, runs, one) for one in said if "=" in one)
    likely = {run.name: _best(dataset, run) for run in runs if run.name not in chosen}
    clear = all(one is not None for one in likely.values())
    bound = [chosen[run.name] if run.name in chosen else (likely[run.name] or "") if clear else "" for run in runs]
    return tuple(bound) if any(bound) else ()


def _best(dataset: Dataset, run: Run) -> str | None:
    """The labels that judge what a run returns; "" where none judge any of it, None where several do."""
    found = [met(one.qrels, run) for one in dataset.labels]
    best = int(np.argmax(found))
    if not found[best]:
        return ""
    return dataset.labels[best].name if found[best] >= _CLEAR * sum(found) else None


def _settled(dataset: Dataset, runs: Sequence[Run], remedy: str) -> tuple[str, str]:
    """The run and the labels that a remedy `labels:RUN=NAME` names."""
    argument = remedy.partition(":")[2]
    known = {f"{run.name}={one.name}": (run.name, one.name) for run in runs for one in dataset.labels}
    known |= {f"{run.name}=": (run.name, "") for run in runs}
    if argument in known:
        return known[argument]
    names = ", ".join(one.name for one in dataset.labels)
    raise OptionError(
        f"{remedy}: there is no such run or no such set of judgments. The runs are: "
        f"{', '.join(run.name for run in runs)}. The sets of judgments are: {names}."
    )


def own_dataset(dataset: Dataset, name: str) -> Dataset:
    """The dataset with the judgments that `name` names as its only ones."""
    own = next((one.qrels for one in dataset.labels if one.name == name), None)
    return dataset if own is None else replace(dataset, qrels=own)


def in_force(dataset: Dataset, bound: Sequence[str]) -> Dataset:
    """The dataset without the judgments that no run is scored against, where each run has its own."""
    used = [one for one in dataset.labels if one.name in bound]
    if not used or "" in bound or len(used) == len(dataset.labels):
        return dataset
    return replace(dataset, qrels=join_judgments([(one.name, one.qrels) for one in used])[0], labels=tuple(used))


def rows_among(qrels: Qrels, among: Qrels) -> Ints:
    """For each row of `qrels` the row of `among` with the same query and document; both have the same query axis.

    Every pair must be there.
    """
    if qrels is among:
        return np.arange(len(qrels))
    known = among.doc_ids.unique()
    width = max(len(known), 1)
    keys = among.query_codes() * width + positions(among.doc_ids, known)
    order = np.argsort(keys, kind="stable")
    found = np.searchsorted(keys, qrels.query_codes() * width + positions(qrels.doc_ids, known), sorter=order)
    rows: Ints = order[found]
    return rows


def labels_differ(dataset: Dataset, runs: Sequence[Run], bound: Sequence[str]) -> list[Finding]:
    """That runs are scored against different judgments, with how many are relevant on each side."""
    if not bound:
        return []
    out: list[Finding] = []
    sides = []
    for name in dict.fromkeys(bound):
        qrels = next((one.qrels for one in dataset.labels if one.name == name), dataset.qrels)
        mine = [run.name for run, one in zip(runs, bound) if one == name]
        n, relevant = len(qrels), int(np.sum(qrels.grades >= 1))
        sides.append(
            f"{', '.join(mine)} by {name or 'all judgments together'} ({relevant:,} relevant of {n:,} judged, "
            f"{relevant / max(qrels.n_queries, 1):.2f} a query)"
        )
    examples = [str(one.qrels.doc_ids[0].as_py()) for one in dataset.labels if len(one.qrels)]
    file = dataset.sources[0].file if dataset.sources else None
    if len(sides) > 1:
        message = (
            f"The labels differ: {'; '.join(sides)}. Precision and recall count different chunks on each side; "
            "documents and evidence spans are the same for both."
        )
        out.append(Finding("labels-differ", "warning", message, file, None, len(runs), examples=tuple(examples[:5])))
    unused = [one.name for one in dataset.labels if one.name not in bound]
    if unused:
        message = (
            f"{', '.join(unused)} judges chunks that no run returns; left out: {'; '.join(sides)}. "
            "With all judgments together recall would be lower."
        )
        out.append(
            Finding(
                "labels-unused", "warning", message, file, None, len(unused), examples=tuple(examples[:5]),
                remedy="join-labels",
            )
        )  # fmt: skip
    return out
