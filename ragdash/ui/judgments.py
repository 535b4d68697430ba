"""What does the Judgments page say around the judging? The answer, disputes, what was judged here, judged shares."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from ragdash import escape, wording
from ragdash.analysis.judged import Pair
from ragdash.analysis.judging import settled_by
from ragdash.charts import judging as charts
from ragdash.charts import theme
from ragdash.report import judgments as written
from ragdash.report.judgments import Said
from ragdash.store import Judgment, Ruling
from ragdash.ui import frame, judged, judging, links, names, notes, session, unjudged
from ragdash.ui.picks import Picks
from ragdash.ui.shelf import SAMPLES
from ragdash.ui.unjudged import Unjudged

MOST_DISPUTES, MOST_CHANGED = 10, 200


def judged_by_evidence(chosen: Picks) -> None:
    """A metric over evidence does not look at judgments of documents: that is said, and the page ends."""
    if not chosen.metric.block.needs_spans:
        return
    session.put(judge=None)
    frame.end()
    frame.answer(f"Nothing to judge: {escape.markdown(chosen.metric.label)} looks at evidence, not at judgments.")
    frame.nothing("Evidence says which characters of a document answer a question, for any chunking. A metric over "
                  "documents, such as nDCG, looks at judgments.")  # fmt: skip
    links.from_evidence(chosen)
    made(chosen)
    frame.details([], chosen)
    st.stop()


def answer(found: Unjudged) -> str:
    """The page's answer, escaped."""
    room = found.bounds
    return wording.trust_labels(room.n_unjudged, found.judged_share, room.k, room.could_change)


def verdict(found: Unjudged, chosen: Picks) -> None:
    """What the Verdict page says now, and how few documents may be enough."""
    run, baseline = names.said(chosen.contender), names.said(chosen.baseline)
    headline = wording.headline(found.answer.verdict, run, baseline, escape.markdown(found.answer.why))
    told = [f"**The verdict now:** {headline}"]
    few = settled_by(found.bounds)
    if few is not None:
        told.append(wording.enough_to_judge(few[1], few[0], found.bounds.n_unjudged))
    rest = len(found.queue) - found.bounds.n_unjudged
    if rest > 0:
        more = "more document" if rest == 1 else "more documents"
        told.append(f"{rest:,} {more} of other runs {'is' if rest == 1 else 'are'} unjudged as well.")
    st.markdown(" ".join(filter(None, told)))


def room(found: Unjudged, chosen: Picks) -> None:
    """The bar, and its marks in words."""
    before = unjudged.before(chosen)
    told = [f"{one.sign} {one.name} **{wording.signed(one.difference)}**" for one in charts.marks(found.bounds, before)]
    frame.chart(charts.room(found.bounds, chosen.baseline, chosen.contender, before), "room")
    st.markdown("  \n".join(told))


def disputes(chosen: Picks) -> None:
    """Where grades differ and nobody has decided: each with what was said, and what may count."""
    found = {pair: one for pair, one in judged.ruled(chosen.experiment).items() if one.is_open}
    if not found:
        return
    n = wording.count(len(found), "document")
    st.warning(
        f"**Grades differ on {n}.** Nothing was overwritten; say which one counts.", icon=":material/difference:"
    )
    for place, (pair, one) in enumerate(list(found.items())[:MOST_DISPUTES]):
        _dispute(place, pair, one, chosen)
    if len(found) > MOST_DISPUTES:
        st.caption(f"{len(found) - MOST_DISPUTES:,} more follow when these are decided.")


def _dispute(place: int, pair: Pair, one: Ruling, chosen: Picks) -> None:
    said: dict[float, list[str]] = {} if one.in_file is None else {one.in_file: ["the files"]}
    for row in one.said:
        if row.grade is not None:
            said.setdefault(float(row.grade), []).append(
                escape.markdown(escape.shortened(row.author or "somebody", 40))
            )
    experiment = chosen.experiment
    text = experiment.query_texts[experiment.query_index[pair[0]]] if pair[0] in experiment.query_index else pair[0]
    may = session.may_edit()
    with st.container(horizontal=True, vertical_alignment="center", key=f"dispute_{place}", gap="small"):
        st.markdown(
            f"“{escape.markdown(escape.shortened(escape.one_line(text), 80))}”: "
            f"**{escape.markdown(escape.shortened(escape.one_line(pair[1]), 60))}**",
            width="content",
        )
        for grade, who in said.items():
            counts = ", counts now" if grade == one.grade else ""
            st.button(
                f"**{grade:g}** {wording.listed(who)}{counts}", key=f"dispute_{place}_{grade:g}", disabled=not may,
                help=None if may else notes.VIEW_ONLY, on_click=_decide,
                args=(pair, grade, one.newest.number),
            )  # fmt: skip


def _decide(pair: Pair, grade: float, upto: int) -> None:
    session.attempt(lambda: judged.decide(pair, grade, upto))


def where_kept() -> None:
    """Where judgments go, and for how long."""
    access = session.access()
    if access is not None and not access.may_edit:
        st.caption(notes.VIEW_ONLY)
    elif access is None:
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="kept_here"):
            what = "The sample is never changed: " if session.get("source") in SAMPLES else ""
            st.caption(f"{what}what you judge is kept for this tab alone, and gone with it.", width="content")
            st.button("Keep it in a workspace of my own", key="keep_all", type="tertiary", icon=":material/save:",
                      disabled=not judged.kept().judgments, on_click=judged.keep_all)  # fmt: skip
    elif access.private:
        st.caption("Nothing is kept on the server's disk: judgments end with the workspace, after a day without use.")
    else:
        st.caption("Kept with the workspace, with who judged and when. Nobody's judgment is overwritten.")


