"""Does a server with a provider let in whom the setting names, and nobody else, and lead back to the link?"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright import sync_api

from tests.browser.conftest import Server
from tests.browser.issuer import Issuer
from tests.browser.steps import expect, settle

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def issuer() -> Iterator[Issuer]:
    running = Issuer()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def guarded(issuer: Issuer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that asks, and lets in example.org alone."""
    folder = tmp_path_factory.mktemp("guarded")
    secrets = folder / "secrets.toml"
    secrets.touch()
    running = Server(folder, f"--secrets.files={secrets}", RAGDASH_ALLOWED_DOMAINS="example.org", start=False)
    secrets.write_text(issuer.secrets(running.url))
    running.start()
    yield running
    running.stop()


def test_whoever_signs_in_comes_back_to_the_link(guarded: Server, issuer: Issuer, page: sync_api.Page) -> None:
    issuer.claims = {"email": "ada@example.org", "email_verified": True}
    page.goto(f"{guarded.url}/query?source=sample&query=q02&k=5")
    expect(page.get_by_text("This server asks who you are")).to_be_visible()
    expect(page.get_by_text("bank declined")).to_have_count(0)
    settle(page)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name=re.compile("bank declined my card"))).to_be_visible()
    assert "k=5" in page.url
    expect(page.get_by_text(re.compile("^ada.{0,2}@.{0,2}example"))).to_be_visible()

    settle(page)
    page.locator(".st-key-add_note button").first.click()  # notes bear that name, nobody is asked for another
    expect(page.get_by_role("textbox", name="Note")).to_be_visible()
    expect(page.get_by_role("textbox", name="Your name")).to_have_count(0)
    page.keyboard.press("Escape")

    settle(page)
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_text("This server asks who you are")).to_be_visible()


@pytest.mark.parametrize(
    ("claims", "why"),
    [
        ({"email": "eve@e.vil", "email_verified": True}, "may not come in here"),
        ({"email": "eve@example.org.e.vil", "email_verified": True}, "may not come in here"),
        ({"email": "eve@example.org", "email_verified": False}, "is verified"),
        ({}, "says no e-mail address"),
    ],
)
def test_others_get_no_further(guarded: Server, issuer: Issuer, page: sync_api.Page, claims: dict, why: str) -> None:
    issuer.claims = claims
    page.goto(f"{guarded.url}/verdict?source=sample")
    settle(page)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text(why)).to_be_visible()
    settle(page)
    expect(page.get_by_text("bm25")).to_have_count(0)
