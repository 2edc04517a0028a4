"""The page of Home: the steps from text to embeddings, the presets, and the learner's progress."""

import streamlit as st

from components.base.link import State
from components.lessons.home.page_journey import journey, presets, progress
from components.ui.quiz import score


def render(state: State) -> None:
    """Render the lesson from top to bottom."""
    st.header("From text to embeddings")
    journey(state)
    st.header("Or start from a preset")
    presets(state)
    progress()
    score()
