"""What happened on one query? The runs' ranked lists, the judged documents, and where each relevant one went."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from ragdash import wording
from ragdash.analysis.evaluate import Scores
from ragdash.analysis.rank import order_of
from ragdash.data.columns import Ints, positions, take, text_column
from ragdash.data.experiment import Experiment
from ragdash.data.nouns import Qrels, Run
from ragdash.errors import OptionError


@dataclass(frozen=True)
class Placed:
    """A document in one run's list. `grade` is None where nobody judged it; `score` None where the file has none."""

    rank: int
    doc_id: str
    grade: float | None
    score: float | None
    title: str | None
    text: str | None


@dataclass(frozen=True)
class Missing:
    """A relevant document and its rank in each run, None where the run does not return it.

    `runs` are those whose judgments name it, where runs have judgments of their own; None: all.
    """

    doc_id: str
    grade: float
    title: str | None
    text: str | None
    ranks: dict[str, int | None]
    runs: frozenset[str] | None = None

    def of(self, run: str) -> bool:
        """Whether it counts for this run."""
        return self.runs is None or run in self.runs


@dataclass(frozen=True)
class QueryView:
    """One query in all runs. `lists[run]` is the whole ranked list; `relevant` are all relevant documents.

    `labels` names for each run the judgments it is scored against; empty where all runs have the same.
    `apart` are pairs of runs of which the first's ids cannot stand in the second: they cut documents differently.
    """

    query_id: str
    text: str
    metadata: dict[str, object]
    lists: dict[str, list[Placed]]
    relevant: list[Missing]
    answered: dict[str, bool]
    labels: Mapping[str, str] = field(default_factory=dict)
    apart: frozenset[tuple[str, str]] = frozenset()

    def relevant_to(self, run: str) -> list[Missing]:
        """The relevant documents by the judgments of `run`."""
        return [one for one in self.relevant if one.of(run)]

    def labels_of(self, one: Missing) -> list[str]:
        """The names of the judgments by which a document is relevant, each once."""
        return list(dict.fromkeys(name for run, name in self.labels.items() if one.of(run)))

    def missing(self, run: str, k: int) -> list[Missing]:
        """Relevant documents that are not in the top `k` of `run`, the best grade first."""
        return [one for one in self.relevant_to(run) if (rank := one.ranks[run]) is None or rank > k]

    @property
    def labels_differ(self) -> bool:
        """Whether runs have judgments of their own."""
        return any(one.runs is not None for one in self.relevant)


def query_view(scores: Scores, query_id: str) -> QueryView:
    """Everything about one query; touches the rows of that query only. Raises OptionError for an unknown query."""
    experiment = scores.experiment
    axis = experiment.query_index.get(query_id)
    if axis is None:
        raise OptionError(f"There is no judged query {query_id!r} in {experiment.dataset.name}.")
    grades = _grades(experiment.qrels, axis)
    sets = {name: _grades(qrels, axis) for name, qrels in experiment.judged_by.items()}
    label_of = {name: experiment.label_of(place) for place, name in enumerate(experiment.run_names)}
    own = {name: sets[label] for name, label in label_of.items()}
    threshold = scores.options.threshold
    ids: dict[str, list[str]] = {}
    numbers: dict[str, list[float | None]] = {}
    answered: dict[str, bool] = {}
    cut: dict[str, tuple[str, int, int]] = {}
    brought: dict[str, dict[str, str]] = {}
    for run, at in zip(experiment.runs, experiment.rows):
        i = int(at[axis])
        answered[run.name] = i >= 0
        order = (
            order_of(run, i, float32_ties=scores.options.ties == "float32") if i >= 0 else np.zeros(0, dtype=np.int64)
        )
        names = take(run.doc_ids, order).to_pylist()
        values = [None] * len(names) if run.scores is None else run.scores[order].tolist()
        cut.update(_cut(experiment, run.name, names, order))
        brought[run.name] = _brought(run, names, order)
        kept = [not (scores.options.drop_self and name == query_id) for name in names]
        ids[run.name] = [name for name, keep in zip(names, kept) if keep]
        numbers[run.name] = [value for value, keep in zip(values, kept) if keep]
    wanted = dict.fromkeys(one for names in [*ids.values(), list(grades)] for one in names)
    texts = experiment.documents.look_up(list(wanted)) | _texts_of(experiment, cut)
    lists = {
        run: [
            Placed(rank, doc, own[run].get(doc), score, *_of_run(texts.get(doc), brought[run].get(doc)))
            for rank, (doc, score) in enumerate(zip(names, numbers[run]), start=1)
        ]
        for run, names in ids.items()
    }
    places = {run: {doc: rank for rank, doc in enumerate(names, start=1)} for run, names in ids.items()}
    relevant = [
        Missing(
            doc,
            grade,
            *texts.get(doc, (None, None)),
            {run: places[run].get(doc) for run in places},
            frozenset(run for run in own if own[run].get(doc, -1.0) >= threshold) if len(sets) > 1 else None,
        )
        for doc, grade in sorted(grades.items(), key=lambda pair: (-pair[1], pair[0]))
        if grade >= threshold
    ]
    labels = {name: label or "all judgments" for name, label in label_of.items()}
    metadata = _metadata(scores, query_id)
    text = experiment.query_texts[axis]
    labels = labels if len(sets) > 1 else {}
    return QueryView(query_id, text, metadata, lists, relevant, answered, labels, _apart(experiment, ids))


