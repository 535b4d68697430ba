"""What do I send? The report with its preview, tables for other hands, links, and the workspace as a file."""

import streamlit as st

from ragdash.ui import frame, keeping, share

chosen = frame.compared("pages/share.py", beneath=keeping.whole)
study = share.study(chosen)

left, right = st.columns([4, 7], gap="large")
with left:
    contents = share.contents(study)
    share.download(study, contents)
with right:
    share.preview(study, contents)
share.tables(study)
keeping.whole()
