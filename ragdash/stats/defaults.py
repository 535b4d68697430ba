"""What is used unless the user says otherwise? Chosen by `tests/benchmarks/stats_simulation.py`."""

from typing import Final

DEFAULT_TEST: Final = "t"
DEFAULT_INTERVAL: Final = "t"
DEFAULT_CORRECTION: Final = "holm"

#: Below so many queries a verdict says "too few to say".
MIN_QUERIES: Final = 10

#: Below so many non-zero differences no exact test can reach 0.05 (2 / 2^6 = 0.031, 2 / 2^5 = 0.0625).
MIN_DIFFERING: Final = 6

#: Sign vectors that the randomization test draws, and signs that the verdict lets it draw for all queries together:
#: p near 0.05 is then known to 0.0007 with up to 700 queries, and to 0.002 with 7,000.
DEFAULT_RESAMPLES: Final = 100_000
MOST_SIGNS: Final = 70_000_000
