"""The screen: the only Streamlit inside the package."""
