"""What is a picture made of? Lines, boxes, marks and words as SVG, everything in them escaped."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import Any

CHAR = 0.55  # width of a letter, in shares of its size
DASHES = {"dot": "2 3", "dash": "7 4", "longdash": "12 5", "dashdot": "7 3 2 3", "longdashdot": "12 4 2 4"}
_RGBA = re.compile(r"rgba?\(([^)]+)\)")


def text(
    px: float, py: float, said: str, color: str, anchor: str, *, size: float = 12, opacity: float = 1, more: str = ""
) -> str:
    faint = f' opacity="{opacity:g}"' if opacity != 1 else ""
    place = f'x="{px:.1f}" y="{py:.1f}" text-anchor="{anchor}" font-size="{size:g}"'
    return f"<text {place} {paint('fill', color)}{faint}{more}>{html.escape(said)}</text>"


def line(x0: float, y0: float, x1: float, y1: float, color: str, width: float, dashed: str | None = None) -> str:
    place = f'x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}"'
    return f'<line {place} {paint("stroke", color)} stroke-width="{width:g}"{dash(dashed)}/>'


def rect(left: float, top: float, width: float, height: float, color: str, opacity: float | None = None) -> str:
    place = f'x="{left:.1f}" y="{top:.1f}" width="{max(width, 0.3):.1f}" height="{height:.1f}"'
    return f"<rect {place} {paint('fill', color, opacity)}/>"


def paint(what: str, color: str, opacity: float | None = None) -> str:
    """A colour as attributes that every reader of SVG understands: transparency stands apart."""
    found = _RGBA.fullmatch(str(color).replace(" ", ""))
    alpha = 1.0 if opacity is None else float(opacity)
    if found:
        numbers = found[1].split(",")
        color = f"rgb({','.join(numbers[:3])})"
        alpha *= float(numbers[3]) if len(numbers) > 3 else 1.0
    faint = f' {what}-opacity="{alpha:.3g}"' if alpha < 1 else ""
    return f'{what}="{html.escape(str(color))}"{faint}'


def dash(name: str | None) -> str:
    if not name or name == "solid":
        return ""
    return f' stroke-dasharray="{DASHES.get(name) or name.replace("px", "").replace(",", " ")}"'


def points(at: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{a:.1f},{b:.1f}" for a, b in at)


def marker(px: float, py: float, size: float, color: str, symbol: str, opacity: float | None) -> str:
    r, fill = size / 2, paint("fill", color, opacity)
    if symbol.endswith("-open"):
        fill = 'fill="none" ' + paint("stroke", color, opacity)
    shapes: dict[str, list[tuple[float, float]]] = {
        "square": [(-1, -1), (1, -1), (1, 1), (-1, 1)],
        "diamond": [(0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)],
        "triangle-up": [(0, -1.2), (1.1, 0.8), (-1.1, 0.8)],
        "triangle-down": [(0, 1.2), (1.1, -0.8), (-1.1, -0.8)],
    }
    corners = shapes.get(symbol.removesuffix("-open"))
    if corners:
        return f'<polygon points="{points([(px + a * r, py + b * r) for a, b in corners])}" {fill}/>'
    return f'<circle cx="{px:.1f}" cy="{py:.1f}" r="{r:.1f}" {fill}/>'


def plain(text: Any) -> str:
    """Plotly's small HTML as plain text."""
    return html.unescape(re.sub(r"<[^>]*>", "", str(text)))


def width(text: str, size: float) -> float:
    return CHAR * size * len(text)


def listed(values: Any) -> list[Any]:
    """A column of Plotly's, whatever it is kept in."""
    return [] if values is None else list(values.tolist() if hasattr(values, "tolist") else values)


def each(value: Any, n: int, default: Any) -> list[Any]:
    """One value for each mark, whether one was given or many."""
    if value is None:
        return [default] * n
    if isinstance(value, str) or not hasattr(value, "__len__"):
        return [value] * n
    return listed(value)
