"""May this change be merged? One answer for each contender and metric, and one for all, for a build server.

A contender fails where it is worse than the baseline by more than the margin and chance does not explain that: the
one-sided t-test of "the mean difference is below -margin" reaches alpha after the correction over all rows. So a gate
of ten metrics does not fail ten times as often as a gate of one, and noise around zero does not fail a build.

What is not shown to be that bad passes. `strict` asks for the opposite proof, non-inferiority: each row must show that
it is not worse by more than the margin, and what cannot be told fails. A strict gate therefore needs a margin that so
many queries can tell apart; with margin 0 only an improvement passes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal
from xml.etree import ElementTree

import numpy as np

from ragdash import escape, stats, wording
from ragdash.analysis.compare import Comparison, Comparisons
from ragdash.errors import OptionError
from ragdash.report.tables import in_words
from ragdash.stats.student import above

Outcome = Literal["worse", "not worse", "undecided"]
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
SIGNS = {"worse": "✕", "not worse": "✓", "undecided": "?"}
LOSSES = 5


@dataclass(frozen=True)
class Gate:
    """How the gate decides. `margin` is the largest loss that is acceptable, in the unit of the scores, 0 or more."""

    margin: float = 0.0
    strict: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.margin < 1:
            raise OptionError(f"The margin is the largest acceptable loss, between 0 and 1, not {self.margin}.")


@dataclass(frozen=True)
class Line:
    """One contender on one metric.

    `p_worse` is the p of "worse by more than the margin" (corrected: `p_corrected`), `p_fine` that of "not worse by
    more than the margin". `interval` lies below -margin exactly when p_worse <= alpha (90 % for 0.05).
    """

    row: Comparison
    outcome: Outcome
    passed: bool
    p_worse: float | None
    p_corrected: float | None
    p_fine: float | None
    interval: tuple[float, float] | None
    reason: str

    @property
    def sentence(self) -> str:
        return f"{self.row.run}, {self.row.metric.label}: {self.reason}"

    def json(self) -> dict[str, Any]:
        return {
            "run": self.row.run,
            "metric": str(self.row.metric),
            "outcome": self.outcome,
            "passed": self.passed,
            "difference": self.row.difference,
            "interval": None if self.interval is None else list(self.interval),
            "p_worse": self.p_worse,
            "p_worse_corrected": self.p_corrected,
            "p_not_worse": self.p_fine,
            "reason": self.reason,
        }


@dataclass(frozen=True)
class Answer:
    """Every line and the answer to all of them."""

    gate: Gate
    comparisons: Comparisons
    lines: tuple[Line, ...]

    @property
    def passed(self) -> bool:
        return all(line.passed for line in self.lines)

    @property
    def headline(self) -> str:
        failed = [line for line in self.lines if not line.passed]
        if not failed:
            known = all(line.outcome == "not worse" for line in self.lines)
            return "passed" if known else "passed: no loss beyond chance"
        worse = list(dict.fromkeys(line.row.run for line in failed))
        return f"failed: {wording.listed(worse)} {_words(failed, self.gate.margin)}"


def _words(failed: Sequence[Line], margin: float) -> str:
    by = f" by more than {margin:g}" if margin else ""
    if any(line.outcome == "worse" for line in failed):
        return f"{'is' if len({line.row.run for line in failed}) == 1 else 'are'} worse than the baseline{by}"
    return f"not shown to be no worse than the baseline{by}"


def judge(comparisons: Comparisons, gate: Gate) -> Answer:
    """The gate's answer to every comparison."""
    alpha = comparisons.testing.alpha
    found = [_evidence(row, gate.margin, alpha) for row in comparisons.rows]
    corrected = stats.correct([one[0] for one in found], comparisons.testing.correction)
    lines = [_line(row, *one, p, gate, alpha) for row, one, p in zip(comparisons.rows, found, corrected)]
    return Answer(gate, comparisons, tuple(lines))


def _evidence(row: Comparison, margin: float, alpha: float) -> tuple[float | None, float | None, str]:
    """p of "worse by more than the margin", p of "not worse by more than it", and why there is none."""
    d = row.differences
    if not np.any(d):
        return 1.0, None if margin == 0 else _floored(2.0 ** -len(d)), ""
    too_few = stats.why_too_few(d, alpha)
    if too_few:
        return None, None, too_few
    if np.ptp(d) < stats.EPS:  # all alike: no spread, but all signs agree, and 2^-n is the chance of that
        p = _floored(2.0 ** -len(d))
        return (p, 1.0, "") if d.mean() < -margin - stats.EPS else (1.0, p if d.mean() > -margin else 1.0, "")
    return above(-d, margin), above(d, -margin), ""


def _floored(p: float) -> float:
    """A p-value is never 0."""
    return max(p, stats.SMALLEST_P)


