"""What do ranks and scores say of the order? Distances, grades and ranks that contradict, as findings."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ragdash.data.findings import MAX_EXAMPLES, Finding, some
from ragdash.data.formats.words import is_distance
from ragdash.data.nouns import Floats

Order = Literal["list", "rows", "map"]  # whether the order of rows means something: surely, perhaps, not
_FEW = {"list": 2, "rows": 6, "map": 12}  # pairs of rising scores from which they look like distances


def only_ranks(ranks: Floats, codes: NDArray[np.int64], file: str) -> list[Finding]:
    """What there is to say of results that ranks alone put in order."""
    known = ranks[~np.isnan(ranks)]
    if len(np.unique(codes)) < len(codes) and np.all(known == known[0]):
        message = f"{file} has no scores, and its ranks are all {known[0]:g}; the order of its rows was taken."
        return [Finding("rank-column-ignored", "warning", message, file=file, count=len(ranks))]
    message = f"{file} has no scores; its results were ordered by rank."
    blank = len(ranks) - len(known)
    if blank:
        message += f" {blank:,} without a rank stand last."
    twice = len(known) - len(np.unique(np.stack([codes[~np.isnan(ranks)].astype(np.float64), known]), axis=1).T)
    if twice:
        message += f" {twice:,} share a rank with another result of their query; the order of the rows decides there."
    said = [Finding("no-score-ordered-by-rank", "warning", message, file=file, count=len(ranks))]
    if known.min() == 0:
        message = f"The ranks of {file} start at 0; the first place is taken as rank 1."
        said.append(Finding("ranks-start-at-0", "warning", message, file=file, count=int(np.sum(ranks == 0))))
    return said


def ranks_beside_scores(
    ranks: Floats, scores: Floats, codes: NDArray[np.int64], query_ids: pa.Array, file: str
) -> list[Finding]:
    """Scores order the results; what the rank column says otherwise is told."""
    if len(np.unique(codes)) < len(codes) and np.all(ranks == ranks[0]):  # of one result a query it says nothing
        message = f"The rank column of {file} is {ranks[0]:g} on every line; it was ignored, the scores give the order."
        return [Finding("rank-column-ignored", "warning", message, file=file, count=len(ranks))]
    order = np.lexsort((ranks, codes)) if _unsorted(ranks, codes) else np.arange(len(codes))
    same = np.diff(codes[order]) == 0
    with np.errstate(over="ignore"):  # from -1e308 to 1e308: only the sign is asked for
        step, rank_step = np.diff(scores[order]), np.diff(ranks[order])
    rising, falling = same & (rank_step > 0) & (step > 0), same & (rank_step > 0) & (step < 0)
    if not rising.any():
        return []
    if rising.sum() > 0.95 * (rising.sum() + falling.sum()):
        return [_distances(file, int(rising.sum()), "their ranks")]
    at = np.unique(codes[order][1:][rising])
    firsts = np.unique(codes, return_index=True)[1]
    ids = [query_ids[int(firsts[one])].as_py() for one in at[:MAX_EXAMPLES]]
    return [
        Finding(
            "rank-disagrees-with-score",
            "warning",
            f"In {len(at):,} {'query' if len(at) == 1 else 'queries'} of {file} the rank column and the scores give a "
            f"different order; the scores were used (as trec_eval does). First: {ids[0]}.",
            file=file,
            count=len(at),
            examples=some(ids),
        )
    ]


def _unsorted(ranks: Floats, codes: NDArray[np.int64]) -> bool:
    """Whether rows stand in another order than by query and rank. Most files are sorted, and sorting them is slow."""
    step = np.diff(codes)
    return bool(np.any(step < 0) or np.any((step == 0) & (np.diff(ranks) < 0)))


def rising_scores(scores: Floats, codes: NDArray[np.int64], order: Order, name: str, file: str) -> list[Finding]:
    """Scores that rise along the list; of distances, of which the sign is turned by now, those that fell along it."""
    same = np.diff(codes) == 0
    with np.errstate(over="ignore"):
        step = np.diff(scores)
    rising, falling = int(np.sum(same & (step > 0))), int(np.sum(same & (step < 0)))
    if rising < _FEW[order] or rising <= 0.95 * (rising + falling):
        return []
    if not is_distance(name):
        return [_distances(file, rising, "their order in the file")]
    message = (
        f"{file}: {name!r} falls along the list, as similarities do. It was read as a distance: the smallest is best. "
        "Where larger is better, apply flip-scores."
    )
    return [Finding("scores-look-like-distances", "warning", message, file=file, count=rising, remedy="flip-scores")]


def grade_like(scores: Floats) -> bool:
    """Whether the first scores are few small whole numbers, as grades are."""
    few = np.unique(scores[:1000])
    return (
        len(scores) >= 4
        and len(few) <= 5
        and few.min() >= -2
        and few.max() <= 10
        and bool(np.all(few == np.round(few)))
    )


def like_grades(scores: Floats, codes: NDArray[np.int64], file: str) -> list[Finding]:
    """Judgments in the slot of a run: few whole numbers, and most documents of a query tied."""
    if not grade_like(scores):
        return []
    few, place = np.unique(scores, return_inverse=True)
    if len(np.unique(codes * len(few) + place)) > len(scores) / 2:
        return []
    message = (
        f"The scores of {file} are {', '.join(f'{one:g}' for one in few[:5])} and mostly tied, as grades are. "
        f"If these are judgments, load the file as the dataset."
    )
    return [Finding("scores-look-like-grades", "warning", message, file=file, count=len(scores))]


def _distances(file: str, count: int, against: str) -> Finding:
    return Finding(
        "scores-look-like-distances",
        "warning",
        f"The scores of {file} rise with {against}, as distances do. They were read as scores: the largest is best. "
        f"Where smaller is better, apply flip-scores.",
        file=file,
        count=count,
        remedy="flip-scores",
    )
