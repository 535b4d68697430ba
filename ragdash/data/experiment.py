"""Which query of the dataset is which query of a run? Paired once, by id; what is left out is a finding."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ragdash.data.chunkmap import open_remedy
from ragdash.data.columns import Ints, joined, positions, take
from ragdash.data.evidence import Evidence, Locations
from ragdash.data.findings import Finding, ordered, some
from ragdash.data.idcheck import check_evidence, check_ids
from ragdash.data.intake import unique_names
from ragdash.data.labels import bind, in_force, labels_differ, on_axis, own_dataset, rows_among
from ragdash.data.locate import located, not_located, places_of
from ragdash.data.mending import apply_remedies
from ragdash.data.noticing import notice
from ragdash.data.nouns import Dataset, Documents, Qrels, Run
from ragdash.data.quotes import Texts
from ragdash.data.remedies import Remedy
from ragdash.errors import ExperimentError, OptionError


@dataclass(frozen=True)
class Experiment:
    """A dataset and its runs on one query axis: the judged queries, in the order of the dataset.

    `rows[r][i]` is the index of axis query `i` among the queries of run `r`, or -1 where the run does not name it.
    `set_aside` are runs that share no query with the dataset: they are not scored as zero, but named.
    `bound` names for each run the labels (`dataset.labels`) that it is scored against, "" for the common `qrels`;
    it is empty where all runs have the same judgments. `qrels_of` is what scores a run.
    """

    dataset: Dataset
    runs: tuple[Run, ...]
    rows: tuple[Ints, ...]
    findings: tuple[Finding, ...] = ()
    remedies: tuple[str, ...] = ()
    set_aside: tuple[Run, ...] = ()
    bound: tuple[str, ...] = ()

    @property
    def qrels(self) -> Qrels:
        return self.dataset.qrels

    @property
    def n_queries(self) -> int:
        """Number of judged queries: the length of the axis."""
        return self.qrels.n_queries

    @property
    def labels_differ(self) -> bool:
        """Whether runs are judged by different sets of judgments, one a chunking."""
        return len({one for one in self.bound if one}) > 1

    @property
    def labels_said(self) -> str:
        """The labels of each run, as outputs name them; "" where all runs have the same judgments."""
        return ", ".join(f"{run}: {name or 'all'}" for run, name in zip(self.run_names, self.bound))

    def label_of(self, run: int) -> str:
        """The name of the labels that run number `run` is scored against; "" for the judgments of all."""
        return self.bound[run] if self.bound else ""

    def qrels_of(self, run: int) -> Qrels:
        """The judgments that run number `run` is scored against, on the axis of the experiment."""
        return self.judged_by[self.label_of(run)]

    @cached_property
    def judged_by(self) -> dict[str, Qrels]:
        """The judgments in force by the name of their labels, each on the axis: `qrels` under "" where all have one."""
        own = {one.name: one.qrels for one in self.dataset.labels}
        names = dict.fromkeys(self.bound) if self.bound else {"": None}
        return {name: on_axis(own[name], self.qrels.query_ids) if name else self.qrels for name in names}

    def judgment_rows(self, run: int) -> Ints:
        """For each row of `qrels_of(run)` the row of `qrels` with the same pair. Shape `[n_judgments]`."""
        return self._judgment_rows[self.label_of(run)]

    @cached_property
    def _judgment_rows(self) -> dict[str, Ints]:
        return {name: rows_among(one, self.qrels) for name, one in self.judged_by.items()}

    @cached_property
    def evidence(self) -> Evidence:
        """The spans that answer each query of the axis: `evidence.query_ids` is the axis. Empty where none is known."""
        return self.dataset.evidence.along(self.qrels.query_ids) if len(self.dataset.evidence) else Evidence()

    @cached_property
    def parents(self) -> pa.Array:
        """Ids of the documents in which evidence lies or from which chunks are cut, each once: what codes count in."""
        columns = [self.evidence.doc_ids, *(chunks.parents for chunks in self.places)]
        return joined([column.cast(pa.string()) for column in columns]).drop_null().unique()

    @cached_property
    def evidence_codes(self) -> Ints:
        """For each span of `evidence` the place of its document in `parents`, or -1. Shape `[n_spans]`."""
        return positions(self.evidence.doc_ids, self.parents)

    @cached_property
    def places(self) -> tuple[Documents, ...]:
        """For each run its distinct chunks and where they are cut from; by text too, where evidence is given."""
        texts = Texts(self.dataset.documents) if len(self.dataset.evidence) else None
        return tuple(places_of(run, self.dataset, texts) for run in self.runs)

    @cached_property
    def locations(self) -> tuple[Locations, ...]:
        """For each run where each of its rows is cut from, in the order of `run.doc_ids`."""
        return tuple(located(run, chunks, self.parents) for run, chunks in zip(self.runs, self.places))

    @cached_property
    def query_ids(self) -> list[str]:
        """The axis: ids of the judged queries."""
        ids: list[str] = self.qrels.query_ids.to_pylist()
        return ids

    @cached_property
    def query_index(self) -> dict[str, int]:
        """Place of each judged query on the axis."""
        return {one: i for i, one in enumerate(self.query_ids)}

    @cached_property
    def query_texts(self) -> list[str]:
        """Text of each judged query; its id where no file has a text."""
        at = positions(self.qrels.query_ids, self.dataset.queries.ids)
        known = np.flatnonzero(at >= 0)
        texts: list[str] = list(self.query_ids)
        for i, text in zip(known.tolist(), take(self.dataset.queries.texts, at[known]).to_pylist()):
            texts[i] = text if text else texts[i]
        for run, rows in zip(self.runs, self.rows):
            if run.query_texts is None or len(known) == len(texts):
                continue
            for i in np.flatnonzero(rows >= 0).tolist():
                if texts[i] == self.query_ids[i]:
                    texts[i] = run.query_texts[int(rows[i])].as_py() or texts[i]
        return texts

    @cached_property
    def documents(self) -> Documents:
        """Texts from the dataset, then from the runs; the first that knows a document wins."""
        return Documents.merged([self.dataset.documents, *(run.documents for run in self.runs)])

    @property
    def run_names(self) -> list[str]:
        return [run.name for run in self.runs]

    def index_of(self, name: str) -> int:
        """Place of the run `name`. Raises OptionError naming the runs there are."""
        try:
            return self.run_names.index(name)
        except ValueError:
            raise OptionError(f"There is no run named {name!r}. The runs are: {', '.join(self.run_names)}.") from None

    @cached_property
    def sha256(self) -> str:
        """One digest over everything that scores depend on: content of dataset and runs, names, remedies."""
        parts = [self.dataset.sha256, *self.remedies, *self.bound]
        for run in self.runs:
            parts += [run.name, run.sha256]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def build(dataset: Dataset, runs: Sequence[Run], apply: Sequence[str | Remedy] = ()) -> Experiment:
    """Pair runs with a dataset.

    `apply` are remedies (`ragdash.data.remedies`), or their keys. A key that names a file opens it: what comes out of a
    link must have passed `parse_remedy`. Raises ExperimentError where there is nothing to pair: a dataset without
    judgments, or no run.
    """
    if dataset.qrels.n_queries == 0:
        raise ExperimentError(
            f"{dataset.name} has no judgments: nothing says which documents are relevant. "
            "Add a file of judgments (qrels), a dataset with relevant documents, or evidence spans."
        )
    if not runs:
        raise ExperimentError("There is no run yet. Add at least one file of retrieved documents.")
    named = unique_names(runs)
    opened = [open_remedy(one) if isinstance(one, str) else one for one in apply]
    found = notice(dataset, named)
    dataset, named, remedied = apply_remedies(
        dataset, named, [found.by_field(one) for one in opened], everywhere=bool(found.chunkings)
    )
    settled = [one.key for one in opened if one.acts == "labels"]
    bound = dict(zip([run.name for run in named], bind(dataset, named, settled)))
    findings: list[Finding] = [*dataset.findings, *remedied, *_topics(dataset)]
    findings += labels_differ(dataset, named, list(bound.values()))
    dataset = in_force(dataset, list(bound.values()))
    kept: list[Run] = []
    rows: list[Ints] = []
    aside: list[Run] = []
    for run in named:
        run, renamed = _by_text(dataset, run)
        at = positions(dataset.qrels.query_ids, run.query_ids)
        findings += [*(finding.of_run(run.name) for finding in run.findings), *renamed]
        findings += check_ids(own_dataset(dataset, bound.get(run.name, "")), run)
        if bool((at >= 0).any()):
            kept.append(run)
            rows.append(at)
            findings += _coverage(dataset, run, at)
        else:
            aside.append(run)
    findings += _same_runs(kept)
    keys = tuple(one.key for one in opened)
    experiment = Experiment(
        dataset,
        tuple(kept),
        tuple(rows),
        (),
        keys,
        tuple(aside),
        tuple(bound[run.name] for run in kept) if bound else (),
    )
    if not any(one.acts == "documents" for one in opened):  # then there are no chunks any more
        said = found.findings(dataset, kept, experiment.bound)
        if any(one.severity == "error" for one in said):  # a run that meets nothing is misread, not bad
            findings = [replace(one, severity="error") if one.code == "no-common-document" else one for one in findings]
        findings[:0] = said
        if len(dataset.evidence):
            for run, chunks in zip(kept, experiment.places):
                findings += [*check_evidence(dataset, run, chunks), *not_located(run, chunks)]
    told = replace(experiment, findings=ordered(findings))
    vars(told).update({key: one for key, one in vars(experiment).items() if key == "places"})  # what was looked up
    return told


def _topics(dataset: Dataset) -> list[Finding]:
    """Queries that have a text and no judgment."""
    missing = np.flatnonzero(positions(dataset.queries.ids, dataset.qrels.query_ids) < 0)
    if not len(missing):
        return []
    ids = take(dataset.queries.ids, missing[:5]).to_pylist()
    file = dataset.sources[0].file if dataset.sources else None
    message = f"{len(missing):,} of {len(dataset.queries):,} queries have no judgment; they are left out."
    return [Finding("query-without-judgment", "info", message, file, None, len(missing), examples=some(ids))]


def _by_text(dataset: Dataset, run: Run) -> tuple[Run, list[Finding]]:
    """Give a run that names queries by their text the ids of the dataset."""
    if dataset.queries.texts.null_count == len(dataset.queries):
        return run, []
    if bool((positions(run.query_ids, dataset.qrels.query_ids) >= 0).any()):
        return run, []
    texts = run.query_ids if run.query_texts is None else run.query_texts
    at, loosely = _places_of_texts(texts, dataset.queries.texts)
    found = at >= 0
    if not found.any() or len(np.unique(at[found])) != int(found.sum()):
        return run, []
    ids = np.array(run.query_ids.to_pylist(), dtype=object)
    ids[found] = take(dataset.queries.ids, at[found]).to_pylist()
    n = int(found.sum())
    message = f"{run.name} names queries by their text; {n:,} of {run.n_queries:,} were found by it."
    if loosely:
        message += f" {loosely:,} of them differ in case or blanks."
    twice = _same_texts(dataset, take(dataset.queries.texts, at[found]))
    if twice:
        message += f" A text stands for several queries ({', '.join(twice[:3])}): its results were given to the first."
    finding = Finding(
        "matched-by-text",
        "warning" if twice or loosely else "info",
        message,
        run.source.file,
        run.name,
        n,
        examples=some(twice),
    )
    return replace(run, query_ids=pa.array(ids.tolist(), type=pa.string()), query_texts=texts), [finding]


def _places_of_texts(texts: pa.Array, among: pa.Array) -> tuple[Ints, int]:
    """Where each text stands among the dataset's, and how many of them only but for case and blanks."""
    at = positions(pc.fill_null(texts, ""), pc.fill_null(among, "\0"))
    left = np.flatnonzero(at < 0)
    if not len(left):
        return at, 0
    theirs, ours = _loose(take(texts, left), ""), _loose(among, "\0")
    distinct, n = np.unique(np.asarray(ours.to_pylist(), dtype=object), return_counts=True)
    loose = positions(theirs, ours)
    several = positions(theirs, pa.array(distinct[n > 1].tolist(), pa.string())) >= 0
    taken = np.isin(loose, at[at >= 0])
    at[left] = np.where(several | taken, -1, loose)
    return at, int(np.sum(at[left] >= 0))


