"""Are there enough queries to say anything? The guard in front of every verdict."""

from numpy.typing import ArrayLike

from ragdash.stats.defaults import MIN_QUERIES
from ragdash.stats.differences import counts


def smallest_p(differing: int) -> float:
    """The smallest two-sided p that an exact test can reach when `differing` queries differ: 2^(1 - differing), or 1.

    All of them point the same way in 2 of the 2^differing ways in which the signs can fall. In (0, 1].
    """
    return max(2.0 ** (1 - differing), 2.0**-1000) if differing > 0 else 1.0


def why_too_few(differences: ArrayLike, alpha: float = 0.05) -> str | None:
    """Why so few queries allow no verdict, in words; None if they do.

    `differences`: shape [n]. Two things count: at least MIN_QUERIES queries, and so many that differ that an exact test
    could reach `alpha` at all (six for 0.05). The t-test does reach it with four or five, but then it is wrong more
    often than alpha allows: see tests/benchmarks/README.md. Raises ValueError as `clean` does.
    """
    tally = counts(differences)
    if tally.n < MIN_QUERIES:
        return f"too few to say: {tally.n} of the {MIN_QUERIES} queries that it takes at least"
    if tally.differing and smallest_p(tally.differing) > alpha:
        differ = "query differs" if tally.differing == 1 else "queries differ"
        return (
            f"too few to say: only {tally.differing} {differ}, "
            f"and no exact test of so few can go below {smallest_p(tally.differing):g}"
        )
    return None
