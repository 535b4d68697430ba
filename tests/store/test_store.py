"""Does a workspace come back as it was kept, for whom it should, and is it gone when it should be?"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ragdash.data import samples
from ragdash.store import Access, LinkError, Settings, Store, StoreError, ViewOnlyError, Workspace, rulings
from tests.store.conftest import Clock
from tests.store.things import bm25, dense, judged, many, plain, texts, workspace

DAY = 24 * 3600.0


def again(store: Store) -> Store:
    """The store as another process sees it; what is private lives in one process only."""
    return store if store.settings.private else Store(store.settings, store.clock)


def test_everything_comes_back(store: Store) -> None:
    kept = workspace()
    access = store.create(kept)
    other = again(store)
    found = other.load(other.find(access.token))
    assert plain(found) == plain(kept)
    assert [run.sha256 for run in found.runs] == [run.sha256 for run in kept.runs]
    assert replace(found.runs[0]).sha256 == kept.runs[0].sha256  # computed anew
    other.verify(access)


def test_the_sample_gives_the_same_digest(store: Store) -> None:
    kept = Workspace(samples.dataset_parts(), samples.runs())
    other = again(store)
    assert other.load(other.find(store.create(kept).token)).sha256 == kept.sha256


def test_a_workspace_may_be_empty(store: Store) -> None:
    assert store.load(store.create(Workspace())).empty


def test_what_is_loaded_is_one_copy_that_nobody_can_write_to(store: Store) -> None:
    first, second = store.create(workspace()), store.create(Workspace(runs=(dense(),)))
    assert store.load(store.find(first.token)) is store.load(store.find(first.view_token))
    run = store.load(first).runs[0]
    assert store.load(second).runs[0] is run
    assert run.scores is not None
    for column in (run.starts, run.scores, *run.measurements.values()):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 1


def test_tokens_are_long_and_differ(store: Store) -> None:
    made = [store.create(Workspace()) for _ in range(3)]
    tokens = {token for access in made for token in (access.token, access.view_token)}
    assert len(tokens) == 6
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{22}", token) for token in tokens)
    assert made[0].token not in repr(made[0])


@pytest.mark.parametrize("token", ["", "../../etc/passwd", "a" * 21, "a" * 22, "a" * 22 + "\n", "é" * 22, "%" * 22])
def test_an_unknown_token_leads_nowhere(store: Store, token: str) -> None:
    with pytest.raises(LinkError, match="leads to no workspace") as raised:
        store.find(token)
    assert raised.value.why == "unknown"


def test_a_view_token_looks_and_changes_nothing(store: Store) -> None:
    edit = store.create(workspace())
    note, _ = store.add_note(edit, "q1", "mine"), store.judge(edit, "q1", "d1", 2)
    view = store.find(edit.view_token)
    assert not view.may_edit
    assert view.view_token == edit.view_token
    before = store.changes(edit)
    forged = Access(view.workspace_id, True, view.token, view.private)
    for access in (view, forged):
        for change in (
            lambda a=access: store.save(a, Workspace(title="taken over")),
            lambda a=access: store.choose(a, {"k": 5}),
            lambda a=access: store.add_note(a, "q1", "hello"),
            lambda a=access: store.remove_note(a, note.number),
            lambda a=access: store.judge(a, "q1", "d1", 0),
            lambda a=access: store.withdraw(a, "q1", "d1"),
            lambda a=access: store.delete(a),
        ):
            with pytest.raises(ViewOnlyError, match="cannot change it"):
                change()
    assert store.changes(view) == before
    assert plain(store.load(view)) == plain(workspace())
    assert [one.text for one in store.notes(view)] == ["mine"]
    assert len(store.judgments(view)) == 1
    assert store.choices(view) == {}


def test_an_access_made_by_hand_opens_nothing(store: Store) -> None:
    mine, other = store.create(workspace()), store.create(Workspace())
    forged = Access(mine.workspace_id, True, other.token, mine.private)
    for use in (store.load, store.notes, store.judgments, store.choices, store.changes, store.delete, store.verify):
        with pytest.raises(LinkError):
            use(forged)


def test_a_renamed_run_is_no_new_table(store: Store) -> None:
    access = store.create(workspace())
    loaded = store.load(access)
    new = store.save(access, loaded.renamed(0, "e5"))
    assert [run.name for run in new.runs] == ["e5", "bm25"]
    assert [one.run for one in new.runs[0].findings] == ["e5"]
    assert {item.digest for item in new.base.items} == {item.digest for item in loaded.base.items}


def test_two_who_change_at_once_keep_what_both_did(store: Store) -> None:
    access = store.create(workspace())
    anna, ben = store.load(access), store.load(again(store).find(access.token))
    store.save(
        access, replace(anna, runs=(*anna.runs, many("annas", 1)), title="Anna's title", faults=("a.csv: odd.",))
    )
    store.save(access, replace(ben.renamed(1, "BM25"), runs=(many("bens", 2), ben.renamed(1, "BM25").runs[1])))
    now = store.load(access)
    # Ben put a run in front, renamed one and removed one; Anna's run, her title and her message are still there.
    assert [run.name for run in now.runs] == ["bens", "BM25", "annas"]
    assert now.title == "Anna's title"
    assert now.faults == ("a.csv: odd.",)
    assert [part.source.file for part in now.parts] == ["eval.json", "corpus.jsonl"]


def test_two_who_add_a_run_of_the_same_name_have_two_names(store: Store) -> None:
    access = store.create(Workspace())
    anna, ben = store.load(access), store.load(access)
    store.save(access, replace(anna, runs=(many("dense", 1),)))
    both = store.save(access, replace(ben, runs=(many("dense", 2),)))
    assert [run.name for run in both.runs] == ["dense", "dense (2)"]
    assert [one.code for one in both.runs[1].findings] == ["name-changed"]
    assert [run.name for run in store.save(access, both).runs] == ["dense", "dense (2)"]


def test_the_same_run_twice_stays_twice(store: Store) -> None:
    access = store.create(Workspace(runs=(bm25("a"), bm25("b"))))
    loaded = store.load(access)
    assert [run.name for run in loaded.runs] == ["a", "b"]
    assert [run.name for run in store.save(access, loaded.renamed(1, "c")).runs] == ["a", "c"]


def test_order_is_kept(store: Store) -> None:
    access = store.create(Workspace(runs=tuple(many(f"r{i}", i) for i in range(12))))
    loaded = store.load(access)
    turned = store.save(access, replace(loaded, runs=loaded.runs[::-1]))
    assert [run.name for run in turned.runs] == [f"r{i}" for i in reversed(range(12))]


def test_choices_of_two_are_both_kept(store: Store) -> None:
    access = store.create(Workspace())
    store.choose(access, {"apply": ["lower-case"], "baseline": "bm25"})
    store.choose(access, {"k": 10, "baseline": "dense"})
    store.choose(access, {"apply": None})
    assert store.choices(access) == {"baseline": "dense", "k": 10}


def test_notes_are_added_changed_and_removed_and_nothing_is_lost(store: Store, clock: Clock) -> None:
    access = store.create(Workspace())
    first = store.add_note(access, "q\0\ud800", "Why? 🤔", tags=("chunking", "tbd"), author="Anna")
    clock.now += 60
    changed = store.add_note(access, "ignored", "Because.", author="Ben", replaces=first.number)
    also = store.add_note(access, "", "On the whole.", author="Anna", replaces=None)
    at_once = store.add_note(access, "q", "No, because.", author="Anna", replaces=first.number)
    store.remove_note(access, also.number, author="Ben")
    assert [note.text for note in store.notes(access)] == ["Because.", "No, because."]
    assert store.notes(access) == (changed, at_once)
    assert changed.query_id == "q\0\ud800"
    assert (changed.at - first.at).total_seconds() == 60
    history = store.note_history(access)
    assert history[0] == first
    assert len(history) == 5
    assert (history[-1].author, history[-1].removed, history[-1].replaces) == ("Ben", True, also.number)


def test_a_note_is_asked_for_in_a_sentence(store: Store) -> None:
    access = store.create(Workspace())
    with pytest.raises(StoreError, match="says nothing"):
        store.add_note(access, "q", "  ")
    with pytest.raises(StoreError, match=r"This note has 20,001 characters; at most 20,000 are kept\. Shorten it\."):
        store.add_note(access, "q", "x" * 20_001)
    with pytest.raises(StoreError, match="There is no note 77"):
        store.add_note(access, "q", "x", replaces=77)


def test_judgments_keep_who_said_what(store: Store) -> None:
    access = store.create(Workspace())
    store.judge(access, "q1", "d1", 1, author="Anna")
    store.judge(access, "q1", "d1", 2, author="Anna")  # her last word
    store.judge(access, "q1", "d1", 0, author="Ben")
    store.judge(access, "q1", "d2", None, author="Ben")  # cannot tell
    store.judge(access, "q1", "d3", 1.5, author="Ben")
    store.withdraw(access, "q1", "d3", author="Ben")
    last = store.judgments(access)
    assert {(one.doc_id, one.author): one.grade for one in last} == {
        ("d1", "Anna"): 2.0,
        ("d1", "Ben"): 0.0,
        ("d2", "Ben"): None,
    }
    found = rulings(last, {}, {})["q1", "d1"]
    assert ([one.grade for one in found.said], found.grade, found.is_open) == ([2.0, 0.0], 0.0, True)
    assert len(store.judgment_history(access)) == 6
    with pytest.raises(StoreError, match="A grade is a number"):
        store.judge(access, "q1", "d1", float("nan"))


def test_every_change_is_counted(store: Store) -> None:
    access = store.create(Workspace())
    before = store.changes(access)
    store.add_note(access, "q", "a"), store.judge(access, "q", "d", 1), store.choose(access, {"k": 1})
    assert store.changes(store.find(access.view_token)) == before + 3


def test_deleted_is_gone_and_says_so(store: Store, clock: Clock) -> None:
    access, kept = store.create(workspace()), store.create(Workspace(runs=(dense(),)))
    store.add_note(access, "q", "secret note")
    held = store.load(access)
    store.delete(access)
    assert not any(b"secret note" in data for data in written(store.settings.folder).values())
    for token in (access.token, access.view_token):
        with pytest.raises(LinkError, match="was deleted") as raised:
            again(store).find(token)
        assert raised.value.why == "deleted"
    for use in (store.load, store.notes, store.delete):
        with pytest.raises(LinkError, match="was deleted"):
            use(access)
    with pytest.raises(LinkError, match="was deleted"):
        store.judge(access, "q", "d", 1)
    # What the other workspace shares is still there, also for who holds the deleted one.
    again(store).verify(kept)
    assert plain(again(store).load(kept).runs) == plain((dense(),))
    assert plain(store.load(store.create(replace(held, base=Workspace().base)))) == plain(workspace())
    clock.now += 91 * DAY
    if store.settings.private:
        return
    store.tidy()
    with pytest.raises(LinkError, match="leads to no workspace"):
        store.find(access.token)


def test_a_table_stays_as_long_as_one_workspace_has_it(store: Store) -> None:
    one, other = store.create(Workspace(runs=(dense(),))), store.create(Workspace(runs=(dense("other name"), bm25())))
    digests = {item.digest for item in store.load(other).base.items}
    assert known(store) == digests
    store.delete(one)
    assert known(store) == digests
    store.save(other, store.load(other).without_run(0))
    assert len(known(store)) == 1
    store.delete(other)
    assert known(store) == set()


def known(store: Store) -> set[str]:
    """The tables there are: what the database knows is what lies in the folder."""
    import sqlalchemy as sa

    from ragdash.store import database as db

    place = store._kept
    with place.database.reading() as connection:
        digests = set(connection.scalars(sa.select(db.tables.c.digest)))
    assert all(place.tables.has(digest) for digest in digests)
    if not store.settings.private and not store.settings.files_url:
        assert {path.name for path in place.tables.root.iterdir()} - {"tmp"} == digests
    return digests


def test_what_is_not_used_expires(settings: Settings, clock: Clock) -> None:
    days = 1 if settings.private else 30
    store = Store(replace(settings, expiry_days=30), clock)
    idle, used = store.create(workspace()), store.create(Workspace(runs=(bm25(),)))
    clock.now += 0.7 * days * DAY
    store.find(used.view_token)
    clock.now += 0.7 * days * DAY
    store.find(used.token)
    with pytest.raises(LinkError, match="expired") as raised:
        store.find(idle.token)
    assert raised.value.why == "expired"
    store.tidy()
    assert len(known(store)) == 1
    with pytest.raises(LinkError, match="expired"):
        store.find(idle.view_token)


def test_without_the_setting_nothing_expires(store: Store, clock: Clock) -> None:
    if store.settings.private:
        return
    access = store.create(workspace())
    clock.now += 3000 * DAY
    store.tidy()
    assert plain(store.load(store.find(access.token))) == plain(workspace())


def test_private_workspaces_are_few_and_leave_no_trace(settings: Settings, clock: Clock) -> None:
    store = Store(settings, clock)
    before = list(written(settings.folder))
    made = []
    for i in range(45):
        clock.now += 3601
        made.append(store.create(Workspace(runs=(many("r", i),), title=f"private {i}"), private=True))
        store.add_note(made[-1], "q", "between us")
        store.find(made[0].token)
    assert [run.name for run in store.load(made[-1]).runs] == ["r"]
    assert made[0].private
    store.find(made[0].token)  # used all the time
    with pytest.raises(LinkError, match="expired"):
        store.find(made[1].token)
    assert list(written(settings.folder)) == before
    assert not any(re.search(b"private|between us", data) for data in written(settings.folder).values())
    with pytest.raises(LinkError):
        Store(settings, clock).find(made[-1].token)


def written(folder: Path) -> dict[str, bytes]:
    if not folder.exists():
        return {}
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file() and "-shm" not in path.name}


def test_a_view_of_numbers_is_exact(store: Store) -> None:
    scores = np.array([np.nextafter(1, 2), 5e-324, -0.0, 1.7976931348623157e308])
    run = replace(many("r", 0), scores=np.concatenate([scores, np.zeros(96)]))
    loaded = again(store).load(store.create(Workspace(runs=(run,))))
    assert loaded.runs[0].scores is not None
    assert loaded.runs[0].scores.tobytes() == run.scores.tobytes()  # type: ignore[union-attr]


def test_parts_of_a_dataset_are_still_one(store: Store) -> None:
    kept = Workspace((judged(), texts()))
    loaded = again(store).load(store.create(kept))
    assert loaded.dataset.sha256 == kept.dataset.sha256
    assert loaded.dataset.documents.look_up(["d7"]) == {"d7": (None, "text 7")}
