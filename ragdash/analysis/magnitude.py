"""How large is a difference, whatever the test says? Intervals, effect sizes, the practical band, and power."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ragdash import stats
from ragdash.analysis.compare import Comparison, Testing, why_too_few
from ragdash.stats import EffectSize, Equivalence, Interval, NonInferiority

#: Queries that the bootstrap draws in all: bounds its time to a fifth of a second with 10,000 queries.
DRAWN = 20_000_000


@dataclass(frozen=True)
class Magnitude:
    """One comparison's size in every way that is offered.

    `equivalence` and `non_inferiority` are None where there is no band; the latter asks of a metric of which less is
    better whether the contender has at most a band more. `too_few` says why neither is to be trusted. `detectable` is
    the smallest difference that so many questions show, `needed` how many questions the seen one takes, both with
    chance 0.8 at the level that the verdict asks of this comparison.
    """

    bootstrap: Interval
    effect: EffectSize
    won: EffectSize
    equivalence: Equivalence | None
    non_inferiority: NonInferiority | None
    too_few: str | None
    detectable: float | None
    needed: int | None


def magnitude(row: Comparison, testing: Testing) -> Magnitude:
    """All of it for one comparison."""
    d = row.differences
    band, alpha = testing.band, testing.alpha
    asked = band > 0 and alpha < 0.5
    resamples = int(np.clip(DRAWN // max(1, len(d)), 2_000, 10_000))
    return Magnitude(
        bootstrap=stats.bca_interval(d, n_resamples=resamples, seed=testing.seed),
        effect=stats.effect_size(d),
        won=stats.win_share(d),
        equivalence=stats.equivalence(d, band=band, alpha=alpha) if asked else None,
        non_inferiority=stats.non_inferiority(d, margin=band, alpha=alpha) if asked else None,
        too_few=why_too_few(d, alpha),
        detectable=stats.smallest_detectable(d, alpha=row.alpha),
        needed=stats.queries_needed(d, alpha=row.alpha),
    )
