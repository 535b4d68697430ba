"""What does the Significance page say? The test in words, all tests as a table, sizes, pairs of runs."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pandas as pd
import streamlit as st

from ragdash import escape, stats, wording
from ragdash.analysis.compare import Comparison, Comparisons
from ragdash.analysis.magnitude import Magnitude
from ragdash.analysis.over_read import cut_of
from ragdash.charts import significance as charts
from ragdash.charts import theme
from ragdash.stats.evidence import SIZES, SUMMARY
from ragdash.ui import cached, frame, names
from ragdash.ui.picks import Picks

SAYS = {
    "better": "▲ better",
    "worse": "▼ worse",
    "equivalent": "= no worthwhile difference",
    "undecided": "? cannot tell",
    "untestable": "– not comparable",
}
MARKS = {"better": "▲", "worse": "▼", "equivalent": "=", "undecided": "?", "untestable": "–"}
#: Which tests look at the mean; the others look at ranks and wins.
OF_THE_MEAN = ("t", "randomization")
FEW = 5  # runs whose names fit above a matrix
TOLD_APART = "background-color: rgba(15, 118, 110, 0.20); font-weight: 600"

HELP = {
    "p": "The chance of a difference at least this large if the two runs were equally good. Small speaks for a real "
    "difference; it is no measure of its size.",
    "p corrected": "The same, made up for the number of comparisons that are shown together. The verdict looks at "
    "this one, in the row that decides.",
    "error of p": "p was estimated from random sign flips; repeated with another seed it would move by about this "
    "much. Empty where p is exact.",
    "statistic": "What the test computes: t; the mean difference; the smaller rank sum; the number of wins.",
    "df": "Degrees of freedom of t: questions less one.",
    "used": "Questions the test looks at: ranks and signs leave out those that do not differ.",
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


def tests(row: Comparison, family: Comparisons) -> None:
    """All tests on the same differences: what each finds and assumes, and what it means if they disagree."""
    rows = []
    for key, result in row.tests.items():
        block = stats.TESTS[key]
        rows.append(
            {
                "test": block.name + (" (decides)" if key == row.test else ""),
                "p": wording.p_value(result.p),
                "p corrected": wording.p_value(corrected(row, family, key)),
                "error of p": None if result.p_error is None else wording.number(result.p_error, 4),
                "statistic": result.statistic,
                "df": None if result.df is None else int(result.df),
                "used": result.n_used,
            }
        )
    st.markdown(f"**{escape.markdown(agreement(row, family))}**")
    table = pd.DataFrame(rows)
    columns: dict[str, Any] = {name: st.column_config.Column(name, help=text) for name, text in HELP.items()}
    columns["statistic"] = frame.number("statistic", help=HELP["statistic"])
    columns["test"] = st.column_config.TextColumn("test", width=190)
    frame.table(table, "tests", column_config=columns, placeholder="–")
    with st.container(horizontal=True, vertical_alignment="center"):
        frame.download(table, "ragdash-tests.csv")
        st.caption(escape.markdown(resampling(row)), width="content")
    assumed = [f"**{stats.TESTS[key].name}**: {escape.markdown(stats.TESTS[key].assumption)}" for key in row.tests]
    st.markdown("\n".join(["What each takes for granted:", "", *(f"- :small[{line}]" for line in assumed)]))


def corrected(row: Comparison, family: Comparisons, test: str) -> float | None:
    """The p of one test, corrected within the same family as the verdict's."""
    ps = stats.correct([one.tests[test].p for one in family.rows], family.testing.correction)
    return ps[next(i for i, one in enumerate(family.rows) if one is row)]


def agreement(row: Comparison, family: Comparisons) -> str:
    """Whether the tests agree, and what it means if they do not."""
    known = {key: p for key in row.tests if (p := corrected(row, family, key)) is not None}
    found = [key for key, p in known.items() if p <= family.testing.alpha]
    missed = [key for key in known if key not in found]
    if not found or not missed:
        return wording.tests_agree(len(known), bool(found))
    mean = set(OF_THE_MEAN) & set(known)
    about: Literal["mean", "wins", "line"]
    about = "mean" if set(found) == mean else "wins" if set(missed) == mean else "line"
    name = {key: stats.TESTS[key].name for key in known}
    return wording.tests_disagree([name[key] for key in found], [name[key] for key in missed], about)


def resampling(row: Comparison) -> str:
    """How the randomization test came by its p: all sign flips, or so many random ones with a seed and an error."""
    result = row.tests["randomization"]
    if result.exact or result.p_error is None:
        return f"{result.method}: exact, no seed."
    return f"{result.method}, seed {result.seed}; Monte Carlo error of p ±{wording.number(result.p_error, 4)}."


