"""Which questions, and what do they have in common? The dense table, worst first; a row opens its question."""

import streamlit as st

from ragdash.ui import frame, selection, tables

chosen = frame.compared("pages/queries.py")
found = selection.select(chosen)
frame.answer(selection.title(chosen, found))
selection.causes(chosen, found)
selection.bar(chosen, found)
if found.table.empty:
    frame.nothing(selection.why_empty(chosen, found))
else:
    first = tables.first_row(found.table)
    shown = tables.window(found.table, first)
    tables.open_picked(tables.queries(shown, chosen, "queries"), shown)
    with st.container(horizontal=True, vertical_alignment="center"):
        tables.turn(found.table, first)
        tables.open_named(shown)
    frame.download(found.table, "ragdash-queries.csv")
frame.details(selection.reading(chosen), chosen)
