"""How is a difference drawn inside a table's cell? A small bar around zero, in the colour of the run that is better."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote

from ragdash.charts import theme

WIDTH, HEIGHT = 100, 22


def images(differences: Iterable[float], far: float) -> list[str]:
    """One picture for each difference; `far` is the largest that can be drawn."""
    return [_image(value / far if far else 0.0) for value in map(float, differences)]


def _image(share: float) -> str:
    middle = WIDTH / 2
    length = min(abs(share), 1.0) * (middle - 2)
    left = middle if share > 0 else middle - length
    color = theme.CONTENDER if share > 0 else theme.BASELINE
    bar = f'<rect x="{left:.1f}" y="5" width="{length:.1f}" height="12" fill="{color}"/>' if length >= 0.05 else ""
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}">{bar}'
        f'<path d="M{middle:g} 1v20" stroke="{theme.GREY}"/></svg>'
    )
    return "data:image/svg+xml," + quote(svg, safe="/:=' ")
