"""What does the Significance page say? The test in words, all tests as a table, pairs of runs."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from ragdash import escape, stats, wording
from ragdash.analysis.compare import Comparison, Comparisons
from ragdash.ui import frame, names
from ragdash.ui.picks import Picks

SAYS = {
    "better": "▲ better",
    "worse": "▼ worse",
    "equivalent": "= no worthwhile difference",
    "undecided": "? cannot tell",
    "untestable": "– untestable",
}


def answer(row: Comparison) -> str:
    """The verdict with its numbers, escaped."""
    return names.trimmed(row.sentence, (row.run, row.baseline))


def in_words(row: Comparison, chosen: Picks) -> str:
    """What the chosen test did and found, as Markdown."""
    block, result = stats.TESTS[row.test], row.chosen
    if result.p is None:
        return f"{block.name} has no answer here: {escape.markdown(result.reason or 'nothing to test')}."
    correction = stats.CORRECTIONS[chosen.testing.correction].name
    corrected = ""
    if row.n_tests > 1:
        corrected = f", {wording.p_value(row.p_corrected)} after {correction} correction for {row.n_tests} tests"
    return (
        f"{block.name}: {escape.markdown(block.sentence)} "
        f"**p {_equals(result.p)}**{corrected}; {row.n:,} questions. "
        f"Were the two equally good, a difference at least this large would come up with this probability."
    )


def _equals(p: float | None) -> str:
    text = wording.p_value(p)
    return text if text[0] in "<>" else f"= {text}"


def tests(row: Comparison, chosen: Picks) -> None:
    """All tests on the same differences: what each finds and assumes."""
    rows, low, high = [], 0, 0
    for key, result in row.tests.items():
        block = stats.TESTS[key]
        below = result.p is not None and result.p < chosen.testing.alpha
        low, high = low + below, high + (result.p is not None and not below)
        rows.append(
            {
                "test": block.name + (" (decides)" if key == row.test else ""),
                "p": wording.p_value(result.p),
                "statistic": result.statistic,
                "df": result.df,
                "questions used": result.n_used,
            }
        )
    said = "All tests agree" if not low or not high else "The tests disagree: look at how the differences spread"
    st.markdown(f"**{said}**")
    frame.table(pd.DataFrame(rows), "tests", placeholder="–")
    frame.download(pd.DataFrame(rows), "ragdash-tests.csv")


def pairs(family: Comparisons, chosen: Picks) -> None:
    """Every pair of runs, corrected for all of them."""
    n = len(family.rows)
    correction = stats.CORRECTIONS[chosen.testing.correction].name
    st.markdown(
        f"**Every pair of runs on {escape.markdown(chosen.metric.label)}, {correction} correction for {n} tests**"
    )
    table = pd.DataFrame(
        {
            "run": [row.run for row in family.rows],
            "against": [row.baseline for row in family.rows],
            "difference": [row.difference for row in family.rows],
            "low": [row.ci[0] if row.ci else None for row in family.rows],
            "high": [row.ci[1] if row.ci else None for row in family.rows],
            "p corrected": [wording.p_value(row.p_corrected) for row in family.rows],
            "says": [SAYS[row.verdict] for row in family.rows],
        }
    )
    frame.table(table, "pairs", column_config={"difference": frame.number("difference", "%+.3f")})
    frame.download(table, "ragdash-pairs.csv")


def reading(row: Comparison, chosen: Picks) -> list[str]:
    """Details: how to read the numbers."""
    effect = "not defined" if row.effect_size is None else wording.signed(row.effect_size)
    relative = "not defined (the baseline's mean is 0)" if row.relative is None else f"{row.relative:+.1%}"
    counts = row.counts
    return [
        escape.markdown(
            f"Means: {wording.number(row.mean_baseline)} and {wording.number(row.mean)}; relative {relative}."
        ),
        escape.markdown(f"Wins {counts.wins:,}, ties {counts.ties:,}, losses {counts.losses:,}; ties are below 1e-9."),
        escape.markdown(f"Standardised mean difference: {effect}."),
        escape.markdown(f"95 % interval: {row.ci_method}."),
        *(
            escape.markdown(f"{stats.TESTS[key].name}: {result.method}. Assumes: {stats.TESTS[key].assumption}")
            for key, result in row.tests.items()
        ),
        *(escape.markdown(caveat) for caveat in row.caveats),
    ]
