"""How often is ragdash's verdict wrong? A simulation of evaluations whose truth is known.

    PYTHONPATH=. python tests/benchmarks/stats_simulation.py                 # the tables in README.md
    PYTHONPATH=. python tests/benchmarks/stats_simulation.py --quick         # a minute, to see that it runs
    PYTHONPATH=. python tests/benchmarks/stats_simulation.py --pools DIR     # score pools of your own, one CSV each

A *pool* holds the scores of up to ten runs on thousands of queries, for one metric; it plays the part of all queries
that users will ever ask. An *experiment* draws n queries from it, with replacement. The truth is set in three ways:

- swapped: each query's scores are dealt out to the runs at random, so that no run is better by construction;
- tilted:  the queries are drawn with weights under which all runs have the same mean, though not the same
  distribution (the exponential tilting that changes the pool least);
- a known difference: as tilted, but one contender's mean is that much above the baseline's.

The pools are made here, from ranks: a query is easy or hard for all runs, a relevant document too, each run adds noise
of its own, and the rank follows. Four collections differ in what makes evaluations differ: relevant documents a query,
how alike the runs are, how near the scores are to 1. A CSV has a header and one row a query: its id,
then a score a run.
"""

import argparse
import csv
import functools
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import optimize
from scipy import stats as scipy_stats

from ragdash import stats

Floats = NDArray[np.float64]

ALPHA = 0.05
SIZES = (5, 10, 20, 50, 200, 1000)
DIFFERENCES = {
    5: 0.3,
    10: 0.2,
    20: 0.15,
    50: 0.1,
    200: 0.05,
    1000: 0.02,
}  # what a test of that size should begin to see
BAND = 0.01
RESAMPLES = 1_999
ENUMERATED = 12  # more would cost hours; a Monte Carlo p is valid at any number of resamples
TEN = 10
PAIRS = 4  # pairs of runs a pool


# ---- pools -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Collection:
    """How queries, documents and runs of one kind of evaluation behave; the numbers follow public runs."""

    name: str
    relevant: float  # relevant documents a query beyond the first, on average
    level: float  # how well the runs do
    queries: float  # spread of difficulty between queries
    runs: float  # spread of each run's own noise
    depth: int


COLLECTIONS = (
    Collection("passages", relevant=0.0, level=1.6, queries=1.7, runs=1.8, depth=100),
    Collection("chunks", relevant=0.7, level=1.4, queries=1.6, runs=1.2, depth=10),
    Collection("archive", relevant=14.0, level=-1.6, queries=1.5, runs=1.6, depth=100),
    Collection("near-twins", relevant=0.0, level=2.6, queries=2.0, runs=0.25, depth=100),
)


@dataclass(frozen=True)
class Pool:
    """Scores [runs, queries] of one metric on one collection."""

    name: str
    metric: str
    scores: Floats


def make_pools(queries: int, seed: int) -> list[Pool]:
    rng = np.random.default_rng(seed)
    return [pool for collection in COLLECTIONS for pool in _pools_of(collection, queries, rng)]


def _pools_of(collection: Collection, queries: int, rng: np.random.Generator) -> Iterator[Pool]:
    relevant = rng.geometric(1 / (1 + collection.relevant), size=queries)
    scores: dict[str, Floats] = {name: np.empty((TEN, queries)) for name in METRICS}
    for q in range(queries):
        ease = rng.normal(collection.level, collection.queries)
        documents = ease + rng.normal(0, 0.8, size=relevant[q])
        logits = documents + rng.normal(0, collection.runs, size=(TEN, relevant[q]))
        for run in range(TEN):
            ranks = _distinct(np.floor(np.exp(np.clip(2.0 - logits[run], 0, 20))))
            for name, metric in METRICS.items():
                scores[name][run, q] = metric(ranks[ranks <= collection.depth], relevant[q])
    for name, table in scores.items():
        if name != "Recall@5" or collection.relevant:  # with one relevant document it is Success@5
            yield Pool(f"{collection.name} {name}", name, table)


def _distinct(ranks: Floats) -> Floats:
    """Ranks of one run's relevant documents: two documents never share one."""
    order = np.sort(ranks)
    places = np.arange(order.size)
    return np.maximum.accumulate(order - places) + places


