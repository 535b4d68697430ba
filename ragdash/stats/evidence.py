"""What were the defaults chosen by? A few rows of the simulation, for the app's help.

Made by `tests/benchmarks/stats_simulation.py`; the whole table is in `tests/benchmarks/STATISTICS.md`.
"""
