"""What a person does, waiting as a person would: until the page stands still, and again where nothing came of it."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable
from pathlib import Path

from playwright import sync_api

expect = sync_api.expect
expect.set_options(timeout=60_000)

SETTLED = '[data-testid="stApp"][data-test-script-state="notRunning"][data-test-connection-state="CONNECTED"]'
QUERIES = [f"q{i:02}" for i in range(1, 13)]
#: Rank of the one relevant document of each query; 0 is not returned. q05 is the loss, q09 slips below 3.
BEFORE = dict.fromkeys(QUERIES, 4) | {"q05": 1, "q09": 2}
AFTER = dict.fromkeys(QUERIES, 1) | {"q05": 0, "q09": 5}
_STILL = """([settled, quiet]) => {
    if (!document.querySelector(settled)) { window.stillSince = undefined; return false }
    window.stillSince ??= performance.now()
    return performance.now() - window.stillSince > quiet
}"""
_WIDER = """() => [document.documentElement, document.querySelector('[data-testid=stMain]')]
    .some(one => one.scrollWidth > one.clientWidth + 1)"""
_MARK = """([key, trace, point]) => {
    const gd = document.querySelector(`.st-key-${key} .js-plotly-plot`), box = gd.getBoundingClientRect()
    const data = gd._fullData[trace], x = gd._fullLayout.xaxis, y = gd._fullLayout.yaxis
    return [box.left + x._offset + x.d2p(data.x[point]), box.top + y._offset + y.d2p(data.y[point])]
}"""


def settle(page: sync_api.Page, quiet: int = 350) -> None:
    """Wait until the page has been at rest for `quiet` milliseconds: one visit may be several runs of the script."""
    page.wait_for_selector(SETTLED)
    page.evaluate("() => { window.stillSince = undefined }")
    page.wait_for_function(_STILL, arg=[SETTLED, quiet], polling=100)


def until(page: sync_api.Page, act: Callable[[], object], seen: Callable[[], object], tries: int = 5) -> None:
    """Do `act` until `seen` holds: a redraw can swallow what somebody does just then, and they would do it again.

    `seen` raises where it does not hold (an `expect(..., timeout=...)`); the last time its error is the test's.
    """
    for _ in range(tries - 1):
        settle(page)
        with contextlib.suppress(AssertionError, sync_api.TimeoutError):
            act()
            seen()
            return
    settle(page)
    act()
    seen()


def files(folder: Path, text: str = "How do I do thing") -> tuple[Path, Path, Path]:
    """A dataset and two runs of twelve questions, in three formats."""
    dataset = [{"id": q, "query": f"{text} {q}?", "relevant_docs": [f"right-{q}"]} for q in QUERIES]
    one, two, three = folder / "questions.json", folder / "keyword.trec", folder / "semantic.json"
    one.write_text(json.dumps(dataset))
    lines = [f"{q} Q0 {doc} {i} {10 - i} tag" for q in QUERIES for i, doc in enumerate(ranked(q, BEFORE[q]), 1)]
    two.write_text("\n".join(lines) + "\n")
    three.write_text(json.dumps([{"query": q, "retrieved": ranked(q, AFTER[q])} for q in QUERIES]))
    return one, two, three


def ranked(query: str, rank: int) -> list[str]:
    """Six documents with the relevant one at `rank`."""
    docs = [f"other-{query}-{i}" for i in range(1, 7)]
    if rank:
        docs[rank - 1] = f"right-{query}"
    return docs


def upload(page: sync_api.Page, role: str, paths: list[Path]) -> None:
    """Put files into a slot, once the page has settled and shows it once."""
    settle(page)
    slot = page.locator(f".st-key-upload_{role}_0 input[type=file]")
    expect(slot).to_have_count(1)
    slot.set_input_files(paths)


def load(page: sync_api.Page, dataset: Path, runs: list[Path]) -> None:
    """Both slots of the page Data filled, and on to the verdict."""
    upload(page, "dataset", [dataset])
    expect(page.get_by_text("There is no run yet")).to_be_visible()
    upload(page, "run", runs)
    see = page.get_by_role("button", name="See the verdict")
    expect(see).to_be_visible()
    until(page, see.click, lambda: page.wait_for_url(re.compile("/verdict"), timeout=15_000))


def pick(page: sync_api.Page, key: str, option: str) -> None:
    """Choose an option of a selectbox."""
    named = page.get_by_role("option", name=option, exact=True)
    box = page.locator(f".st-key-{key} input")
    until(page, box.click, lambda: expect(named).to_be_visible(timeout=10_000))
    named.click()


def click_row(page: sync_api.Page, key: str, row: int) -> None:
    """Click into a row of a table until it leads to the query: a canvas does not say when its rows are drawn."""
    canvas = page.locator(f".st-key-{key} canvas").first

    def click() -> None:
        expect(canvas).to_be_visible()
        canvas.scroll_into_view_if_needed()
        box = canvas.bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + 150, box["y"] + 52 + 35 * row)

    until(page, click, lambda: page.wait_for_url(re.compile("/query[?]"), timeout=8_000))


def click_mark(page: sync_api.Page, key: str, leads_to: str, trace: int, point: int = 0) -> None:
    """Click a mark of a chart, where Plotly says that it is, until the address matches `leads_to`."""
    graph = page.locator(f".st-key-{key} .js-plotly-plot")

    def click() -> None:
        expect(graph.locator(".main-svg").first).to_be_visible()
        graph.scroll_into_view_if_needed()
        x, y = page.evaluate(_MARK, [key, trace, point])
        page.mouse.move(x - 3, y)
        page.mouse.move(x, y)
        hovered = f"() => document.querySelector('.st-key-{key} .js-plotly-plot')._hoverdata"
        page.wait_for_function(hovered, timeout=8_000)
        page.mouse.click(x, y)

    until(page, click, lambda: page.wait_for_url(re.compile(leads_to), timeout=8_000))


def fits(page: sync_api.Page, width: int, url: str) -> None:
    """No part of a page is cut off at this width."""
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(url)
    expect(page.locator('[data-testid="stMain"] h3, [data-testid="stMain"] h2').first).to_be_visible()
    settle(page)
    assert not page.evaluate(_WIDER)
