"""The app for Streamlit: every page is rendered by the same entry."""

from components.entry import run

run()
