"""The layer imports numpy, scipy and the standard library, and nothing else."""

import ast
import sys
from pathlib import Path

import pytest

import ragdash.stats

MODULES = sorted(Path(ragdash.stats.__file__).parent.glob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names = [node.module]
        for name in names:
            top = name.split(".")[0]
            assert top in ("numpy", "scipy") or top in sys.stdlib_module_names or name.startswith("ragdash.stats"), name


def test_everything_public_says_what_it_is():
    for name in ragdash.stats.__all__:
        thing = getattr(ragdash.stats, name)
        if callable(thing):
            assert thing.__doc__, name
