"""What is a grade worth? Numbers as they are, labels in words by a scale, blanks left out; anything else is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ragdash.data.columns import text_column
from ragdash.data.findings import Finding
from ragdash.data.formats.numbers import numbers
from ragdash.data.nouns import Floats
from ragdash.errors import MalformedError

SCALES: tuple[dict[str, float], ...] = (
    {"false": 0, "true": 1},
    {"no": 0, "yes": 1},
    {"n": 0, "y": 1},
    {"irrelevant": 0, "relevant": 1},
    {"not relevant": 0, "relevant": 1},
    {"not_relevant": 0, "relevant": 1},
    {"non-relevant": 0, "relevant": 1},
    {"nonrelevant": 0, "relevant": 1},
    {"incorrect": 0, "correct": 1},
    {"bad": 0, "good": 1},
    {"irrelevant": 0, "partially relevant": 1, "relevant": 2},
    {"not relevant": 0, "partially relevant": 1, "relevant": 2, "highly relevant": 3},
    {"irrelevant": 0, "partially relevant": 1, "relevant": 2, "highly relevant": 3},
    {"irrelevant": 0, "complement": 1, "substitute": 2, "exact": 3},
    {"i": 0, "c": 1, "s": 2, "e": 3},
    {"poor": 0, "fair": 1, "good": 2, "perfect": 3},
    {"bad": 0, "fair": 1, "good": 2, "excellent": 3, "perfect": 4},
)


def grades_of(
    column: Sequence[str | None] | pa.Array,
    lines: NDArray[np.int32] | None,
    file: str,
    words: Mapping[str, float] | None = None,
) -> tuple[Floats, NDArray[np.int64] | None, list[Finding]]:
    """Grades as numbers, the rows to keep (None: all), findings.

    A grade that is absent (None) is 1, a blank one says that nobody judged. `words` says what labels are worth;
    without it the first known scale is taken that has all the labels of the file.
    """
    texts = text_column(column)
    texts = pc.fill_null(texts, "1")
    parsed = numbers(texts)
    values = parsed.values
    said: list[Finding] = []
    if not parsed.bad.any():
        return values, None, said
    trimmed = pc.utf8_lower(pc.utf8_trim_whitespace(texts))
    blank = pc.equal(trimmed, "").to_numpy(zero_copy_only=False)
    labels = parsed.bad & ~blank
    if labels.any():
        scale = _scale(trimmed.filter(pa.array(~blank)).unique().to_pylist(), words, bool(words))
        if scale is None:
            raise _no_grade(texts, np.flatnonzero(labels), lines, file)
        keys = pa.array(list(scale), type=pa.string())
        at = pc.index_in(trimmed, value_set=keys).to_numpy(zero_copy_only=False)
        known = ~np.isnan(at.astype(float))
        worth = np.asarray(list(scale.values()))
        values = np.where(known, worth[np.where(known, at, 0).astype(int)], values)
        rule = ", ".join(f"{word} = {value:g}" for word, value in scale.items())
        message = f"The grades of {file} are words; they were read as {rule}."
        severity: Any = "info" if words else "warning"
        said.append(Finding("grade-in-words", severity, message, file=file, count=int(labels.sum())))
    if not blank.any():
        return values, None, said
    rows = np.flatnonzero(blank)
    at_lines = tuple(int(lines[row]) for row in rows[:5]) if lines is not None else ()
    message = f"{len(rows):,} {'row' if len(rows) == 1 else 'rows'} of {file} without a grade; taken as not judged."
    said.append(Finding("blank-grade", "warning", message, file=file, count=len(rows), lines=at_lines))
    keep = np.flatnonzero(~blank)
    return values[keep], keep, said


def _scale(labels: list[str], words: Mapping[str, float] | None, own: bool) -> dict[str, float] | None:
    """The scale that has every label which is not a number itself."""
    words_only = {label for label in labels if numbers(pa.array([label])).bad[0]}
    scales = ({key.strip().lower(): value for key, value in words.items()},) if own and words else SCALES
    return next((dict(scale) for scale in scales if words_only <= set(scale)), None)


def _no_grade(texts: pa.Array, rows: NDArray[np.int64], lines: NDArray[np.int32] | None, file: str) -> MalformedError:
    labels = texts.take(pa.array(rows)).unique().to_pylist()
    shown = ", ".join(repr(one)[:40] for one in labels[:6]) + (", ..." if len(labels) > 6 else "")
    return MalformedError(
        file,
        f"{'this grade is' if len(labels) == 1 else f'{len(labels):,} different grades are'} no number: {shown}",
        line=int(lines[rows[0]]) if lines is not None else None,
        expected="a number such as 0, 1, 2, or labels of a known scale (irrelevant/relevant, no/yes, ...)",
        todo="Mend these rows, or say what each label is worth on the Data page",
    )
