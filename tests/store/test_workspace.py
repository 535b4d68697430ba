"""What becomes of a workspace that two change at once? Each rule on a small piece of paper; letters are tables."""

from __future__ import annotations

import threading
import time

import pytest

from ragdash.store.shared import Shared
from ragdash.store.workspace import Item, Saved, merged


def saved(letters: str, faults: tuple[str, ...] = (), title: str = "") -> Saved:
    """`a b=new` are the tables a and b, b with something new said about it."""
    pairs = [one.partition("=") for one in letters.split()]
    return Saved(tuple(Item("run", digest, about) for digest, _, about in pairs), faults, title)


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "expected"),
    [
        ("a b", "a b c", "a b", "a b c"),
        ("a b", "a b", "a b c", "a b c"),
        ("a b", "a b c", "a b d", "a b c d"),
        ("a b", "b", "a b c", "b c"),
        ("a b", "a b c", "b", "b c"),
        ("a b", "b a", "a b c", "b a c"),
        ("a b", "a=new b", "a b=other", "a=new b=other"),
        ("a b", "a=mine b", "a=theirs b", "a=mine b"),
        ("a b", "a=mine b", "b", "b"),
        ("a", "a a", "a b", "a a b"),
        ("a a", "a", "a a b", "a b"),
        ("a", "a c", "a c", "a c"),
        ("", "n", "a b", "n a b"),
    ],
)
def test_changes_of_both_are_kept(base: str, mine: str, theirs: str, expected: str) -> None:
    assert merged(saved(base), saved(mine), saved(theirs)) == saved(expected)


def test_messages_and_titles() -> None:
    base, mine, theirs = saved("", ("x", "y")), saved("", ("y", "m")), saved("", ("x", "y", "t"), "theirs")
    assert merged(base, mine, theirs) == saved("", ("y", "m", "t"), "theirs")
    assert merged(saved("", (), "old"), saved("", (), "mine"), saved("", (), "theirs")).title == "mine"


class Thing:
    pass


def test_what_is_shared_is_made_once_by_however_many_ask() -> None:
    shared, made, got = Shared(2), [], []

    def make() -> Thing:
        time.sleep(0.05)
        made.append(1)
        return Thing()

    threads = [threading.Thread(target=lambda: got.append(shared.get(("k",), make))) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1
    assert len({id(one) for one in got}) == 1


def test_what_is_shared_is_held_while_somebody_uses_it() -> None:
    shared = Shared(2)
    used = shared.get(("used",), Thing)
    for i in range(5):
        shared.get((str(i),), Thing)
    assert shared.get(("used",), Thing) is used
    assert len(shared._held) == 2
    shared.drop("used")
    assert shared.get(("used",), Thing) is not used


def test_what_could_not_be_made_is_tried_again() -> None:
    shared = Shared(2)

    def fail() -> Thing:
        raise OSError

    with pytest.raises(OSError):
        shared.get(("k",), fail)
    assert isinstance(shared.get(("k",), Thing), Thing)