def _loose(texts: pa.Array, blank: str) -> pa.Array:
    spaced = pc.replace_substring_regex(pc.utf8_normalize(pc.fill_null(texts, blank), "NFC"), r"\s+", " ")
    return pc.utf8_lower(pc.utf8_trim_whitespace(spaced))


def _same_texts(dataset: Dataset, texts: pa.Array) -> list[str]:
    """Ids of judged queries of which the text is one of `texts` and stands for another query as well."""
    same = dataset.queries.texts.filter(pa.array(positions(dataset.queries.texts, texts) >= 0))
    counts = same.value_counts()
    several = counts.field("values").filter(pc.greater(counts.field("counts"), 1))
    ids: list[str] = dataset.queries.ids.filter(pa.array(positions(dataset.queries.texts, several) >= 0)).to_pylist()
    return ids


def _coverage(dataset: Dataset, run: Run, at: Ints) -> list[Finding]:
    """Queries that only one side has, and queries answered with nothing."""
    out: list[Finding] = []
    file, n = run.source.file, len(at)
    missing = np.flatnonzero(at < 0)
    if len(missing):
        ids = take(dataset.qrels.query_ids, missing).to_pylist()
        message = f"{len(missing):,} of {n:,} judged queries are missing from {run.name}; they score 0."
        queries = tuple(ids)
        out.append(
            Finding(
                "query-missing-from-run",
                "warning",
                message,
                file,
                run.name,
                len(missing),
                (),
                some(ids),
                queries=queries,
            )
        )
    extra = np.flatnonzero(positions(run.query_ids, dataset.qrels.query_ids) < 0)
    if len(extra):
        ids = take(run.query_ids, extra[:5]).to_pylist()
        message = (
            f"{len(extra):,} of {run.n_queries:,} queries in {run.name} have no judgment "
            f"({', '.join(ids[:3])}{', ...' if len(extra) > 3 else ''}); they are left out."
        )
        out.append(Finding("query-not-judged", "warning", message, file, run.name, len(extra), examples=some(ids)))
    answered = at[at >= 0]
    silent = answered[run.depths[answered] == 0]
    if len(silent) and not len(run):
        message = f"{run.name} holds no results: each of its {run.n_queries:,} queries has an empty list."
        out.append(Finding("empty-result", "error", message, file, run.name, len(silent)))
    elif len(silent):
        ids = take(run.query_ids, silent).to_pylist()
        message = f"{run.name} answers {len(ids):,} of {n:,} judged queries with an empty list; they score 0."
        out.append(
            Finding("empty-result", "warning", message, file, run.name, len(ids), (), some(ids), queries=tuple(ids))
        )
    return out


def _same_runs(runs: Sequence[Run]) -> list[Finding]:
    """Runs whose content is the same to the last digit."""
    out: list[Finding] = []
    first: dict[tuple[int, int], list[Run]] = {}
    for run in runs:
        for other in first.setdefault((len(run), run.n_queries), []):
            if other.sha256 == run.sha256:
                message = f"{other.name} and {run.name} hold the same results: their files differ in name only."
                out.append(
                    Finding("identical-runs", "warning", message, run.source.file, run.name, 2, examples=(other.name,))
                )
                break
        else:
            first[(len(run), run.n_queries)].append(run)
    return out