def made(chosen: Picks) -> None:
    """What was judged here: whether it counts, the list, files, and the way to change one."""
    said = judged.kept().judgments
    if not said:
        return
    rows = judged.rows(chosen.experiment)
    with st.container(horizontal=True, vertical_alignment="center", key="made", gap="medium"):
        st.markdown(f"**{wording.count(len(rows), 'judgment')} made here**", width="content")
        widget = session.show("judged_count", judged.on())
        st.toggle("They count, on every page", key=widget, on_change=lambda: judged.switch(st.session_state[widget]),
                  help="Off: scores, verdict and report are those of the files alone.")  # fmt: skip
    table = shown(said, rows, chosen)
    frame.table(
        table,
        "made_table",
        placeholder="–",
        rows=200,
        column_config={"grade": frame.number("grade", "%g")},
        alt="Judgments made here",
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="made_files"):
        _change(said, chosen)
        files(rows)


def shown(said: tuple[Judgment, ...], rows: list[Said], chosen: Picks) -> pd.DataFrame:
    """The same for the screen, newest first: with the question's text and the document's title."""
    experiment = chosen.experiment
    newest = sorted(said, key=lambda one: -one.number)
    known = experiment.documents.look_up(list(dict.fromkeys(one.doc_id for one in newest)))
    table = []
    for one, out in zip(newest, reversed(rows)):
        at = experiment.query_index.get(one.query_id)
        question = one.query_id if at is None else experiment.query_texts[at]
        title = known.get(one.doc_id, (None, None))[0]
        state = "counts" if out.counts else "cannot tell" if one.grade is None else "another grade counts"
        table.append(
            {
                "question": escape.shortened(escape.one_line(question), 80),
                "document": escape.shortened(escape.one_line(f"{title} ({one.doc_id})" if title else one.doc_id), 80),
                "grade": one.grade,
                "state": state if judged.on() or not out.counts else "switched off",
                "by": one.author,
                "when (UTC)": f"{one.at:%Y-%m-%d %H:%M}",
            }
        )
    return pd.DataFrame(table)


def _change(said: tuple[Judgment, ...], chosen: Picks) -> None:
    """A judged document back into the panel, with keys alone too."""
    if not session.may_edit():
        return
    pairs = list(dict.fromkeys((one.query_id, one.doc_id) for one in sorted(said, key=lambda one: -one.number)))
    known = chosen.experiment.query_index
    pairs = [pair for pair in pairs if pair[0] in known][:MOST_CHANGED]
    widget = session.generation("change_judgment")

    def change() -> None:
        judging.open_again(st.session_state[widget])
        session.generation("change_judgment", bump=True)

    st.selectbox(
        "Change a judgment", pairs, index=None, key=widget, placeholder="Change a judgment", width=320,
        label_visibility="collapsed", on_change=change,
        format_func=lambda pair: escape.shortened(escape.one_line(f"{pair[0]}: {pair[1]}"), 60),
    )  # fmt: skip


def files(rows: list[Said]) -> None:
    """Who said what and when, for other hands."""
    for label, name, make, mime in (
        ("CSV", "judgments.csv", written.as_csv, "text/csv"),
        ("JSON", written.FILE, written.as_json, "application/json"),
    ):
        st.download_button(
            f"Judgments made here as {label}", data=lambda make=make: make(rows), file_name=name, mime=mime,  # type: ignore[misc]
            icon=":material/download:", key=f"download_{name}", on_click="ignore",
        )  # fmt: skip


def shares(chosen: Picks) -> None:
    """How much of each run's top is judged, at every cutoff: the picture and the table."""
    curves = unjudged.shares(chosen)
    inks = theme.inks(chosen.experiment.run_names, chosen.baseline, chosen.contender)
    left, right = st.columns([3, 2], gap="large")
    with left:
        frame.chart(charts.shares(curves, inks, chosen.k), "shares")
    with right:
        st.markdown("**Judged share of each run's top K**")
        table = share_table(curves)
        columns = {name: frame.number(f"K = {name}", "percent") for name in table if name != "run"}
        columns["run"] = st.column_config.TextColumn("run", width=130)
        frame.table(table, "share_table", column_config=columns, alt="Judged share of each run's top K")
        frame.download(table, "ragdash-judged-shares.csv")


def share_table(curves: Mapping[str, list[tuple[int, float]]]) -> pd.DataFrame:
    """One row a run, one column a cutoff."""
    return pd.DataFrame([{"run": name, **{str(k): share for k, share in curve}} for name, curve in curves.items()])


def way_back() -> None:
    """To the question that was open last, whose row the list shows."""
    query = session.get("query")
    if query:
        st.page_link(
            "pages/query.py", label="Back to the question", icon=":material/arrow_back:", query_params=session.params()
        )


def reading(found: Unjudged, chosen: Picks) -> list[str]:
    """Details: what is counted, what is assumed, and the order."""
    room = found.bounds
    return [
        escape.markdown(
            f"{room.n_pooled:,} different documents stand in the top {room.k} of {chosen.baseline} and "
            f"{chosen.contender}, {room.n_unjudged:,} of them unjudged; in the top {room.k} of all runs "
            f"{len(found.queue):,} are."
        ),
        "If relevant, an unjudged document is taken to have the highest grade in use, so that nothing larger could "
        "come of it; what helps a run is what it ranks higher than the other.",
        escape.markdown(
            f"The answer is who is ahead: whether the interval of the mean difference (level {room.level:.4g}) "
            "excludes zero, as strictly as the verdict does."
        ),
        "Documents are pooled over all runs. Questions come first whose documents can move the difference most; within "
        "a question they stand in the order of a digest, which says nothing of rank or run.",
        "The judged share of a run is its mean Judged@K, over the questions that count.",
    ]