def sizes(row: Comparison, size: Magnitude) -> None:
    """How large the difference is, in every way that is offered, each with its interval."""
    effect, won, boot = size.effect, size.won, size.bootstrap
    low, high = row.ci or (None, None)
    word = "" if effect.value is None else wording.effect_word(effect.value)
    relative = "not defined: the baseline's mean is 0" if row.relative is None else f"{row.relative:+.1%}, relative"
    mean, bca = row.difference, "by resampling"
    table = pd.DataFrame(
        [
            ("mean difference", mean, low, high, relative.replace("-", "−", 1) if row.relative else relative),
            ("the same, bootstrap", mean, boot.low, boot.high, boot.reason or bca),
            ("standardised", effect.value, effect.low, effect.high, effect.reason or word),
            ("share won", won.value, won.low, won.high, won.reason or f"of the {won.n:,} that differ"),
        ],
        columns=["size", "value", "low", "high", "in words"],
    )
    table[["value", "low", "high"]] = table[["value", "low", "high"]].astype(float)
    st.markdown("**How large is it?**")
    columns = {
        "size": st.column_config.TextColumn(
            "size", width=140, help="Standardised: mean difference divided by the spread of the differences (d_z)."
        ),
        "value": frame.number("value", help="Contender minus baseline; the share of wins from 0 to 1."),
        "low": frame.number("low", help="Lower end of the 95 % interval, not corrected."),
        "high": frame.number("high", help="Upper end of the 95 % interval, not corrected."),
        "in words": st.column_config.TextColumn("in words", width="medium"),
    }
    frame.table(table, "sizes", column_config=columns, placeholder="–")
    frame.download(table, "ragdash-sizes.csv")


def worth(row: Comparison, size: Magnitude) -> None:
    """Is it worth a change? Equivalence, non-inferiority, and what so many questions can show."""
    st.markdown(
        "**Is it worth a change?**",
        help="Equivalence: two one-sided t-tests against the practical limit of the settings, on the 90 % interval. "
        "Non-inferiority: one of them. Noticed: with chance 0.8, at the level the verdict asks of this comparison.",
    )
    lines = []
    if size.equivalence is None or size.non_inferiority is None:
        lines.append("No practical limit is set: whether the difference matters is left to you.")
    elif size.too_few is not None:
        lines.append(size.too_few)
    else:
        same, fine = size.equivalence, size.non_inferiority
        low, high = same.interval.low, same.interval.high
        ends = None if low is None or high is None else (low, high)
        lines.append(wording.band_sentence(same.equivalent, same.band, same.p, ends, same.reason))
        lines.append(wording.no_worse_sentence(fine.non_inferior, fine.margin, fine.p, row.run, fine.reason))
    lines.append(wording.power_sentence(row.n, size.detectable, row.difference, size.needed))
    for text in lines:
        st.markdown(f"- {names.trimmed(text, (row.run, row.baseline))}")


PAIR_HELP = {
    "difference": "Mean of “run” minus mean of “against”, question by question; plus is better.",
    "low": "Lower end of the 95 % interval of the difference, not corrected.",
    "high": "Upper end of the 95 % interval of the difference, not corrected.",
    "p": "Of the deciding test, for this pair alone.",
    "p corrected": "The same, corrected for all pairs of runs.",
    "p Tukey": "Randomized Tukey HSD (Carterette 2012): safe for all pairs at once, so not corrected again.",
}


def pairs(family: Comparisons, chosen: Picks) -> None:
    """Every pair of runs as a matrix, corrected for all of them; the table twin under it."""
    n = len(family.rows)
    told = sum(row.verdict in ("better", "worse") for row in family.rows)
    correction = stats.CORRECTIONS[chosen.testing.correction].name
    st.markdown(
        f"**{wording.pairs_told(told, n)} on {escape.markdown(chosen.metric.label)}**",
        help=f"Row minus column. Marked where the two can be told apart after {correction} correction for {n} tests: "
        "▲ the row's run is better, ▼ worse, = no worthwhile difference, ? cannot tell, – not comparable.",
    )
    matrix, apart = pair_matrix(family, chosen)
    numbered = len(matrix) > FEW  # so many names do not fit above the columns
    columns: dict[str, Any] = {
        str(i): st.column_config.TextColumn(
            str(i + 1) if numbered else names.plain(name, 16), help=escape.markdown(name), width="small"
        )
        for i, name in enumerate(matrix.index)
    }
    shown = matrix.set_axis([str(i) for i in range(len(matrix))], axis=1)
    labels = [names.plain(name, 24) for name in matrix.index]
    shown.insert(0, "run", [f"{i + 1}  {label}" if numbered else label for i, label in enumerate(labels)])
    columns["run"] = st.column_config.TextColumn("row − column", pinned=True, width=170)
    marked = pd.DataFrame(np.where(apart, TOLD_APART, ""), index=shown.index, columns=shown.columns[1:])
    styled = shown.style.apply(lambda _: marked.reindex(columns=shown.columns, fill_value=""), axis=None)
    st.dataframe(styled, key="pairs", hide_index=True, column_config=columns)
    more = st.expander("Show the data", key="pairs_data", on_change="rerun", type="compact")
    if more.open:
        with more:
            hsd = cached.tukey(chosen.scores, chosen.metric, chosen.testing)
            table = pair_table(family, hsd)
            st.caption(
                escape.markdown(f"p Tukey: {hsd.method}, seed {hsd.seed}; Monte Carlo error ±{hsd.p_error:.4f}.")
            )
            columns = {name: st.column_config.Column(name, help=text) for name, text in PAIR_HELP.items()}
            columns["difference"] = frame.number("difference", "%+.3f", help=PAIR_HELP["difference"])
            columns |= {end: frame.number(end, help=PAIR_HELP[end]) for end in ("low", "high")}
            frame.table(table, "pairs_table", column_config=columns)
            frame.download(table, "ragdash-pairs.csv")


