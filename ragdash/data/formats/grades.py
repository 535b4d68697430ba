"""What is a grade worth? Numbers as they are, labels in words by a scale, blanks left out; anything else is refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ragdash.data.columns import text_column
from ragdash.data.findings import Finding
from ragdash.data.formats.numbers import numbers
from ragdash.data.nouns import Floats
from ragdash.errors import GradeError, OptionError

_NOT = (
    "irrelevant", "not relevant", "not_relevant", "not-relevant", "non-relevant", "non relevant", "nonrelevant",
    "nonrel", "unrelated", "none",
)  # fmt: skip
_PARTLY = (
    "partially relevant", "partially_relevant", "partly relevant", "somewhat relevant", "somewhat_relevant",
    "marginally relevant", "slightly relevant", "partial", "related", "fairly relevant",
)  # fmt: skip
_HIGHLY = ("highly relevant", "highly_relevant", "very relevant", "perfectly relevant", "perfect", "exact")
SCALES: tuple[dict[str, float], ...] = (
    {"false": 0, "true": 1},
    {"no": 0, "yes": 1},
    {"n": 0, "y": 1},
    {"f": 0, "t": 1},
    {"nein": 0, "ja": 1},
    {"non": 0, "oui": 1},
    {"no": 0, "s\u00ed": 1, "si": 1},
    {**dict.fromkeys(_NOT, 0), "relevant": 1, "rel": 1},
    {"n": 0, "r": 1},
    {"incorrect": 0, "wrong": 0, "correct": 1},
    {"incorrect": 0, "wrong": 0, "partially correct": 1, "partially_correct": 1, "correct": 2},
    {"bad": 0, "good": 1},
    {"negative": 0, "positive": 1},
    {"\u2717": 0, "\u2718": 0, "\u274c": 0, "\u2713": 1, "\u2714": 1, "\u2705": 1},
    {"x": 1},
    {**dict.fromkeys(_NOT, 0), **dict.fromkeys(_PARTLY, 1), "relevant": 2},
    {**dict.fromkeys(_NOT, 0), "relevant": 1, **dict.fromkeys(_HIGHLY, 2)},
    {**dict.fromkeys(_NOT, 0), **dict.fromkeys(_PARTLY, 1), "relevant": 2, **dict.fromkeys(_HIGHLY, 3)},
    {"irrelevant": 0, "complement": 1, "substitute": 2, "exact": 3},
    {"i": 0, "c": 1, "s": 2, "e": 3},
    {"poor": 0, "fair": 1, "good": 2, "perfect": 3},
    {"bad": 0, "fair": 1, "good": 2, "excellent": 3, "perfect": 4},
)
#: What a person said that labels are worth, for the file that is being read.
_SAID: ContextVar[Mapping[str, float] | None] = ContextVar("worth", default=None)
_NUMBERED = r"^\s*(\d+)\s*[-:=(–]\s*[A-Za-z].*$"  # 3 - highly relevant
_OF = r"^\s*(\d+(?:\.\d+)?)\s*/\s*(\d+)\s*$"  # 2/5


@contextmanager
def worth(mapping: Mapping[str, str] | None) -> Iterator[None]:
    """While a file is read: `grade:LABEL` -> a number, as a person said it. Raises OptionError where it is none."""
    said: dict[str, float] = {}
    for key, value in (mapping or {}).items():
        if key.startswith("grade:"):
            try:
                said[key[6:]] = float(value)
            except ValueError:
                raise OptionError(f"The grade of {key[6:]!r} is {value!r}; a number is expected.") from None
    token = _SAID.set(said or None)
    try:
        yield
    finally:
        _SAID.reset(token)


def like_scores(values: Floats) -> bool:
    """Whether grades would rather be the scores of a run: mostly fractions, and many different ones."""
    known = values[~np.isnan(values)]
    fractions = np.mean(known != np.round(known)) if len(known) else 0.0
    different = len(np.unique(known))
    few = len(known) < 10 and different > 2 and bool(np.all(known < 1))
    return bool(fractions > 0.5 and (few or different > max(10, len(known) / 10)))


def scale_of(labels: Sequence[str]) -> dict[str, float | None]:
    """What labels are worth: on the first known scale that has all of them, None for each where there is none."""
    found = _scale([label.strip().lower() for label in labels], None, False) or {}
    return {label: found.get(label.strip().lower()) for label in labels}


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
    words = words or _SAID.get()
    texts = text_column(column)
    texts = pc.fill_null(texts, "1")
    said: list[Finding] = []
    texts = _as_numbers(texts, file, said)
    parsed = numbers(texts)
    values = parsed.values
    if parsed.commas or parsed.signs:
        code = "decimal-comma" if parsed.commas else "number-signs"
        what = "a decimal comma" if parsed.commas else "thousands separators, a percent sign or a typographic minus"
        n = parsed.commas or parsed.signs
        message = f"{file}: {n:,} {'grade has' if n == 1 else 'grades have'} {what}; read as the numbers they mean."
        said.append(Finding(code, "warning", message, file=file, count=n))
    if not parsed.bad.any():
        return values, None, said
    trimmed = pc.utf8_lower(pc.utf8_trim_whitespace(texts))
    blank = pc.equal(trimmed, "").to_numpy(zero_copy_only=False)
    labels = parsed.bad & ~blank
    if labels.any():
        found = trimmed.filter(pa.array(~blank)).unique().to_pylist()
        scale = _scale(found, words, bool(words))
        if scale is None:
            raise _no_grade(texts, np.flatnonzero(labels), lines, file)
        keys = pa.array(list(scale), type=pa.string())
        at = pc.index_in(trimmed, value_set=keys).to_numpy(zero_copy_only=False)
        known = ~np.isnan(at.astype(float))
        worth = np.asarray(list(scale.values()))
        values = np.where(known, worth[np.where(known, at, 0).astype(int)], values)
        rule = ", ".join(f"{word} = {value:g}" for word, value in scale.items() if word in found)
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


def _as_numbers(texts: pa.Array, file: str, said: list[Finding]) -> pa.Array:
    """Grades with a number in front (`3 - highly relevant`), or out of one number for all (`2/5`), as the number."""
    bad = numbers(texts).bad
    if not bad.any():
        return texts
    odd = texts.filter(pa.array(bad)).unique()
    odd = odd.filter(pc.not_equal(pc.utf8_trim_whitespace(odd), ""))
    for pattern, what in ((_NUMBERED, "the number in front of the words"), (_OF, "the first number")):
        if not len(odd) or not pc.all(pc.match_substring_regex(odd, pattern)).as_py():
            continue
        if pattern == _OF and (bad.sum() < len(texts) or len(pc.replace_substring_regex(odd, _OF, r"\2").unique()) > 1):
            continue
        message = f"{file}: grades such as {odd[0].as_py()!r} were read as {what}."
        said.append(Finding("grade-in-words", "warning", message, file=file, count=int(bad.sum())))
        return pc.replace_substring_regex(texts, pattern, r"\1")
    return texts


def _scale(labels: list[str], words: Mapping[str, float] | None, own: bool) -> dict[str, float] | None:
    """The scale that has every label which is not a number itself."""
    words_only = {label for label in labels if numbers(pa.array([label])).bad[0]}
    scales = ({key.strip().lower(): value for key, value in words.items()},) if own and words else SCALES
    return next((dict(scale) for scale in scales if words_only <= set(scale)), None)


def _no_grade(texts: pa.Array, rows: NDArray[np.int64], lines: NDArray[np.int32] | None, file: str) -> GradeError:
    labels = texts.take(pa.array(rows)).unique().to_pylist()
    shown = ", ".join(repr(one)[:40] for one in labels[:6]) + (", ..." if len(labels) > 6 else "")
    return GradeError(
        file,
        f"{'this grade is' if len(labels) == 1 else f'{len(labels):,} different grades are'} no number: {shown}",
        line=int(lines[rows[0]]) if lines is not None else None,
        expected="a number such as 0, 1, 2, or labels of a known scale (irrelevant/relevant, no/yes, ...)",
        todo="Mend these rows, or say what each label is worth on the Data page",
        labels=tuple(str(one) for one in labels),
    )
