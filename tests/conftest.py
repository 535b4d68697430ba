"""What holds for all tests.

Generated examples have no deadline, as a busy machine is no fault of the code. One process has one browser: two would
quarrel over its event loop.
"""

from collections.abc import Iterator

import pytest
from hypothesis import settings
from playwright import sync_api

from tests.browser.conftest import FLAGS, chromium

settings.register_profile("ragdash", deadline=None)
settings.load_profile("ragdash")


@pytest.fixture(scope="session")
def browser() -> Iterator[sync_api.Browser]:
    """Headless Chromium."""
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield running
        running.close()
