"""Which queries remain when several filters hold at once? Text, groups, ranges, named queries: one mask."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ragdash import stats
from ragdash.analysis.presets import Asked
from ragdash.analysis.slices import columns, labels

Mask = NDArray[np.bool_]
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)"
_RANGE = re.compile(rf"({_NUMBER})?\.\.({_NUMBER})?")


@dataclass(frozen=True)
class Range:
    """Numbers from `low` to `high`, both included. Its text is "0.2..0.5", an open end left out."""

    low: float | None = None
    high: float | None = None

    @classmethod
    def parse(cls, text: str) -> Range | None:
        """None where `text` is no range."""
        found = _RANGE.fullmatch(text.strip())
        if not found or not any(found.groups()):
            return None
        low, high = (None if end is None else float(end) for end in found.groups())
        return None if low is not None and high is not None and low > high else cls(low, high)

    def __str__(self) -> str:
        return f"{'' if self.low is None else f'{self.low:g}'}..{'' if self.high is None else f'{self.high:g}'}"

    def holds(self, values: NDArray[np.float64]) -> Mask:
        """Which of `values` lie within, the ends with the usual tolerance."""
        low = -np.inf if self.low is None else self.low - stats.EPS
        high = np.inf if self.high is None else self.high + stats.EPS
        out: Mask = (values >= low) & (values <= high)
        return out


@dataclass(frozen=True)
class Filters:
    """Everything that narrows down the queries beside a preset. Nothing set keeps all.

    `slices` are (column, value): values of one column are alternatives, columns hold together. `lines` are the ids
    behind a line of the trust list or a finding.
    """

    search: str = ""
    slices: tuple[tuple[str, str], ...] = ()
    difference: Range | None = None
    scores: tuple[tuple[str, Range], ...] = ()
    lines: Collection[str] | None = None

    def __bool__(self) -> bool:
        return bool(self.search or self.slices or self.difference or self.scores) or self.lines is not None


def keep(asked: Asked, filters: Filters) -> Mask:
    """The counted queries that pass all filters. Shape `[n]`."""
    scores = asked.scores
    out: Mask = np.ones(scores.n, dtype=bool)
    for column in dict.fromkeys(column for column, _ in filters.slices):
        values = {value for other, value in filters.slices if other == column}
        out &= np.array([label in values for label in labels(scores, column)], dtype=bool)
    if filters.difference is not None:
        out &= filters.difference.holds(asked.difference)
    for run, span in filters.scores:
        out &= span.holds(scores.of(run, asked.metric))
    if filters.lines is not None:
        wanted = set(filters.lines)
        out &= np.array([one in wanted for one in scores.query_ids], dtype=bool)
    if filters.search:
        wanted_text, texts = folded(filters.search), scores.experiment.query_texts
        axis = np.flatnonzero(scores.counted)
        for i in np.flatnonzero(out).tolist():
            out[i] = wanted_text in folded(f"{scores.experiment.query_ids[axis[i]]} {texts[axis[i]]}")
    return out


def folded(text: str) -> str:
    """Case and accents do not matter."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in plain if not unicodedata.combining(sign))


def parsed_slice(asked: Asked, text: str) -> tuple[str, str] | None:
    """ "category:errors" as (column, value) where there are such queries; either may contain a colon."""
    for column in sorted(columns(asked.scores), key=len, reverse=True):
        if text.startswith(f"{column}:"):
            value = text[len(column) + 1 :]
            if value in set(labels(asked.scores, column)):
                return column, value
    return None
