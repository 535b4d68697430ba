"""Every code that the source names is explained, and every code that is explained is used."""

import ast
from pathlib import Path

from ragdash.data.findings import CODES, Finding, ordered, some

PACKAGE = Path(__file__).resolve().parents[2] / "ragdash"


def used() -> set[str]:
    """The texts given as the first argument, or as `code`, to `Finding(...)` anywhere in the package."""
    found: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Finding":
                given = [*node.args[:1], *(one.value for one in node.keywords if one.arg == "code")]
                found |= {one.value for one in given if isinstance(one, ast.Constant)}
    return found


def test_every_code_in_the_source_is_explained():
    assert used() - set(CODES) == set()
    assert all(sentence.endswith(".") for sentence in CODES.values())


def test_errors_come_first_and_each_finding_once():
    info, error = Finding("no-header", "info", "i"), Finding("no-common-query", "error", "e")
    assert ordered([info, error, info]) == (error, info)
    assert some(range(9)) == ("0", "1", "2", "3", "4")
