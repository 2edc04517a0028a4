"""The programs behind a page, shown when somebody asks for them."""

import streamlit as st

from components.core.link import State
from components.core.snippets import Snippet, snippets
from components.ui.encoding import ids_if_any


def snippets_of(page: str, state: State) -> list[Snippet]:
    """Return the programs of a page for the learner's text and settings."""
    return snippets(page, state, ids_if_any(state.settings, state.text).tolist())


def show_pytorch(page: str, state: State) -> None:
    """Draw every program of a page with what it is about; each runs alone and prints the numbers on the screen."""
    found = snippets_of(page, state)
    if not found:
        st.caption("Nothing can be computed with these settings: mend what the page says first.")
    for snippet in found:
        st.markdown(f"**{snippet.title}**  \n{snippet.about}")
        st.code(snippet.code.strip(), language="python")
