"""Where do the runs differ? Questions by runs as squares, and how alike each two runs are."""

import streamlit as st

from ragdash.charts import runs as charts
from ragdash.ui import frame, inspected, runs, selection, tables

chosen = selection.unless_picked(frame.compared("pages/runs.py"), "disagree")
found = selection.select(chosen)
frame.answer(runs.answer(chosen, found))
selection.bar(chosen, found)
left, right = st.columns([3, 2], gap="large")
with left:
    if found.table.empty:
        frame.nothing(selection.why_empty(chosen, found))
    else:
        first = tables.first_row(found.table)
        shown = tables.window(found.table, first)
        event = frame.chart(runs.squares(shown, chosen), "squares", select=True)
        runs.open_square(event, shown, chosen)
        with st.container(horizontal=True, vertical_alignment="center"):
            tables.turn(found.table, first)
            tables.open_named(shown, show=chosen.show)
with right:
    frame.chart(charts.alike(inspected.agreement(chosen)), "alike")
frame.details(runs.reading(chosen), chosen)
