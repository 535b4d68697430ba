"""How fast are the tests and intervals, and how does that compare with scipy's own?

    PYTHONPATH=. python tests/benchmarks/stats_speed.py

45 pairs of 10 runs x 5 metrics x 6,980 queries (MS MARCO's development set), 10,000 resamples each. CPU seconds are
those of all threads; the memory is the most this process held after each step, scipy being last.
"""

import argparse
import itertools
import resource
import time
from collections.abc import Callable

import numpy as np
from scipy import stats as scipy_stats

from ragdash import stats

RUNS, METRICS = 10, 5


def differences(queries: int) -> np.ndarray:
    """Differences of all pairs and metrics, shape [225, queries], a third of them ties."""
    rng = np.random.default_rng(0)
    scores = rng.choice([0, 0, 0.2, 1 / 3, 0.5, 1, 1], size=(METRICS, RUNS, queries))
    scores += np.where(rng.random(scores.shape) < 0.5, rng.random(scores.shape) / 10, 0)
    pairs = itertools.combinations(range(RUNS), 2)
    return np.concatenate([scores[:, b] - scores[:, a] for a, b in pairs])


def timed(label: str, run: Callable[[], object], tests: int) -> float:
    """Print one row of the table; CPU seconds a test."""
    wall, cpu = time.perf_counter(), time.process_time()
    run()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"| {label} | {tests} | {cpu:.2f} | {wall:.2f} | {1000 * cpu / tests:.1f} | {memory:.0f} |", flush=True)
    return cpu / tests


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=6980)
    parser.add_argument("--resamples", type=int, default=10_000)
    args = parser.parse_args()
    rows, r = differences(args.queries), args.resamples
    print(f"{rows.shape[0]} tests of {rows.shape[1]:,} queries, {r:,} resamples\n")
    print("| what | tests | CPU s | wall s | CPU ms a test | most memory, MB |\n|---|---|---|---|---|---|")
    timed("(the data)", lambda: rows.sum(), rows.shape[0])
    flips = timed("sign flips, all at once", lambda: stats.randomization_many(rows, n_resamples=r), rows.shape[0])
    timed("BCa, all at once", lambda: stats.bca_many(rows, n_resamples=r), rows.shape[0])
    alone = timed("sign flips, one test alone", lambda: stats.randomization(rows[0], n_resamples=r), 1)
    timed("t, Wilcoxon, sign", lambda: [f(d) for d in rows for f in (stats.t_test, stats.wilcoxon, stats.sign_test)],
          3 * rows.shape[0])  # fmt: skip
    scores = np.random.default_rng(1).random((RUNS, args.queries))
    timed("randomized Tukey HSD, 10 runs", lambda: stats.tukey_hsd(scores, n_resamples=r), 45)
    scipys = timed(
        "scipy.stats.permutation_test",
        lambda: scipy_stats.permutation_test(
            (rows[0],),
            lambda x, axis: x.mean(axis),
            permutation_type="samples",
            n_resamples=r,
            vectorized=True,
            batch=500,
        ),
        1,
    )
    print(f"\nscipy takes {scipys / flips:,.0f} times the CPU a test, {scipys / alone:,.0f} times that of one alone.")


if __name__ == "__main__":
    main()
