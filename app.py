"""Home: the whole journey as one picture, with the shapes of the learner's own settings."""

import streamlit as st

from components.ui.frame import frame

with frame("home") as state:
    # Imported below the title: tiktoken and numpy take longer than all that is drawn so far.
    from components.ui.checks import predictions_so_far
    from components.ui.journey import journey, presets, progress
    from components.ui.text_entry import text_entry

    text_entry(state)
    st.header("The journey of your text")
    journey(state)
    st.header("Or start from one of these")
    presets(state)
    progress()
    predictions_so_far()