METRICS: dict[str, Callable[[Floats, int], float]] = {
    "Success@5": lambda ranks, _: float((ranks <= 5).any()),
    "RR@10": lambda ranks, _: float((1 / ranks[ranks <= 10]).max(initial=0.0)),
    "Recall@5": lambda ranks, relevant: float((ranks <= 5).sum() / relevant),
    "nDCG@10": lambda ranks, relevant: float(
        (1 / np.log2(ranks[ranks <= 10] + 1)).sum() / (1 / np.log2(np.arange(min(relevant, 10)) + 2)).sum()
    ),
}


def read_pools(folder: Path) -> list[Pool]:
    pools = []
    for path in sorted(folder.glob("*.csv")):
        with path.open(newline="", encoding="utf-8") as lines:
            rows = list(csv.reader(lines))[1:]
        pools.append(Pool(path.stem, path.stem, np.array([row[1:] for row in rows], dtype=np.float64).T[:TEN]))
    return pools


# ---- truths ----------------------------------------------------------------------------------------------------------


def tilted_weights(differences: Floats, target: Floats) -> Floats | None:
    """Weights of the queries under which `differences` [contenders, queries] have the mean `target`; None if none do.

    w ~ exp(lambda . d), the weights nearest to equal ones (in Kullback-Leibler distance) that have this mean.
    """
    centred = differences - target[:, None]

    def dual(multiplier: Floats) -> tuple[float, Floats]:
        exponent = multiplier @ centred
        top = exponent.max()
        weights = np.exp(exponent - top)
        return float(top + np.log(weights.sum())), centred @ weights / weights.sum()

    with np.errstate(all="ignore"):  # out of reach, the multipliers run away; that is seen below
        found = optimize.minimize(dual, np.zeros(len(target)), jac=True, method="BFGS", options={"gtol": 1e-9})
    exponent = found.x @ centred
    weights = np.exp(exponent - exponent.max())
    weights /= weights.sum()
    # Tilted beyond recognition, a pool is no longer like a real run: a third of its queries must still count.
    usable = np.abs(centred @ weights).max() < 1e-6 and 1 / np.sum(weights**2) > 0.3 * weights.size
    return weights if usable else None


def draw(scores: Floats, n: int, experiments: int, rng: np.random.Generator, weights: Floats | None = None) -> Floats:
    """Scores [experiments, runs, n] of drawn queries."""
    chosen = rng.choice(scores.shape[1], size=(experiments, n), p=weights)
    return np.moveaxis(scores[:, chosen], 0, 1)


def swapped(drawn: Floats, rng: np.random.Generator) -> Floats:
    """The same with each query's scores dealt out to the runs at random."""
    return rng.permuted(drawn, axis=1)


# ---- what is tried ---------------------------------------------------------------------------------------------------


def p_t(d: Floats) -> Floats:
    """p of the t-test for each row; 1 where it has none: no verdict, no alarm."""
    usable = np.ptp(d, axis=1) > stats.EPS
    p = np.ones(d.shape[0])
    if usable.any():
        p[usable] = scipy_stats.ttest_1samp(d[usable], 0.0, axis=1).pvalue
    return p


def p_randomization(d: Floats) -> Floats:
    results = stats.randomization_many(d, n_resamples=RESAMPLES, enumerated=ENUMERATED)
    return np.array([result.p for result in results])


def p_wilcoxon(d: Floats) -> Floats:
    return np.array([stats.wilcoxon(row).p for row in d])


@functools.cache
def _sign(wins: int, differing: int) -> float:
    return float(scipy_stats.binomtest(wins, differing).pvalue) if differing else 1.0


def p_sign(d: Floats) -> Floats:
    return np.array([_sign(int((row > 0).sum()), int((row != 0).sum())) for row in d])


def enough_differ(d: Floats) -> NDArray[np.bool_]:
    """Whether so many queries differ that a verdict is given, for each row."""
    return np.asarray((d != 0).sum(axis=1) >= stats.MIN_DIFFERING)


