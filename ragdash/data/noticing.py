"""Are two chunkings compared as if they were one? What the runs return, said in words, with the ways that are right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ragdash.data.chunkings import Chunking, chunkings, crossing, groups_of, meets, pattern_of
from ragdash.data.chunkmap import field_remedy
from ragdash.data.columns import joined
from ragdash.data.findings import Finding, Severity
from ragdash.data.labels import met, own_dataset
from ragdash.data.locate import places_of
from ragdash.data.nouns import Dataset, Documents, Run
from ragdash.data.remedies import Remedy

WAYS = "Three ways compare them: chunks rolled up to documents, labels per run, or evidence spans."


JUDGED = "the judgments"


@dataclass(frozen=True)
class Noticed:
    """What is known of the chunks that runs return, before anything is mended; looked at when it is asked for."""

    dataset: Dataset
    runs: tuple[Run, ...]

    @cached_property
    def chunkings(self) -> tuple[Chunking, ...]:
        """The different chunkings of the same documents that the runs return; () where there is but one.

        Where all runs return one, and none of its chunks is judged, the chunks of the judgments are the other.
        """
        groups = groups_of([run.doc_ids.unique() for run in self.runs], self.runs)
        if len(groups) > 1:
            return chunkings(self.dataset, self.runs, groups, self.places)
        judged = _judged(self.dataset)
        if not groups or not len(judged) or self.dataset.labels or any(met(self.dataset.qrels, r) for r in self.runs):
            return ()
        places = (*self.places, places_of(judged, self.dataset))
        if not crossing(Documents.merged(places[:-1]), places[-1]):
            return ()
        return chunkings(self.dataset, (*self.runs, judged), [*groups, [len(self.runs)]], places)

    @property
    def names(self) -> list[str]:
        return [*(run.name for run in self.runs), JUDGED]

    @cached_property
    def places(self) -> tuple[Documents, ...]:
        """The distinct ids of each run with what is known of where they are cut from."""
        return tuple(places_of(run, self.dataset) for run in self.runs)

    def by_field(self, remedy: Remedy) -> Remedy:
        """`chunk-to-document` by what files and ids say of chunks, where they say it; another remedy as it is."""
        if remedy.key != "chunk-to-document":
            return remedy
        known = Documents.merged([*(one for one in self.places if one.located), self.dataset.documents])
        return field_remedy(remedy, known) if known.located else remedy

    @property
    def roll_up(self) -> str | None:
        """The remedy that makes documents of the chunks: by what files say, else by the suffix that was found."""
        if all(one.how == "field" for one in self.chunkings):
            return "chunk-to-document"
        found = pattern_of(self.chunkings)
        return f"chunk-to-document:{found}" if found else None

    def findings(self, dataset: Dataset, runs: Sequence[Run], bound: Sequence[str]) -> list[Finding]:
        """That runs are of different chunkings, what they are scored against now, and the ways that are right."""
        if len(self.chunkings) < 2:
            return []
        examples = [str(one.ids[0].as_py()) for one in self.chunkings]
        sides = [
            f"{_listed([self.names[i] for i in one.runs])} "
            f"{'name' if len(self.runs) in one.runs else 'returns' if len(one.runs) == 1 else 'return'} "
            f"{len(one.ids):,} such as {example}"
            for one, example in zip(self.chunkings, examples)
        ]
        n = len(joined([one.documents for one in self.chunkings]).unique())
        of = "the same documents" if not n else "the same document" if n == 1 else f"the same {n:,} documents"
        names = bound or ("",) * len(runs)
        hits = [met(own_dataset(dataset, name).qrels, run) for run, name in zip(runs, names)]
        read_zero = len(dataset.qrels) and not all(hits)
        alike = any(meets(one.ids, other.ids) for i, one in enumerate(self.chunkings) for other in self.chunkings[:i])
        ids = "One id is another place in each" if alike else "Their ids do not meet"
        message = (
            f"Different chunks of {of}: {'; '.join(sides)}. {ids}, so judgments of one chunking say "
            f"nothing of the other. {_now(dataset, runs, bound, hits)} {WAYS}"
        )
        file = dataset.sources[0].file if dataset.sources else None
        severity: Severity = "error" if read_zero and not len(dataset.evidence) else "warning"
        return [
            Finding(
                "two-chunkings", severity, message, file, None, len(self.chunkings), (), tuple(examples[:5]),
                self.roll_up,
            )
        ]  # fmt: skip


def notice(dataset: Dataset, runs: Sequence[Run]) -> Noticed:
    """What runs return, and whether that is several chunkings of the same documents."""
    return Noticed(dataset, tuple(runs))


def _judged(dataset: Dataset) -> Run:
    """The judgments as if they were a run: which chunks they name."""
    qrels = dataset.qrels
    return Run(JUDGED, qrels.query_ids, qrels.starts, qrels.doc_ids)


def _now(dataset: Dataset, runs: Sequence[Run], bound: Sequence[str], hits: Sequence[int]) -> str:
    """What runs are scored against as things stand; `hits` are the judged results of each."""
    if bound and not all(hits):
        lost = [run.name for run, n in zip(runs, hits) if not n]
        return f"The labels of {_listed(lost)} are those of other chunks: no result is judged."
    if bound:
        own = "Each run is scored against the judgments of its own chunks"
        return own + (", or, by a metric over evidence, all against the same spans." if len(dataset.evidence) else ".")
    if not len(dataset.qrels):
        return "They are compared by their evidence spans." if len(dataset.evidence) else ""
    found = [f"{run.name} {n:,}" for run, n in zip(runs, hits)]
    return (
        f"All are scored against the same {len(dataset.qrels):,} judgments now (judged results: {_listed(found)}), "
        "which does not compare them."
    )


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
