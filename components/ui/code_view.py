"""The program of a lesson, shown when the learner opens it."""

from collections.abc import Container
from pathlib import Path
from types import ModuleType

import streamlit as st

from components.base.link import State
from components.caches.encoding import ids_if_any, tokenizer
from components.downloads.gpt2 import address
from components.programs.handout import GPT2, Handout, handout
from components.programs.lesson_values import offline_values, opening_of
from components.ui.session import current


def handout_of(
    page: ModuleType,
    state: State,
    link: str = "",
    offline: bool = False,
    for_page: bool = False,
    opened: Container[str] | None = None,
) -> Handout | None:
    """Return the program of a lesson with the learner's values; None if its page shows an error for them.

    It has the parts of the sections that are `opened`; None: of all.
    """
    if offline and state.settings.trained:  # its rows would need a network
        return None
    token_ids = ids_if_any(state.settings, state.text).tolist()
    try:
        own = page.program_values(state, token_ids) if hasattr(page, "program_values") else {}
    except ValueError:
        return None
    path = page.program_path(state) if hasattr(page, "program_path") else Path(page.__file__).with_name("program.py")
    values = vars(state.settings) | vars(state.choices) | {"text": state.text}
    if offline and token_ids:  # without a tokenizer there are none
        values |= offline_values(token_ids, tokenizer(state.settings.tokenizer, state.text))
    left_out = page.left_out(state, for_page) if hasattr(page, "left_out") else ()
    own_opening = hasattr(page, "program_opening")
    opening = page.program_opening(state) if own_opening else opening_of(path, state, offline)
    openings = [opening] if opening else []
    if state.settings.trained:
        own_cells = path.with_name(f"{path.stem}_gpt2.py")
        openings = [*openings, GPT2, *([own_cells] if own_cells.exists() else [])]
        values |= {"url": address()}
    return handout(path, values | own, openings, link, for_page, left_out, opened)


def show_code(page: ModuleType, state: State) -> None:
    """Render the program in one block; if a text had to be cut, with a download instead of the copy button."""
    learner = current()
    opened = learner.open_sections[learner.page]
    program = handout_of(page, state, for_page=True, opened=opened)
    if program is None:
        st.caption("No code for these settings: the page shows what it needs first.")
    elif program.whole:
        st.code(program.text)
        if program.has_tokenizer:
            offered = " Without network: Download, with token IDs instead of it."
            st.caption("tiktoken downloads its tokenizer once." + offered * (not state.settings.trained))
    else:
        st.caption("A text is too long for the page and is cut here. The file contains all of it.")
        whole = handout_of(page, state, opened=opened).text.encode(errors="backslashreplace")
        st.download_button("Download the program", whole, "program.py", icon=":material/download:", on_click="ignore")
        with st.container(key="cut_program"):
            st.code(program.text)
    if program:
        name_sections(program)


def name_sections(program: Handout) -> None:
    """Name the sections of the page that would add a part to its program, if there are any."""
    if found := [label for label in current().outputs.labels if label in program.closed]:
        st.caption(f"While they are open, these sections add their part of the program: {', '.join(found)}.")
