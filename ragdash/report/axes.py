"""Where does a value lie in the picture? An axis of a Plotly figure: its range, its labels, its pixels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ragdash.report import ticks
from ragdash.report.pen import listed, plain


@dataclass
class Axis:
    """One axis: its numbers from `low` to `high` lie on pixels from `start` to `end`."""

    kind: str
    low: float
    high: float
    labels: list[tuple[float, str]]
    title: str
    grid: bool
    shown: bool
    categories: list[str] = field(default_factory=list)
    start: float = 0.0
    end: float = 1.0

    def at(self, value: Any) -> float:
        """The pixel of a value."""
        number = self.number(value)
        return self.start + (number - self.low) / ((self.high - self.low) or 1.0) * (self.end - self.start)

    def number(self, value: Any) -> float:
        if self.kind == "category":
            return float(self.categories.index(str(value))) if str(value) in self.categories else float(value)
        number = float(value)
        return math.log10(max(number, 1e-300)) if self.kind == "log" else number

    def share(self, value: float) -> float:
        """The pixel of a share of the plot's width or height."""
        return self.start + value * (self.end - self.start)


def axis_of(figure: Any, name: str, pixels: float) -> Axis:
    given = figure.layout[f"{name}axis"]
    values = [one for trace in figure.data for one in listed(trace[name]) if one is not None]
    kind = given.type if given.type in ("log", "category") else ""
    if not kind and values and all(isinstance(one, str) for one in values):
        kind = "category"
    categories = list(dict.fromkeys(map(str, values))) if kind == "category" else []
    axis = Axis(kind or "linear", 0.0, 1.0, [], "", given.showgrid is not False, True, categories)
    axis.low, axis.high = _range(figure, name, axis, values, given.range)
    axis.title = plain(given.title.text or "")
    axis.shown = given.showticklabels is not False
    axis.labels = _labels(given, axis, pixels, name) if axis.shown else []
    return axis


def _range(figure: Any, name: str, axis: Axis, values: Sequence[Any], given: Any) -> tuple[float, float]:
    if given:
        return float(given[0]), float(given[1])
    if axis.kind == "category":
        return -0.5, max(len(axis.categories) - 0.5, 0.5)
    numbers = [axis.number(one) for one in values]
    for trace in figure.data:
        error = trace[f"error_{name}"] if trace.type == "scatter" else None
        if error is not None and error.array is not None:
            numbers += [float(v) + float(e) for v, e in zip(listed(trace[name]), listed(error.array))]
            numbers += [float(v) - float(e) for v, e in zip(listed(trace[name]), listed(error.arrayminus))]
        if (trace.type == "bar" or trace.fill == "tozeroy") and name == "y":
            numbers.append(0.0)
    low, high = min(numbers, default=0.0), max(numbers, default=1.0)
    pad = 0.06 * ((high - low) or 1.0)
    grounded = any(trace.type == "bar" for trace in figure.data) and name == "y"
    return (0.0 if grounded and low == 0 else low - pad), high + pad


def _labels(given: Any, axis: Axis, pixels: float, name: str) -> list[tuple[float, str]]:
    """Places (in the axis's own numbers) and texts."""
    if given.tickvals is not None:
        at = [axis.number(one) for one in listed(given.tickvals)]
        if given.ticktext is not None:
            return list(zip(at, map(plain, given.ticktext)))
        return list(zip(at, [ticks.said(float(v), given.tickformat or "") for v in listed(given.tickvals)]))
    if axis.kind == "category":
        return [(float(i), plain(one)) for i, one in enumerate(axis.categories)]
    form = given.tickformat
    if axis.kind == "log":
        return [(math.log10(one), ticks.said(one, form or ",d")) for one in ticks.decades(axis.low, axis.high)]
    most = int(given.nticks or 0) or max(3, round(pixels / (90 if name == "x" else 60)))
    found = ticks.nice(min(axis.low, axis.high), max(axis.low, axis.high), most)
    texts = [ticks.said(one, form) for one in found] if form else ticks.plain(found)
    return list(zip(found, texts))


def place(axis: Axis, reference: str | None, value: Any) -> float:
    ref = reference or ""
    return axis.share(float(value)) if ref == "paper" or ref.endswith("domain") else axis.at(value)
