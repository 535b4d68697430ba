"""How does a comparison become one HTML file that opens from a mail? No network, pictures that print, scripts hashed.

Every chart is drawn twice: as SVG, which is what is seen without scripts and on paper, and as a Plotly figure that
takes its place once plotly.js, compressed inside the file, has been unpacked. The policy in the file's head lets
exactly two scripts run, named by their digests; nothing from the data can become a third.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ragdash import escape, wording
from ragdash.charts.theme import Chart
from ragdash.report import svg
from ragdash.report.blocks import chosen
from ragdash.report.contents import Contents
from ragdash.report.study import Study

TEMPLATES = Path(__file__).parent / "templates"
TABLE_ROWS = 100  # of a chart's data, in the file
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def report(study: Study, contents: Contents | None = None) -> str:
    """The report as HTML. The same study and contents give the same text, on the page and on the command line.

    Raises OptionError for a block or a question that does not exist.
    """
    contents = contents or Contents()
    pictures = Pictures(interactive=contents.interactive)
    environment = _environment()
    parts = []
    for block in chosen(contents.blocks):
        values = block.make(study, contents)
        if values is not None:
            body = environment.get_template(f"blocks/{block.key}.html").render(
                study=study, contents=contents, block=block, picture=pictures.picture, **values
            )
            parts.append((block, Markup(body)))
    loader = (TEMPLATES / "loader.js").read_text(encoding="utf-8") if contents.interactive else ""
    packed, digest = plotly_js() if contents.interactive else ("", "")
    return environment.get_template("report.html").render(
        title=contents.title or f"{study.contender} against {study.baseline}",
        study=study,
        contents=contents,
        parts=parts,
        style=Markup((TEMPLATES / "style.css").read_text(encoding="utf-8")),
        policy=_policy([_sha256(loader), digest] if loader else []),
        loader=Markup(loader),
        packed=Markup(packed),
        figures=[(key, Markup(text)) for key, text in pictures.figures],
        wording=wording,
    )


class Pictures:
    """The charts of one report: numbered in order, so that the same report has the same ids."""

    def __init__(self, *, interactive: bool) -> None:
        self.interactive = interactive
        self.figures: list[tuple[str, str]] = []

    def picture(self, chart: Chart) -> dict[str, Any]:
        """What the template draws: an id, the picture, and the rows behind it."""
        key = f"chart-{len(self.figures) + 1}"
        try:
            still = svg.draw(chart.figure, label=chart.title)
        except svg.NotDrawn:
            still = ""
        self.figures.append((key, _figure_json(chart) if self.interactive else "null"))
        rows = [[_cell(value) for value in row] for row in chart.table.head(TABLE_ROWS).to_numpy().tolist()]
        return {
            "key": key,
            "title": chart.title,
            "still": Markup(still),
            "live": self.interactive,
            "height": int(chart.figure.layout.height or 300),
            "columns": [str(name) for name in chart.table.columns],
            "rows": rows,
            "left_out": max(0, len(chart.table) - TABLE_ROWS),
        }


def _figure_json(chart: Chart) -> str:
    """The figure for a script element: nothing in it can close the element."""
    figure = json.loads(chart.figure.to_json())
    figure["layout"].pop("template", None)
    text = json.dumps(figure, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _cell(value: Any) -> str:
    if value is None or value != value:
        return "–"
    return wording.number(value) if isinstance(value, float) else str(value)


@lru_cache(maxsize=1)
def plotly_js() -> tuple[str, str]:
    """plotly.js as it comes with Plotly, compressed for a script element (2 MB), and its digest for the policy."""
    from plotly.offline import get_plotlyjs

    code = get_plotlyjs()
    packed = base64.b64encode(gzip.compress(code.encode(), 9, mtime=0)).decode()
    return packed, _sha256(code)


def _sha256(code: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()}'"


def _policy(scripts: list[str]) -> str:
    """Nothing is fetched, nothing is sent, no script but these runs."""
    run = " ".join(scripts) or "'none'"
    return (
        f"default-src 'none'; script-src {run}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )


@lru_cache(maxsize=1)
def _environment() -> Environment:
    """Jinja2 that escapes all it prints, takes direction overrides out, and stumbles over what is not there."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_harmless,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["short"] = lambda text, width=60: escape.shortened(escape.one_line(str(text)), width)
    return environment


def _harmless(value: Any) -> Any:
    """Text without marks that turn the reading direction, control characters and halves of characters."""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return _CONTROL.sub("\ufffd", escape.inert(value))
