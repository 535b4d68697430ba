"""What does every page have? Its question, the strip, notices, empty states; charts with their table; the details."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import pandas as pd
import streamlit as st

from ragdash import escape, wording
from ragdash.analysis.judged import said as made_here
from ragdash.charts.theme import Chart
from ragdash.data.limits import check_limits
from ragdash.data.remedies import titled
from ragdash.errors import OptionError, RagdashError
from ragdash.report.files import csv_file
from ragdash.store import Settings
from ragdash.ui import controls, judged, links, names, nav, picks, picture, session, signin
from ragdash.ui.picks import Picks
from ragdash.ui.style import STYLE


def begin(file: str) -> None:
    """First thing in every page: pages registered, URL read, the page's question drawn."""
    start()
    question(file)


def start() -> None:
    """Pages registered, whoever is there let in, URL read."""
    nav.ensure()
    settings()
    signin.gate()
    session.begin()
    st.html(STYLE)
    undone = session.trouble()
    if undone:
        st.error(undone, icon=":material/error:")
    links.view_only()


def settings() -> None:
    """Before every page: a setting of the server that cannot be used is said, and nothing is read with a guess."""
    try:
        check_limits()
        Settings.of()
        signin.settings()
    except OptionError as error:
        st.error(escape.markdown(str(error)), icon=":material/error:")
        st.stop()


def question(file: str) -> None:
    """What the page answers."""
    st.subheader(nav.PLACES[file].question, anchor=False)


def end() -> None:
    """Last thing in every page: the menu and the link to copy, which carry what the page has settled on."""
    nav.menu(session.params())
    links.button()
    signin.menu()


def compared(file: str, *, ends: bool = True, beneath: Callable[[], None] | None = None) -> Picks:
    """Begin a page that compares runs: everything picked, or an empty state that says what is missing and stops.

    A page that goes on to settle something that belongs into the menu's links says `ends=False` and calls `end` itself;
    `beneath` draws what is there also where nothing can be compared.
    """
    begin(file)
    workspace = session.workspace()
    if workspace is None:
        if session.lost():
            lost()
        empty(
            "Nothing is loaded yet.",
            "This page compares two or more retrieval runs on the same questions. Load your files, or look around with "
            "the sample: questions to a help centre, and five runs that really retrieved.",
            beneath=beneath,
        )
    try:
        experiment = judged.experiment(workspace, picks.remedies())
    except RagdashError as error:
        empty("The files do not make a comparison yet.", escape.markdown(str(error)), sample=False, beneath=beneath)
    if not experiment.runs:
        aside = wording.listed([escape.markdown(run.name) for run in experiment.set_aside])
        why = f"{aside} and the dataset share no question."
        empty("No run answers the dataset's questions.", why, sample=False, beneath=beneath)
    if len(experiment.runs) < 2:
        name = escape.markdown(experiment.run_names[0])
        if experiment.set_aside:
            why = escape.markdown(wording.set_aside([run.name for run in experiment.set_aside]))
            empty("One run can be scored: a comparison needs two.", f"{why} Data shows what the ids look like.",
                  sample=False)  # fmt: skip
        why = f"Add a run to compare with {name}."
        empty("One run is loaded: a comparison needs two.", why, sample=False, beneath=beneath)
    chosen = picks.picks(experiment)
    controls.strip(chosen)
    told(chosen)
    told_words()
    misread(chosen)
    if not chosen.scores.n:
        none_counts(chosen)
    if ends:
        end()
    return chosen


def misread(chosen: Picks) -> None:
    """A run whose ids meet none of the judgments scores 0 because of its ids: said, and never compared."""
    pair = (chosen.baseline, chosen.contender)
    for finding in chosen.experiment.findings:
        if finding.severity == "error" and finding.run in pair:
            empty(
                f"Not comparable: {names.said(finding.run)} does not fit the dataset.",
                f"{names.trimmed(names.finding(finding), pair)} Data offers what mends it.",
                sample=False,
            )


def none_counts(chosen: Picks) -> NoReturn:
    """The settings leave no question: which, and the way back. Ends the page."""
    answer("Not comparable: no question is left.")
    if chosen.options.missing == "common":
        st.markdown("No question was answered by every run, and the settings leave out those that one did not answer.")
    else:
        st.markdown("No question has a relevant document, and the settings leave such questions out.")
    st.button("Count them as 0", type="primary", icon=":material/undo:", key="count_them", on_click=session.put,
              kwargs={"missing": None, "no_relevant": None})  # fmt: skip
    end()
    st.stop()


def told_words() -> None:
    """What the link asked for in vain, and the word that the last action left."""
    for text in session.notices():
        st.warning(text, icon=":material/link_off:")
    left = session.message()
    if left:
        st.toast(left, icon=":material/info:")


