"""How often would swapping the runs at random, query by query, look like this? Fisher's randomization test."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ragdash.stats.differences import Floats, clean, clean_many
from ragdash.stats.result import TestResult

#: Up to so many non-zero differences all 2^n sign vectors are enumerated.
ENUMERATED = 20

#: Sums this close, as a share of the largest possible sum, are equal: far above rounding, far below any real gap.
SUM_TOLERANCE = 1e-11

#: Sign vectors are drawn so many at a time, each batch from its own stream: part of the result, not a setting.
BATCH = 1024

#: Queries (a multiple of 8), and tests, multiplied at a time: bounds the memory and fits the cache, changes no result.
QUERY_BLOCK = 1024
TEST_BLOCK = 1024

#: Up to so many tests it is cheaper to look sums of eight up than to multiply.
FEW = 8


def randomization(differences: ArrayLike, *, n_resamples: int = 100_000, seed: int = 0) -> TestResult:
    """Fisher's randomization test for paired scores, two-sided, on the mean difference (Fisher 1935; Smucker 2007).

    `differences`: shape [n]. Under no difference each query's difference may as well have the other sign. With at most
    20 non-zero differences all 2^n_used sign vectors are enumerated and p is the share whose |mean| reaches the
    observed one. Otherwise `n_resamples` sign vectors are drawn and p = (hits + 1) / (n_resamples + 1): the observed
    data count as one of the outcomes, so p is never 0 (Phipson and Smyth 2010). Sums within rounding count as equal.

    p depends on the non-zero |differences|, |mean|, `seed` and `n_resamples` alone: not on the order of the queries,
    on the sign, on added ties, on block sizes or threads. `p_error` is sqrt(p (1 - p) / n_resamples).
    Raises ValueError as `clean` does, or when `n_resamples` < 1.
    """
    return randomization_many(clean(differences)[None, :], n_resamples=n_resamples, seed=seed)[0]


def randomization_many(
    differences: ArrayLike, *, n_resamples: int = 100_000, seed: int = 0, enumerated: int = ENUMERATED
) -> list[TestResult]:
    """`randomization` of every row of `differences`, shape [comparisons, n], for little more than the price of one.

    All rows share the sign vectors, so the work is one matrix product, done in blocks: about 250 MB at most beside
    the input. Each p equals that of `randomization` on the row alone. Up to `enumerated` non-zero differences
    a row's signs are enumerated (0: none are). Raises ValueError as `randomization` does.
    """
    rows = clean_many(differences)
    _check_resamples(n_resamples)
    used = np.count_nonzero(rows, axis=1)
    results: list[TestResult | None] = [_enumerated(row) if k <= enumerated else None for row, k in zip(rows, used)]
    sampled = np.flatnonzero(used > enumerated)
    for start in range(0, sampled.size, TEST_BLOCK):
        block = sampled[start : start + TEST_BLOCK]
        hits = _hits(rows[block], n_resamples, seed)
        for row, hit in zip(block, hits):
            p = (int(hit) + 1) / (n_resamples + 1)
            results[row] = TestResult(
                "randomization", rows.shape[1], int(used[row]), float(rows[row].mean()), None, p,
                f"Fisher randomization, {n_resamples:,} random sign flips", False, n_resamples, seed,
                p_error=float(np.sqrt(p * (1 - p) / n_resamples)),
            )  # fmt: skip
    return [result for result in results if result is not None]


def randomization_distribution(differences: ArrayLike, *, n_resamples: int = 100_000, seed: int = 0) -> Floats:
    """The mean differences that `randomization` compares with the observed one, for a chart.

    Shape [2^n_used] where enumerated, else [n_resamples]; in the unit of the differences, in no meaningful order.
    Raises ValueError as `randomization` does.
    """
    d = clean(differences)
    _check_resamples(n_resamples)
    sizes = _sorted_sizes(d[None, :])
    if sizes.shape[1] <= ENUMERATED:
        half = _half_of_all_sums(sizes[0])
        return np.concatenate([half, -half]) / d.size if sizes.size else np.zeros(1)
    return np.concatenate([sums[0] for sums in _random_sums(sizes, n_resamples, seed)]) / d.size


def _check_resamples(n_resamples: int) -> None:
    if n_resamples < 1:
        raise ValueError(f"n_resamples: at least 1; found {n_resamples}")


def _enumerated(d: Floats) -> TestResult:
    sizes = _sorted_sizes(d[None, :])[0]
    half = _half_of_all_sums(sizes)
    p = float(np.mean(np.abs(half) >= _threshold(d[None, :], sizes[None, :])[0]))
    reason = None if sizes.size else "identical: no query differs"
    method = "Fisher randomization" + (f", all {2**sizes.size:,} sign flips enumerated" if sizes.size else "")
    return TestResult("randomization", d.size, sizes.size, float(d.mean()), None, p, method, True, reason=reason)


def _half_of_all_sums(sizes: Floats) -> Floats:
    """The sums of all sign vectors whose first sign is plus, shape [2^(k-1)]; the others are their negatives."""
    sums = sizes[:1] if sizes.size else np.zeros(1)
    for size in sizes[1:]:
        sums = np.concatenate([sums + size, sums - size])
    return sums


def _sorted_sizes(rows: Floats) -> Floats:
    """|differences|, largest first, without the columns that are zero in every row.

    Signs are random, so the order of the queries and their own signs may be dropped: p then cannot depend on them.
    """
    sizes = -np.sort(-np.abs(rows), axis=1)
    return np.ascontiguousarray(sizes[:, : int(np.count_nonzero(rows, axis=1).max())])


def _threshold(rows: Floats, sizes: Floats) -> Floats:
    """How large a |sum| must be to count as a hit, a row each."""
    return np.asarray(np.abs(rows.sum(axis=1)) - SUM_TOLERANCE * sizes.sum(axis=1))


def _hits(rows: Floats, n_resamples: int, seed: int) -> Floats:
    sizes = _sorted_sizes(rows)
    least = _threshold(rows, sizes)[:, None]
    hits = np.zeros(rows.shape[0])
    for sums in _random_sums(sizes, n_resamples, seed):
        hits += np.count_nonzero(np.abs(sums) >= least, axis=1)
    return hits


def _random_sums(sizes: Floats, n_resamples: int, seed: int) -> Iterator[Floats]:
    """Sums of `sizes` [tests, k] under random signs, in batches of shape [tests, up to BATCH]."""
    totals = sizes.sum(axis=1, keepdims=True)
    for number in range(-(-n_resamples // BATCH)):
        plus = np.zeros((sizes.shape[0], BATCH))  # the part of each sum that keeps its sign
        rng = np.random.default_rng([seed, number])
        for start in range(0, sizes.shape[1], QUERY_BLOCK):
            block = sizes[:, start : start + QUERY_BLOCK]
            bits = _random_bits(rng, block.shape[1])
            plus += _looked_up(block, bits) if sizes.shape[0] <= FEW else _multiplied(block, bits)
        yield (2 * plus - totals)[:, : n_resamples - number * BATCH]


def _random_bits(rng: np.random.Generator, n: int) -> NDArray[np.uint8]:
    """Fair coins: bit i of [g, r] is the sign of query 8 g + i in resample r. The first rows do not depend on n."""
    words = rng.integers(0, 2**64, size=(-(-n // 8), BATCH // 8), dtype=np.uint64)
    return words.astype("<u8").view(np.uint8)


def _multiplied(block: Floats, bits: NDArray[np.uint8]) -> Floats:
    coins = np.unpackbits(bits, axis=0, count=block.shape[1], bitorder="little")
    return block @ coins.astype(np.float64)


def _looked_up(block: Floats, bits: NDArray[np.uint8]) -> Floats:
    """The same product: for every eight queries all 256 sums are made once, and a byte of coins names one of them."""
    groups = bits.shape[0]
    places = bits + 256 * np.arange(groups)[:, None]
    padded = np.pad(block, ((0, 0), (0, 8 * groups - block.shape[1]))).reshape(-1, groups, 8)
    tables = padded @ np.unpackbits(np.arange(256, dtype=np.uint8)[None], axis=0, bitorder="little")
    return np.stack([table.ravel().take(places).sum(axis=0) for table in tables])
