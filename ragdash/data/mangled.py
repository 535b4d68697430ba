"""Which ids did a spreadsheet or a number column spoil for good? Told with their lines: no remedy brings them back."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ragdash.data.columns import positions, take
from ragdash.data.findings import Finding, Severity, some
from ragdash.data.nouns import Run

_SCIENTIFIC = r"^\d([.,]\d+)?[eE]\+?\d{2,}$"
_MONTHS = "jan|feb|mar|mär|mrz|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez"
_DATE = rf"(?i)^(\d{{1,2}}[-. /]({_MONTHS})[a-z.]*([- /]\d{{2,4}})?|({_MONTHS})[a-z.]*[- /]\d{{1,4}})$"
_LONG = r"^\d{16,}$"
_KEPT = 15  # digits that a spreadsheet keeps; a double keeps 15 of any number


def mangled(run: Run, ids: pa.Array, wanted: pa.Array, file: str, none_met: bool) -> Iterator[Finding]:
    """Ids of a run that meet nothing and look spoiled. `wanted` are ids of the dataset that the run does not name."""
    severity: Severity = "error" if none_met else "warning"
    odd = _matching(ids, _SCIENTIFIC)
    if len(odd):
        yield _finding(run, odd, file, severity, "look like spreadsheet numbers", "numbers-as-text")
    odd = _matching(ids, _DATE)
    if len(odd) and len(odd) > len(_matching(wanted, _DATE)):
        yield _finding(run, odd, file, severity, "look like dates that a spreadsheet made of them")
    odd, ours = _rounded(_matching(ids, _LONG), _matching(wanted, _LONG))
    if len(odd):
        what = f"have lost their last digits in a number column (the dataset has {ours[0]})"
        yield _finding(run, pa.array(odd, pa.string()), file, severity, what)


def _matching(ids: pa.Array, pattern: str) -> pa.Array:
    return ids.filter(pc.match_substring_regex(ids, pattern)).unique()


def _rounded(ids: pa.Array, wanted: pa.Array) -> tuple[list[str], list[str]]:
    """Long numbers that are one of `wanted` but for the digits that a double does not keep, and what they were."""
    alike: dict[tuple[int, str], list[str]] = {}
    for one in wanted.to_pylist():
        alike.setdefault((len(one), one[: _KEPT - 1]), []).append(one)
    pairs: list[tuple[str, str]] = []
    for one in ids.to_pylist():
        known = alike.get((len(one), one[: _KEPT - 1]))
        nearest = min(known, key=lambda ours: abs(int(ours) - int(one))) if known and one.endswith("0") else None
        if nearest is not None and (float(nearest) == float(one) or one[:_KEPT] == nearest[:_KEPT]):
            pairs.append((one, nearest))
    return [one for one, _ in pairs], [ours for _, ours in pairs]


def _finding(run: Run, odd: pa.Array, file: str, severity: Severity, what: str, remedy: str | None = None) -> Finding:
    queries = positions(run.query_ids, odd) >= 0
    rows = np.flatnonzero((positions(run.doc_ids, odd) >= 0) | np.repeat(queries, run.depths))
    lines = tuple(int(run.lines[row]) for row in rows[:5].tolist()) if run.lines is not None else ()
    where = f" (line {', '.join(f'{line:,}' for line in lines)})" if lines else ""
    examples = some(take(odd, range(min(len(odd), 5))).to_pylist())
    rows_of = "1 row" if len(rows) == 1 else f"{len(rows):,} rows"
    message = (
        f"{file}: ids like {examples[0]} {what}{where}; {rows_of} cannot be matched. "
        "Export the file again with the id column as text."
    )
    return Finding("ids-differ-by", severity, message, file, run.name, len(rows), lines, (examples[0],), remedy)
