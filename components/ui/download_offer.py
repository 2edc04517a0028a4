"""The offer to download a published file: its size, the progress for all sessions, cancelling, and every failure."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from components.base.text_format import readable_bytes
from components.downloads.download import Download, last_download, start
from components.downloads.published_file import Offer, PublishedFile
from components.text.tokenizers import TokenizerUnavailable
from components.ui.blocks import live, show_error
from components.ui.markdown import escape_markdown
from components.ui.state import add_message, change_settings

SECONDS_BETWEEN_UPDATES = 1.0


def offer_tokenizer(error: TokenizerUnavailable) -> None:
    """Offer the download of a tokenizer, and the one that is part of the app."""
    use_gpt2 = partial(st.button, "Use GPT-2's tokens", on_click=change_settings, kwargs={"tokenizer": "gpt2"})
    offer_download(error.file, "Until then use GPT-2's tokens, which need no download.", use_gpt2)


def offer_download(file: Offer, note: str, beside: Callable[[], object] = lambda: None) -> None:
    """Offer a download with its size and a note, or show the progress of a running one, or why it is not possible.

    What `beside` renders is beside the button, or below the progress.
    """
    last = last_download(file)
    if last is not None and last.running:
        show_progress(last)
        beside()
        return
    if last is not None and last.progress.state != "ready":
        show_error(last.progress.message)
    size = readable_bytes(file.bytes)
    checked = ", checked against the published checksum" if isinstance(file, PublishedFile) else ""
    st.markdown(f"**{file.title}** is not on this server yet: {size} to download, once for everyone{checked}. {note}")
    problem = file.blocking_reason()
    if problem:
        show_error(problem)

    def start_download() -> None:
        try:
            start(file)
        except ValueError as error:
            add_message(str(error))

    with st.container(horizontal=True):
        how = {"icon": ":material/download:", "type": "primary", "disabled": bool(problem)}
        st.button(f"Download ({size})", on_click=start_download, **how)
        beside()


def show_progress(download: Download) -> None:
    """Show the progress of a download until it ends, and then render the whole page again."""
    live(renew_progress, SECONDS_BETWEEN_UPDATES, download)


def renew_progress(download: Download) -> None:
    progress = download.progress
    if not download.running:
        st.rerun()
    st.progress(min(1.0, progress.done / max(1, progress.total)), text=escape_markdown(progress.message))
    st.button("Cancel for everyone", icon=":material/close:", on_click=download.cancel)
