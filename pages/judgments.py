"""Can I trust the labels? What unjudged documents could change, and judging them, one at a time."""

import streamlit as st

from ragdash.ui import frame, judging, judgments, unjudged

chosen = frame.compared("pages/judgments.py", ends=False)
judgments.judged_by_evidence(chosen)
found = unjudged.found(chosen)
here = judging.next_document(found, chosen)
frame.end()

frame.answer(judgments.answer(found))
judgments.verdict(found, chosen)
judgments.disputes(chosen)
left, right = st.columns([5, 8], gap="large")
with left:
    judgments.room(found, chosen)
    judgments.where_kept()
    judgments.way_back()
with right:
    if here is not None:
        judging.panel(here, chosen)
    else:
        judging.nothing_left(found, found.queue)
judgments.made(chosen)
judgments.shares(chosen)
frame.details(judgments.reading(found, chosen), chosen)
