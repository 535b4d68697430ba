"""What is used unless the user says otherwise? Chosen by `tests/benchmarks/stats_simulation.py`."""

DEFAULT_TEST = "t"
DEFAULT_INTERVAL = "t"
DEFAULT_CORRECTION = "holm"

#: Below so many queries a verdict says "too few to say".
MIN_QUERIES = 10

#: Below so many non-zero differences no exact test can reach 0.05 (2 / 2^6 = 0.031, 2 / 2^5 = 0.0625).
MIN_DIFFERING = 6
