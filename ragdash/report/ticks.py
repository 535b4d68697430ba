"""Where do an axis's labels stand, and how are its numbers said? As Plotly does it, as far as our charts need it."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

_FORMAT = re.compile(r"(?P<sign>\+?)(?P<comma>,?)(?:\.(?P<digits>\d+))?(?P<trim>~?)(?P<kind>[fgdse%]?)")


def nice(low: float, high: float, most: int) -> list[float]:
    """At most about `most` round numbers from `low` to `high`: steps of 1, 2 or 5 times a power of ten."""
    width = high - low
    if not (math.isfinite(width) and width > 0):
        return [low]
    rough = width / max(1, most)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next((n * power for n in (1, 2, 5, 10) if n * power >= rough * (1 - 1e-9)), 10 * power)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(i * step, 12) for i in range(first, last + 1)]


def decades(low: float, high: float) -> list[float]:
    """Labels of a logarithmic axis from 10^`low` to 10^`high`: 1, 2 and 5 in each decade, or the decades alone."""
    powers = range(math.floor(low), math.ceil(high) + 1)
    wanted = (1, 2, 5) if high - low < 3.5 else (1,)
    return [n * 10.0**p for p in powers for n in wanted if low - 1e-9 <= math.log10(n * 10.0**p) <= high + 1e-9]


def plain(values: Sequence[float]) -> list[str]:
    """Numbers of one axis with as many decimals as the finest of them needs, at most six."""
    digits = max((_digits(value) for value in values), default=0)
    return [f"{value:,.{digits}f}".replace("-", "−") for value in values]


def _digits(value: float) -> int:
    text = f"{value:.6f}".rstrip("0")
    return len(text.partition(".")[2])


def said(value: float, form: str) -> str:
    """A number in d3's format, such as "+.2~f", ".0%" or ",d"."""
    found = _FORMAT.fullmatch(form)
    if found is None:
        return plain([value])[0]
    kind, digits = found["kind"] or "g", found["digits"]
    scaled = value * 100 if kind == "%" else value
    shown = f"{scaled:{found['comma']}.{digits or (0 if kind == 'd' else 6)}{'f' if kind in '%d' else kind}}"
    if found["trim"] and "." in shown:
        shown = shown.rstrip("0").rstrip(".")
    if float(shown.replace(",", "")) == 0:
        shown = shown.lstrip("-")
    if found["sign"] and not shown.startswith("-"):
        shown = f"+{shown}"
    return shown.replace("-", "−") + ("%" if kind == "%" else "")
