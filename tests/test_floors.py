"""Does each floor import only from the floors below it? DESIGN's table, read from the imports themselves."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "ragdash"

#: What everything that shows results may use.
RESULTS = {"analysis", "data", "metrics", "stats", "wording", "errors", "escape"}
#: Room -> rooms of ragdash it may import. A room may always import itself.
MAY = {
    "errors": set(),
    "escape": set(),
    "wording": set(),
    "settings": {"errors"},
    "metrics": set(),
    "stats": set(),
    "data": {"errors", "settings"},
    "analysis": {"data", "metrics", "stats", "wording", "errors", "escape"},
    "store": {"data", "errors", "settings"},
    "recording": {"data", "errors"},
    "charts": RESULTS,
    "report": {"", "charts", *RESULTS},
    "ui": {"report", "charts", "store", "settings", *RESULTS},
    "__init__": {"analysis", "data", "errors", "metrics", "recording", "stats"},
    "__main__": {"", "report", "charts", "store", *RESULTS},
}
#: Room -> libraries it may import beside the standard library; rooms not named here may import any but Streamlit.
ONLY = {
    "metrics": {"numpy"},
    "stats": {"numpy", "scipy"},
    "errors": set(),
    "escape": set(),
    "wording": set(),
    "settings": set(),
}
MODULES = sorted(PACKAGE.rglob("*.py"))
PAGES = [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))]


def room_of(module: Path) -> str:
    first = module.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


def imported(module: Path) -> set[str]:
    """Every module named in an import, wherever in the file it stands."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative import"
            names.add(node.module or "")
            if node.module == "ragdash":
                names.discard("ragdash")
                names |= {f"ragdash.{alias.name}" for alias in node.names}
    return names


def rooms(names: set[str]) -> set[str]:
    parts = [name.split(".") for name in names if name.split(".")[0] == "ragdash"]
    return {part[1] if len(part) > 1 else "" for part in parts}


def libraries(names: set[str]) -> set[str]:
    return {name.split(".")[0] for name in names} - set(sys.stdlib_module_names) - {"ragdash", "__future__"}


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_floor_imports_only_from_below(module: Path) -> None:
    room = room_of(module)
    assert room in MAY, f"{room} is no room of the design"
    above = rooms(imported(module)) - MAY[room] - {room}
    assert not above, f"{room} imports {sorted(above)}"


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_room_uses_only_its_libraries(module: Path) -> None:
    room, used = room_of(module), libraries(imported(module))
    if room in ONLY:
        assert used <= ONLY[room], f"{room} imports {sorted(used - ONLY[room])}"
    if room != "ui":
        assert "streamlit" not in used


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_a_page_uses_the_screen_and_words_alone(page: Path) -> None:
    names = imported(page)
    assert rooms(names) <= {"ui", "charts", "wording"}
    assert libraries(names) <= {"streamlit"}


def test_nothing_else_stands_at_the_top_level() -> None:
    fixed = {"app.py", "pages", "ragdash", "tests", "sample_runs", "requirements.txt", "README.md", "pyproject.toml"}
    visible = {path.name for path in ROOT.iterdir() if not path.name.startswith(".") and path.name != "__pycache__"}
    assert visible <= fixed
