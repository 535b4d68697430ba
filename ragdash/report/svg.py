"""How does a chart look where no script runs? A Plotly figure as SVG, drawn here: for print, for mail, for a slide.

What our charts use is drawn: scatter (markers, lines, areas, whiskers, text), bars, shapes, annotations, a legend on
top; linear, logarithmic and category axes. Anything else raises `NotDrawn`. There is no PNG here: turning a figure into
pixels takes a browser, and on the page the reader's own does it.
"""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ragdash.charts.theme import GREY, GRID, LINE
from ragdash.report import pen
from ragdash.report.axes import Axis, axis_of, place

INK, TITLE, PAD = "#1f2933", 16, 16  # of a file of its own
_BREAK = re.compile(r"<br\s*/?>")


class NotDrawn(Exception):
    """The figure holds something that is drawn by a browser only."""


def draw(figure: Any, width: int = 680, *, label: str = "", ink: str = "currentColor") -> str:
    """The figure as one `<svg>`. `label` is read aloud; `ink` is the colour of text, the page's own by default."""
    layout = figure.layout
    for trace in figure.data:
        if trace.type not in ("scatter", "bar"):
            raise NotDrawn(f"a trace of type {trace.type}")
    height = int(layout.height or 300)
    legend = [trace for trace in figure.data if trace.name] if layout.showlegend else []
    x, y = axis_of(figure, "x", width), axis_of(figure, "y", height)
    margin = layout.margin
    widest = max((pen.width(text, 12) for _, text in y.labels), default=0.0)
    left = max(float(margin.l or 0), widest + 10 + (20 if y.title else 0))
    x.start, x.end = left, width - max(float(margin.r or 0), 14.0)
    below = ((36 if _crowded(x) else 22) if x.labels else 4) + (20 if x.title else 0)
    y.start = height - max(float(margin.b or 0), below)
    y.end = max(float(margin.t or 0), 8.0) + (22 if legend else 0)
    parts = [
        *_shapes(layout.shapes, x, y, "below"),
        *_grid(x, y, ink),
        *_traces(figure, x, y),
        *_shapes(layout.shapes, x, y, "above"),
        *_annotations(layout.annotations, x, y, ink),
        *_legend(legend, left, ink),
    ]
    spoken = html.escape(label)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{spoken}" font-family="system-ui, sans-serif" font-size="12">{"".join(parts)}</svg>'
    )


def file(figure: Any, title: str, width: int = 900) -> bytes:
    """The figure as a file of its own: dark ink on white, the title over it and in its description."""
    lines = textwrap.wrap(title, int((width - 2 * PAD) / pen.width("x", TITLE))) or [""]
    above = PAD + len(lines) * 1.35 * TITLE
    inner = draw(figure, width, label=title, ink=INK)
    height = int(figure.layout.height or 300) + above + PAD / 2
    said = [
        pen.text(PAD, PAD + (0.8 + 1.35 * i) * TITLE, line, INK, "start", size=TITLE, more=' font-weight="600"')
        for i, line in enumerate(lines)
    ]
    whole = f'viewBox="0 0 {width} {height:.0f}" width="{width}" height="{height:.0f}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {whole} font-family="system-ui, sans-serif">'
        f'<title>{html.escape(title)}</title><rect width="100%" height="100%" fill="#ffffff"/>{"".join(said)}'
        f'<g transform="translate(0 {above:.0f})">{inner}</g></svg>\n'
    ).encode("utf-8", "replace")


def _at(x: Axis) -> list[tuple[float, str]]:
    """The labels of an axis with their pixels."""
    return [(x.share((value - x.low) / ((x.high - x.low) or 1)), text) for value, text in x.labels]


def _crowded(x: Axis) -> bool:
    """Whether two neighbours would touch: every second label then stands a line lower."""
    return any(b - a < (pen.width(one, 12) + pen.width(two, 12)) / 2 + 6 for (a, one), (b, two) in pairwise(_at(x)))