def _line(
    row: Comparison, p_worse: float | None, p_fine: float | None, why: str, corrected: float | None, gate: Gate,
    alpha: float,
) -> Line:  # fmt: skip
    d = row.differences
    ends = stats.t_interval(d, 1 - 2 * alpha).ends
    identical = not np.any(d)
    outcome: Outcome = "undecided"
    if corrected is not None and corrected <= alpha:
        outcome = "worse"
    elif identical or (p_fine is not None and p_fine <= alpha):
        outcome = "not worse"
    if not why and outcome == "undecided" and p_worse is not None and p_worse <= alpha:
        why = "alone it would fail, but not among several tests"
    passed = outcome == "not worse" if gate.strict else outcome != "worse"
    return Line(row, outcome, passed, p_worse, corrected, p_fine, ends, _reason(row, outcome, why, gate, identical))


def _reason(row: Comparison, outcome: Outcome, why: str, gate: Gate, identical: bool) -> str:
    by = f" by more than {gate.margin:g}" if gate.margin else ""
    difference = wording.signed(row.difference)
    if identical:
        return f"the same score as {row.baseline} on every question."
    if outcome == "worse":
        return f"worse than {row.baseline}{by}, beyond chance ({difference})."
    if outcome == "not worse":
        return f"not worse than {row.baseline}{by} ({difference})."
    told = f"cannot tell whether it is worse than {row.baseline}{by} ({difference})"
    return f"{told}: {why}." if why else f"{told}."


def markdown(answer: Answer, notes: Sequence[str] = ()) -> str:
    """The summary for a pull request; everything from the data is escaped for GitHub."""
    safe, comparisons = escape.github, answer.comparisons
    sign = "✓" if answer.passed else "✕"
    lines = [f"### {sign} Retrieval gate {safe(answer.headline)}", ""]
    lines += ["| | run | metric | baseline | run's mean | difference | 90 % interval | better / same / worse | |"]
    lines[-1] = lines[-1].replace("90 %", f"{1 - 2 * comparisons.testing.alpha:.0%}")
    lines += ["|---|---|---|---:|---:|---:|---:|---:|---|"]
    for line in answer.lines:
        row, counts = line.row, line.row.counts
        ends = "–" if line.interval is None else " … ".join(wording.signed(one, 4) for one in line.interval)
        cells = [
            SIGNS[line.outcome], safe(row.run), safe(row.metric.label), wording.number(row.mean_baseline, 4),
            wording.number(row.mean, 4), wording.signed(row.difference, 4), ends,
            f"{counts.wins} / {counts.ties} / {counts.losses}", safe(line.reason),
        ]  # fmt: skip
        lines.append("| " + " | ".join(cells) + " |")
    for line in (one for one in answer.lines if not one.passed):
        lines += _worst(line, comparisons)
    lines += ["", f"Baseline {safe(comparisons.baseline)}, {_settings(answer)}."]
    lines += ["", *(f"- {safe(note)}" for note in notes)] if notes else []
    return "\n".join(lines) + "\n"


def _worst(line: Line, comparisons: Comparisons) -> list[str]:
    """The questions that lost most, so that a reviewer knows where to look."""
    experiment, ids = comparisons.scores.experiment, comparisons.scores.query_ids
    d = line.row.differences
    worst = [i for i in np.argsort(d, kind="stable").tolist()[:LOSSES] if d[i] < 0]
    if not worst:
        return []
    out = ["", f"Where {escape.github(line.row.run)} loses most on {escape.github(line.row.metric.label)}:", ""]
    for i in worst:
        text = escape.shortened(experiment.query_texts[experiment.query_index[ids[i]]], 120)
        told = wording.signed(float(line.row.differences[i]))
        out.append(f"- {escape.github(escape.shortened(ids[i]))} ({told}): {escape.github(text)}")
    return out


def _settings(answer: Answer) -> str:
    testing = answer.comparisons.testing
    kind = "strict (must be shown not to be worse)" if answer.gate.strict else "fails on a loss beyond chance"
    name = stats.CORRECTIONS[testing.correction].name
    return f"margin {answer.gate.margin:g}, {kind}, one-sided t-test at {testing.alpha:g}, corrected: {name}"


def junit(answer: Answer, settings: dict[str, Any]) -> str:
    """JUnit XML: one test case for each contender and metric, what cannot be told as output of a passing case."""
    failures = sum(not line.passed for line in answer.lines)
    suite = ElementTree.Element(
        "testsuite", name="ragdash gate", tests=str(len(answer.lines)), failures=str(failures), errors="0", skipped="0"
    )
    properties = ElementTree.SubElement(suite, "properties")
    for name, value in settings.items():
        ElementTree.SubElement(properties, "property", name=_clean(name), value=_clean(in_words(value)))
    for line in answer.lines:
        one = ElementTree.SubElement(
            suite, "testcase", classname=_clean(f"ragdash.{line.row.run}"), name=_clean(str(line.row.metric)), time="0"
        )
        if not line.passed:
            failed = ElementTree.SubElement(one, "failure", message=_clean(line.sentence), type=line.outcome)
            failed.text = _clean("\n".join(_worst(line, answer.comparisons)[1:]))
        else:
            ElementTree.SubElement(one, "system-out").text = _clean(line.sentence)
    root = ElementTree.Element("testsuites", tests=suite.get("tests", ""), failures=str(failures))
    root.append(suite)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _clean(text: str) -> str:
    """Text without the characters that XML cannot hold."""
    return _NOT_XML.sub("\ufffd", text)
