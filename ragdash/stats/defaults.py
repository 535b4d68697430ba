"""What is used unless the user says otherwise? Chosen by `tests/benchmarks/stats_simulation.py`."""

from typing import Final

DEFAULT_TEST: Final = "t"
DEFAULT_INTERVAL: Final = "t"
DEFAULT_CORRECTION: Final = "holm"

#: Below so many queries a verdict says "too few to say".
MIN_QUERIES: Final = 10

#: Below so many non-zero differences no exact test can reach 0.05 (2 / 2^6 = 0.031, 2 / 2^5 = 0.0625).
MIN_DIFFERING: Final = 6