ONE: dict[str, Callable[[Floats], Floats]] = {
    "t": p_t,
    "t, if enough differ": lambda d: np.where(enough_differ(d), p_t(d), 1.0),
    "randomization": p_randomization,
    "wilcoxon": p_wilcoxon,
    "sign": p_sign,
}


def holm(p: Floats) -> Floats:
    """Holm's correction of each row of p [experiments, comparisons]."""
    order = np.argsort(p, axis=1)
    steps = np.sort(p, axis=1) * np.arange(p.shape[1], 0, -1)
    corrected = np.empty_like(p)
    np.put_along_axis(corrected, order, np.maximum.accumulate(steps, axis=1), axis=1)
    return corrected


def covers(intervals: list[stats.Interval], truth: float) -> tuple[int, int, int]:
    """How many intervals hold the truth, lie wholly above it, and exist."""
    known = [(i.low, i.high) for i in intervals if i.low is not None and i.high is not None]
    held = sum(low - 1e-9 <= truth <= high + 1e-9 for low, high in known)
    return held, sum(low - 1e-9 > truth for low, _ in known), len(known)


# ---- the two experiments ---------------------------------------------------------------------------------------------


class Tally:
    """Shares, kept for each row of a table and for the worst pool."""

    def __init__(self) -> None:
        self.cells: dict[tuple[str, int], list[tuple[float, float, str]]] = {}

    def add(self, row: str, n: int, hits: float, of: float, pool: str) -> None:
        if of:
            self.cells.setdefault((row, n), []).append((float(hits), float(of), pool))

    def share(self, row: str, n: int) -> float | None:
        cells = self.cells.get((row, n), [])
        return sum(c[0] for c in cells) / sum(c[1] for c in cells) if cells else None

    def table(self, title: str, extreme: Callable[..., float] | None = max) -> str:
        rows = list(dict.fromkeys(row for row, _ in self.cells))
        lines = [
            f"### {title}",
            "",
            "| | " + " | ".join(f"n = {n}" for n in SIZES) + " |",
            "|---" * (1 + len(SIZES)) + "|",
        ]
        for row in rows:
            shown = []
            for n in SIZES:
                share = self.share(row, n)
                if share is None:
                    shown.append("-")
                    continue
                cell = f"{100 * share:.1f}"
                pools = self.by_pool(row, n)
                if extreme and pools:
                    cell += f" ({100 * extreme(pools.values()):.1f})"
                shown.append(cell)
            lines.append(f"| {row} | " + " | ".join(shown) + " |")
        return "\n".join(lines) + "\n"

    def by_pool(self, row: str, n: int) -> dict[str, float]:
        """The share in each pool with at least 100 cases behind it."""
        sums: dict[str, tuple[float, float]] = {}
        for hits, of, pool in self.cells[row, n]:
            before = sums.get(pool, (0.0, 0.0))
            sums[pool] = (before[0] + hits, before[1] + of)
        return {pool: hits / of for pool, (hits, of) in sums.items() if of >= 100}


@dataclass(frozen=True)
class Tallies:
    alarm_swapped: Tally
    alarm_tilted: Tally
    power: Tally
    coverage: Tally
    equivalent: Tally
    baseline_swapped: Tally
    baseline_tilted: Tally
    pairs_swapped: Tally


def one_contender(pool: Pool, n: int, experiments: int, rng: np.random.Generator, out: Tallies) -> None:
    """Baseline against one contender: false alarms, power, coverage, false equivalence."""
    baseline, contender = rng.choice(pool.scores.shape[0], size=2, replace=False)
    pair = pool.scores[[baseline, contender]]
    difference = pair[1:] - pair[:1]
    null = swapped(draw(pair, n, experiments, rng), rng)
    d = stats.differences.clean_many(null[:, 1] - null[:, 0])
    for name, test in ONE.items():
        out.alarm_swapped.add(name, n, (test(d) <= ALPHA).sum(), experiments, pool.name)

    truths = {0.0: out.alarm_tilted, DIFFERENCES[n]: out.power}
    for truth, tally in truths.items():
        weights = tilted_weights(difference, np.array([truth]))
        if weights is None:
            continue
        drawn = draw(pair, n, experiments, rng, weights)
        d = stats.differences.clean_many(drawn[:, 1] - drawn[:, 0])
        for name, test in ONE.items():
            tally.add(name, n, (test(d) <= ALPHA).sum(), experiments, pool.name)
        _coverage(d, truth, n, pool.name, out)
    weights = tilted_weights(difference, np.array([BAND]))
    if weights is not None:
        drawn = draw(pair, n, experiments, rng, weights)
        rows = drawn[:, 1] - drawn[:, 0]
        found = [stats.equivalence(row, BAND) for row in rows]
        out.equivalent.add("two one-sided t-tests", n, sum(bool(f.equivalent) for f in found), len(found), pool.name)
        enough = [f for f, row in zip(found, rows) if stats.counts(row).differing >= stats.MIN_DIFFERING]
        out.equivalent.add(
            "the same, if enough differ", n, sum(bool(f.equivalent) for f in enough), len(found), pool.name
        )


