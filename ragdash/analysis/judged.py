"""What do judgments made in the app change? Grades, and no more: runs are neither paired nor ranked again for them.

An `Experiment` with added judgments is a `Judged`: the same runs on the same axis, with more grades. The rankings of
the experiment without them are extended by the places of the documents that were judged, which `Places` looks up one
by one. `rank_run` over the larger judgments would give the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import NoReturn

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ragdash import wording
from ragdash.analysis.places import Found, Places
from ragdash.data.columns import Ints, joined, take, text_column
from ragdash.data.evidence import Evidence, Locations
from ragdash.data.experiment import Experiment
from ragdash.data.findings import Finding, ordered
from ragdash.data.nouns import Documents, Floats, Qrels
from ragdash.metrics import Judgments, Rankings

Pair = tuple[str, str]
Grades = Mapping[Pair, float]
CODE = "judgments-added"


@dataclass(frozen=True)
class Merged:
    """Judgments with more of them. The axis stays: a new one stands behind those of its query.

    `old [n_before]` and `new [n_added]` are the rows in `qrels` of the judgments that were there and of those added,
    which are of `query` (places on the axis) and `docs`.
    """

    qrels: Qrels
    old: Ints
    new: Ints
    query: Ints
    docs: pa.Array


def merged(qrels: Qrels, query: Ints, docs: pa.Array, grades: Floats) -> Merged:
    """`qrels` with one more judgment for each of `query` (a place on the axis), `docs` and `grades`, each `[n_added]`.

    A pair that was judged before gets the new grade, in its old row. Pairs must differ.
    """
    known = _rows_of(qrels, query, docs)
    fresh = known < 0
    values = qrels.grades.copy()
    values[known[~fresh]] = grades[~fresh]
    codes = np.concatenate([qrels.query_codes(), query[fresh]])
    order = np.argsort(codes, kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    starts = np.concatenate([[0], np.cumsum(np.bincount(codes, minlength=qrels.n_queries))])
    more = Qrels(
        qrels.query_ids,
        starts,
        take(joined([qrels.doc_ids, take(docs, np.flatnonzero(fresh))]), order),
        np.concatenate([values, grades[fresh]])[order],
    )
    new = np.empty(len(query), dtype=np.int64)
    new[~fresh] = place[known[~fresh]]
    new[fresh] = place[len(qrels) :]
    return Merged(more, place[: len(qrels)], new, query, docs)


def _rows_of(qrels: Qrels, query: Ints, docs: pa.Array) -> Ints:
    """The row of `qrels` that judges each pair, -1 where none does."""
    asked = np.unique(query)
    size = np.diff(qrels.starts)[asked]
    group = np.repeat(asked, size)
    rows = np.arange(len(group)) - np.repeat(np.cumsum(size) - size - qrels.starts[asked], size)
    known = dict(zip(zip(group.tolist(), take(qrels.doc_ids, rows).to_pylist()), rows.tolist()))
    return np.array([known.get(pair, -1) for pair in zip(query.tolist(), docs.to_pylist())], dtype=np.int64)


def grades_in(experiment: Experiment, pairs: Sequence[Pair]) -> dict[Pair, float]:
    """The grades that the files give to those of `pairs` that they judge."""
    index, qrels = experiment.query_index, experiment.qrels
    known = [pair for pair in dict.fromkeys(pairs) if pair[0] in index]
    query = np.array([index[one] for one, _ in known], dtype=np.int64)
    rows = _rows_of(qrels, query, text_column([doc for _, doc in known])).tolist()
    return {pair: float(qrels.grades[row]) for pair, row in zip(known, rows) if row >= 0}


@dataclass(frozen=True)
class Judged(Experiment):
    """An experiment in which judgments count that were made in the app. `base` is the same without them.

    `added` are the grades by query and document; what the files say otherwise stays as it is. Where runs are judged by
    different labels, `own` has the judgments of each: a document is added where a run that they judge returns it.
    """

    base: Experiment = field(default_factory=lambda: _needed("base"))
    merged: Merged = field(default_factory=lambda: _needed("merged"))
    added: Grades = field(default_factory=dict)
    own: Mapping[str, Merged] = field(default_factory=dict)

    def merged_of(self, run: int) -> Merged:
        """The judgments that run number `run` is scored against."""
        return self.own.get(self.label_of(run), self.merged)

    def qrels_of(self, run: int) -> Qrels:
        return self.merged_of(run).qrels

    @cached_property
    def judged_by(self) -> dict[str, Qrels]:
        return {name: self.own.get(name, self.merged).qrels for name in self.base.judged_by}

    @cached_property
    def sha256(self) -> str:
        """As of every experiment: all that scores depend on. Texts are not read again for a new grade."""
        return hashlib.sha256(f"{self.base.sha256}\0{digest(self.added)}".encode()).hexdigest()

    @cached_property
    def query_ids(self) -> list[str]:
        return self.base.query_ids

    @cached_property
    def query_index(self) -> dict[str, int]:
        return self.base.query_index

    @cached_property
    def query_texts(self) -> list[str]:
        return self.base.query_texts

    @cached_property
    def documents(self) -> Documents:
        return self.base.documents

    @cached_property
    def evidence(self) -> Evidence:
        return self.base.evidence

    @cached_property
    def parents(self) -> pa.Array:
        return self.base.parents

    @cached_property
    def evidence_codes(self) -> Ints:
        return self.base.evidence_codes

    @cached_property
    def places(self) -> tuple[Documents, ...]:
        return self.base.places

    @cached_property
    def locations(self) -> tuple[Locations, ...]:
        return self.base.locations


def digest(added: Grades) -> str:
    """One digest over judgments, in whatever order they were made."""
    told = "\0".join(f"{query}\0{doc}\0{float(grade)!r}" for (query, doc), grade in sorted(added.items()))
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


def _needed(name: str) -> NoReturn:
    raise TypeError(f"Judged needs {name}: with_judgments makes one.")


def with_judgments(experiment: Experiment, added: Grades) -> Experiment:
    """The experiment with these judgments beside those of its files, and a finding that counts them.

    What names no query of the axis, or says what the files say, is left out. Without any the experiment is returned as
    it is.
    """
    index, in_file = experiment.query_index, grades_in(experiment, list(added))
    known = {
        pair: float(grade) for pair, grade in added.items() if pair[0] in index and in_file.get(pair) != float(grade)
    }
    if not known:
        return experiment
    query = np.array([index[one] for one, _ in known], dtype=np.int64)
    docs = text_column([doc for _, doc in known])
    grades = np.array(list(known.values()), dtype=np.float64)
    more = merged(experiment.qrels, query, docs, grades)
    plain = {one.name: getattr(experiment, one.name) for one in fields(Experiment)}
    plain["dataset"] = replace(experiment.dataset, qrels=more.qrels)
    plain["findings"] = ordered([*experiment.findings, counted(len(known), True)])
    return Judged(**plain, base=experiment, merged=more, added=known, own=_by_label(experiment, query, docs, grades))


def _by_label(experiment: Experiment, query: Ints, docs: pa.Array, grades: Floats) -> dict[str, Merged]:
    """For each set of labels its judgments with those added whose document a run returns that they judge."""
    out = {}
    for name in dict.fromkeys(one for one in experiment.bound if one):
        runs = [run for run, label in enumerate(experiment.bound) if label == name]
        hit = np.flatnonzero(np.any([_returned(experiment, run, query, docs) for run in runs], axis=0))
        out[name] = merged(experiment.qrels_of(runs[0]), query[hit], take(docs, hit), grades[hit])
    return out


def _returned(experiment: Experiment, run: int, query: Ints, docs: pa.Array) -> NDArray[np.bool_]:
    """Whether the run lists each of these documents for its query, at any rank. Shape `[n]`."""
    one, rows = experiment.runs[run], experiment.rows[run][query]
    ids: dict[int, set[str]] = {-1: set()}
    for row in np.unique(rows[rows >= 0]).tolist():
        ids[row] = set(one.doc_ids.slice(one.starts[row], one.depths[row]).to_pylist())
    return np.array([doc in ids[row] for row, doc in zip(rows.tolist(), docs.to_pylist())], dtype=bool)


def counted(n: int, on: bool) -> Finding:
    """That so many judgments were made in the app, and whether they count."""
    told = "counts beside those" if n == 1 else "count beside those"
    if not on:
        told = "does not count beside those" if n == 1 else "do not count beside those"
    return Finding(CODE, "info", f"{wording.count(n, 'judgment')} made in ragdash {told} of the files.", count=n)


def not_counted(experiment: Experiment, n: int) -> Experiment:
    """The experiment as it is, with a finding that `n` judgments made in the app are switched off."""
    return replace(experiment, findings=ordered([*experiment.findings, counted(n, False)])) if n else experiment


def said(experiment: Experiment) -> str:
    """The judgments made in the app as a setting: "14 counted", "14 not counted"; "" where there are none."""
    for one in experiment.findings:
        if one.code == CODE:
            return f"{one.count} {'counted' if isinstance(experiment, Judged) else 'not counted'}"
    return ""


def added_to(experiment: Experiment, query_id: str) -> frozenset[str]:
    """The documents of one query whose grade was given in the app, and counts."""
    if not isinstance(experiment, Judged):
        return frozenset()
    return frozenset(doc for query, doc in experiment.added if query == query_id)


def extended(rankings: Rankings, found: Found, more: Merged, judgments: Judgments) -> Rankings:
    """Rankings of the experiment before as they are with `more` judgments, of which `found` are the places.

    `judgments` are all grades of `more.qrels`; the same for every run.
    """
    assert rankings.judgment is not None
    judgment = more.old[rankings.judgment]
    fresh = np.flatnonzero((found.rank > 0) & ~np.isin(more.new, more.old))
    width = int(max(rankings.rank.max(initial=0), found.rank.max(initial=0))) + 1
    key = more.query[fresh] * width + found.rank[fresh]
    fresh = fresh[np.argsort(key, kind="stable")]
    at = np.searchsorted(rankings.query * width + rankings.rank, np.sort(key))
    judgment = np.insert(judgment, at, more.new[fresh])
    return replace(
        rankings,
        judgments=judgments,
        query=np.insert(rankings.query, at, more.query[fresh]),
        rank=np.insert(rankings.rank, at, found.rank[fresh]),
        grade=more.qrels.grades[judgment],
        tie_first=np.insert(rankings.tie_first, at, found.tie_first[fresh]),
        tie_size=np.insert(rankings.tie_size, at, found.tie_size[fresh]),
        judgment=judgment,
    )


def extended_all(experiment: Judged, rankings: Sequence[Rankings], places: Sequence[Places]) -> tuple[Rankings, ...]:
    """Every run's rankings of `experiment.base` as they are with the added judgments."""
    grades = {id(more): Judgments.of(more.qrels.starts, more.qrels.grades) for more in _distinct(experiment)}
    out = []
    for run, (one, where) in enumerate(zip(rankings, places)):
        more = experiment.merged_of(run)
        out.append(extended(one, where.of(more.query, more.docs.to_pylist()), more, grades[id(more)]))
    return tuple(out)


def _distinct(experiment: Judged) -> list[Merged]:
    return [experiment.merged, *experiment.own.values()]
