"""The main job in a real browser: upload, read the verdict, change K, open the worst query, reload."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright import sync_api

from tests.browser.steps import click_row, expect, files, fits, load, pick, settle, until, upload

pytestmark = pytest.mark.browser

HOVERED = "() => document.querySelector('.st-key-sorted .js-plotly-plot')._hoverdata"
HOSTILE = '<img src="http://e.vil/x.png"> ![i](http://e.vil/y.png) [l](http://e.vil) www.e.vil a@e.vil.org $x$'


def test_from_two_files_to_the_missing_document(server, page: sync_api.Page, tmp_path: Path) -> None:
    dataset, *runs = files(tmp_path)
    page.goto(server.url)
    upload(page, "dataset", [dataset])
    expect(page.get_by_text("There is no run yet")).to_be_visible()
    upload(page, "run", runs)
    expect(page.get_by_role("heading", name=re.compile("^Yes: 3 files, 12 questions and 2 runs"))).to_be_visible()

    settle(page)
    page.get_by_role("button", name="See the verdict").click()
    expect(page.get_by_text("Of 12 questions, semantic helped 10, hurt 2 and left 0 as they were.")).to_be_visible()
    expect(page.get_by_role("heading", name="Should we switch?")).to_be_visible()

    pick(page, "pick_k", "3")
    expect(page).to_have_url(re.compile(r"[?&]k=3(&|$)"))
    expect(page.locator(".st-key-pick_metric input")).to_have_value("nDCG@3")

    settle(page)
    page.get_by_role("button", name="2 worse").click()
    expect(page.get_by_role("heading", name="semantic is worse than keyword on 2 of 12 questions")).to_be_visible()
    click_row(page, "queries", 0)
    expect(page.get_by_role("heading", name="How do I do thing q05?")).to_be_visible()
    seen_the_missing_document(page)

    page.reload()
    expect(page.get_by_role("heading", name="How do I do thing q05?")).to_be_visible()
    seen_the_missing_document(page)
    assert "query=q05" in page.url
    assert "k=3" in page.url

    settle(page)
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("heading", name="How do I do thing q09?")).to_be_visible()
    expect(page.get_by_text("rank 2 to 5")).to_be_visible()


def seen_the_missing_document(page: sync_api.Page) -> None:
    expect(page.get_by_text(re.compile("semantic lost “right-q05” from the top 3: it is not returned"))).to_be_visible()
    expect(page.get_by_text("relevant, not returned").first).to_be_visible()


def test_text_from_files_makes_no_link_and_loads_no_image(server, page: sync_api.Page, tmp_path: Path) -> None:
    dataset, *runs = files(tmp_path, HOSTILE)
    page.goto(server.url)
    load(page, dataset, runs)
    expect(page.get_by_text("Biggest loss").first).to_be_visible()
    for name in ("Verdict", "Queries", "Query"):
        page.get_by_role("link", name=name, exact=True).click()
        expect(page).to_have_url(re.compile(f"/{name.lower()}[?]"))
        settle(page)
        expect(page.locator('[data-testid="stMain"] :is(a[href*="e.vil"], img[src*="e.vil"])')).to_have_count(0)


def test_the_sample_is_one_click_away_and_survives_a_reload(server, page: sync_api.Page) -> None:
    page.goto(server.url)
    page.get_by_role("button", name="Try it with sample data").click()
    page.get_by_role("button", name="See the verdict").click()
    answer = page.get_by_role("heading", name=re.compile("^(Switch to|Keep|No worthwhile|Cannot tell)"))
    expect(answer).to_be_visible()
    pick(page, "pick_metric", "Recall@10")
    expect(page).to_have_url(re.compile("metric=Recall%40K"))
    page.get_by_role("link", name="Distributions").click()
    expect(page).to_have_url(re.compile("/distributions.*metric=Recall%40K"))
    expect(page.locator(".st-key-sorted .main-svg").first).to_be_visible()
    page.reload()
    expect(page.locator(".st-key-pick_metric input")).to_have_value("Recall@10")


def test_a_deep_link_on_a_server_that_nobody_has_visited(fresh_server, page: sync_api.Page) -> None:
    page.goto(f"{fresh_server.url}/query?source=sample&query=q02&k=5")
    expect(page.get_by_role("heading", name=re.compile("bank declined my card"))).to_be_visible()
    expect(page.get_by_role("link", name="Verdict")).to_be_visible()
    expect(page.locator(".st-key-pick_k input")).to_have_value("5")


def test_a_question_is_opened_without_a_mouse(server, page: sync_api.Page) -> None:
    page.goto(f"{server.url}/queries?source=sample&show=all")
    expect(page.locator(".st-key-queries canvas").first).to_be_visible()
    box, option = page.locator(".st-key-open_named input"), page.get_by_role("option")

    def type_it() -> None:
        box.focus()
        page.keyboard.press("Control+A")
        page.keyboard.type("bank declined")

    until(page, type_it, lambda: expect(option).to_have_count(1, timeout=10_000))
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/query.*query=q02"))
    expect(page.get_by_role("heading", name=re.compile("bank declined my card"))).to_be_visible()
    away = re.compile("query=q02")
    until(page, lambda: page.keyboard.press("n"), lambda: expect(page).not_to_have_url(away, timeout=10_000), tries=2)
    page.go_back()
    page.go_back()
    expect(page).to_have_url(re.compile("/queries"))


def test_a_bar_leads_to_its_query(server, page: sync_api.Page) -> None:
    page.goto(f"{server.url}/distributions?source=sample&metric=Recall&k=5")
    graph = page.locator(".st-key-sorted .js-plotly-plot")
    bar = graph.locator(".bars path").first

    def click() -> None:
        expect(bar).to_be_visible()
        box = bar.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.wait_for_function(HOVERED, timeout=8_000)
        page.mouse.click(x, y)

    until(page, click, lambda: page.wait_for_url(re.compile("/query.*query=q"), timeout=8_000))
    expect(page.get_by_text("relevant document", exact=True)).to_be_visible()


@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize(
    "name", ["", "verdict", "significance", "distributions", "queries", "query", "ledger", "runs", "share", "metrics"]
)
def test_nothing_is_cut_off(server, page: sync_api.Page, name: str, width: int) -> None:
    fits(page, width, f"{server.url}/{name}?source=sample")
