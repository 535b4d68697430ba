"""Set up and start: `python3 .ci/setup.py app` opens the app, `python3 .ci/setup.py test` runs all tests.

Needs Python 3.11 or newer and nothing else; uses the standard library alone. Everything is installed into the folder
`.venv` of the checkout, never into the system's Python, so an externally managed Python (PEP 668) does not matter.
What it installs outside that folder (Debian's python3-venv, a browser and PostgreSQL for the tests) it says first.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = Path(os.environ.get("RAGDASH_VENV", ROOT / ".venv"))
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC_BROWSERS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
SERVERS = (
    "usr/lib/postgresql/*/bin/initdb",
    "opt/homebrew/opt/postgresql*/bin/initdb",
    "usr/local/opt/postgresql*/bin/initdb",
)


def say(text: str) -> None:
    print(f"ragdash: {text}", flush=True)


def main() -> int:
    wanted = sys.argv[1] if len(sys.argv) > 1 else "app"
    if wanted not in ("app", "test"):
        say(f"'{wanted}' is neither 'app' nor 'test'.")
        return 2
    if sys.version_info < (3, 11):  # noqa: UP036 - the script itself may be started by an older one
        return with_newer_python()
    install("requirements.txt" if wanted == "app" else "tests/requirements.txt")
    if wanted == "app":
        say("opening http://localhost:8501 - press Ctrl+C to stop. 'Try it with sample data' is on the first page.")
        return run([PYTHON, "-m", "streamlit", "run", "app.py", *sys.argv[2:]])
    environment = {**os.environ, "RAGDASH_CHROMIUM": browser() or ""}
    database_server()
    checks = (["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"])
    tests = ["pytest", "-n", "2", "--dist", "loadgroup", *sys.argv[2:]]
    failed = []
    for check in (*checks, tests):
        say(" ".join(check))
        if run([PYTHON, "-m", *check], environment):
            failed.append(" ".join(check[:2]))
    if failed:
        say(f"failed: {', '.join(failed)}.")
    return int(bool(failed))


def with_newer_python() -> int:
    """Start again with a newer Python, where one is installed beside this one."""
    for name in ("python3.14", "python3.13", "python3.12", "python3.11"):
        if found := shutil.which(name):
            say(f"Python {sys.version.split()[0]} is too old; going on with {found}.")
            return run([found, *sys.argv])
    say(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}.")
    return 2


def run(command: list[object], environment: dict[str, str] | None = None) -> int:
    return subprocess.run([str(part) for part in command], cwd=ROOT, env=environment).returncode


def install(requirements: str) -> None:
    """A virtual environment with what `requirements` asks for; done again only when the lists change."""
    make_environment()
    lists = b"".join((ROOT / name).read_bytes() for name in ("requirements.txt", "tests/requirements.txt"))
    stamp = VENV / f"installed-{Path(requirements).parent.name or 'app'}"
    digest = hashlib.sha256(lists).hexdigest()
    if stamp.exists() and stamp.read_text() == digest:
        return
    say(f"installing {requirements} into {VENV} (about a minute, 700 MB).")
    must([PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements])
    stamp.write_text(digest)


def make_environment() -> None:
    """Create `.venv`; where Debian left `ensurepip` out, get it from the system's packages."""
    if PYTHON.exists() and run([PYTHON, "-m", "pip", "--version", "--quiet"]) == 0:
        return
    if subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)], capture_output=True).returncode == 0:
        return
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    if not system_install([f"python{version}-venv"], "venv is missing"):
        say(f"cannot create a virtual environment: install python{version}-venv, then run this again.")
        raise SystemExit(2)
    must([sys.executable, "-m", "venv", "--clear", str(VENV)])


def must(command: list[object]) -> None:
    if status := run(command):
        say(f"this failed with exit status {status}: {' '.join(str(part) for part in command)}")
        raise SystemExit(status)


def system_install(packages: list[str], why: str) -> bool:
    """Install Debian packages as root or through sudo; says so first. False where that is not possible."""
    if not shutil.which("apt-get"):
        return False
    sudo = [] if os.geteuid() == 0 else ["sudo"]
    if sudo and not shutil.which("sudo"):
        return False
    say(f"{why}: installing {' '.join(packages)} with apt-get.")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    run([*sudo, "apt-get", "update", "-qq"], quiet)
    return run([*sudo, "apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages], quiet) == 0


def browser() -> str | None:
    """Path of a Chromium for the browser tests; gets one where there is none. None: Playwright's own."""
    if given := os.environ.get("RAGDASH_CHROMIUM"):
        return given
    if found := installed_browser():
        return found
    if system_install(["chromium"], "no browser for the browser tests") and (found := installed_browser()):
        return found
    say("no browser for the browser tests: Playwright downloads its own Chromium.")
    must([PYTHON, "-m", "playwright", "install", "chromium"])
    return None


def database_server() -> None:
    """PostgreSQL, of which the tests of the store start a server of their own; gets it where there is none."""
    if shutil.which("initdb") or any(found for place in SERVERS for found in Path("/").glob(place)):
        return
    if not system_install(["postgresql"], "no PostgreSQL for the tests of the store"):
        say("no PostgreSQL: the tests of the store will fail. Install it (on macOS: brew install postgresql).")


def installed_browser() -> str | None:
    for name in BROWSERS:
        if found := shutil.which(name):
            return found
    return next((path for path in MAC_BROWSERS if Path(path).exists()), None)


if __name__ == "__main__":
    sys.exit(main())
