"""Which relevant documents were lost or gained, and why? One row for each that entered or left the top K."""

import streamlit as st

from ragdash.ui import frame, ledger, selection, tables

chosen = selection.unless_picked(frame.compared("pages/ledger.py"), "all")
ledger.by_evidence(chosen)
found = selection.select(chosen)
every = ledger.rows(chosen, found)
frame.answer(ledger.answer(every, chosen))
ledger.bar(every, chosen, found)
table = ledger.picked(every)
if table.empty:
    frame.nothing(ledger.why_empty(every, chosen))
else:
    first = tables.first_row(table)
    shown = tables.window(table, first)
    tables.open_picked(ledger.table(shown, chosen), shown, show=chosen.show)
    with st.container(horizontal=True, vertical_alignment="center"):
        tables.turn(table, first)
        tables.open_named(shown, show=chosen.show)
    frame.download(table, "ragdash-ledger.csv")
frame.details(ledger.reading(chosen), chosen)