def _grid(x: Axis, y: Axis, ink: str) -> Iterator[str]:
    span, lower = (y.end, y.start), 14 if _crowded(x) else 0
    for i, (at, text) in enumerate(_at(x)):
        if x.grid:
            yield pen.line(at, span[0], at, span[1], GRID, 1)
        yield pen.text(at, y.start + 16 + lower * (i % 2), text, ink, "middle", opacity=0.85)
    for value, text in y.labels:
        at = y.share((value - y.low) / ((y.high - y.low) or 1))
        if y.grid:
            yield pen.line(x.start, at, x.end, at, GRID, 1)
        yield pen.text(x.start - 8, at + 4, text, ink, "end", opacity=0.85)
    if x.title:
        down = y.start + (36 + lower if x.labels else 18)
        yield pen.text((x.start + x.end) / 2, down, x.title, ink, "middle")
    if y.title:
        middle = (y.start + y.end) / 2
        turned = f' transform="rotate(-90 12 {middle:.1f})"'
        yield pen.text(12, middle, y.title, ink, "middle", more=turned)


def _shapes(shapes: Any, x: Axis, y: Axis, layer: str) -> Iterator[str]:
    for shape in shapes or ():
        if (shape.layer or "above") != layer:
            continue
        x0, x1 = (place(x, shape.xref, one) for one in (shape.x0, shape.x1))
        y0, y1 = (place(y, shape.yref, one) for one in (shape.y0, shape.y1))
        if shape.type == "line":
            yield pen.line(x0, y0, x1, y1, shape.line.color or LINE, shape.line.width or 1, shape.line.dash)
        elif shape.type == "rect":
            yield pen.rect(min(x0, x1), min(y0, y1), abs(x1 - x0), abs(y1 - y0), shape.fillcolor or GRID)
        else:
            raise NotDrawn(f"a shape of type {shape.type}")


def _traces(figure: Any, x: Axis, y: Axis) -> Iterator[str]:
    bars = [trace for trace in figure.data if trace.type == "bar"]
    stacked = figure.layout.barmode in ("overlay", "relative", "stack")
    gap = figure.layout.bargap if figure.layout.bargap is not None else 0.2
    for trace in figure.data:
        if trace.type == "bar":
            own = trace.width is not None or stacked
            slot, count = (0, 1) if own else (bars.index(trace), len(bars))
            yield from _bars(trace, x, y, float(gap), slot, count)
        else:
            yield from _scatter(trace, x, y)


def _bars(trace: Any, x: Axis, y: Axis, gap: float, slot: int, count: int) -> Iterator[str]:
    xs, ys = pen.listed(trace.x), pen.listed(trace.y)
    at = [x.number(one) for one in xs]
    steps = np.diff(np.unique(at))
    room = float(steps.min()) if len(steps) else 1.0
    widths = pen.each(trace.width, len(xs), room * (1 - gap) / count)
    scale = (x.end - x.start) / ((x.high - x.low) or 1)
    zero = y.at(0)
    for centre, value, wide, color in zip(at, ys, widths, pen.each(trace.marker.color, len(xs), GREY)):
        shift = (slot - (count - 1) / 2) * float(wide)
        left = x.start + (centre + shift - float(wide) / 2 - x.low) * scale
        top = y.at(value)
        if top != zero:
            yield pen.rect(left, min(top, zero), float(wide) * scale, abs(top - zero), color, trace.opacity)


