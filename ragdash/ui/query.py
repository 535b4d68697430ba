"""What does the Query page say? The way through the filter, the question, its scores, the lists side by side."""

from __future__ import annotations

import streamlit as st

from ragdash import escape, wording
from ragdash.analysis.drilldown import QueryView, what_happened
from ragdash.analysis.evaluate import orientation
from ragdash.analysis.judged import added_to
from ragdash.analysis.seen import seen
from ragdash.report.reading import query_told
from ragdash.ui import frame, joins, links, lists, names, selection, session
from ragdash.ui.picks import Picks
from ragdash.ui.selection import Selection


def chosen_query(chosen: Picks, found: Selection) -> str:
    """The query of the URL; without one the first that the filter leaves."""
    wanted = session.get("query")
    if wanted and wanted in chosen.experiment.query_index:
        return wanted
    first = found.ids[0] if found.ids else chosen.experiment.query_ids[0]
    session.put(query=first)
    return first


def way(chosen: Picks, found: Selection, query_id: str) -> None:
    """Previous and next within the filter, with buttons and keys."""
    ids = found.ids
    at = ids.index(query_id) if query_id in ids else -1
    before, after = (ids[at - 1] if at > 0 else None), (ids[at + 1] if at + 1 < len(ids) else None)
    with st.container(horizontal=True, vertical_alignment="center", key="way"):
        st.button("Previous", icon=":material/chevron_left:", disabled=before is None, shortcut="P", key="previous",
                  on_click=session.put, kwargs={"query": before or query_id})  # fmt: skip
        st.button("Next", icon=":material/chevron_right:", icon_position="right", disabled=after is None, shortcut="N",
                  key="next", on_click=session.put, kwargs={"query": after or query_id})  # fmt: skip
        place = f"{at + 1:,} of {len(ids):,}" if at >= 0 else f"outside the {len(ids):,}"
        st.markdown(place, width="content")
        back = session.params(show=chosen.show, query=query_id, **{"from": None})
        st.page_link("pages/queries.py", label="Back to the list", icon=":material/list:", query_params=back)
        selection.chips(chosen, found, preset=True)


def question(view: QueryView) -> None:
    """The query's text, its id and what else the dataset says about it."""
    text = escape.one_line(view.text)
    frame.answer(escape.markdown(escape.shortened(text, 240)))
    told = [f"id {escape.markdown(escape.shortened(view.query_id, 60))}"]
    for name, value in list(view.metadata.items())[:8]:
        told.append(f"{escape.markdown(str(name))}: {escape.markdown(escape.shortened(str(value), 60))}")
    st.caption(" · ".join(told))
    if len(text) > 240:
        with st.expander("The whole question"):
            st.text(view.text)


def happened(view: QueryView, chosen: Picks) -> None:
    """One sentence on what happened, and the two scores."""
    if chosen.metric.block.needs_spans:
        sentence = query_told(chosen.scores, view.query_id, chosen.baseline, chosen.contender, chosen.k)
    else:
        sentence = what_happened(view, chosen.baseline, chosen.contender, chosen.k, chosen.options.threshold)
    st.markdown(f"**{names.trimmed(sentence, chosen.experiment.run_names)}**")
    at = chosen.scores.experiment.query_index[view.query_id]
    if not chosen.scores.counted[at]:
        st.info("This question is left out of every mean under the settings in force.")
    values = chosen.scores.values[:, 0, at]
    one = float(values[chosen.experiment.index_of(chosen.baseline)])
    other = float(values[chosen.experiment.index_of(chosen.contender)])
    difference = orientation(chosen.metric) * (other - one)
    before, after = names.said(chosen.baseline), names.said(chosen.contender)
    st.markdown(
        f"{escape.markdown(chosen.metric.label)}: :blue[●] {before} **{wording.number(one)}** · "
        f":orange[◆] {after} **{wording.number(other)}** · {wording.direction(difference)}"
    )


def unjudged(view: QueryView, chosen: Picks) -> None:
    """How many documents of the lists nobody judged, and the way to judge them."""
    holes = {one.doc_id for placed in view.lists.values() for one in placed[: chosen.k] if one.grade is None}
    if holes and not chosen.metric.block.needs_spans:
        n = wording.count(len(holes), "unjudged document")
        links.to_judgments(f"Judge {n} in the top {chosen.k}", view.query_id)


def relevant(view: QueryView, chosen: Picks) -> None:
    """All relevant documents and where each run has them."""
    if not view.relevant:
        if not chosen.metric.block.needs_spans:
            frame.nothing("No document is judged relevant for this question, so every run scores 0 on it.")
        return
    here = added_to(chosen.experiment, view.query_id)
    runs = list(dict.fromkeys([chosen.baseline, chosen.contender, *chosen.experiment.run_names]))
    st.html(lists.relevant_table(view, runs, chosen.k, chosen.options.threshold, here))


def side_by_side(view: QueryView, chosen: Picks) -> None:
    """The ranked lists in columns, baseline first."""
    others = [name for name in chosen.experiment.run_names if name not in (chosen.baseline, chosen.contender)]
    also = [name for name in session.get_all("also") if name in others][:2]
    if others:
        st.multiselect(
            "Also show",
            others,
            max_selections=2,
            key=session.show("pick_also", also),
            on_change=session.picked("pick_also", "also"),
            format_func=lambda name: escape.shortened(escape.one_line(name), 40),
            placeholder="Add another run's list",
            label_visibility="collapsed",
            width=420,
        )
    here = added_to(chosen.experiment, view.query_id)
    shown = lists.chosen_runs(chosen.baseline, chosen.contender, also)
    held = seen(chosen.scores, view.query_id, chosen.k, shown)
    with st.container(key=joins.KEY):
        joins.draw()
        columns = st.columns(len(shown), gap="large")
    for column, run in zip(columns, shown):
        with column:
            mark = {chosen.baseline: ":blue[●] ", chosen.contender: ":orange[◆] "}.get(run, "")
            st.markdown(f"**{mark}{escape.markdown(escape.shortened(run, 40))}**")
            other = chosen.baseline if run != chosen.baseline else chosen.contender
            ranks = {rank for proof in held.proofs for rank in proof.ranks[run]} if held else set()
            st.html(lists.ranked(view, run, other, chosen.k, chosen.options.threshold, here, ranks))
