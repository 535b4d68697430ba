"""What does the Verdict page say? Counts before means, three doors to the questions, the trust list, all runs."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ragdash import escape, stats, wording
from ragdash.analysis.compare import Comparison
from ragdash.analysis.gaps import Gap
from ragdash.analysis.measured import measured
from ragdash.analysis.trust import Check
from ragdash.charts import differences, theme
from ragdash.report import reading
from ragdash.stats import Counts
from ragdash.ui import cached, frame, links, names, nav, session
from ragdash.ui.picks import Picks

SIGNS = {
    "passed": ":green[:material/check_circle:]",
    "note": ":gray[:material/info:]",
    "failed": ":material/warning:",
    "unknown": ":gray[:material/help:]",
}


def headline(row: Comparison) -> str:
    """What to do, escaped."""
    run, baseline = names.said(row.run), names.said(row.baseline)
    at = reading.equal_reading(row.metric)
    return wording.headline(row.verdict, run, baseline, escape.markdown(row.why), at)


def counts_first(row: Comparison, gaps: Sequence[Gap]) -> None:
    """What happened to how many questions; then what that is in a hundred."""
    if row.verdict == "untestable" and row.n > 1:
        return  # neither helped nor hurt: there was nothing in common to compare
    counts = row.counts
    told = [wording.helped(row.n, counts.wins, counts.losses, counts.ties, names.said(row.run))]
    found = next((gap for gap in gaps if gap.metric.key == "Success"), None)
    if found is not None:
        what = f"A relevant document is in the top {found.metric.k}"
        told.append(wording.per_hundred(found.difference, found.ci, what, n=row.n, before=found.mean_baseline))
    told.append(names.trimmed(reading.evidence_told(row), (row.run, row.baseline)))
    st.markdown(" ".join(filter(None, told)))


def beside_quality(row: Comparison, chosen: Picks) -> None:
    """What runs of unlike chunks read; where quality does not decide, what else was measured may; runs that take no
    part are named."""
    read = reading.read_told(chosen.scores, row, chosen.k)
    if read:
        st.markdown(f":material/menu_book: {names.trimmed(read, (row.run, row.baseline))}")
    if row.verdict in ("equivalent", "undecided"):
        found = measured(chosen.scores, row.baseline, row.run)
        for one in found[:4]:
            told = wording.measured(
                one.name, one.median_baseline, one.median, one.n, one.lower, one.higher, row.run, row.baseline
            )
            st.markdown(f":material/speed: {names.trimmed(told, (row.run, row.baseline, one.name))}")
    if chosen.experiment.set_aside:
        aside = [run.name for run in chosen.experiment.set_aside]
        st.markdown(f":material/do_not_disturb_on: {names.trimmed(wording.set_aside(aside), aside)}")


def outcomes(counts: Counts) -> None:
    """Three counts, each of which opens its questions."""
    with st.container(horizontal=True, key="outcomes"):
        for show, label, count in (
            ("gains", "better ▲", counts.wins),
            ("same", "the same =", counts.ties),
            ("losses", "worse ▼", counts.losses),
        ):
            if st.button(f"**{count:,}** {label}", key=f"open_{show}", disabled=not count, help="Show these questions"):
                nav.go("pages/queries.py", session.only(show=show))


def trust(checks: Sequence[Check], row: Comparison) -> None:
    """Can you trust this? One line each, with a sign and its number."""
    st.markdown("**Can you trust this?**")
    with st.container(gap="xsmall", key="trust"):
        for check in checks:
            st.markdown(f"{SIGNS[check.state]} {names.trimmed(check.text, (row.run, row.baseline))}")
            if check.queries:
                opens(f"trust:{check.key}", len(check.queries))
            if check.key == "judged" and check.state != "passed":
                links.to_judgments()


def opens(line: str, n: int) -> None:
    """The questions behind a line, on the Queries page."""
    st.page_link(
        "pages/queries.py", label=f"Show {wording.count(n, 'question')}", query_params=session.only(line=line),
        icon=":material/arrow_forward:",
    )  # fmt: skip


def extremes(chosen: Picks) -> None:
    """The biggest gain and the biggest loss by name, each a link to its query."""
    table = cached.queries(chosen.scores, chosen.metric, chosen.baseline, chosen.contender)
    for title, show, place, sign in (("Biggest gain", "gains", -1, 1), ("Biggest loss", "losses", 0, -1)):
        if not len(table) or sign * float(table["difference"].iloc[place]) <= stats.EPS:
            continue
        found = table.iloc[place]
        text = escape.markdown(escape.shortened(escape.one_line(found["query"]), 90))
        told = wording.signed(float(found["difference"]))
        st.page_link(
            "pages/query.py",
            label=f"{title} {told}: “{text}”",
            icon=":material/trending_up:" if sign > 0 else ":material/trending_down:",
            query_params=session.only(query=found["query_id"], show=show),
        )


def every_run(chosen: Picks) -> None:
    """With three runs and more: one line each, sorted by the difference."""
    rows = cached.comparisons(chosen.scores, chosen.baseline, chosen.testing).rows
    rows = tuple(sorted(rows, key=lambda row: -row.difference))
    inks = theme.inks(chosen.experiment.run_names, chosen.baseline, chosen.contender)
    drawn = [differences.Whisker(row.run, row.difference, row.ci, inks[row.run].color) for row in rows]
    ahead = sum(row.verdict == "better" for row in rows)
    name = theme.short(chosen.baseline)
    title = f"{ahead} of {wording.count(len(rows), 'run')} beat {name} on {chosen.metric.label} beyond chance"
    if not ahead:
        title = f"No run beats {name} on {chosen.metric.label} beyond chance"
    frame.chart(
        differences.whiskers(rows=drawn, baseline=name, contender="the run", band=chosen.testing.band, title=title),
        "runs",
    )


def leading(chosen: Picks) -> None:
    """The runs that cannot be told apart from the best."""
    found = cached.leaders(chosen.scores, chosen.metric, chosen.testing)
    rows = cached.comparisons(chosen.scores, chosen.baseline, chosen.testing).rows
    if chosen.baseline in found.leading and any(row.verdict == "better" for row in rows):
        return  # the test of all pairs sees less than the test against the baseline: no two answers to one question
    best, *level = [names.said(name) for name in found.leading]
    behind = [names.said(row.run) for row in found.rows if row.run not in found.leading]
    if not level:
        st.markdown(f"**{best}** is ahead of every other run on {escape.markdown(chosen.metric.label)}.")
    elif not behind:
        st.markdown(f"No run stands out: {wording.listed([best, *level], 20)} cannot be told apart.")
    else:
        rest = f"{wording.listed(behind, 3)} {'is' if len(behind) == 1 else 'are'} behind"
        st.markdown(f"**{best}** has the best mean; {wording.listed(level, 20)} cannot be told apart from it; {rest}.")


def details(row: Comparison, chosen: Picks) -> None:
    """The test behind the sentence."""
    test, block = row.chosen, stats.TESTS[row.test]
    statistic = "" if test.statistic is None else f"statistic {wording.number(test.statistic)}, "
    df = "" if test.df is None else f"df {test.df:g}, "
    lines = [
        names.trimmed(row.sentence, (row.run, row.baseline)),
        escape.markdown(
            f"{block.name}: {statistic}{df}p {wording.p_value(test.p)}, corrected for {row.n_tests} "
            f"({stats.CORRECTIONS[chosen.testing.correction].name}): {wording.p_value(row.p_corrected)}."
        ),
        escape.markdown(f"95 % interval of the mean difference: {row.ci_method}. Intervals are not corrected."),
        *(escape.markdown(caveat) for caveat in row.caveats),
    ]
    frame.details(lines, chosen)