def told(chosen: Picks) -> None:
    """Dataset, number of questions and runs, and what was done to them, in one line."""
    experiment = chosen.experiment
    parts = [
        escape.markdown(escape.shortened(experiment.dataset.name, 40)),
        wording.count(chosen.scores.n, "question"),
        wording.count(len(experiment.runs), "run"),
    ]
    added = made_here(experiment)
    if added:
        parts.append(f"judgments made here: {added}")
    if experiment.set_aside:
        parts.append(f"{wording.count(len(experiment.set_aside), 'run')} not scored (see Data)")
    parts += [escape.markdown(escape.shortened(titled(remedy), 60)) for remedy in experiment.remedies]
    if chosen.metric.block.needs_spans:
        parts.append("compared by evidence spans, the same for every run")
    elif experiment.labels_differ:
        parts.append("each run judged by the labels of its own chunks")
    st.caption(" · ".join(parts))


def empty(title: str, why: str, *, sample: bool = True, beneath: Callable[[], None] | None = None) -> NoReturn:
    """What is missing, why it matters, the one button that mends it. Ends the page."""
    with st.container(border=True, key="empty", width=640):
        st.markdown(f"**{title}**")
        st.markdown(why)
        with st.container(horizontal=True):
            if sample and st.button("Try it with sample data", type="primary", icon=":material/science:"):
                session.open_sample()
                st.rerun()
            if st.button("Go to Data", type="secondary" if sample else "primary", icon=":material/upload_file:"):
                nav.go("pages/data.py", session.params())
    if beneath is not None:
        beneath()
    end()
    st.stop()


def lost() -> None:
    """The link leads to nothing any more, and why."""
    error = session.lost()
    if error is not None:
        st.warning(escape.markdown(str(error)), icon=":material/link_off:")


def answer(text: str) -> None:
    """The page's answer, the largest words on it. `text` is escaped already."""
    st.header(text, anchor=False)


def chart(chart: Chart, key: str, *, select: bool = False, config: dict[str, Any] | None = None) -> Any:
    """A chart under its finding, its data under it. Returns the selection where `select` is asked for."""
    st.markdown(f"**{escape.markdown(chart.title)}**")
    options: dict[str, Any] = {"on_select": "rerun", "selection_mode": ("points", "box", "lasso")} if select else {}
    event = st.plotly_chart(
        chart.figure,
        key=key,
        alt=chart.title,
        config={"displayModeBar": False, **(config or {})},
        **options,
    )
    shown = st.expander("Show the data", key=f"{key}_data", on_change="rerun", type="compact")
    if shown.open:
        with shown:
            table(chart.table, key=f"{key}_table", rows=200)
            with st.container(horizontal=True, gap="small", vertical_alignment="center"):
                download(chart.table, f"ragdash-{key}.csv")
                picture.downloads(chart, key)
    return event


def table(frame: pd.DataFrame, key: str, *, rows: int | None = None, select: bool = False, **options: Any) -> Any:
    """A table of text and numbers: three decimals, right-aligned; at most `rows` of them are sent."""
    shown = frame if rows is None else frame.head(rows)
    if rows is not None and len(frame) > rows:
        st.caption(f"The first {rows:,} of {len(frame):,} rows; the download has them all.")
    columns = {str(name): number(str(name)) for name in shown.columns if pd.api.types.is_float_dtype(shown[name])}
    columns.update(options.pop("column_config", {}))
    if select:
        options |= {"on_select": "rerun", "selection_mode": ("single-row", "single-cell")}
    return st.dataframe(shown, key=key, hide_index=True, column_config=columns, **options)


def number(label: str, fmt: str = "%.3f", **options: Any) -> Any:
    """A column of scores."""
    return st.column_config.NumberColumn(label, format=fmt, **options)


def download(frame: pd.DataFrame | Callable[[], pd.DataFrame], name: str, label: str = "Download CSV") -> None:
    """The table as CSV, made on click: UTF-8 with a mark that Excel needs, text that would be a formula defused."""
    st.download_button(
        label,
        data=lambda: csv(frame() if callable(frame) else frame),
        file_name=name,
        mime="text/csv",
        key=f"download_{name}",
        icon=":material/download:",
        on_click="ignore",
    )


def csv(frame: pd.DataFrame) -> bytes:
    """UTF-8 with a byte order mark; text cells escaped, numbers in full precision."""
    return csv_file(frame, {})


def details(lines: list[str], picks: Picks | None = None, more: Callable[[], None] | None = None) -> None:
    """Numbers for engineers, closed under what everybody reads. Lines are escaped already; `more` draws beneath."""
    with st.expander("Details for engineers", key="details", type="compact"):
        for line in lines:
            st.markdown(f"- {line}")
        if more is not None:
            more()
        if picks is not None:
            st.caption(controls.in_force(picks))


def nothing(text: str) -> None:
    """A part of the page that has nothing to show, and why. `text` is escaped already."""
    st.info(text, icon=":material/inbox:")
