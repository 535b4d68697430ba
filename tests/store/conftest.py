"""Every promise of the store is kept in each of the places it can be: the tests run once for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from ragdash.store import Settings, Store
from tests.store import server

#: SQLite and a folder; PostgreSQL and two kinds of URLs; memory.
PLACES = ("folder", "postgres and a share", "postgres and an object store", "private")
SHARED = ("folder", "postgres and a share")


class Clock:
    """A time that tests move."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="session")
def postgres() -> Iterator[Path]:
    """The folder of a server's socket."""
    with server.running() as folder:
        yield folder


@pytest.fixture
def settings_for(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Callable[[str], Settings]]:
    """Settings of a new place by its name."""
    with ExitStack() as stack:

        def make(place: str, **rest: object) -> Settings:
            if place == "private":
                return Settings(tmp_path / "store", private=True)
            if place == "folder":
                return Settings(tmp_path / "store")
            url = stack.enter_context(server.database(request.getfixturevalue("postgres")))
            files = f"file://{tmp_path}/share" if place.endswith("share") else f"memory://{tmp_path}"
            return Settings(tmp_path / "store", url, files)

        yield make


@pytest.fixture(params=PLACES)
def settings(request: pytest.FixtureRequest, settings_for: Callable[[str], Settings]) -> Settings:
    """Settings of each place in turn."""
    return settings_for(request.param)


@pytest.fixture(params=SHARED)
def shared(request: pytest.FixtureRequest, settings_for: Callable[[str], Settings]) -> Settings:
    """Settings of those places that several processes can open."""
    return settings_for(request.param)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(settings: Settings, clock: Clock) -> Iterator[Store]:
    opened = Store(settings, clock)
    yield opened
    opened.close()
