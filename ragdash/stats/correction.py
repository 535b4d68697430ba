"""How sure can one be when many comparisons are shown? Corrections of p-values."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from ragdash.stats.differences import Floats


def _holm(p: Floats) -> Floats:
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    corrected = np.empty_like(p)
    corrected[order] = stepped
    return corrected


@dataclass(frozen=True)
class CorrectionBlock:
    """One correction as it is offered."""

    key: str
    name: str
    function: Callable[[Floats], Floats]
    sentence: str
    reference: str


CORRECTIONS: Mapping[str, CorrectionBlock] = {
    block.key: block
    for block in (
        CorrectionBlock(
            "holm", "Holm", _holm,
            "Keeps the chance of even one false alarm among all comparisons shown below alpha.",
            "Holm (1979)",
        ),
        CorrectionBlock(
            "bonferroni", "Bonferroni", lambda p: p * p.size,
            "The same promise by multiplying each p by the number of comparisons; never finds more than Holm.",
            "Dunn (1961)",
        ),
        CorrectionBlock(
            "bh", "Benjamini-Hochberg", lambda p: np.asarray(stats.false_discovery_control(p)),
            "Keeps the expected share of false alarms among the findings below alpha; finds more, promises less.",
            "Benjamini and Hochberg (1995)",
        ),
        CorrectionBlock(
            "none", "None", lambda p: p,
            "Takes each comparison for itself; with many of them some will look real by chance.",
            "-",
        ),
    )
}  # fmt: skip


def correct(p_values: Sequence[float | None], method: str) -> list[float | None]:
    """p-values corrected for their number, in the same order; each in (0, 1].

    `method` is a key of `CORRECTIONS`. None (a test without an answer) stays None and is not counted.
    Raises ValueError on an unknown method or a p outside (0, 1].
    """
    if method not in CORRECTIONS:
        raise ValueError(f"correction: one of {', '.join(CORRECTIONS)}; found {method!r}")
    known = np.array([p for p in p_values if p is not None], dtype=np.float64)
    if not ((known > 0) & (known <= 1)).all():
        raise ValueError("p-values: above 0 and at most 1")
    corrected = iter(np.minimum(CORRECTIONS[method].function(known), 1.0).tolist() if known.size else [])
    return [None if p is None else next(corrected) for p in p_values]
