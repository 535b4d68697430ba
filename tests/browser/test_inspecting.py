"""Why did one chunking lose on one category? From the verdict to the lost document and back to the same row."""

from __future__ import annotations

import re

import pytest
from playwright import sync_api

from tests.browser.steps import click_mark, click_row, expect, fits, settle, until

pytestmark = pytest.mark.browser


def marked_row(page: sync_api.Page, query: str) -> None:
    """The table says which question was open last (a canvas has its rows as a hidden table beside it)."""
    row = page.locator(".st-key-queries table tr", has_text=query)
    expect(row).to_contain_text("▶")


def test_why_did_one_chunking_lose_on_one_category(server, page: sync_api.Page) -> None:
    page.goto(f"{server.url}/verdict?source=sample&contender=minilm-fixed500")
    expect(page.get_by_role("heading", name="Should we switch?")).to_be_visible()
    page.get_by_role("link", name="Distributions").click()

    expect(page.get_by_text("minilm-fixed500 loses most on errors (−0.317, 9 questions)")).to_be_visible()
    click_mark(page, "forest", "/queries.*slice=category%3Aerrors", trace=1)
    expect(page.get_by_role("heading", name="9 questions with category: errors")).to_be_visible()
    told = "2: minilm-fixed500 misses at least one relevant document in its 10 results, where the list ends."
    expect(page.get_by_text(told)).to_be_visible()

    preset = page.get_by_text("Misses a relevant document 2")
    until(page, preset.click, lambda: page.wait_for_url(re.compile("show=lost"), timeout=10_000))
    expect(page.get_by_text("2 of 72 questions")).to_be_visible()
    click_row(page, "queries", 0)
    expect(page.get_by_role("heading", name="error HL-3008 on my domain")).to_be_visible()
    expect(page.get_by_text(re.compile("minilm-fixed500 lost “TLS certificates” from the top 10"))).to_be_visible()
    expect(page.get_by_text("1 of 2", exact=True)).to_be_visible()
    expect(page.get_by_text("relevant, not returned").first).to_be_visible()

    page.get_by_role("link", name="Back to the list").click()
    expect(page).to_have_url(re.compile("/queries.*slice=category%3Aerrors"))
    marked_row(page, "q59")

    page.get_by_role("link", name="See the documents").click()
    told = "2 relevant documents left the top 10: 2 not in its 10 results, where the list ends."
    expect(page.get_by_role("heading", name=told)).to_be_visible()
    click_row(page, "ledger", 0)
    expect(page).to_have_url(re.compile("/query.*query=q57"))


def test_back_in_the_browser_comes_back_to_the_row(server, page: sync_api.Page) -> None:
    page.goto(f"{server.url}/queries?source=sample&contender=minilm-fixed500&slice=category:errors&diff=..-0.3")
    click_row(page, "queries", 1)
    expect(page).to_have_url(re.compile("/query.*query=q62"))
    expect(page.get_by_role("heading", name="stale-if-error")).to_be_visible()
    expect(page.get_by_text("only their order differs: “Edge cache” rank 1 → 4.")).to_be_visible()
    page.go_back()
    expect(page).to_have_url(re.compile("/queries.*diff=..-0.3"))
    expect(page.get_by_text("5 of 72 questions")).to_be_visible()
    marked_row(page, "q62")


def test_a_chip_takes_its_filter_out(server, page: sync_api.Page) -> None:
    page.goto(f"{server.url}/queries?source=sample&contender=minilm-fixed500&slice=category:errors&search=HL")
    expect(page.get_by_text("6 of 72 questions")).to_be_visible()
    settle(page)
    page.get_by_role("button", name="“HL”").click()
    expect(page.get_by_text("9 of 72 questions")).to_be_visible()
    expect(page).not_to_have_url(re.compile("search="))
    settle(page)
    page.get_by_role("button", name="Filter").click()
    expect(page.get_by_text("Score of bm25")).to_be_visible()


def test_a_box_in_the_scatter_filters_the_table(server, page: sync_api.Page) -> None:
    page.goto(f"{server.url}/distributions?source=sample&contender=minilm-fixed500")
    graph = page.locator(".st-key-scatter .js-plotly-plot")
    expect(graph.locator(".main-svg").first).to_be_visible()
    graph.scroll_into_view_if_needed()
    settle(page)
    corner = """([x, y]) => {
        const gd = document.querySelector('.st-key-scatter .js-plotly-plot'), box = gd.getBoundingClientRect()
        const layout = gd._fullLayout, [a, b] = [layout.xaxis, layout.yaxis]
        return [box.left + a._offset + a.d2p(x), box.top + b._offset + b.d2p(y)]
    }"""

    def draw() -> None:
        (left, top), (right, bottom) = page.evaluate(corner, [0.7, 0.5]), page.evaluate(corner, [1.02, 0.2])
        page.mouse.move(left, top)
        page.mouse.down()
        page.mouse.move(right, bottom, steps=5)
        page.mouse.up()

    picked = page.get_by_text(re.compile(r"^\d+ questions picked$"))
    until(page, draw, lambda: expect(picked).to_be_visible(timeout=10_000))
    click_row(page, "picked", 0)
    expect(page).to_have_url(re.compile("/query.*query=q"))


def test_a_square_of_the_runs_opens_its_question(server, page: sync_api.Page) -> None:
    page.goto(f"{server.url}/runs?source=sample")
    click_mark(page, "squares", "/query.*query=q", trace=0)
    expect(page.get_by_text("1 of 63")).to_be_visible()


def test_lines_join_a_document_across_the_lists(server, page: sync_api.Page) -> None:
    page.goto(f"{server.url}/query?source=sample&query=q62&contender=minilm-fixed500&also=lsa")
    lines = page.locator(".st-key-lists path")
    expect(page.locator(".st-key-lists path.relevant")).to_have_count(2)  # from list to list, of the one relevant
    expect(lines.first).to_be_attached()
    joined = """() => [...document.querySelectorAll('.st-key-lists .rd-list')].map(
        list => [...list.querySelectorAll('li[data-doc]')].map(row => row.dataset.doc))"""
    one, two, three = map(set, page.evaluate(joined))
    expect(lines).to_have_count(len(one & two) + len(two & three))

    page.locator(".st-key-lists li[data-relevant]").first.hover()
    expect(page.locator(".st-key-lists path.here")).to_have_count(2)
    page.set_viewport_size({"width": 400, "height": 800})  # under each other, where the words have to do
    expect(lines).to_have_count(0)


@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize("name", ["ledger", "runs", "queries"])
def test_nothing_is_cut_off(server, page: sync_api.Page, name: str, width: int) -> None:
    where = "source=sample&contender=minilm-fixed500&slice=category:errors&diff=..-0.1&show=all"
    fits(page, width, f"{server.url}/{name}?{where}")
