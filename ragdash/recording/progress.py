"""How far is a recording? Said on standard error, without getting in the way of what is printed."""

from __future__ import annotations

import sys


class Progress:
    """How far it is, on standard error: one line that changes on a terminal, a line each tenth elsewhere."""

    def __init__(self, name: str, total: int, done: int, *, shown: bool) -> None:
        self.name, self.total, self.done, self.shown = name, total, done, shown
        self.seconds: list[float] = []
        self.terminal = shown and sys.stderr.isatty()
        if done and shown:
            self._say(f"{name}: {done:,} of {total:,} questions were recorded before", end="\n")

    def step(self, seconds: float) -> None:
        self.done += 1
        self.seconds.append(seconds)
        tenth = self.done * 10 // self.total != (self.done - 1) * 10 // self.total
        if self.shown and (self.terminal or tenth):
            mean = sum(self.seconds) / len(self.seconds)
            left = mean * (self.total - self.done)
            told = f"{self.name}: {self.done:,} of {self.total:,} questions, {mean * 1000:,.0f} ms each"
            self._say(f"{told}, about {left:,.0f} s left" if self.done < self.total else told)

    def end(self) -> None:
        if self.terminal and self.seconds:
            sys.stderr.write("\n")

    def _say(self, text: str, end: str = "") -> None:
        sys.stderr.write(f"\r\x1b[K{text}{end}" if self.terminal else f"{text}\n")
        sys.stderr.flush()
