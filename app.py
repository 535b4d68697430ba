"""ragdash: which retrieval run is better, is that real, on which queries, and why. `streamlit run app.py`."""

import streamlit as st

from ragdash.ui import nav

st.set_page_config(page_title="ragdash", page_icon="📊", layout="wide", initial_sidebar_state=230)
nav.register().run()
