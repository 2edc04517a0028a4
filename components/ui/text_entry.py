"""The learner's text: typed, pasted or uploaded; the same text on every page."""

import streamlit as st

from components.core.limits import MAX_LINK_PACKED_CHARS, MAX_TEXT_CHARS
from components.core.link import State, fits_link
from components.core.text import decode_upload
from components.ui.learner import current, session
from components.ui.markdown import plain
from components.ui.state import bound, change_text, note


def text_entry(state: State, height: int = 90) -> None:
    """Draw the text area, and say where a link will not carry the text."""
    # A key for each page: what is typed and not yet sent when a link is tapped arrives under the page it was typed on.
    tied = bound(f"text_{session.learner.page}", state.text, change_text)
    st.text_area("Your text", height=height, placeholder="Type or paste a text.", **tied)
    if not fits_link(state.text):
        st.caption(
            f":material/link_off: This text of {len(state.text):,} characters stays in this session: compressed it "
            f"takes more than the {MAX_LINK_PACKED_CHARS:,} characters that a link carries, so neither a link nor a "
            "reload will bring it back. Keep it as a file, and upload that again."
        )


def text_upload() -> None:
    """Draw the upload of a text file."""

    def uploaded() -> None:
        file = current().entered.get("upload")  # a page that was left says once more what was uploaded there
        if file is None:
            return
        try:
            change_text(decode_upload(file.getvalue()))
        except ValueError as error:
            note(str(error))

    with st.popover("Upload a text file", icon=":material/upload_file:"):
        label = f"Plain text in UTF-8, at most {MAX_TEXT_CHARS:,} characters"
        st.file_uploader(label, key="upload", on_change=uploaded, max_upload_size=1)


def text_reminder(state: State) -> None:
    """Draw the text in one line on pages that do not work on it directly; it opens for editing."""
    first = " ".join(state.text[:80].split()) or ("(spaces only)" if state.text else "(empty)")
    with st.expander(f"Your text: {plain(first[:60])}{'…' if len(state.text) > 60 else ''}", icon=":material/edit:"):
        text_entry(state)
