"""The learner's text: typed, pasted or uploaded; the same text on every page."""

import streamlit as st

from components.base.learner_text import decode_upload
from components.base.limits import MAX_LINK_PACKED_CHARS, MAX_TEXT_CHARS, MAX_TEXT_FILE_BYTES
from components.base.link import AppState, fits_link
from components.ui.markdown import escape_markdown
from components.ui.session import current, session_value
from components.ui.state import bind_setting, register_widget, set_text

WORDS_SHOWN = 60  # characters of the text on its button
TEXT_HEIGHT, IDS_WIDTH = 90, 560  # pixels; a phone is narrower, and has a line for the IDs alone


def first_words(state: AppState) -> str:
    """Return the input in one line: the typed IDs, or the beginning of the text."""
    text = (state.settings.ids if state.settings.typed else state.text).strip()
    if not text:
        return "Text: only white space" if state.text else "Text: empty"
    words = " ".join(text[: 2 * WORDS_SHOWN].split())
    is_cut = len(words) > WORDS_SHOWN or len(text) > 2 * WORDS_SHOWN
    return escape_markdown("IDs " * state.settings.typed + words[:WORDS_SHOWN] + "…" * is_cut)


def text_panel(state: AppState) -> None:
    """Render the text area, the field for typed IDs and the upload; warn if the text is too long for a link."""
    bound = register_widget("text", state.text, set_text)
    st.text_area("Your text", height=TEXT_HEIGHT, placeholder="Type or paste a text.", **bound)
    with st.container():  # always rendered, so that the note does not move what is below
        if not fits_link(state.text):
            st.caption(
                f":material/link_off: This text ({len(state.text):,} characters) is too long for a link, which has "
                f"room for {MAX_LINK_PACKED_CHARS:,} compressed characters. A reload or a shared link will not restore "
                "it: save it as a file."
            )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        label = "Or type token IDs (semicolon between sequences; leave empty to use your text)"
        example = "2 3 5 1; 0 1 1 2"
        st.text_input(label, placeholder=example, width=IDS_WIDTH, **bind_setting("ids"))
        text_upload()


def text_upload() -> None:
    learner = current()

    def uploaded() -> None:
        learner.run.interacted = True
        file = session_value("upload")
        if file is None:
            return
        try:
            set_text(decode_upload(file.getvalue()))
        except ValueError as error:
            learner.messages.waiting.append(str(error))

    with st.popover("Upload a text file", icon=":material/upload_file:"):
        label = f"Plain text in UTF-8, at most {MAX_TEXT_CHARS:,} characters"
        st.file_uploader(label, key="upload", on_change=uploaded, max_upload_size=MAX_TEXT_FILE_BYTES // 2**20)
