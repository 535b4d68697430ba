"""Two chunkings, dropped as they are: a correct comparison in at most three clicks, whatever came with the runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright import sync_api

from ragdash.analysis.evaluate import evaluate
from ragdash.data.intake import read_dataset, read_runs
from tests.browser.steps import expect, settle, until, upload
from tests.chunked import CUTS, chunk_id, chunks, chunks_file, qrels_file, queries_file, run_file

pytestmark = pytest.mark.browser


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """`queries.jsonl`, and in a folder for each chunking `qrels.tsv`, `chunks.jsonl` and `bm25.jsonl`."""
    (tmp_path / "queries.jsonl").write_bytes(queries_file().bytes)
    for cut in CUTS:
        (tmp_path / cut).mkdir()
        for blob in (qrels_file(cut), chunks_file(cut), run_file(cut)):
            (tmp_path / cut / blob.name).write_bytes(blob.bytes)
    rows = ["chunk_id,document", *(f"{chunk_id(one)},{one[0]}" for cut in CUTS for one in chunks(cut))]
    (tmp_path / "documents.csv").write_text("\n".join(rows))
    return tmp_path


def drop(page: sync_api.Page, server, folder: Path, *files: str) -> None:
    page.goto(server.url)
    upload(page, "dataset", [folder / one for one in files])
    expect(page.get_by_text("There is no run yet")).to_be_visible()
    upload(page, "run", [folder / cut / "bm25.jsonl" for cut in CUTS])
    expect(page.get_by_text("Different chunks of the same 2 documents")).to_be_visible()


def to_the_verdict(page: sync_api.Page) -> None:
    see = page.get_by_role("button", name="See the verdict")
    until(page, see.click, lambda: page.wait_for_url(re.compile("/verdict"), timeout=15_000))


def sentence(folder: Path, files: list[str], metric: str, apply: tuple[str, ...] = ()) -> str:
    """What the verdict must say, by the library."""
    runs = [run for cut in CUTS for run in read_runs(folder / cut / "bm25.jsonl")]
    scores = evaluate(read_dataset(*(folder / one for one in files)), runs, [metric], apply=apply)
    d = scores.differences("bm25", "bm25 (2)", metric)
    helped, hurt, same = (int((one).sum()) for one in (d > 0, d < 0, d == 0))
    return f"Of 3 questions, bm25 (2) helped {helped}, hurt {hurt} and left {same} as they were."


def test_labels_of_both_chunkings_lead_there_in_one_click(server, page: sync_api.Page, folder: Path) -> None:
    files = [f"{cut}/qrels.tsv" for cut in CUTS]
    drop(page, server, folder, *files)
    to_the_verdict(page)
    expect(page.get_by_text("each run judged by the labels of its own chunks")).to_be_visible()
    expect(page.get_by_text(sentence(folder, files, "nDCG@10"))).to_be_visible()


@pytest.mark.parametrize("more", [[], ["fixed/qrels.tsv", "sentence/qrels.tsv", "fixed/chunks.jsonl"]])
def test_evidence_leads_there_in_one_click(server, page: sync_api.Page, folder: Path, more: list[str]) -> None:
    drop(page, server, folder, "queries.jsonl", *more)
    to_the_verdict(page)
    expect(page).to_have_url(re.compile("metric=BudgetRecall"))
    said = sentence(folder, ["queries.jsonl"], "BudgetRecall(chars=3000)")
    expect(page.get_by_text(re.compile(re.escape(said.removesuffix("."))))).to_be_visible()


def test_labels_of_one_chunking_lead_there_over_documents_in_two_clicks(
    server, page: sync_api.Page, folder: Path
) -> None:
    drop(page, server, folder, "fixed/qrels.tsv")
    expect(page.get_by_role("button", name="See the verdict")).to_be_disabled()
    roll = page.get_by_role("button", name="Roll chunks up to documents")
    until(page, roll.click, lambda: page.wait_for_url(re.compile("apply=chunk-to-document"), timeout=15_000))
    to_the_verdict(page)
    said = sentence(folder, ["fixed/qrels.tsv"], "nDCG@10", ("chunk-to-document",))
    expect(page.get_by_text(said)).to_be_visible()
    expect(page.get_by_text("Chunks to documents")).to_be_visible()


def test_a_mapping_file_says_which_document(server, page: sync_api.Page, folder: Path) -> None:
    drop(page, server, folder, "fixed/qrels.tsv")
    own = page.get_by_role("button", name="Pattern or mapping file").first
    slot = page.locator('[data-testid="stPopoverBody"] input[type=file]')
    until(page, own.click, lambda: expect(slot).to_have_count(1, timeout=10_000))
    expect(page.get_by_label("What to cut off a chunk's id")).to_have_value(r":\d+-\d+$")
    slot.set_input_files([folder / "documents.csv"])
    settle(page)
    go = page.get_by_role("button", name="Apply this file")
    if not go.is_visible():  # the page may have closed what was open
        until(page, own.click, lambda: expect(go).to_be_visible(timeout=10_000))
    expect(page.get_by_text("would make 13 chunks 2 documents").first).to_be_visible()
    until(page, go.click, lambda: page.wait_for_url(re.compile("documents.csv"), timeout=15_000))
    page.reload()
    to_the_verdict(page)
    expect(page.get_by_text("Chunks to documents (@documents.csv)")).to_be_visible()