def _apart(experiment: Experiment, ids: Mapping[str, Sequence[str]]) -> frozenset[tuple[str, str]]:
    """Pairs of runs that cut documents differently, where no id of the first's list is any of the second's."""
    if not experiment.labels_differ and all(one.code != "two-chunkings" for one in experiment.findings):
        return frozenset()
    return frozenset(
        (one, other.name)
        for one, names in ids.items()
        for other in experiment.runs
        if other.name != one and names and not (positions(other.doc_ids, text_column(names)) >= 0).any()
    )


def _brought(run: Run, names: Sequence[str], rows: Ints) -> dict[str, str]:
    """The texts that the run's own file gives to its documents of one query: what it retrieved, for all it says."""
    known = {name: text for name, (_, text) in run.documents.look_up(names).items() if text}
    own = [None] * len(names) if run.texts is None else take(run.texts, rows).to_pylist()
    return known | {name: text for name, text in zip(names, own) if text}


def _of_run(known: tuple[str | None, str | None] | None, own: str | None) -> tuple[str | None, str | None]:
    """Title and text of a document in one run's list: the run's own text where it brings one."""
    title, text = known or (None, None)
    return title, own or text


def _cut(experiment: Experiment, run: str, names: Sequence[str], rows: Ints) -> dict[str, tuple[str, int, int]]:
    """Of chunks that no file has the text of, and whose place is known: the document, begin and end."""
    if not len(experiment.evidence):
        return {}
    places = experiment.locations[experiment.index_of(run)]
    known = np.flatnonzero(places.known[rows])
    parents = take(experiment.parents, places.codes[rows][known]).to_pylist()
    begins, ends = places.begins[rows][known].tolist(), places.ends[rows][known].tolist()
    found = zip([names[i] for i in known.tolist()], zip(parents, begins, ends))
    has = experiment.documents.look_up([names[i] for i in known.tolist()])
    return {name: place for name, place in found if not has.get(name, (None, None))[1]}


def _texts_of(
    experiment: Experiment, cut: Mapping[str, tuple[str, int, int]]
) -> dict[str, tuple[str | None, str | None]]:
    """Title and text of chunks, cut from the texts of their documents where these are known."""
    whole = experiment.documents.look_up(list({parent for parent, _, _ in cut.values()}))
    out: dict[str, tuple[str | None, str | None]] = {}
    for name, (parent, begin, end) in cut.items():
        title, text = whole.get(parent, (None, None))
        if text:
            out[name] = title, text[begin:end]
    return out


def _grades(qrels: Qrels, axis: int) -> dict[str, float]:
    """The judged documents of one query and their grades."""
    rows = slice(int(qrels.starts[axis]), int(qrels.starts[axis + 1]))
    return dict(zip(qrels.doc_ids[rows].to_pylist(), qrels.grades[rows].tolist()))


def _metadata(scores: Scores, query_id: str) -> dict[str, object]:
    queries = scores.experiment.dataset.queries
    ids = queries.ids.to_pylist() if len(queries) else []
    if query_id not in ids or not len(queries.metadata.columns):
        return {}
    row = queries.metadata.iloc[ids.index(query_id)]
    return {str(key): value for key, value in row.items() if value is not None and value == value}


