"""Is nothing lost when a process is killed, and when two work in the same workspace?"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from dataclasses import asdict
from pathlib import Path

from ragdash.store import Settings, Store, Workspace
from tests.store.saving import ROUNDS
from tests.store.things import many, workspace

ROOT = Path(__file__).resolve().parents[2]


def told(settings: Settings) -> str:
    return json.dumps({**asdict(settings), "folder": str(settings.folder)})


def start(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.store.saving", *arguments]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def done(process: subprocess.Popen[str]) -> str:
    said, _ = process.communicate(timeout=300)
    assert process.returncode == 0, said
    return said


def test_a_kill_at_any_moment_leaves_the_last_saved_state(shared: Settings) -> None:
    done(start("killed", "30", told(shared)))
    # What the killed left behind is gone after two days, and nothing else.
    assert [*shared.folder.rglob("tmp/*"), *shared.folder.parent.rglob("share/**/tmp/*")] == []


def test_two_processes_in_one_workspace_lose_nothing(shared: Settings) -> None:
    store = Store(shared)
    access = store.create(workspace())
    # Names of different length: the runs of each differ from those of the other.
    both = [start("beside", name, access.token, told(shared)) for name in ("Anna", "Benno")]
    for process in both:
        done(process)
    everything = [f"{name} {i}" for name in ("Anna", "Benno") for i in range(ROUNDS)]
    assert sorted(note.text for note in store.notes(access)) == sorted(everything)
    assert len(store.judgments(access)) == 2 * ROUNDS
    assert sorted(store.choices(access)) == sorted(everything)
    runs = store.load(access).runs
    assert sorted(run.name for run in runs) == sorted([*everything, "dense", "bm25"])
    # Each keeps the order in which its author added them.
    assert [run.name for run in runs if run.name.startswith("Anna")] == everything[:ROUNDS]
    store.verify(access)
    store.close()


def test_what_one_server_removes_is_gone_from_the_other(shared: Settings) -> None:
    first, second = Store(shared), Store(shared)
    access = first.create(workspace())
    again = second.create(Workspace(runs=(many("r", 1),)))
    assert len(second.load(access).runs) == 2
    first.delete(access)
    # The same files uploaded anew, through the server that had them in memory and on disk.
    access = second.create(workspace())
    third = Store(shared)
    third.verify(access)
    third.verify(again)


def test_removing_and_saving_the_same_table_at_once(shared: Settings) -> None:
    """Threads, each with a store of its own, create and delete workspaces of one run: none finds it missing."""
    problems: list[BaseException] = []

    def work() -> None:
        store = Store(shared)
        try:
            for _ in range(15):
                access = store.create(Workspace(runs=(many("r", 1),)))
                store.verify(access)
                assert len(store.load(access).runs[0]) == 100
                store.delete(access)
        except BaseException as error:
            problems.append(error)
        finally:
            store.close()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []


def test_many_open_a_new_store_at_once(shared: Settings) -> None:
    opened: list[str] = []
    problems: list[BaseException] = []

    def work() -> None:
        try:
            store = Store(shared)
            opened.append(store._kept.database.store_id)
            store.close()
        except BaseException as error:
            problems.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert len(opened) == 8
    assert len(set(opened)) == 1
