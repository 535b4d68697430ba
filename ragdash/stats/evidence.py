"""What were the defaults chosen by? A few rows of the simulation, for the app's help.

Made by `tests/benchmarks/stats_simulation.py`; the whole table stands among the benchmarks, and a test holds these rows
against it.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Evidence:
    """What the simulation saw, in percent: a number for each of `SIZES`, over all pools."""

    question: str
    way: str
    percent: tuple[float, ...]


#: Queries in the simulated evaluations.
SIZES = (5, 10, 20, 50, 200, 1000)

EVIDENCE = (
    Evidence(
        "Two equal runs: how often one is called better or worse (should be at most 5)",
        "t, if enough differ",
        (0.0, 1.0, 2.8, 4.1, 4.7, 4.9),
    ),
    Evidence(
        "A baseline and nine runs equal to it: how often any is called better or worse (should be at most 5)",
        "t, Holm, if enough differ: the verdict",
        (0.0, 0.4, 1.3, 2.6, 3.4, 4.0),
    ),
    Evidence(
        "Ten equal runs, all 45 pairs: how often any is called better or worse (should be at most 5)",
        "t, Holm, if enough differ: the verdict",
        (0.0, 0.1, 0.5, 2.0, 3.1, 3.6),
    ),
    Evidence(
        "How often the 95 % interval holds the true difference (should be 95)",
        "t",
        (97.5, 96.0, 95.5, 95.0, 94.9, 94.9),
    ),
    Evidence(
        "The same for the bootstrap interval: too narrow when queries are few",
        "bca",
        (91.4, 89.4, 90.8, 92.8, 94.3, 94.8),
    ),
)

SUMMARY = (
    "In thousands of simulated evaluations whose truth is known, the verdict called one of several equal runs better "
    "or worse in about 1 of 20 cases or fewer, from 10 queries to 1,000 and from two runs to ten, and the interval "
    "held the true difference in 19 of 20."
)
