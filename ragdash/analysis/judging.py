"""Which documents should be judged next? Those that nobody judged in the top K of any run, each once, unlabelled.

Queries come first whose unjudged documents can move the difference most. Within a query documents stand in the order of
a digest: neither rank nor run can be read from it, and every person meets them in the same order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ragdash import wording
from ragdash.analysis.bounds import Bounds, Filled
from ragdash.analysis.compare import Testing, alone, decide, family, met
from ragdash.analysis.evaluate import Floats, Scores
from ragdash.analysis.top import Pool, without
from ragdash.data.columns import Ints, take, text_column
from ragdash.metrics import Metric

MOST_GRADES = 10


@dataclass(frozen=True)
class Queue:
    """What is left to judge: `pairs [m]` are ascending numbers of a `Pool` (`query * width + document`).

    `queries` are places on the axis, the most decisive first; each has documents.
    """

    queries: Ints
    pairs: Ints
    pool: Pool = field(repr=False)

    def __len__(self) -> int:
        return len(self.pairs)

    def of(self, query: int, query_id: str) -> list[str]:
        """The documents of one query (a place on the axis), in the order of their digests."""
        low, high = self._ends(query)
        codes = self.pairs[low:high] - query * self.pool.width
        ids: list[str] = take(self.pool.documents, codes).to_pylist()
        return sorted(ids, key=lambda doc: digest(query_id, doc))

    def count(self, query: int) -> int:
        """How many documents of one query are left."""
        low, high = self._ends(query)
        return high - low

    def _ends(self, query: int) -> tuple[int, int]:
        width = self.pool.width
        low, high = np.searchsorted(self.pairs, [query * width, (query + 1) * width]).tolist()
        return int(low), int(high)

    def without(self, index: Mapping[str, int], pairs: Iterable[tuple[str, str]]) -> Queue:
        """The queue without these (query id, document id); `index` gives the place of a query on the axis."""
        known = [pair for pair in pairs if pair[0] in index]
        if not known:
            return self
        query = np.array([index[one] for one, _ in known], dtype=np.int64)
        left = without(self.pairs, self.pool.numbers(query, text_column([doc for _, doc in known])))
        alone = replace(self, pairs=left)
        done = [one for one in np.unique(query).tolist() if not alone.count(one)]
        return replace(alone, queries=self.queries[~np.isin(self.queries, done)])


def digest(query_id: str, doc_id: str) -> str:
    """What documents of a query are ordered by."""
    return hashlib.sha256(f"{query_id}\0{doc_id}".encode("utf-8", "surrogatepass")).hexdigest()


def queue(scores: Scores, pooled: Pool, found: Bounds) -> Queue:
    """Everything unjudged in `pooled`, the top K of all runs; `found` are the bounds of the two runs compared.

    Queries that do not count under the options, or that cannot move the difference, come last.
    """
    swing = np.zeros(scores.experiment.n_queries)
    swing[scores.counted] = found.swing
    query = pooled.holes // pooled.width
    queries = query[np.flatnonzero(np.diff(query, prepend=-1))]
    order = np.lexsort((queries, -swing[queries], ~scores.counted[queries]))
    return Queue(queries[order], pooled.holes, pooled)


def settled_by(found: Bounds) -> tuple[int, int] | None:
    """The fewest queries, most decisive first, and their unjudged documents, after which no other can change the
    answer, provided that what is judged turns out as it counts now (not relevant).

    None where the answer is settled already. All of them always settle it.
    """
    if not found.could_change:
        return None
    order = np.argsort(-found.swing, kind="stable")
    order = order[found.holes[order] > 0]
    low, high = 0, len(order)
    while high - low > 1:  # `high` queries settle it, `low` do not
        middle = (low + high) // 2
        if _settled(found, order[:middle]):
            high = middle
        else:
            low = middle
    return high, int(found.holes[order[:high]].sum())


def _settled(found: Bounds, judged: Ints) -> bool:
    none = next(one.differences for one in found.fills if one.fill == "none")
    leads = set()
    for one in found.fills:
        d = one.differences.copy()
        d[judged] = none[judged]
        leads.add(Filled.of(one.fill, d, found.level).leads)
    return len(leads) == 1


@dataclass(frozen=True)
class Answer:
    """The verdict on one contender, as `compare` gives it, without the tests that stand beside it.

    `alpha` is the level that this test must reach when it stands alone.
    """

    verdict: wording.Verdict
    why: str
    alpha: float


def answer(scores: Scores, baseline: str, run: str, metric: Metric, testing: Testing) -> Answer:
    """What the Verdict page says, fast enough to be said again after each judgment."""
    rest = [name for name in scores.experiment.run_names if name != baseline]
    differences = [scores.differences(baseline, name, metric) for name in rest]
    tests, corrected, n_tests = family(differences, testing)
    at = rest.index(run)
    verdict, why = decide(differences[at], tests[at], corrected[at], n_tests, testing)
    if not met(scores, baseline, run):
        verdict, why = "untestable", wording.none_in_common()
    return Answer(verdict, why, alone(n_tests, testing))


def grades_of(grades: Sequence[float] | Floats, threshold: float = 1.0) -> list[float]:
    """The grades that a person may give, ascending: those in use, 0 and the highest; at most ten.

    Whole numbers from 0 to 9 are offered without gaps. Of more than ten grades the ends stay, and between them those
    at even distances in their order.
    """
    used: list[float] = np.union1d(np.asarray(grades, dtype=np.float64), [0.0, max(1.0, threshold)]).tolist()
    highest = used[-1]
    if all(one.is_integer() for one in used) and used[0] >= 0 and highest < MOST_GRADES:
        return [float(one) for one in range(int(highest) + 1)]
    if len(used) <= MOST_GRADES:
        return used
    places = {round(i * (len(used) - 1) / (MOST_GRADES - 1)) for i in range(MOST_GRADES)}
    at_zero = used.index(0.0)
    if at_zero not in places:  # "not relevant" is always offered
        places.discard(min(places - {0, len(used) - 1}, key=lambda one: abs(one - at_zero)))
        places.add(at_zero)
    return [used[one] for one in sorted(places)]
