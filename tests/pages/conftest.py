"""Pages without a browser: `AppTest` runs them as a visitor's first request would."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

APP = str(Path(__file__).resolve().parents[2] / "app.py")
Open = Callable[..., AppTest]


@pytest.fixture(autouse=True)
def _own_caches(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing is written to disk. What one test put on the shelf is not there for the next; the sample may stay."""
    monkeypatch.setenv("RAGDASH_PRIVATE", "1")
    yield
    from ragdash.ui.shelf import shelf

    shelf.clear()


@pytest.fixture
def visit() -> Open:
    """`visit("verdict", source="sample")`: the page by a link, on a server that nobody has visited."""

    def visit(page: str, **params: Any) -> AppTest:
        at = AppTest.from_file(APP, default_timeout=60)
        at.switch_page(f"pages/{page}.py")
        for key, value in params.items():
            at.query_params[key] = value
        at.run()
        return at

    return visit
