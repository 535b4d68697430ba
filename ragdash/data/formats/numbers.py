"""Which numbers does a text column hold? Whole columns at a time, exact, decimal commas recognised."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

_NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"
_COMMA = r"^[+-]?\d+,\d+([eE][+-]?\d+)?$"
_BY_POINTS = r"^[+-]?\d{1,3}(\.\d{3})+,\d+$"  # 1.234,5
_POINTS = r"^[+-]?\d{1,3}(\.\d{3})+(,\d+)?$"
_BY_COMMAS = r"^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$"  # 1,234.5; 1,234 alone may be a decimal comma
_WITH_BOTH = r"^[+-]?\d{1,3}(,\d{3})+\.\d+$"
_GAP = "[ '\u2019\u00a0\u2009\u202f]"
_BY_GAPS = rf"^[+-]?\d{{1,3}}({_GAP}\d{{3}})+([.,]\d+)?$"  # 1 234,5 and 1'234.5
_PLAIN = r"^-?(0|[1-9]\d{0,14})(\.\d+)?$"


@dataclass(frozen=True)
class Numbers:
    """`values` as float64, NaN where the text is no finite number (`bad`).

    `commas` counts decimal commas, `signs` thousands separators, percent signs and the minus of typographers.
    """

    values: NDArray[np.float64]
    bad: NDArray[np.bool_]
    commas: int = 0
    signs: int = 0


def numbers(column: pa.Array) -> Numbers:
    """The numbers of a text column. `NaN`, `Infinity`, words, blanks and numbers beyond float64 are `bad`."""
    text = pc.utf8_trim_whitespace(column)
    commas = signs = 0
    try:
        values = text.cast(pa.float64())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        text, percent, signs = _without_signs(text)
        fits = pc.match_substring_regex(text, _NUMBER)
        with_comma = pc.fill_null(pc.match_substring_regex(text, _COMMA), False)
        commas = pc.sum(with_comma).as_py() or 0
        if commas:
            text = pc.if_else(with_comma, pc.replace_substring(text, ",", "."), text)
            fits = pc.or_(fits, with_comma)
        text = pc.replace_substring_regex(text, r"^\+", "")
        values = pc.if_else(fits, text, None).cast(pa.float64())
        values = pc.if_else(percent, pc.divide(values, 100.0), values)
    out = values.to_numpy(zero_copy_only=False).astype(np.float64)
    bad = ~np.isfinite(out)
    if bad.any():
        out = np.where(bad, np.nan, out)
    return Numbers(out, bad, commas, signs)


def _without_signs(text: pa.Array) -> tuple[pa.Array, pa.Array, int]:
    """Numbers as a computer writes them, which of them are percentages, and how many were written otherwise."""
    before = text
    text = pc.replace_substring_regex(text, "^[\u2212\u2013\ufe63\uff0d]", "-")
    percent = pc.fill_null(pc.match_substring_regex(text, r"\d\s*%$"), False)
    text = pc.replace_substring_regex(text, r"(\d)\s*%$", r"\1")
    text = _joined(text, _BY_GAPS, _GAP)
    if pc.any(pc.match_substring_regex(text, _BY_POINTS)).as_py():  # then 1.234 has thousands, too
        text = _joined(text, _POINTS, r"\.")
    if pc.any(pc.match_substring_regex(text, _WITH_BOTH)).as_py():  # then a comma alone divides thousands, too
        text = _joined(text, _BY_COMMAS, ",")
    changed = pc.fill_null(pc.not_equal(before, text), False)
    return text, percent, pc.sum(changed).as_py() or 0


def _joined(text: pa.Array, pattern: str, separator: str) -> pa.Array:
    fits = pc.fill_null(pc.match_substring_regex(text, pattern), False)
    return pc.if_else(fits, pc.replace_substring_regex(text, separator, ""), text)


def looks_numeric(column: pa.Array) -> bool:
    """Whether a text column holds numbers and nothing else, empty cells aside, each written as a number is shown.

    `0007` is not: what loses its text as a number stays text.
    """
    filled = column.filter(pc.fill_null(pc.not_equal(column, ""), False))
    return len(filled) > 0 and bool(pc.all(pc.match_substring_regex(filled, _PLAIN)).as_py())
