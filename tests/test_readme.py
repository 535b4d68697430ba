"""Does the README say what the code does?"""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ragdash.__main__ import parser

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_tables_are_made_from_the_lists() -> None:
    spec = importlib.util.spec_from_file_location("readme", ROOT / "tests" / "readme.py")
    assert spec is not None and spec.loader is not None
    readme = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(readme)
    assert readme.written(README) == README, "run: python tests/readme.py"


def test_ci_calls_the_readmes_test_command() -> None:
    command = "python3 .ci/setup.py test"
    assert command in README
    assert command in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def commands() -> list[str]:
    """The names of all subcommands, from the parser itself."""
    return [name for action in parser()._actions for name in (action.choices or ())]


@pytest.mark.parametrize("command", commands())
def test_every_command_is_documented(command: str) -> None:
    assert f"python -m ragdash {command}" in README
    done = subprocess.run(
        [sys.executable, "-m", "ragdash", command, "--help"], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0
    assert "example: python -m ragdash" in done.stdout


def test_no_image_of_the_readme_is_missing() -> None:
    for path in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", README):
        assert (ROOT / path).is_file(), path