def what_happened(view: QueryView, baseline: str, run: str, k: int, threshold: float) -> str:
    """One sentence: which relevant document left or entered the top `k` of `run`, and what stands above it now."""
    counted = [one for one in view.relevant if one.of(run) or one.of(baseline)]
    lost = [one for one in counted if _in(one, baseline, k) and not _in(one, run, k)]
    won = [one for one in counted if _in(one, run, k) and not _in(one, baseline, k)]
    if not view.answered[run]:
        return f"{run} did not answer this query."
    if view.labels_differ and any(one.of(run) != one.of(baseline) for one in counted):
        told = []
        for name in (baseline, run):
            own = view.relevant_to(name)
            told.append(f"{name} has {sum(_in(one, name, k) for one in own)} of its {len(own)} relevant chunks")
        return f"{told[0]} in its top {k}, {told[1]}: their labels differ, so no chunk of one stands in the other."
    if lost:
        one = lost[0]
        rank = one.ranks[run]
        where = _absent(len(view.lists[run]), k) if rank is None else f"went from rank {one.ranks[baseline]} to {rank}"
        more = f" (and {len(lost) - 1} more)" if len(lost) > 1 else ""
        return f"{run} lost “{_title(one)}”{more} from the top {k}: it {where}. {_above(view, run, rank, k, threshold)}"
    if won:
        one = won[0]
        before = one.ranks[baseline]
        origin = "which it did not return" if before is None else f"where it stood at rank {before}"
        more = f" (and {len(won) - 1} more)" if len(won) > 1 else ""
        place = f"into the top {k}, at rank {one.ranks[run]}"
        return f"{run} brought “{_title(one)}”{more} {place}; {baseline} lost it, {origin}."
    found = sum(_in(one, run, k) for one in counted)
    if not counted:
        return "No document is judged relevant for this query."
    if not found:
        return f"Neither run has a relevant document in its top {k}."
    same = f"Both have the same {wording.count(found, 'relevant document')} in the top {k}"
    return same + _moved(counted, baseline, run, k)


def _absent(depth: int, k: int) -> str:
    """What is known of a document that a list of this depth does not have: of what stands below its end, nothing."""
    if not depth or depth > k:
        return "is not returned at all"
    return f"is not in its {wording.count(depth, 'result')}, where the list ends"


def _moved(counted: Sequence[Missing], baseline: str, run: str, k: int) -> str:
    """Where relevant documents that stayed in the top `k` moved to, the longest way first."""
    ways = []
    for one in counted:
        before, after = one.ranks[baseline], one.ranks[run]
        if before is not None and after is not None and max(before, after) <= k and before != after:
            ways.append((abs(after - before), f"“{_title(one)}” rank {before} → {after}"))
    if not ways:
        return ", at the same ranks."
    ways.sort(key=lambda way: -way[0])
    return f"; only their order differs: {wording.listed([told for _, told in ways], most=3)}."


def _above(view: QueryView, run: str, rank: int | None, k: int, threshold: float) -> str:
    above = view.lists[run][: k if rank is None else rank - 1]
    relevant = sum(one.grade is not None and one.grade >= threshold for one in above)
    unjudged = sum(one.grade is None for one in above)
    other = len(above) - relevant - unjudged
    head = f"In the top {k} instead" if rank is None else "Above it now"
    return f"{head}: {relevant} relevant, {other} not relevant, {unjudged} unjudged."


def _in(one: Missing, run: str, k: int) -> bool:
    rank = one.ranks[run]
    return rank is not None and rank <= k


def _title(one: Missing) -> str:
    return one.title or one.doc_id


def query_table(scores: Scores, metric: str, baseline: str, run: str) -> pd.DataFrame:
    """One row per counted query: `query_id, query`, each run's score on `metric`, `difference`, query metadata.

    Sorted worst first: by the difference of `run` and `baseline`, then by id.
    """
    experiment = scores.experiment
    kept = np.flatnonzero(scores.counted)
    table = pd.DataFrame(
        {"query_id": scores.query_ids, "query": [experiment.query_texts[i] for i in kept.tolist()]}, index=kept
    )
    for name in experiment.run_names:
        table[f"score: {name}"] = scores.of(name, metric)
    table["difference"] = scores.differences(baseline, run, metric)
    metadata = experiment.dataset.queries
    if len(metadata.metadata.columns):
        extra = metadata.metadata.set_index(pd.Index(metadata.ids.to_pylist())).reindex(table["query_id"])
        for column in extra.columns:
            name = str(column) if str(column) not in table else f"{column} (dataset)"
            table[name] = extra[column].to_numpy()
    return table.sort_values(["difference", "query_id"], kind="stable")
