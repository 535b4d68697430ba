"""Does what was loaded outlive tab, server and browser, and does a link show the same to whoever may only look?"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright import sync_api

from tests.browser import steps
from tests.browser.steps import expect, files, settle

pytestmark = pytest.mark.browser
ANSWER = "Of 12 questions, semantic helped 10, hurt 2 and left 0 as they were."


def load(page: sync_api.Page, url: str, folder: Path) -> None:
    """Both slots filled, and on to the verdict."""
    dataset, *runs = files(folder)
    page.goto(url)
    steps.load(page, dataset, runs)
    expect(page.get_by_text(ANSWER)).to_be_visible()


def copied(page: sync_api.Page, kind: str) -> str:
    """The link that the button under the menu puts on the clipboard."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    settle(page)
    page.locator(".st-key-copy_link button").first.click()
    page.locator(f".st-key-link_menu_{kind}").get_by_role("button", name="Copy to clipboard").click()
    return str(page.evaluate("() => navigator.clipboard.readText()"))


def numbers(page: sync_api.Page) -> str:
    """Everything that the page says, once it has settled, without the line that tells who may only look."""
    settle(page)
    expect(page.get_by_text(ANSWER)).to_be_visible()
    expect(page.locator(".st-key-differences .main-svg").first).to_be_visible()
    expect(page.get_by_text("Details for engineers")).to_be_visible()  # the last thing that the page draws
    settle(page)
    expect(page.get_by_text("Download CSV").first).to_be_visible()
    main, text = page.locator('[data-testid="stMain"]'), ""
    while text != (now := str(main.inner_text())):  # parts of the page arrive one after the other
        text = now
        page.wait_for_timeout(1000)
    told = r"\s*(visibility)?\s*View only: nothing here can be changed\.[\s\w]*Make my own copy\s*"
    return re.sub(told, "", text).strip()


def test_a_view_only_link_shows_the_same_after_a_restart_and_changes_nothing(
    fresh_server, page: sync_api.Page, browser: sync_api.Browser, tmp_path: Path
) -> None:
    load(page, fresh_server.url, tmp_path)
    before = numbers(page)
    link = copied(page, "view")
    assert "metric=nDCG%40K" in link
    assert "contender=semantic" in link
    page.goto("about:blank")

    fresh_server.stop()
    fresh_server.start()
    profile = browser.new_context(viewport={"width": 1280, "height": 900})
    other = profile.new_page()
    other.goto(link)
    assert numbers(other) == before
    expect(other.get_by_text("nothing here can be changed")).to_be_visible()

    other.get_by_role("link", name="Data").click()
    expect(other.get_by_role("textbox", name="Name of the run").first).to_be_disabled()
    settle(other)
    expect(other.locator(".st-key-remove_run_0 button").first).to_be_disabled()
    other.get_by_role("link", name="Share").click()
    expect(other.locator(".st-key-delete button").first).to_be_disabled()

    settle(other)
    other.get_by_role("button", name="Make my own copy").click()  # what is mine I may change
    expect(other.get_by_text("nothing here can be changed")).to_have_count(0)
    other.get_by_role("link", name="Data").click()
    expect(other.get_by_role("textbox", name="Name of the run").first).to_be_enabled()
    profile.close()


def test_reload_and_a_second_tab_find_what_was_loaded(server, page: sync_api.Page, tmp_path: Path) -> None:
    load(page, server.url, tmp_path)
    before = numbers(page)
    page.reload()
    assert numbers(page) == before
    tab = page.context.new_page()
    tab.goto(page.url)
    assert numbers(tab) == before


def test_a_deleted_workspace_says_so_kindly(server, page: sync_api.Page, tmp_path: Path) -> None:
    load(page, server.url, tmp_path)
    link = copied(page, "view")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Share", exact=True).click()
    settle(page)
    page.locator(".st-key-delete button").first.click()
    page.get_by_role("button", name="Delete for good").click()
    expect(page.get_by_text("Nothing is loaded yet.")).to_be_visible()
    page.goto(link)
    expect(page.get_by_text("was deleted by somebody who could edit it")).to_be_visible()


def test_the_report_opens_without_a_server(
    server, page: sync_api.Page, browser: sync_api.Browser, tmp_path: Path
) -> None:
    page.goto(f"{server.url}/share?source=sample&contender=rrf")
    settle(page)
    expect(page.frame_locator("iframe").get_by_text(re.compile("^Switch to rrf"))).to_be_visible()
    with page.expect_download() as got:
        page.get_by_role("button", name="Download the report").click()
    path = tmp_path / "report.html"
    got.value.save_as(path)
    assert path.stat().st_size < 5_000_000
    profile = browser.new_context(offline=True)
    alone = profile.new_page()
    alone.goto(path.as_uri())
    expect(alone.get_by_text(re.compile("^Switch to rrf"))).to_be_visible()
    profile.close()


def test_a_note_is_kept(server, page: sync_api.Page, tmp_path: Path) -> None:
    load(page, server.url, tmp_path)
    page.get_by_role("link", name="Query", exact=True).click()
    settle(page)
    page.locator(".st-key-add_note button").first.click()
    page.get_by_role("textbox", name="Note").fill("The answer is in the appendix")
    page.get_by_role("textbox", name="Your name").fill("Ada")
    page.get_by_role("textbox", name="Your name").press("Tab")
    page.get_by_role("button", name="Keep the note").click()
    expect(page.locator('[data-testid="stMain"]').get_by_text("The answer is in the appendix")).to_be_visible()
    page.reload()
    expect(page.locator('[data-testid="stMain"]').get_by_text("The answer is in the appendix")).to_be_visible()
