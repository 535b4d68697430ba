"""Which numbers does a text column hold? Whole columns at a time, exact, decimal commas recognised."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

_NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"
_THOUSANDS = r"^[+-]?\d{1,3}(\.\d{3})+,\d+$"  # 1.234,5 as a spreadsheet writes it where the decimal sign is a comma
_COMMA = r"^[+-]?\d+,\d+([eE][+-]?\d+)?$"
_PLAIN = r"^-?(0|[1-9]\d{0,14})(\.\d+)?$"


@dataclass(frozen=True)
class Numbers:
    """`values` as float64, NaN where the text is no finite number (`bad`); `commas` counts decimal commas."""

    values: NDArray[np.float64]
    bad: NDArray[np.bool_]
    commas: int = 0


def numbers(column: pa.Array) -> Numbers:
    """The numbers of a text column. `NaN`, `Infinity`, words, blanks and numbers beyond float64 are `bad`."""
    text = pc.utf8_trim_whitespace(column)
    commas = 0
    try:
        values = text.cast(pa.float64())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        fits = pc.match_substring_regex(text, _NUMBER)
        grouped = pc.fill_null(pc.match_substring_regex(text, _THOUSANDS), False)
        text = pc.if_else(grouped, pc.replace_substring(text, ".", ""), text)
        with_comma = pc.fill_null(pc.match_substring_regex(text, _COMMA), False)
        commas = pc.sum(with_comma).as_py() or 0
        if commas:
            text = pc.if_else(with_comma, pc.replace_substring(text, ",", "."), text)
            fits = pc.or_(fits, with_comma)
        text = pc.replace_substring_regex(text, r"^\+", "")
        values = pc.if_else(fits, text, None).cast(pa.float64())
    out = values.to_numpy(zero_copy_only=False).astype(np.float64)
    bad = ~np.isfinite(out)
    if bad.any():
        out = np.where(bad, np.nan, out)
    return Numbers(out, bad, commas)


def looks_numeric(column: pa.Array) -> bool:
    """Whether a text column holds numbers and nothing else, empty cells aside, each written as a number is shown.

    `0007` is not: what loses its text as a number stays text.
    """
    filled = column.filter(pc.fill_null(pc.not_equal(column, ""), False))
    return len(filled) > 0 and bool(pc.all(pc.match_substring_regex(filled, _PLAIN)).as_py())
