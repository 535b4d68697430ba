"""Do two servers on one PostgreSQL and one shared folder show one workspace, and does neither lose what is said?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright import sync_api

from tests.browser import steps
from tests.browser.conftest import Server
from tests.browser.steps import expect, settle
from tests.store import server as postgres

pytestmark = pytest.mark.browser


@pytest.fixture
def two_servers(tmp_path: Path) -> Iterator[tuple[Server, Server]]:
    """Two processes of the app with a folder of their own each, and a database and a share between them."""
    with ExitStack() as stack:
        url = stack.enter_context(postgres.database(stack.enter_context(postgres.running())))
        both = []
        for name in ("one", "two"):
            folder = tmp_path / name
            folder.mkdir()
            shared = {"RAGDASH_DATABASE_URL": url, "RAGDASH_FILES_URL": f"file://{tmp_path}/share"}
            both.append(Server(folder, **shared))
            stack.callback(both[-1].stop)
        yield both[0], both[1]


def say(page: sync_api.Page, text: str) -> None:
    """A note on the question that is open."""
    settle(page)
    page.locator(".st-key-add_note button").first.click()
    page.get_by_role("textbox", name="Note").fill(text)
    page.get_by_role("textbox", name="Note").press("Tab")
    page.get_by_role("button", name="Keep the note").click()
    expect(page.locator('[data-testid="stMain"]').get_by_text(text)).to_be_visible()


def test_a_workspace_of_one_server_opens_on_the_other(two_servers, page: sync_api.Page, tmp_path: Path) -> None:
    one, two = two_servers
    dataset, *runs = steps.files(tmp_path)
    page.goto(one.url)
    steps.load(page, dataset, runs)
    answer = page.get_by_text("Of 12 questions, semantic helped 10, hurt 2 and left 0 as they were.")
    expect(answer).to_be_visible()

    other = page.context.new_page()
    other.goto(page.url.replace(one.url, two.url))
    expect(answer).to_be_visible()
    expect(other.get_by_text("Of 12 questions, semantic helped 10, hurt 2 and left 0 as they were.")).to_be_visible()

    for tab, text in ((page, "said on the first"), (other, "said on the second")):
        settle(tab)
        tab.get_by_role("link", name="Query", exact=True).click()
        expect(tab).to_have_url(re.compile("/query[?]"))
        say(tab, text)
    for tab in (page, other):
        tab.reload()
        for text in ("said on the first", "said on the second"):
            expect(tab.locator('[data-testid="stMain"]').get_by_text(text)).to_be_visible()
