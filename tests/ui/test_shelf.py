"""Do loaded files stay as long as promised, under a name that nobody can guess?"""

from ragdash.ui.shelf import MAX_AGE, MAX_ENTRIES, TOKEN, Shelf, Workspace


class Clock:
    """Time that moves when told."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_workspace_is_found_by_its_token_alone() -> None:
    shelf, mine = Shelf(), Workspace(faults=("mine",))
    token = shelf.add(mine)
    assert TOKEN.fullmatch(token)
    assert shelf.find(token) is mine
    assert shelf.find(token[:-1] + "A") is None or token.endswith("A")
    assert shelf.find("../../etc/passwd") is None


def test_what_is_not_used_for_a_day_is_dropped_and_use_keeps_it() -> None:
    clock = Clock()
    shelf = Shelf(clock)
    used, unused = shelf.add(Workspace()), shelf.add(Workspace())
    clock.now = MAX_AGE - 1
    assert shelf.find(used) is not None
    clock.now = MAX_AGE + 1
    assert shelf.find(used) is not None
    assert shelf.find(unused) is None


def test_the_shelf_is_bounded_and_the_longest_unused_leaves_first() -> None:
    shelf = Shelf()
    first, second = shelf.add(Workspace()), shelf.add(Workspace())
    shelf.find(first)
    for _ in range(MAX_ENTRIES - 1):
        shelf.add(Workspace())
    assert shelf.find(second) is None
    assert shelf.find(first) is not None


def test_replacing_and_removing() -> None:
    shelf = Shelf()
    token = shelf.add(Workspace())
    shelf.replace(token, Workspace(faults=("new",)))
    found = shelf.find(token)
    assert found is not None
    assert found.faults == ("new",)
    shelf.remove(token)
    assert shelf.find(token) is None
