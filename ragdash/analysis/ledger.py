"""Which relevant documents entered or left the top K, and why, as far as rankings can say?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ragdash import wording
from ragdash.analysis.evaluate import Scores
from ragdash.analysis.top import pool
from ragdash.data.columns import Ints, numbers_of, positions, take
from ragdash.data.experiment import Experiment

Cause = Literal[
    "labels", "unanswered", "not-retrieved", "list-ends", "ids", "ties", "relevant", "not-relevant", "unjudged"
]
#: Said of a lost document; a gained one tells the same of the baseline.
CAUSES: dict[str, str] = {
    "labels": "judged by other labels",
    "unanswered": "the query was not answered",
    "not-retrieved": "never retrieved",
    "list-ends": "not in its results, where the list ends",
    "ids": "an id written differently is in its place",
    "ties": "pushed below by equal scores",
    "relevant": "pushed below by relevant documents",
    "not-relevant": "pushed below by documents judged not relevant",
    "unjudged": "pushed below by unjudged documents",
}
PUSHED = ("ties", "relevant", "not-relevant", "unjudged")
LOOKED_AT = 100
ORDER = "order"  # of a query: no relevant document entered or left the top K


@dataclass(frozen=True)
class Ledger:
    """Relevant documents that are in the top `k` of one run and not of the other.

    `table` has one row for each: `query_id, query, doc_id, title, grade, rank: <baseline>, rank: <run>` (0 where it is
    not retrieved), `change` ("lost" or "gained" by `run`), `cause` (a key of `CAUSES`), and how many documents took the
    places in the top `k` of the run that lacks it: `new_relevant, new_not_relevant, new_unjudged`. `labels_differ`: the
    runs are scored against different judgments, so that every relevant chunk of one is missing from the other. `ends`
    says for each run how long its lists are that end at the cutoff or before, "10 results", and lack a document:
    whether it stands below their end cannot be known.
    """

    table: pd.DataFrame
    baseline: str
    run: str
    k: int
    labels_differ: bool = False
    ends: dict[str, str] = field(default_factory=dict)

    def of(self, queries: Iterable[str]) -> Ledger:
        """The same for these queries alone."""
        wanted = set(queries)
        kept = self.table[[one in wanted for one in self.table["query_id"]]]
        return replace(self, table=kept.reset_index(drop=True))

    def counts(self, change: str) -> dict[str, int]:
        """How many documents were lost or gained for each cause, the commonest first."""
        found = self.table.loc[self.table["change"] == change, "cause"].value_counts(sort=True)
        return {str(cause): int(n) for cause, n in found.items()}

    def reasons(self, queries: Iterable[str], change: str = "lost") -> dict[str, int]:
        """Why each of `queries` lost (or gained), by its best document: how many for each, the commonest first.

        The causes that push a document down are one, "pushed"; `ORDER` where no relevant document left or entered.
        """
        rows = self.table[self.table["change"] == change].drop_duplicates("query_id")
        cause = dict(zip(rows["query_id"], rows["cause"]))
        found = Counter(cause.get(one, ORDER) for one in queries)
        pushed = sum(found.pop(one, 0) for one in PUSHED)
        counts = (found + Counter({"pushed": pushed})).items()
        return dict(sorted(counts, key=lambda pair: (-pair[1], pair[0] == ORDER)))

    def causes(self, queries: Iterable[str], change: str = "lost") -> str:
        """ "9 of 12 losses: dense misses at least one relevant document; 3: ..." Empty without any.

        Empty, too, where labels differ: a chunk that only the other run's labels name is no cause.
        """
        if self.labels_differ:
            return ""
        lacking = self.run if change == "lost" else self.baseline
        ends = self.ends.get(lacking, "results")
        said = {
            "pushed": f"{lacking} has a relevant document below its top {self.k}",
            "not-retrieved": f"{lacking} misses at least one relevant document",
            "list-ends": f"{lacking} misses at least one relevant document in its {ends}, where the list ends",
            "unanswered": f"{lacking} did not answer",
            "ids": f"{lacking} has an id written differently in its place",
            ORDER: f"the same relevant documents in the top {self.k}, in another order",
        }
        counts = self.reasons(queries, change)
        total, noun = sum(counts.values()), "loss" if change == "lost" else "gain"
        told = [f"{n:,}: {said[cause]}" for cause, n in counts.items()]
        if not told:
            return ""
        of = f"{told[0].partition(':')[0]} of {wording.count(total, noun, f'{noun}es' if change == 'lost' else None)}"
        return "; ".join([of + ":" + told[0].partition(":")[2], *told[1:]]) + "."

    @property
    def sentence(self) -> str:
        """What most losses have in common, and where to look."""
        if self.labels_differ:
            return (
                f"The labels of {self.baseline} and {self.run} differ: no chunk of one is in the other, so that each "
                "seems lost or gained. Roll chunks up to documents to see which document left."
            )
        counts = self.counts("lost")
        lost, gained = sum(counts.values()), sum(self.counts("gained").values())
        if not lost:
            if not gained:
                return f"No relevant document entered or left the top {self.k}."
            return f"No relevant document left the top {self.k}; {gained:,} came into it."
        causes = {**CAUSES, "list-ends": f"not in its {self.ends.get(self.run, 'results')}, where the list ends"}
        told = wording.listed([f"{n:,} {causes[cause]}" for cause, n in counts.items()], most=6)
        head = f"{wording.count(lost, 'relevant document')} left the top {self.k}: {told}."
        never = counts.get("not-retrieved", 0) + counts.get("unanswered", 0)
        pushed = sum(counts.get(cause, 0) for cause in PUSHED)
        most = "Most" if lost > 1 else "It"
        if counts.get("ids", 0) * 2 > lost:
            return f"{head} {most} may be the same under another id: look at the ids first."
        if never * 2 > lost:
            verb = "reach" if lost > 1 else "reaches"
            return f"{head} {most} never {verb} the list: look at first-stage retrieval or chunking, not the reranker."
        if counts.get("list-ends", 0) * 2 > lost:
            they = "they stand" if lost > 1 else "it stands"
            return f"{head} Longer lists would tell whether {they} further down."
        if pushed * 2 > lost:
            verb = "are" if lost > 1 else "is"
            return f"{head} {most} {verb} still retrieved, further down: look at the ranking or the reranker."
        return head


def ledger(scores: Scores, baseline: str, run: str, k: int) -> Ledger:
    """The ledger of two runs at cutoff `k`, over the counted queries: losses first, the best grades first."""
    experiment = scores.experiment
    places = [experiment.index_of(baseline), experiment.index_of(run)]
    ranks = [_ranks(scores, place) for place in places]
    inside = [(rank > 0) & (rank <= k) for rank in ranks]
    codes = experiment.qrels.query_codes()
    relevant = (experiment.qrels.grades >= scores.options.threshold) & scores.counted[codes]
    moved = np.flatnonzero(relevant & (inside[0] != inside[1]))
    lost = inside[0][moved]
    entered = _entered(scores, places, k)
    query = codes[moved]
    lacking = np.where(lost, 1, 0)  # which of the two lacks the document
    new = np.array([entered[lack][:, q] for lack, q in zip(lacking.tolist(), query.tolist())]).reshape(-1, 3)
    there = np.where(lost, ranks[1][moved], ranks[0][moved])
    answered = [scores.rankings[place].answered for place in places]
    causes = _causes(scores, places, moved, lacking, there, new, answered, k)
    ids = take(experiment.qrels.doc_ids, moved).to_pylist()
    texts = experiment.documents.look_up(list(dict.fromkeys(ids)))
    table = pd.DataFrame(
        {
            "query_id": [experiment.query_ids[i] for i in query.tolist()],
            "query": [experiment.query_texts[i] for i in query.tolist()],
            "doc_id": ids,
            "title": [texts.get(one, (None, None))[0] or "" for one in ids],
            "grade": experiment.qrels.grades[moved],
            f"rank: {baseline}": ranks[0][moved],
            f"rank: {run}": ranks[1][moved],
            "change": np.where(lost, "lost", "gained"),
            "cause": causes,
            "new_relevant": new[:, 0],
            "new_not_relevant": new[:, 1],
            "new_unjudged": new[:, 2],
        }
    )
    order = table.sort_values(["change", "grade", "query_id"], ascending=[False, False, True], kind="stable")
    differ = len({experiment.label_of(place) for place in places}) > 1
    ended = np.array([cause == "list-ends" for cause in causes], dtype=bool)
    ends = {}
    for lack, name in enumerate((baseline, run)):
        depths = np.unique(scores.rankings[places[lack]].depth[query[ended & (lacking == lack)]]).tolist()
        ends[name] = wording.count(depths[0], "result") if len(depths) == 1 else "results"
    return Ledger(order.reset_index(drop=True), baseline, run, k, differ, ends)


def _ranks(scores: Scores, place: int) -> Ints:
    """The rank of each judged document in one run, 0 where it is not retrieved. Shape `[n_judgments]`."""
    ranking = scores.rankings[place]
    out = np.zeros(len(scores.experiment.qrels), dtype=np.int64)
    out[scores.experiment.judgment_rows(place)[ranking.judgment]] = ranking.rank
    return out


def _entered(scores: Scores, places: list[int], k: int) -> list[Ints]:
    """For each of two runs, what is in its top `k` and not in the other's: relevant, not relevant, unjudged documents.

    Each has the shape `[3, n_axis]`.
    """
    experiment, qrels = scores.experiment, scores.experiment.qrels
    pooled = pool(experiment, places, k, scores.options)
    relevant = pooled.keys(qrels, qrels.grades >= scores.options.threshold)
    out = []
    for i in (0, 1):
        fresh = ~np.isin(pooled.pairs[i], pooled.pairs[1 - i])
        good = np.isin(pooled.pairs[i], relevant)
        kinds = (fresh & good, fresh & pooled.judged[i] & ~good, fresh & ~pooled.judged[i])
        out.append(
            np.array([np.bincount(pooled.tops[i].query[kind], minlength=experiment.n_queries) for kind in kinds])
        )
    return out


def _causes(
    scores: Scores,
    places: list[int],
    moved: Ints,
    lacking: Ints,
    there: Ints,
    new: Ints,
    answered: list[NDArray[np.bool_]],
    k: int,
) -> list[Cause]:
    """Why the run that lacks each document lacks it."""
    experiment = scores.experiment
    query = experiment.qrels.query_codes()[moved]
    first = [np.full(len(experiment.qrels), k + 1) for _ in places]
    for at, place in zip(first, places):
        at[experiment.judgment_rows(place)[scores.rankings[place].judgment]] = scores.rankings[place].tie_first
    alike = _alike(experiment, places, moved, lacking, there)
    judged = [np.isin(moved, experiment.judgment_rows(place)) for place in places]
    out: list[Cause] = []
    for i, (lack, q, rank) in enumerate(zip(lacking.tolist(), query.tolist(), there.tolist())):
        if not judged[lack][i]:
            out.append("labels")
        elif not answered[lack][q]:
            out.append("unanswered")
        elif rank == 0:
            ends = scores.rankings[places[lack]].depth[q] <= k
            out.append("ids" if i in alike else "list-ends" if ends else "not-retrieved")
        elif first[lack][moved[i]] <= k:
            out.append("ties")
        else:
            kinds: tuple[Cause, ...] = ("relevant", "not-relevant", "unjudged")
            out.append(kinds[int(np.argmax(new[i]))])
    return out


def _alike(experiment: Experiment, places: list[int], moved: Ints, lacking: Ints, there: Ints) -> set[int]:
    """Places in `moved` whose document is not retrieved, while its list has an id that differs in writing only.

    Looked for among the first `LOOKED_AT` rows of each list: all at once, as there may be thousands.
    """
    out: set[int] = set()
    codes = experiment.qrels.query_codes()
    for lack, place in enumerate(places):
        run, rows = experiment.runs[place], experiment.rows[place]
        at = np.flatnonzero((there == 0) & (lacking == lack))
        at = at[rows[codes[moved[at]]] >= 0]
        queries = np.unique(rows[codes[moved[at]]])
        shown = np.minimum(run.depths[queries], LOOKED_AT)
        listed = np.arange(shown.sum()) - np.repeat(np.cumsum(shown) - shown - run.starts[queries], shown)
        wanted = pc.dictionary_encode(_folded(take(experiment.qrels.doc_ids, moved[at])))
        same = positions(_folded(take(run.doc_ids, listed)), wanted.dictionary)
        there_too = same[same >= 0] * max(1, run.n_queries) + np.repeat(queries, shown)[same >= 0]
        key = numbers_of(wanted.indices) * max(1, run.n_queries) + rows[codes[moved[at]]]
        out |= set(at[np.isin(key, there_too)].tolist())
    return out


def _folded(ids: pa.Array) -> pa.Array:
    """Ids without what is easily lost or added: case, outer blanks, leading zeros, a trailing ".0"."""
    plain = pc.utf8_lower(pc.utf8_trim_whitespace(ids))
    plain = pc.if_else(pc.ends_with(plain, ".0"), pc.utf8_slice_codeunits(plain, 0, -2), plain)
    return pc.utf8_ltrim(plain, "0")
