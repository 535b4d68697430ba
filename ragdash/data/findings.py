"""What was odd about the data: a code, a count, examples and a remedy. Nothing is dropped or repaired without one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

Severity = Literal["error", "warning", "info"]
_ORDER: dict[str, int] = {"error": 0, "warning": 1, "info": 2}
MAX_EXAMPLES = 5


@dataclass(frozen=True)
class Finding:
    """One oddity.

    `code` is stable and named in the README; `count` says how many rows, queries or documents are concerned;
    `lines` are 1-based lines of `file`; `examples` are ids as they stand in the file; `remedy` is the key of a
    remedy (`ragdash.data.remedies`) that mends it, where there is one; `queries` are the query ids concerned, for the
    screen's filter, and are left out of JSON.
    """

    code: str
    severity: Severity
    message: str
    file: str | None = None
    run: str | None = None
    count: int = 0
    lines: tuple[int, ...] = ()
    examples: tuple[str, ...] = ()
    remedy: str | None = None
    queries: tuple[str, ...] = ()

    def json(self) -> dict[str, Any]:
        """The finding as CONTRACT's JSON: plain values, lists for tuples."""
        return {
            "code": self.code,
            "severity": self.severity,
            "file": self.file,
            "run": self.run,
            "count": self.count,
            "lines": list(self.lines),
            "examples": list(self.examples),
            "message": self.message,
            "remedy": self.remedy,
        }

    def of_run(self, name: str) -> Finding:
        """The same finding, said of the run `name`."""
        return replace(self, run=name)


def ordered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Errors first, then warnings, then the rest; each once, otherwise in the order given."""
    distinct = dict.fromkeys(findings)
    return tuple(sorted(distinct, key=lambda finding: _ORDER[finding.severity]))


def some(ids: Iterable[str], most: int = MAX_EXAMPLES) -> tuple[str, ...]:
    """The first few of `ids`, as text."""
    out: list[str] = []
    for one in ids:
        if len(out) == most:
            break
        out.append(str(one))
    return tuple(out)
