"""Could judging change the answer? From a number on the verdict to a lost document, judged with keys, and back."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright import sync_api

from tests.browser.steps import QUERIES, click_row, expect, fits, load, settle, until

pytestmark = pytest.mark.browser


def unjudged_files(folder: Path) -> tuple[Path, Path, Path]:
    """keyword has the judged document at rank 2; semantic returns another, which nobody judged, at rank 1.

    As judged, nDCG is 0.631 against 0 on all questions but q05, where semantic returns the judged document. Once the
    others are judged relevant, two are: keyword has 0.631 / 1.631 = 0.387, semantic 1 / 1.631 = 0.613.
    """
    dataset, keyword, semantic = folder / "questions.json", folder / "keyword.json", folder / "semantic.json"
    records = [{"id": q, "query": f"How does {q} work?", "relevant_docs": [f"old-{q}"]} for q in QUERIES]
    dataset.write_text(
        json.dumps([{**one, "relevance": {f"old-{one['id']}": 1, f"noise-{one['id']}": 0}} for one in records])
    )
    keyword.write_text(json.dumps([{"query": q, "retrieved": [f"noise-{q}", f"old-{q}"]} for q in QUERIES]))
    ranked = {q: [f"old-{q}" if q == "q05" else f"new-{q}"] for q in QUERIES}
    semantic.write_text(json.dumps([{"query": q, "retrieved": docs} for q, docs in ranked.items()]))
    return dataset, keyword, semantic


def left(page: sync_api.Page, n: int) -> None:
    """The page says how many documents are left to judge."""
    expect(page.get_by_text(re.compile(rf"left in this question, {n} in all"))).to_be_visible()


def press(page: sync_api.Page, key: str) -> None:
    """A key, once the page stands still."""
    settle(page, quiet=250)
    page.keyboard.press(key)


def marked_row(page: sync_api.Page, query: str) -> None:
    """The table says which question was open last."""
    expect(page.locator(".st-key-queries table tr", has_text=query)).to_contain_text("▶")


def test_judging_turns_the_verdict(server, page: sync_api.Page, tmp_path: Path) -> None:
    dataset, *runs = unjudged_files(tmp_path)
    page.goto(server.url)
    load(page, dataset, runs)
    expect(page.get_by_role("heading", name="Keep keyword: semantic answers worse")).to_be_visible()
    expect(page.get_by_role("link", name="Judge them").first).to_be_visible()

    worse = page.get_by_role("button", name="11 worse")
    until(page, worse.click, lambda: page.wait_for_url(re.compile("/queries.*show=losses"), timeout=10_000))
    expect(page.get_by_role("heading", name="semantic is worse than keyword on 11 of 12 questions")).to_be_visible()
    click_row(page, "queries", 2)
    expect(
        page.get_by_text(re.compile("semantic lost “old-q03” from the top 5: it is not in its 1 result"))
    ).to_be_visible()

    judge = page.get_by_role("link", name="Judge 1 unjudged document in the top 5")
    until(page, judge.click, lambda: page.wait_for_url(re.compile("/judgments.*judge=q03"), timeout=10_000))
    expect(page.get_by_role("heading", name="Not yet: 69 % of the top 5 is judged, and the other 11")).to_be_visible()
    expect(page.get_by_text("The verdict now: Keep keyword")).to_be_visible()
    expect(page.get_by_text("How does q03 work?")).to_be_visible()
    expect(page.get_by_text("No text: no file has it.")).to_be_visible()
    left(page, 11)

    press(page, "1")
    left(page, 10)
    expect(page.get_by_text("before judging here")).to_be_visible()
    press(page, "0")
    left(page, 9)
    press(page, "u")  # not that one
    expect(page.get_by_role("button", name=re.compile("Undo"))).to_be_enabled()
    left(page, 10)
    for n in range(9, 0, -1):
        press(page, "1")
        left(page, n)
    press(page, "1")
    expect(page.get_by_role("heading", name="Yes: every document in the top 5 is judged.")).to_be_visible()
    expect(page.get_by_text("The verdict now: Switch to semantic")).to_be_visible()

    back = page.get_by_role("link", name="Back to the question")
    until(page, back.click, lambda: page.wait_for_url(re.compile("/query[?].*query=q03"), timeout=10_000))
    expect(page.get_by_text("1✎").first).to_be_visible()
    until(
        page,
        page.get_by_role("link", name="Back to the list").click,
        lambda: page.wait_for_url(re.compile("/queries.*query=q03"), timeout=10_000),
    )
    expect(page.get_by_text("No question got worse.")).to_be_visible()
    every = page.get_by_text(re.compile("^All 12$"))
    until(page, every.click, lambda: page.wait_for_url(re.compile("show=all"), timeout=10_000))
    marked_row(page, "q03")

    page.get_by_role("link", name="Verdict").click()
    expect(page.get_by_role("heading", name="Switch to semantic: it answers better than keyword")).to_be_visible()
    expect(page.get_by_text("judgments made here: 11 counted").first).to_be_visible()
    page.reload()  # they are kept with the workspace
    expect(page.get_by_role("heading", name="Switch to semantic: it answers better than keyword")).to_be_visible()


def test_a_lost_document_of_the_sample_and_back_to_its_row(server, page: sync_api.Page) -> None:
    page.goto(f"{server.url}/verdict?source=sample&contender=minilm-fixed500")
    worse = page.get_by_role("button", name=re.compile(r"\d+ worse"))
    until(page, worse.click, lambda: page.wait_for_url(re.compile("/queries.*show=losses"), timeout=10_000))
    click_row(page, "queries", 0)
    query = re.search(r"query=(q\d+)", page.url)
    assert query is not None
    expect(page.get_by_text(re.compile("minilm-fixed500 lost “.*” from the top 10"))).to_be_visible()
    judge = page.get_by_role("link", name=re.compile(r"Judge \d+ unjudged documents in the top 10"))
    until(page, judge.click, lambda: page.wait_for_url(re.compile(f"/judgments.*judge={query[1]}"), timeout=10_000))
    counted = page.get_by_text(re.compile(r"left in this question, \d+ in all"))
    before = counted.text_content()
    shown = page.locator(".st-key-judged_document .rd-title")
    first = shown.text_content()
    press(page, "s")
    expect(shown).not_to_have_text(str(first))
    press(page, "2")
    expect(counted).not_to_have_text(str(before))
    expect(page.get_by_text("1 judgment made here").first).to_be_visible()
    expect(page.get_by_text("kept for this tab alone")).to_be_visible()
    until(
        page,
        page.get_by_role("link", name="Back to the question").click,
        lambda: page.wait_for_url(re.compile(f"/query[?].*query={query[1]}"), timeout=10_000),
    )
    expect(page.get_by_text("2✎").first).to_be_visible()
    until(
        page,
        page.get_by_role("link", name="Back to the list").click,
        lambda: page.wait_for_url(re.compile("/queries"), timeout=10_000),
    )
    marked_row(page, query[1])


@pytest.mark.parametrize("width", [400, 1280])
def test_nothing_is_cut_off(server, page: sync_api.Page, width: int) -> None:
    fits(page, width, f"{server.url}/judgments?source=sample&contender=rrf")