def pair_matrix(family: Comparisons, chosen: Picks) -> tuple[pd.DataFrame, Any]:
    """Row minus column as text with its mark, the best run first; and which cells are told apart."""
    sign = 1 if chosen.metric.block.higher_is_better else -1
    means = {row.run: row.mean for row in family.rows} | {row.baseline: row.mean_baseline for row in family.rows}
    order = sorted(means, key=lambda name: -sign * means[name])
    cells = pd.DataFrame("", index=order, columns=order)
    apart = np.zeros((len(order), len(order)), dtype=bool)
    turned = {"better": "worse", "worse": "better"}
    for row in family.rows:
        for one, other, by, verdict in (
            (row.run, row.baseline, row.difference, row.verdict),
            (row.baseline, row.run, -row.difference, turned.get(row.verdict, row.verdict)),
        ):
            cells.loc[one, other] = f"{MARKS[verdict]} {wording.signed(by)}"
            apart[order.index(one), order.index(other)] = verdict in turned
    return cells, apart


def pair_table(family: Comparisons, hsd: stats.TukeyResult) -> pd.DataFrame:
    """One row for each pair."""
    place = {name: i for i, name in enumerate(family.scores.experiment.run_names)}
    return pd.DataFrame(
        {
            "run": [row.run for row in family.rows],
            "against": [row.baseline for row in family.rows],
            "difference": [row.difference for row in family.rows],
            "low": [row.ci[0] if row.ci else None for row in family.rows],
            "high": [row.ci[1] if row.ci else None for row in family.rows],
            "p": [wording.p_value(row.chosen.p) for row in family.rows],
            "p corrected": [wording.p_value(row.p_corrected) for row in family.rows],
            "p Tukey": [wording.p_value(float(hsd.p[place[row.run], place[row.baseline]])) for row in family.rows],
            "says": [SAYS[row.verdict] for row in family.rows],
        }
    )


def reading(row: Comparison) -> list[str]:
    """Details: how to read the numbers."""
    counts = row.counts
    return [
        escape.markdown(f"Means: {wording.number(row.mean_baseline)} and {wording.number(row.mean)}."),
        escape.markdown(f"Wins {counts.wins:,}, ties {counts.ties:,}, losses {counts.losses:,}; ties are below 1e-9."),
        escape.markdown(f"95 % interval: {row.ci_method}."),
        *(
            escape.markdown(f"{stats.TESTS[key].name}: {result.method}. {stats.TESTS[key].reference}.")
            for key, result in row.tests.items()
        ),
        escape.markdown(
            f"The difference over K and the power curve are as strict as the verdict: level {row.alpha:.3g} for one of "
            f"{wording.count(row.n_tests, 'test')}."
        ),
        *(escape.markdown(caveat) for caveat in row.caveats),
    ]


def why_these_defaults() -> None:
    """What the simulation saw, in short: in percent, by number of questions."""
    st.markdown(f"**Why these defaults?** {escape.markdown(SUMMARY)}")
    rows = [{"what was counted": one.question, "way": one.way} for one in stats.EVIDENCE]
    table = pd.DataFrame(rows)
    for i, n in enumerate(SIZES):
        table[f"{n:,}"] = [one.percent[i] for one in stats.EVIDENCE]
    columns: dict[str, Any] = {
        f"{n:,}": frame.number(f"{n:,}", "%.1f%%", help=f"With {n:,} questions.", width=64) for n in SIZES
    }
    columns["what was counted"] = st.column_config.TextColumn(width="large")
    frame.table(table, "evidence", column_config=columns)


def over_k(row: Comparison, chosen: Picks) -> None:
    """The difference at every cutoff with its band and its sentence."""
    curve = cached.differences_over_k(chosen.scores, row)
    if len(curve) < 2:
        frame.nothing("This metric has no cutoff to vary.")
        return
    label = chosen.metric.block.label
    cut = cut_of(row.metric)
    both = theme.short(row.baseline), theme.short(row.run)
    frame.chart(charts.over_k(curve, label, *both, cut.at or chosen.k, cut), "over_k")
