"""Do loaded files stay behind their token, for those who may change them and those who may only look?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ragdash.store import LinkError, Settings, Store, ViewOnlyError, Workspace
from ragdash.ui.shelf import Shelf


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(Store.open(Settings(tmp_path / "store")))


def test_a_workspace_is_found_by_its_token_alone(shelf: Shelf) -> None:
    token = shelf.add(Workspace(faults=("mine",)))
    found = shelf.find(token)
    assert found is not None
    assert found.faults == ("mine",)
    assert shelf.find("A" * 22) is None
    assert shelf.find("../../etc/passwd") is None


def test_another_process_finds_it_too(shelf: Shelf) -> None:
    token = shelf.add(Workspace(faults=("mine",)))
    other = Shelf(Store.open(shelf.store.settings)).find(token)
    assert other is not None
    assert other.faults == ("mine",)


def test_replacing_and_removing(shelf: Shelf) -> None:
    token = shelf.add(Workspace())
    before = shelf.find(token)
    assert before is not None
    shelf.replace(token, replace(before, faults=("new",)))
    after = shelf.find(token)
    assert after is not None
    assert after.faults == ("new",)
    shelf.remove(token)
    with pytest.raises(LinkError, match="was deleted"):
        shelf.access(token)


def test_whoever_may_only_look_changes_nothing(shelf: Shelf) -> None:
    token = shelf.add(Workspace(faults=("mine",)))
    view = shelf.access(token).view_token
    with pytest.raises(ViewOnlyError):
        shelf.replace(view, Workspace())
    with pytest.raises(ViewOnlyError):
        shelf.remove(view)
    assert shelf.find(token) == shelf.find(view)


def test_a_copy_has_the_notes_and_is_a_workspace_of_its_own(shelf: Shelf) -> None:
    access = shelf.access(shelf.add(Workspace(faults=("mine",))))
    shelf.store.add_note(access, "q1", "look here", tags=["typo"])
    copy = shelf.copy(shelf.access(access.view_token), private=False)
    assert copy.may_edit
    assert [note.text for note in shelf.store.notes(copy)] == ["look here"]
    shelf.remove(copy.token)
    assert shelf.find(access.token) is not None


def test_what_is_private_is_not_on_disk(shelf: Shelf) -> None:
    token = shelf.add(Workspace(faults=("mine",)), private=True)
    assert shelf.access(token).private
    assert Shelf(Store.open(shelf.store.settings)).find(token) is None
