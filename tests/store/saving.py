"""Processes that the tests start: one that saves until it is killed, one that works in a workspace beside others.

python -m tests.store.saving killed 40 SETTINGS_JSON      forks, saves, is killed, is checked, again and again
python -m tests.store.saving beside NAME TOKEN SETTINGS_JSON
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path

from ragdash.store import Access, Settings, Store, Workspace
from tests.store.things import many, workspace

ROUNDS = 12  # what each of two does beside the other


def settings_of(text: str) -> Settings:
    told = json.loads(text)
    return Settings(**{**told, "folder": Path(told["folder"])})


def state(i: int) -> Workspace:
    """The workspace after save number `i`: its title and its runs both tell the number."""
    return replace(workspace(), runs=(many("new", i), many("old", i - 1)), title=f"state {i}")


def save_until_killed(settings: Settings, access: Access, log: Path, first: int) -> None:
    store = Store(settings)
    for i in range(first, first + 10_000):
        now = store.load(access)
        store.save(access, replace(state(i), base=now.base))
        say(log, f"state {i}")
        say(log, f"note {store.add_note(access, f'q{i}', 'said').number}")


def say(log: Path, line: str) -> None:
    with open(log, "a") as file:
        file.write(f"{line}\n")


def check(settings: Settings, access: Access, log: Path, before: int) -> int:
    """What a new process finds after a kill: the last state that was saved, or the one being saved, and it is whole.

    `before` is the state that the killed process found.
    """
    store = Store(settings)
    logged = [line.split() for line in log.read_text().splitlines()]
    last = max([before, *(int(number) for what, number in logged if what == "state")])
    found = store.load(store.find(access.token))
    i = int(found.title.split()[1])
    assert last <= i <= last + 1, (last, i)
    expected = state(i)
    assert [run.sha256 for run in found.runs] == [run.sha256 for run in expected.runs]
    assert [replace(run).sha256 for run in found.runs] == [run.sha256 for run in expected.runs]
    assert found.dataset.sha256 == expected.dataset.sha256
    store.verify(access)
    kept = {note.number for note in store.notes(access)}
    assert kept >= {int(number) for what, number in logged if what == "note"}, "a note was lost"
    store.close()
    return i


def wait_for(log: Path, lines: int) -> None:
    """Wait until something more was saved: a slow machine is killed at the same places as a quick one."""
    until, before = time.monotonic() + 30, log.stat().st_size
    while log.read_bytes()[before:].count(b"\n") < lines and time.monotonic() < until:
        time.sleep(0.002)


def killed(settings: Settings, rounds: int) -> None:
    log = settings.folder / "log.txt"
    settings.folder.mkdir(parents=True, exist_ok=True)
    log.touch()
    first = Store(settings)
    access = first.create(state(0))
    start = time.perf_counter()
    first.save(access, first.load(access))
    first.add_note(access, "q", "how long does a save take here?")
    pace = 2 * (time.perf_counter() - start)
    first.close()
    chance = random.Random(7)
    saves = 0
    for _ in range(rounds):
        child = os.fork()
        if not child:
            save_until_killed(settings, access, log, saves + 1)
            os._exit(1)
        wait_for(log, lines=chance.randrange(4))
        time.sleep(chance.uniform(0, pace))
        os.kill(child, signal.SIGKILL)
        assert os.waitpid(child, 0)[1] == signal.SIGKILL, "it ended before it was killed"
        saves = check(settings, access, log, saves)
    assert saves > rounds / 4, f"only {saves} saves in {rounds} rounds"
    last = Store(settings, clock=lambda: time.time() + 2 * 24 * 3600)
    last.tidy()
    check(settings, access, log, saves)
    last.close()


def beside(settings: Settings, name: str, token: str) -> None:
    store = Store(settings)
    access = store.find(token)
    for i in range(ROUNDS):
        store.add_note(access, "q1", f"{name} {i}", author=name)
        store.judge(access, "q1", f"d{i}", i % 3, author=name)
        store.choose(access, {f"{name} {i}": i})
        now = store.load(access)
        store.save(access, replace(now, runs=(*now.runs, many(f"{name} {i}", 1000 * len(name) + i))))


if __name__ == "__main__":
    if sys.argv[1] == "killed":
        killed(settings_of(sys.argv[3]), int(sys.argv[2]))
    else:
        beside(settings_of(sys.argv[4]), sys.argv[2], sys.argv[3])