def _coverage(d: Floats, truth: float, n: int, pool: str, out: Tallies) -> None:
    kinds = {
        "t": [stats.t_interval(row) for row in d],
        "bca": stats.bca_many(d, n_resamples=RESAMPLES),
    }
    differing = (d != 0).sum(axis=1)
    for name, intervals in kinds.items():
        held, _, known = covers(intervals, truth)
        out.coverage.add(name, n, held, known, pool)
        enough = [i for i, k in zip(intervals, differing) if k >= stats.MIN_DIFFERING]
        held, _, known = covers(enough, truth)
        out.coverage.add(f"{name}, if enough differ", n, held, known, pool)


def family(pool: Pool, n: int, experiments: int, rng: np.random.Generator, out: Tallies) -> None:
    """All runs of a pool: the first against each other one, and every pair, corrected by Holm."""
    runs = pool.scores.shape[0]
    if runs < 3:
        return
    null = swapped(draw(pool.scores, n, experiments, rng), rng)
    _family(null, [(0, j) for j in range(1, runs)], n, pool.name, out.baseline_swapped)
    _family(null, [(i, j) for j in range(runs) for i in range(j)], n, pool.name, out.pairs_swapped, tukey=n <= 200)
    weights = tilted_weights(pool.scores[1:] - pool.scores[:1], np.zeros(runs - 1))
    if weights is not None:
        equal = draw(pool.scores, n, experiments, rng, weights)
        _family(equal, [(0, j) for j in range(1, runs)], n, pool.name, out.baseline_tilted)