def _scatter(trace: Any, x: Axis, y: Axis) -> Iterator[str]:
    xs, ys, mode = pen.listed(trace.x), pen.listed(trace.y), trace.mode or "lines"
    points = [(x.at(a), y.at(b)) for a, b in zip(xs, ys)]
    n, line = len(points), trace.line
    if trace.fill in ("toself", "tozeroy") and points:
        closed = points
        if trace.fill == "tozeroy":
            closed = [(points[0][0], y.at(0)), *points, (points[-1][0], y.at(0))]
        faint = 0.35 if trace.fillcolor is None else None
        paint = pen.paint("fill", trace.fillcolor or line.color or GREY, faint)
        yield f'<polygon points="{pen.points(closed)}" {paint}/>'
    if "lines" in mode and line.width != 0:
        path = _stepped(points) if line.shape == "hv" else points
        dash = pen.dash(line.dash)
        color = pen.paint("stroke", line.color or GREY)
        yield f'<polyline points="{pen.points(path)}" fill="none" {color} stroke-width="{line.width or 2:g}"{dash}/>'
    for error, axis in ((trace.error_x, x), (trace.error_y, y)):
        if error.array is not None:
            yield from _whiskers(error, axis, xs if axis is x else ys, points, horizontal=axis is x)
    if "markers" in mode:
        marker = trace.marker
        sizes, colors = pen.each(marker.size, n, 6), pen.each(marker.color, n, line.color or GREY)
        symbols = pen.each(marker.symbol, n, "circle")
        for (px, py), size, color, symbol in zip(points, sizes, colors, symbols):
            yield pen.marker(px, py, float(size), color, symbol, marker.opacity)
    if "text" in mode:
        for (px, py), text in zip(points, pen.each(trace.text, n, "")):
            yield _labelled(px, py, pen.plain(text), trace.textposition or "middle center")


def _whiskers(
    error: Any, axis: Axis, values: Sequence[Any], points: Sequence[tuple[float, float]], *, horizontal: bool
) -> Iterator[str]:
    minus = error.array if error.arrayminus is None else error.arrayminus
    color, thick, cap = error.color or GREY, error.thickness or 2, float(error.width or 4)
    for value, up, down, (px, py) in zip(values, pen.listed(error.array), pen.listed(minus), points):
        ends = [axis.at(float(value) - float(down)), axis.at(float(value) + float(up))]
        if abs(ends[1] - ends[0]) < 0.01:
            continue
        if horizontal:
            yield pen.line(ends[0], py, ends[1], py, color, thick)
            yield from (pen.line(end, py - cap, end, py + cap, color, thick) for end in ends)
        else:
            yield pen.line(px, ends[0], px, ends[1], color, thick)
            yield from (pen.line(px - cap, end, px + cap, end, color, thick) for end in ends)


def _labelled(px: float, py: float, text: str, position: str) -> str:
    vertical, _, side = position.partition(" ")
    anchor = {"right": "start", "left": "end"}.get(side, "middle")
    dx = {"right": 8, "left": -8}.get(side, 0)
    dy = {"top": -10, "bottom": 18}.get(vertical, 4)
    return pen.text(px + dx, py + dy, text, "currentColor", anchor)


def _annotations(annotations: Any, x: Axis, y: Axis, ink: str) -> Iterator[str]:
    for note in annotations or ():
        lines = [pen.plain(line) for line in _BREAK.split(note.text or "")]
        size = float(note.font.size or 12)
        px = place(x, note.xref, note.x) + float(note.xshift or 0)
        py = place(y, note.yref, note.y) - float(note.yshift or 0)
        anchor = {"left": "start", "right": "end", "center": "middle"}.get(note.xanchor or "", "middle")
        block = 1.25 * size * len(lines)
        top = {"top": py, "bottom": py - block}.get(note.yanchor or "", py - block / 2)
        for i, line in enumerate(lines):
            yield pen.text(px, top + size * (0.98 + 1.25 * i), line, note.font.color or ink, anchor, size=size)


def _legend(traces: Sequence[Any], left: float, ink: str) -> Iterator[str]:
    at = left
    for trace in traces:
        name = pen.plain(trace.name)
        if trace.type == "bar":
            yield pen.rect(at + 6, 5, 12, 12, pen.each(trace.marker.color, 1, GREY)[0])
        else:
            yield pen.line(at, 11, at + 24, 11, trace.line.color or GREY, trace.line.width or 2, trace.line.dash)
        yield pen.text(at + 30, 15, name, ink, "start")
        at += 46 + pen.width(name, 12)


def _stepped(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    out = list(points[:1])
    for before, after in pairwise(points):
        out += [(after[0], before[1]), after]
    return out
