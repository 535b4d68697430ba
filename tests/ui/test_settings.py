"""Is every setting of the environment in the README?"""

import re
from pathlib import Path

import pytest

FILES = ("ragdash/store/settings.py", "ragdash/ui/signin.py", "ragdash/data/limits.py")
SETTINGS = sorted(
    {name for file in FILES for name in re.findall(r"RAGDASH_[A-Z_]*[A-Z]\b", Path(file).read_text("utf-8"))}
)


@pytest.mark.parametrize("name", SETTINGS)
def test_the_readme_has_a_row_for_the_setting(name: str) -> None:
    assert f"| `{name}` |" in Path("README.md").read_text("utf-8")
