"""The main job in a real browser: upload, read the verdict, change K, open the worst query, reload."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright import sync_api

expect = sync_api.expect
expect.set_options(timeout=60_000)
pytestmark = pytest.mark.browser
SETTLED = '[data-testid="stApp"][data-test-script-state="notRunning"][data-test-connection-state="CONNECTED"]'

QUERIES = [f"q{i:02}" for i in range(1, 13)]
#: Rank of the one relevant document of each query; 0 is not returned. q05 is the loss, q09 slips below 3.
BEFORE = dict.fromkeys(QUERIES, 4) | {"q05": 1, "q09": 2}
AFTER = dict.fromkeys(QUERIES, 1) | {"q05": 0, "q09": 5}


HOSTILE = '<img src="http://e.vil/x.png"> ![i](http://e.vil/y.png) [l](http://e.vil) www.e.vil a@e.vil.org $x$'


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
    page.wait_for_selector(SETTLED)
    slot = page.locator(f".st-key-upload_{role}_0 input[type=file]")
    expect(slot).to_have_count(1)
    slot.set_input_files(paths)


def pick(page: sync_api.Page, key: str, option: str) -> None:
    """Choose an option of a selectbox."""
    page.locator(f".st-key-{key} input").click()
    page.get_by_role("option", name=option, exact=True).click()


def first_row(page: sync_api.Page, key: str) -> None:
    """Click into the first row of a table: it is drawn on a canvas."""
    canvas = page.locator(f".st-key-{key} canvas").first
    expect(canvas).to_be_visible()
    box = canvas.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 200, box["y"] + 52)


def test_from_two_files_to_the_missing_document(server, page: sync_api.Page, tmp_path: Path) -> None:
    dataset, *runs = files(tmp_path)
    page.goto(server.url)
    upload(page, "dataset", [dataset])
    expect(page.get_by_text("There is no run yet")).to_be_visible()
    upload(page, "run", runs)
    expect(page.get_by_role("heading", name=re.compile("^Yes: 3 files, 12 questions and 2 runs"))).to_be_visible()

    page.get_by_role("button", name="See the verdict").click()
    expect(page.get_by_text("Of 12 questions, semantic helped 10, hurt 2 and left 0 as they were.")).to_be_visible()
    expect(page.get_by_role("heading", name="Should we switch?")).to_be_visible()

    pick(page, "pick_k", "3")
    expect(page).to_have_url(re.compile(r"[?&]k=3(&|$)"))
    expect(page.locator(".st-key-pick_metric input")).to_have_value("nDCG@3")

    page.get_by_role("button", name="2 worse").click()
    expect(page.get_by_role("heading", name="semantic is worse than keyword on 2 of 12 questions")).to_be_visible()
    first_row(page, "queries")
    expect(page.get_by_role("heading", name="How do I do thing q05?")).to_be_visible()
    seen_the_missing_document(page)

    page.reload()
    expect(page.get_by_role("heading", name="How do I do thing q05?")).to_be_visible()
    seen_the_missing_document(page)
    assert "query=q05" in page.url
    assert "k=3" in page.url

    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("heading", name="How do I do thing q09?")).to_be_visible()
    expect(page.get_by_text("rank 2 to 5")).to_be_visible()


def seen_the_missing_document(page: sync_api.Page) -> None:
    expect(page.get_by_text(re.compile("semantic lost “right-q05” from the top 3: it is not returned"))).to_be_visible()
    expect(page.get_by_text("relevant, not returned").first).to_be_visible()


def test_text_from_files_makes_no_link_and_loads_no_image(server, page: sync_api.Page, tmp_path: Path) -> None:
    dataset, *runs = files(tmp_path, HOSTILE)
    page.goto(server.url)
    upload(page, "dataset", [dataset])
    expect(page.get_by_text("There is no run yet")).to_be_visible()
    upload(page, "run", runs)
    page.get_by_role("button", name="See the verdict").click()
    expect(page.get_by_text("Biggest loss").first).to_be_visible()
    for name in ("Verdict", "Queries", "Query"):
        page.get_by_role("link", name=name, exact=True).click()
        expect(page).to_have_url(re.compile(f"/{name.lower()}[?]"))
        page.wait_for_selector(SETTLED)
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
    page.wait_for_selector(SETTLED)
    expect(page.locator(".st-key-queries canvas").first).to_be_visible()
    page.locator(".st-key-open_named input").focus()
    page.keyboard.type("bank declined")
    expect(page.get_by_role("option")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/query.*query=q02"))
    expect(page.get_by_role("heading", name=re.compile("bank declined my card"))).to_be_visible()
    page.keyboard.press("n")
    expect(page).not_to_have_url(re.compile("query=q02"))
    page.go_back()
    page.go_back()
    expect(page).to_have_url(re.compile("/queries"))


def test_a_bar_leads_to_its_query(server, page: sync_api.Page) -> None:
    page.goto(f"{server.url}/distributions?source=sample&metric=Recall&k=5")
    graph = page.locator(".st-key-sorted .js-plotly-plot")
    expect(graph.locator(".bars path").first).to_be_visible()
    box = graph.locator(".bars path").first.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_function("() => document.querySelector('.st-key-sorted .js-plotly-plot')._hoverdata")
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page).to_have_url(re.compile("/query.*query=q"))
    expect(page.get_by_text("relevant document", exact=True)).to_be_visible()


@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize(
    "name", ["", "verdict", "significance", "distributions", "queries", "query", "ledger", "runs", "share", "metrics"]
)
def test_nothing_is_cut_off(server, page: sync_api.Page, name: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{server.url}/{name}?source=sample")
    page.wait_for_selector(SETTLED)
    expect(page.locator('[data-testid="stMain"] h3, [data-testid="stMain"] h2').first).to_be_visible()
    wider = page.evaluate(
        "() => [document.documentElement, document.querySelector('[data-testid=stMain]')]"
        ".some(one => one.scrollWidth > one.clientWidth + 1)"
    )
    assert not wider
