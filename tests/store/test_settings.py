"""What do the settings of the environment say?"""

from __future__ import annotations

from pathlib import Path

import pytest

from ragdash.errors import OptionError
from ragdash.store import Settings, Store, Workspace, settings

ROOT = Path(__file__).resolve().parents[2]


def test_nothing_said_is_a_folder_of_the_checkout() -> None:
    assert Settings.of({}) == Settings(ROOT / ".ragdash")
    assert ".ragdash/" in (ROOT / ".gitignore").read_text().splitlines()


def test_everything_said() -> None:
    said = {
        "RAGDASH_STORE": "/srv/ragdash", "RAGDASH_DATABASE_URL": "postgresql://x/y ", "RAGDASH_FILES_URL": "s3://b",
        "RAGDASH_EXPIRY_DAYS": "30", "RAGDASH_CACHE_MB": "500", "RAGDASH_PRIVATE": "1",
    }  # fmt: skip
    assert Settings.of(said) == Settings(Path("/srv/ragdash"), "postgresql://x/y", "s3://b", 30, 500, True)


@pytest.mark.parametrize("value", ["-1", "soon", "nan", "inf", "1e12"])
def test_a_number_that_is_none(value: str) -> None:
    with pytest.raises(OptionError, match=r"RAGDASH_EXPIRY_DAYS is .*; expected a number of 0 or more"):
        Settings.of({"RAGDASH_EXPIRY_DAYS": value})


def test_private_is_on_or_off() -> None:
    assert [Settings.of({"RAGDASH_PRIVATE": value}).private for value in ("1", "true", "0", "", "no")] == [
        True, True, False, False, False,
    ]  # fmt: skip
    with pytest.raises(OptionError, match="RAGDASH_PRIVATE is 'maybe'; expected 1"):
        Settings.of({"RAGDASH_PRIVATE": "maybe"})


def test_every_setting_is_in_the_table_that_explains_them() -> None:
    text = Path(settings.__file__).read_text()
    named = {word for word in text.replace('"', " ").replace("`", " ").split() if word.startswith("RAGDASH_")}
    assert all(f"| `{name}`" in text for name in {word.strip(",;:.") for word in named})


def test_without_a_checkout_it_is_the_folder_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "_CHECKOUT", tmp_path)
    monkeypatch.setattr(settings.sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    assert settings.default_folder() == tmp_path / "share" / "ragdash"


def test_a_folder_with_odd_letters(tmp_path: Path) -> None:
    folder = tmp_path / "a folder?with#100%&odd=ü"
    access = Store(Settings(folder)).create(Workspace(title="x"))
    assert Store(Settings(folder)).load(access).title == "x"
    assert (folder / "workspaces.sqlite").exists()
