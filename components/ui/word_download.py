"""Published vectors, fetched once for everybody: size told first, progress and cancel on the page, then mapped."""

from pathlib import Path
from threading import Lock

import streamlit as st
from gensim.models import KeyedVectors

from components.core.limits import readable_bytes
from components.core.vector_downloads import Download, current, start
from components.core.vector_folder import cache_folder, ready
from components.core.vector_room import refusal
from components.core.vector_sources import SOURCES, Source
from components.core.word_vectors import load_vectors
from components.ui.blocks import refuse
from components.ui.markdown import plain
from components.ui.state import note

SECONDS_BETWEEN_LOOKS = 1.0

_opened: dict[Path, KeyedVectors] = {}  # at most one for each source, their numbers mapped and not copied
_lock = Lock()


def fetched_vectors(name: str) -> KeyedVectors | None:
    """Return the vectors called `name` where they are here; else offer to fetch them and return None."""
    source = SOURCES[name]
    st.caption(f"{source.note} {source.words:,} words, {source.dim} numbers each.")
    path = ready(name)
    if path is None:
        fetch_panel(source)
        return None
    try:
        return opened(path)
    except ValueError as error:
        refuse(str(error))
        return None


def opened(path: Path) -> KeyedVectors:
    """Return the vectors at `path`, opened once for all sessions. Raises ValueError where they are damaged."""
    with _lock:
        if path not in _opened:
            _opened[path] = load_vectors(path)
        return _opened[path]


def fetch_panel(source: Source) -> None:
    """Say what a download costs and offer it, show the one that runs, or say why it cannot be."""
    running = current()
    if running is not None and running.running and running.source.name == source.name:
        watch(running)
        return
    if running is not None and running.source.name == source.name and running.phase in ("failed", "cancelled"):
        refuse(running.sentence)
    st.markdown(
        f"**{source.title}** is not on this server yet: {readable_bytes(source.bytes)} to download, "
        f"{readable_bytes(source.converted_bytes)} on the disk afterwards. It is fetched once for everybody, checked "
        "against its published checksum, and only ever read as numbers and words."
        + (f" Licence: {source.licence}." if source.licence else "")
    )
    problem = refusal(source, cache_folder())
    if problem:
        refuse(problem)

    def begin() -> None:
        try:
            start(source.name)
        except ValueError as error:
            note(str(error))

    label = f"Fetch it, {readable_bytes(source.bytes)}"
    st.button(label, icon=":material/download:", type="primary", disabled=bool(problem), on_click=begin)
    st.caption("Until then, the vectors that are trained here need no download.")


@st.fragment(run_every=SECONDS_BETWEEN_LOOKS)
def watch(download: Download) -> None:
    """Draw how far a download is, again and again until it has ended; then the whole page once more."""
    moment = download.moment
    if not moment.running:
        st.rerun()
    st.progress(min(1.0, moment.done / max(1, moment.total)), text=plain(moment.sentence))
    st.button("Cancel for everybody", icon=":material/close:", on_click=download.cancel)
