"""Published vectors: the offer to download them, the progress, and the vectors, opened once for all sessions."""

from pathlib import Path
from threading import Lock

import streamlit as st
from gensim.models import KeyedVectors

from components.base.text_format import readable_bytes
from components.ui.blocks import show_error
from components.ui.markdown import escape_markdown
from components.ui.state import add_notice
from components.vectors.downloads import Download, current, start
from components.vectors.folder import cached_vectors, vectors_cache_dir
from components.vectors.load import load_vectors
from components.vectors.preflight import blocking_reason
from components.vectors.sources import SOURCES, Source

SECONDS_BETWEEN_UPDATES = 1.0

_opened: dict[Path, KeyedVectors] = {}  # at most one for each source; their numbers are memory-mapped, not copied
_lock = Lock()


def downloaded_vectors(name: str) -> KeyedVectors | None:
    """Return the vectors called `name` if they are on this server; else offer to download them and return None."""
    source = SOURCES[name]
    st.caption(f"{source.note} {source.words:,} words, {source.dim} numbers each.")
    path = cached_vectors(name)
    if path is None:
        offer_download(source)
        return None
    try:
        return open_vectors(path)
    except ValueError as error:
        show_error(str(error))
        return None


def open_vectors(path: Path) -> KeyedVectors:
    """Return the vectors at `path`, opened once for all sessions. Raises ValueError if they are damaged."""
    with _lock:
        if path not in _opened:
            _opened[path] = load_vectors(path)
        return _opened[path]


def offer_download(source: Source) -> None:
    """Offer the download with its size, or show the progress of a running one, or why it is not possible."""
    running = current()
    if running is not None and running.running and running.source.name == source.name:
        show_progress(running)
        return
    if running is not None and running.source.name == source.name and running.phase in ("failed", "cancelled"):
        show_error(running.message)
    st.markdown(
        f"**{source.title}** is not on this server yet: {readable_bytes(source.bytes)} to download, "
        f"{readable_bytes(source.converted_bytes)} on the disk afterwards. It is downloaded once for everyone, checked "
        "against its published checksum, and only ever read as numbers and words."
        + (f" Licence: {source.licence}." if source.licence else "")
    )
    problem = blocking_reason(source, vectors_cache_dir())
    if problem:
        show_error(problem)

    def start_download() -> None:
        try:
            start(source.name)
        except ValueError as error:
            add_notice(str(error))

    label = f"Download ({readable_bytes(source.bytes)})"
    st.button(label, icon=":material/download:", type="primary", disabled=bool(problem), on_click=start_download)
    st.caption("The vectors that are trained here need no download.")


@st.fragment(run_every=SECONDS_BETWEEN_UPDATES)
def show_progress(download: Download) -> None:
    """Show the progress of a download until it ends, and then render the whole page again."""
    progress = download.moment
    if not progress.running:
        st.rerun()
    st.progress(min(1.0, progress.done / max(1, progress.total)), text=escape_markdown(progress.message))
    st.button("Cancel for everyone", icon=":material/close:", on_click=download.cancel)
