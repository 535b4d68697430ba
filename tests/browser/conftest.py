"""A real server and a real browser. Both are started here and ended here."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright import sync_api

ROOT = Path(__file__).resolve().parents[2]
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
WAIT = 60_000  # milliseconds: a busy machine draws its first chart slowly


def chromium() -> str | None:
    """The browser to drive: RAGDASH_CHROMIUM, then the system's, then Playwright's own (None)."""
    named = os.environ.get("RAGDASH_CHROMIUM")
    if named:
        return named
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def outside(url: str) -> bool:
    """Whether a request leaves this machine."""
    return not url.startswith(("http://localhost:", "ws://localhost:", "data:", "blob:"))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return int(probe.getsockname()[1])


class Server:
    """`streamlit run app.py` on a free port, with its log beside it and its store in `folder`."""

    def __init__(self, folder: Path, *options: str, start: bool = True, **environment: str) -> None:
        self.port = free_port()
        self.url, self.log = f"http://localhost:{self.port}", folder / "log.txt"
        self.options = options
        self.environment = {"PYTHONUNBUFFERED": "1", "RAGDASH_STORE": str(folder / "store"), **environment}
        self.log.touch()
        if start:
            self.start()

    def start(self) -> None:
        """Also again after `stop`, under the same address."""
        options = [f"--server.port={self.port}", "--server.headless=true", *self.options]
        command = [sys.executable, "-m", "streamlit", "run", "app.py", *options]
        with self.log.open("ab") as out:
            self.process = subprocess.Popen(
                command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT, env={**os.environ, **self.environment}
            )
        self._until_healthy()

    def _until_healthy(self) -> None:
        """Ask until it answers or ends."""
        request = urllib.request.Request(f"{self.url}/_stcore/health")
        for _ in range(600):
            if self.process.poll() is not None:
                break
            try:
                with urllib.request.urlopen(request, timeout=5):
                    return
            except OSError:
                self._pause()
        raise RuntimeError(f"the app did not start:\n{self.log.read_text(errors='replace')[-3000:]}")

    def _pause(self) -> None:
        """A tenth of a second, or until the server ends."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=0.1)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=20)
        text = self.log.read_text(errors="replace")
        assert "Traceback" not in text, text[-4000:]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"))
    yield running
    running.stop()


@pytest.fixture
def fresh_server(tmp_path: Path) -> Iterator[Server]:
    """One that nobody has visited: until the first visit, Streamlit is in its legacy mode."""
    running = Server(tmp_path)
    yield running
    running.stop()


@pytest.fixture
def page(browser: sync_api.Browser) -> Iterator[sync_api.Page]:
    """A tab that fails the test when the page throws, or asks another machine for anything."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(WAIT)
    tab = context.new_page()
    errors: list[str] = []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.on("request", lambda request: errors.append(request.url) if outside(request.url) else None)
    yield tab
    context.close()
    assert not errors, errors


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A browser on a busy machine gets a second try, which pytest lists as R; what fails twice fails."""
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=1))
