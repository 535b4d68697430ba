"""Does the whole path hold on somebody else's files? The main job on a public case that lies beside the checkout.

The files are not ours to keep here; where they are missing, nothing is tested here, and `test_judging` and
`test_journey` walk the same path on files of our own.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright import sync_api

from tests.browser.steps import click_row, expect, settle, until, upload

pytestmark = pytest.mark.browser
CASE = Path(__file__).resolve().parents[3] / "shared" / "data" / "08-xquad-es-beir"

if CASE.is_dir():

    def test_from_a_beir_folder_to_the_document_that_fell_out(server, page: sync_api.Page) -> None:
        reference = json.loads((CASE / "expected.json").read_text())
        pair = next(one for one in reference["pairs"] if (one["a"], one["b"]) == ("bm25_stem", "minilm_en"))
        page.goto(server.url)
        upload(page, "dataset", [CASE / "beir/corpus.jsonl", CASE / "beir/queries.jsonl", CASE / "beir/qrels/test.tsv"])
        expect(page.get_by_text("There is no run yet")).to_be_visible()
        upload(page, "run", [CASE / "runs/bm25_stem.json", CASE / "runs/minilm_en.jsonl"])
        see = page.get_by_role("button", name="See the verdict")
        until(page, see.click, lambda: page.wait_for_url(re.compile("/verdict"), timeout=15_000))

        settle(page)
        page.goto(re.sub(r"baseline=[^&]*&contender=[^&]*", "baseline=bm25_stem&contender=minilm_en", page.url))
        helped, hurt, same = pair["wins_b"], pair["wins_a"], pair["ties"]
        told = f"Of 1,190 questions, minilm_en helped {helped}, hurt {hurt} and left {same} as they were."
        expect(page.get_by_text(told)).to_be_visible()
        expect(page.get_by_role("heading", name="Keep bm25_stem")).to_be_visible()

        worse = page.get_by_role("button", name=f"{hurt} worse")
        until(page, worse.click, lambda: page.wait_for_url(re.compile("/queries.*show=losses"), timeout=15_000))
        expect(page.get_by_text(f"{hurt} of 1,190 questions", exact=True)).to_be_visible()
        click_row(page, "queries", 0)
        expect(
            page.get_by_text(re.compile("minilm_en lost “.*” from the top 10: it is not in its 10 results"))
        ).to_be_visible()
        expect(page.get_by_text("relevant, not returned").first).to_be_visible()
        asked = page.get_by_role("heading", level=2).first.inner_text()

        judge = page.get_by_role("link", name=re.compile("Judge .* unjudged documents in the top 10"))
        until(page, judge.click, lambda: page.wait_for_url(re.compile("/judgments.*judge="), timeout=15_000))
        settle(page)
        before = page.get_by_text(re.compile(r"left in this question, [\d,]+ in all")).inner_text()
        page.keyboard.press("0")
        expect(page.get_by_text(before)).to_have_count(0)

        back = page.get_by_role("link", name="Back to the question")
        until(page, back.click, lambda: page.wait_for_url(re.compile("/query[?]"), timeout=15_000))
        expect(page.get_by_role("heading", name=asked)).to_be_visible()
        expect(page.get_by_text("0✎").first).to_be_visible()
        page.get_by_role("link", name="Back to the list").click()
        expect(page.locator(".st-key-queries table tr", has_text=asked[:30])).to_contain_text("▶")
