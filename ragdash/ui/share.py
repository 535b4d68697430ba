"""What goes out, and how does it look? The report's blocks, title, remarks and questions; its preview; the tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from ragdash import escape
from ragdash.analysis.judged import said as made_here
from ragdash.errors import RagdashError
from ragdash.report import evidence, files, marks
from ragdash.report import judgments as written
from ragdash.report import tables as tabled
from ragdash.report.blocks import BLOCKS
from ragdash.report.contents import Contents
from ragdash.report.study import Study
from ragdash.report.workbook import check_rows, workbook
from ragdash.ui import cached, judged, keeping, notes, session
from ragdash.ui.picks import Picks
from ragdash.ui.shelf import shelf

CHOICE = "report"  # under which the workspace keeps what the report should hold
OFFERED = 20  # questions of either end that the picker lists; others are typed
HEIGHT = 860


def study(chosen: Picks) -> Study:
    """What is picked, as the report takes it."""
    return cached.study(chosen.scores, chosen.baseline, chosen.contender, chosen.metric, chosen.testing)


def contents(study: Study) -> Contents:
    """Pickers for what the report holds; kept with the workspace by those who may edit it."""
    now = _kept(study)
    _text(st.text_input, "Title", "title", now.title, placeholder=f"{study.contender} against {study.baseline}")
    _text(st.text_area, "Your remarks", "remarks", now.remarks, height=110,
          placeholder="What you decided, and why. A blank line begins a paragraph.")  # fmt: skip
    _questions(study, now.queries)
    _blocks(now.blocks)
    return replace(now, notes=notes.remarks())


def _text(field: Callable[..., Any], label: str, key: str, value: str, **options: Any) -> None:
    widget = session.show(f"report_{key}", value)
    field(label, key=widget, on_change=lambda: _keep(key, st.session_state[widget]), max_chars=5_000, **options)


def _questions(study: Study, now: tuple[str, ...]) -> None:
    """Questions to show in full: the ends of the table, those with notes, the one looked at last; others by id."""
    ids = study.queries["query_id"].tolist()
    near = [session.get("query"), *(note.query_id for note in notes.kept()), *ids[:OFFERED], *ids[-OFFERED:][::-1]]
    known = study.focus.experiment.query_index
    texts = study.focus.experiment.query_texts

    def label(query: str) -> str:
        text = texts[known[query]] if query in known else query
        return escape.shortened(escape.one_line(f"{query}: {text}"), 60)

    widget = session.show("report_queries", list(now))

    def keep() -> None:
        wanted = [one.strip() for one in st.session_state[widget]]
        strange = [one for one in wanted if one not in known]
        if strange:
            session.message(f"No question has the id {escape.markdown(escape.shortened(strange[0], 40))}.")
        _keep("queries", [one for one in wanted if one in known])

    options = list(dict.fromkeys(one for one in [*now, *near] if one in known))
    st.multiselect("Questions in full", options, key=widget, format_func=label, on_change=keep,
                   accept_new_options=True, placeholder="Choose, or type an id")  # fmt: skip


def _blocks(now: tuple[str, ...] | None) -> None:
    """One box a part."""
    keys = [block.key for block in BLOCKS if now is None or block.key in now]
    with st.container(key="parts", gap=None):
        st.caption("Parts")
        _boxes(keys)


def _boxes(keys: list[str]) -> None:
    for block in BLOCKS:
        widget = session.show(f"report_block_{block.key}", block.key in keys)

        def keep(key: str = block.key) -> None:
            wanted = set(keys) ^ {key}
            _keep("blocks", [one.key for one in BLOCKS if one.key in wanted])

        st.checkbox(block.title, key=widget, help=block.sentence, on_change=keep)


def _kept(study: Study) -> Contents:
    """What was chosen for the report; what no longer fits (a part, a question) is left out."""
    said = _said()
    blocks, queries = said.get("blocks"), said.get("queries")
    known = study.focus.experiment.query_index
    return Contents(
        title=str(said.get("title") or ""),
        remarks=str(said.get("remarks") or ""),
        blocks=tuple(one.key for one in BLOCKS if one.key in blocks) if isinstance(blocks, list) else None,
        queries=tuple(dict.fromkeys(str(one) for one in queries if str(one) in known))
        if isinstance(queries, list)
        else (),
    )


def _said() -> dict[str, Any]:
    """As the workspace has it; for those who only look, and for the sample, as this session has it."""
    access = session.access()
    kept = shelf().store.choices(access).get(CHOICE) if access else None
    mine = st.session_state.get("_report", {}).get(session.get("source"))
    said = kept if mine is None or (access and access.may_edit) else mine
    return dict(said) if isinstance(said, dict) else {}


def _keep(key: str, value: Any) -> None:
    said, access = {**_said(), key: value}, session.access()
    if access is not None and access.may_edit:
        session.attempt(lambda: shelf().store.choose(access, {CHOICE: said}))
    else:
        st.session_state.setdefault("_report", {})[session.get("source")] = said


def download(study: Study, contents: Contents) -> None:
    """The report as one file, made on click."""
    light = st.checkbox("Pictures instead of interactive charts", key="report_static",
                        help="The file is 2 MB smaller, and runs no script at all.")  # fmt: skip
    wanted = replace(contents, interactive=not light)
    st.download_button(
        "Download the report",
        data=lambda: cached.report(study, wanted).encode(),
        file_name=f"{keeping.file_name(contents.title or study.contender)}.html",
        mime="text/html",
        icon=":material/download:",
        type="primary",
        on_click="ignore",
        key="download_report",
    )
    st.caption("One HTML file: it needs no network, opens from a mail and prints to PDF.")


def preview(study: Study, contents: Contents) -> None:
    """The report as it will be. Its own policy lets no script run and nothing be fetched."""
    try:
        text = cached.report(study, replace(contents, interactive=False))
    except RagdashError as error:
        st.error(escape.markdown(str(error)))
        return
    with st.container(border=True, key="preview"):
        st.iframe(text, height=HEIGHT, alt="Preview of the report")


def tables(study: Study) -> None:
    """The same numbers for other hands, to the last digit; each file names the settings in force."""
    wide, rows = study.wide, study.comparisons
    settings = evidence.settings_of(wide, rows)
    added = made_here(study.scores.experiment)
    judgments = judged.rows(study.scores.experiment)
    dataset = study.scores.experiment.dataset
    name = keeping.file_name(f"{study.contender} against {study.baseline}")
    offers: list[tuple[str, str, Callable[[], bytes], str]] = [
        ("Means", "means.csv", lambda: files.csv_file(tabled.means_table(wide), settings), "CSV for a spreadsheet"),
        ("Differences", "differences.csv", lambda: files.csv_file(tabled.comparison_table(rows), settings),
         "CSV: intervals, wins and losses, p-values"),
        ("Per question", "per-question.csv", lambda: files.csv_file(tabled.per_query_table(wide), settings),
         "CSV: every run's score on every question"),
        ("Excel", "tables.xlsx", lambda: workbook(rows, study.findings, wide), "All of these as one workbook"),
        ("Markdown", "table.md", lambda: marks.markdown(rows).encode(), "For a wiki or a pull request"),
        ("LaTeX", "table.tex", lambda: marks.latex(rows).encode(), "For a paper, with significance marks"),
        ("JSON", "comparison.json", lambda: evidence.as_json(evidence.compared(rows, study.findings)).encode(),
         "The whole evidence, for a program"),
        ("Judgments", "qrels.txt", lambda: files.qrels_file(dataset),
         f"TREC qrels; judgments made here: {added}" if added else "TREC qrels"),
    ]  # fmt: skip
    if judgments:
        offers += [
            ("Judgments made here (CSV)", "judgments.csv", lambda: written.as_csv(judgments),
             "Who judged what, and when"),
            ("Judgments made here (JSON)", written.FILE, lambda: written.as_json(judgments),
             "Who judged what, and when; --judgments on the command line counts them"),
        ]  # fmt: skip
    cannot = {"Judgments": _trouble(lambda: files.check_qrels(dataset)), "Excel": _trouble(lambda: check_rows(wide))}
    st.markdown("**Tables for other hands**")
    with st.container(horizontal=True, key="tables", gap="small"):
        for label, ending, make, help in offers:
            why = cannot.get(label, "")
            st.download_button(label, data=b"" if why else _spoken(make), file_name=f"{name}-{ending}",
                               disabled=bool(why), help=escape.markdown(why) or help, on_click="ignore",
                               icon=":material/download:", key=f"table_{ending}")  # fmt: skip
    for label, why in cannot.items():
        if why:
            st.caption(f":material/warning: {label} cannot be written. {escape.markdown(why)}")


def _trouble(check: Callable[[], None]) -> str:
    """Why a table cannot be written (an id with a blank as TREC, too many rows for Excel); "" where it can."""
    try:
        check()
    except RagdashError as error:
        return str(error)
    return ""


def _spoken(make: Callable[[], bytes]) -> Callable[[], bytes]:
    """What fails only on click (a workspace that was deleted meanwhile) says so in the file."""

    def made() -> bytes:
        try:
            return make()
        except RagdashError as error:
            return f"{error}\n".encode()

    return made
