"""Where is the same document in the other list? Neutral lines across the gap between columns; the words stand beside.

The browser draws them, since only it knows where the rows came to stand: from the right end of a row to the left end of
the row with the same `data-doc` in the next column. Columns under each other, as on a telephone, have no lines.
"""

from __future__ import annotations

import streamlit as st

KEY = "lists"  # of the container that holds the columns

_JS = """
const NS = "http://www.w3.org/2000/svg", FIRST = 11  // pixels to the middle of the first line
export default function({ data, parentElement }) {
  const holder = document.querySelector(`.st-key-${data.key}`)
  const svg = parentElement.querySelector("svg")
  if (!holder) return
  const draw = () => {
    const lists = [...holder.querySelectorAll(".rd-list")], origin = svg.getBoundingClientRect()
    const paths = []
    for (let i = 0; i + 1 < lists.length; i++) {
      const left = lists[i].getBoundingClientRect(), right = lists[i + 1].getBoundingClientRect()
      if (right.left <= left.right) continue
      const rows = new Map([...lists[i + 1].querySelectorAll("li[data-doc]")].map((row) => [row.dataset.doc, row]))
      for (const row of lists[i].querySelectorAll("li[data-doc]")) {
        const other = rows.get(row.dataset.doc)
        if (!other) continue
        const [a, b] = [row, other].map((one) => one.firstElementChild.getBoundingClientRect())
        const x0 = left.right - origin.left + 2, x1 = right.left - origin.left - 2, half = (x0 + x1) / 2
        const y0 = a.top + FIRST - origin.top, y1 = b.top + FIRST - origin.top
        const path = document.createElementNS(NS, "path")
        path.setAttribute("d", `M${x0} ${y0}C${half} ${y0} ${half} ${y1} ${x1} ${y1}`)
        path.setAttribute("class", "relevant" in row.dataset ? "relevant" : "other")
        path.dataset.doc = row.dataset.doc
        paths.push(path)
      }
    }
    svg.replaceChildren(...paths)
  }
  let waiting = 0
  const soon = () => { cancelAnimationFrame(waiting); waiting = requestAnimationFrame(draw) }
  const point = (event) => {
    const row = event.target.closest?.("li[data-doc]")
    for (const path of svg.children) path.classList.toggle("here", row != null && path.dataset.doc === row.dataset.doc)
  }
  const sizes = new ResizeObserver(soon), changes = new MutationObserver(soon)
  sizes.observe(holder)
  changes.observe(holder, { childList: true, subtree: true })
  holder.addEventListener("toggle", soon, true)
  holder.addEventListener("mouseover", point)
  holder.addEventListener("mouseleave", point)
  soon()
  return () => {
    sizes.disconnect()
    changes.disconnect()
    holder.removeEventListener("toggle", soon, true)
    holder.removeEventListener("mouseover", point)
    holder.removeEventListener("mouseleave", point)
  }
}
"""
_CSS = """
svg { position: absolute; left: 0; top: 0; width: 1px; height: 1px; overflow: visible; pointer-events: none; }
path { fill: none; stroke: var(--st-text-color); stroke-width: 1; opacity: 0.3; }
path.relevant { stroke-width: 2; opacity: 0.65; }
path.here { stroke-width: 2.5; opacity: 1; }
"""
_joins = st.components.v2.component("ragdash_joins", html='<svg aria-hidden="true"></svg>', css=_CSS, js=_JS)


def draw() -> None:
    """The lines between the lists of the container `KEY`; to be called inside it, before its columns."""
    _joins(data={"key": KEY}, key="joins", width="content", height="content")
