"""How does a chart leave the page as a picture? As SVG, drawn here, and as PNG, made of that SVG by the browser.

Turning a figure into pixels takes a browser: the reader's own does it, so that no server needs one.
"""

from __future__ import annotations

import streamlit as st

from ragdash.charts.theme import Chart
from ragdash.report import svg

WIDTH = 900
SCALE = 2  # pixels of the PNG to one of the SVG

_HTML = '<button type="button"></button>'
_CSS = """
button {
  font: inherit; font-size: 1rem; line-height: 1.6; min-height: 2.5rem; padding: 0.25rem 0.75rem; cursor: pointer;
  color: var(--st-text-color); background: var(--st-background-color);
  border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius);
}
button:hover, button:focus-visible { color: var(--st-primary-color); border-color: var(--st-primary-color); }
"""
_JS = """
export default function({ data, parentElement }) {
  const button = parentElement.querySelector("button")
  button.textContent = data.label
  button.onclick = () => {
    const picture = new Image()
    picture.onload = () => {
      const canvas = document.createElement("canvas")
      canvas.width = picture.naturalWidth * data.scale
      canvas.height = picture.naturalHeight * data.scale
      canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height)
      canvas.toBlob((blob) => {
        const link = document.createElement("a")
        link.href = URL.createObjectURL(blob)
        link.download = data.name
        link.click()
        URL.revokeObjectURL(link.href)
      }, "image/png")
    }
    picture.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(data.svg)
  }
}
"""
_png = st.components.v2.component("ragdash_picture", html=_HTML, css=_CSS, js=_JS)


def downloads(chart: Chart, key: str) -> None:
    """A button for each kind of picture. What only a browser can draw has none."""
    try:
        drawn = svg.file(chart.figure, chart.title, WIDTH)
    except svg.NotDrawn:
        return
    st.download_button("Download SVG", data=drawn, file_name=f"ragdash-{key}.svg", mime="image/svg+xml",
                       key=f"download_{key}_svg", icon=":material/image:", on_click="ignore")  # fmt: skip
    data = {"svg": drawn.decode(), "name": f"ragdash-{key}.png", "label": "Download PNG", "scale": SCALE}
    _png(data=data, key=f"download_{key}_png", width="content", height="content")