def _family(drawn: Floats, pairs: list[tuple[int, int]], n: int, pool: str, tally: Tally, tukey: bool = False) -> None:
    experiments = drawn.shape[0]
    first, second = (list(side) for side in zip(*pairs))
    d = stats.differences.clean_many((drawn[:, second] - drawn[:, first]).reshape(-1, n))
    enough = enough_differ(d).reshape(experiments, len(pairs))
    t = holm(p_t(d).reshape(experiments, len(pairs))) <= ALPHA
    tally.add("t, Holm", n, t.any(axis=1).sum(), experiments, pool)
    tally.add("t, Holm, if enough differ: the verdict", n, (t & enough).any(axis=1).sum(), experiments, pool)
    if len(pairs) < TEN or n <= 50:
        randomized = holm(p_randomization(d).reshape(experiments, len(pairs))) <= ALPHA
        tally.add("randomization, Holm", n, randomized.any(axis=1).sum(), experiments, pool)
    if tukey:
        some = drawn[:60]
        alarms = sum(stats.tukey_hsd(scores, n_resamples=499).p.min() <= ALPHA for scores in some)
        tally.add("randomized Tukey HSD", n, alarms, len(some), pool)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pools", type=Path, help="a folder of CSV files instead of the pools made here")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--experiments", type=int, default=1000, help="one-contender experiments a pool and n")
    parser.add_argument("--families", type=int, default=300, help="experiments with all runs, a pool and n")
    parser.add_argument("--quick", action="store_true")
    args = parser.parse_args()
    experiments, families = (60, 20) if args.quick else (args.experiments, args.families)
    rng = np.random.default_rng(args.seed)
    pools = read_pools(args.pools) if args.pools else make_pools(1000 if args.quick else 4000, args.seed)
    out = Tallies(*(Tally() for _ in range(8)))
    print(describe(pools))
    started = time.process_time()
    for n in SIZES:
        for pool in pools:
            for _ in range(PAIRS):
                one_contender(pool, n, experiments // PAIRS, rng, out)
            family(pool, n, families, rng, out)
    print(report(out))
    print(exact_sizes())
    print(f"{time.process_time() - started:.0f} CPU s; {len(pools)} pools; seed {args.seed}; "
          f"{experiments} and {families} experiments a pool and n.")  # fmt: skip


def exact_sizes() -> str:
    """False alarms for a yes-or-no metric, computed and not simulated, where they are most frequent.

    Two equal runs differ on each query with some chance, and then by +1 or -1 alike. Given how many differ, the wins
    are binomial, so the rate follows for any chance of differing; the table has the worst of all such chances.
    """
    alarms = {"t": p_t, "t, if enough differ": ONE["t, if enough differ"], "randomization": None}
    lines = ["### False alarms at 0.05, Success@K, at the worst share of differing queries (%, exact)", ""]
    lines += ["| | " + " | ".join(f"n = {n}" for n in SIZES) + " |", "|---" * (1 + len(SIZES)) + "|"]
    for name, test in alarms.items():
        worst = []
        for n in SIZES:
            differing = np.arange(1, min(n, 60) + 1)
            given = np.array([_alarm_given(test, n, int(k)) for k in differing])
            chances = np.linspace(0.002, min(0.9, 40 / n), 150)
            worst.append(max(scipy_stats.binom.pmf(differing, n, chance) @ given for chance in chances))
        lines.append(f"| {name} | " + " | ".join(f"{100 * share:.1f}" for share in worst) + " |")
    return "\n".join(lines) + "\n"


def _alarm_given(test: Callable[[Floats], Floats] | None, n: int, differing: int) -> float:
    """The chance of p <= 0.05 when so many of n queries differ, by 1 each; no test: the exact randomization test."""
    wins = np.arange(differing + 1)
    if test is None:  # with differences of one size it is the sign test
        p = np.array([_sign(int(w), differing) for w in wins])
    else:
        places = np.arange(n)
        p = test(np.where(places < wins[:, None], 1.0, np.where(places < differing, -1.0, 0.0)))
    return float(scipy_stats.binom.pmf(wins, differing, 0.5)[p <= ALPHA].sum())


def describe(pools: list[Pool]) -> str:
    lines = ["| pool | runs | queries | means | equal scores (two runs) | sd of the difference |", "|---" * 6 + "|"]
    for pool in pools:
        pair = pool.scores[1] - pool.scores[0]
        means = pool.scores.mean(axis=1)
        lines.append(
            f"| {pool.name} | {pool.scores.shape[0]} | {pool.scores.shape[1]} | {means.min():.2f}-{means.max():.2f} "
            f"| {100 * np.mean(np.abs(pair) < stats.EPS):.0f} % | {pair.std():.2f} |"
        )
    return "\n".join(lines) + "\n"


def report(out: Tallies) -> str:
    worst = "in brackets the worst pool"
    return "\n".join((
        out.alarm_swapped.table(f"False alarms at 0.05, one contender, labels swapped (%; {worst})"),
        out.alarm_tilted.table(f"False alarms at 0.05, one contender, equal means, other distributions (%; {worst})"),
        out.power.table(f"Power at 0.05; true differences {', '.join(map(str, DIFFERENCES.values()))} (%)", None),
        out.coverage.table("Coverage of the 95 % intervals, where there is one (%; in brackets the worst pool)", min),
        out.equivalent.table(f"Equivalence within {BAND} claimed though the difference is {BAND} (%; {worst})"),
        out.baseline_swapped.table(f"Family-wise false alarms, baseline against the rest, labels swapped (%; {worst})"),
        out.baseline_tilted.table(f"Family-wise false alarms, baseline against the rest, equal means (%; {worst})"),
        out.pairs_swapped.table(f"Family-wise false alarms, every pair of runs, labels swapped (%; {worst})"),
    ))  # fmt: skip


if __name__ == "__main__":
    main()
