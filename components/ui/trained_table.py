"""GPT-2's own rows on a page: fetched when they are chosen; until they are here, the page uses the random table."""

from dataclasses import replace
from time import monotonic
from types import ModuleType

import streamlit as st

from components.base.link import State
from components.base.settings import with_trained_table
from components.caches.encoding import ids_if_any
from components.caches.trained import batch_rows
from components.downloads.download import Download, forget, last_download, start
from components.downloads.gpt2 import host
from components.downloads.gpt2_offers import GPT2Offer, Rows
from components.ui.download_offer import offer_download, show_progress
from components.ui.lesson import Lesson
from components.ui.markdown import escape_markdown
from components.ui.sections import section
from components.ui.session import current
from components.ui.state import change_settings

SECONDS_TO_WAIT = 3.0  # for rows, before the page is shown without them
BEFORE_CLASS = "To download beforehand, run on the server: `.venv/bin/python -m components.fetch gpt2`"
LICENSE = "GPT-2 (small) by OpenAI, [Modified MIT License](https://github.com/openai/gpt-2/blob/master/LICENSE)"


def state_in_use(lesson: Lesson, state: State) -> State:
    """Return the state that a lesson is rendered from: GPT-2's V and D if its table is chosen and its rows are here."""
    trained, rows = _with_gpt2(lesson, state)
    return trained if rows and rows.ready else state


def _with_gpt2(lesson: Lesson, state: State) -> tuple[State, Rows | None]:
    """Return the state with GPT-2's table and the rows it needs; the state as it is, and None, if it is not chosen."""
    if not lesson.trained:
        return state, None
    uses_gpt2 = getattr(lesson.page, "uses_gpt2", lambda state: state.settings.table == "gpt2")
    if not uses_gpt2(state):
        return state, None
    trained = replace(state, settings=with_trained_table(state.settings))
    return trained, rows_of(lesson.page, trained)


def rows_of(page: ModuleType, state: State) -> Rows:
    """Return the rows of GPT-2 that a page shows for settings in effect; those of the batch unless it names others."""
    token_ids = ids_if_any(state.settings, state.text)
    ids = page.rows_shown(state, token_ids) if hasattr(page, "rows_shown") else batch_rows(state.settings, token_ids)
    positions = getattr(page, "SHOWS_POSITIONS", False) or state.settings.position == "learned"
    return Rows(frozenset(ids), positions)


def lacks_rows(lesson: Lesson, state: State) -> bool:
    """Return whether GPT-2's rows are chosen, but are not here, nor about to be: then the page has random tables."""
    _, rows = _with_gpt2(lesson, state)
    last = last_download(rows) if rows and not rows.ready else None
    return last is not None and (last.running or last.failed_lately)


def with_rows(lesson: Lesson, state: State) -> State:
    """Return the state in use, after fetching the rows that it needs; show progress, or what is wrong.

    A failure is not tried again for a while, so that a page without network is as fast as any.
    """
    trained, rows = _with_gpt2(lesson, state)
    message = st.container() if lesson.trained else None  # always rendered: what is below it keeps the focus
    if rows is None or rows.ready:
        return trained
    last = last_download(rows)
    if last is None or not last.failed_lately:
        last = _fetch(rows)
    if last is None:
        return trained
    with message:
        show_missing(rows, last)
    return state


def show_missing(rows: Rows, failed: Download) -> None:
    """Show the progress of a download, or why it failed and how to get the rows."""
    if failed.running:
        show_progress(failed)
        return
    st.warning(
        f"{escape_markdown(failed.progress.message)} Until GPT-2's rows are here, tables are random, with your own V "
        f"and D, and what needs GPT-2 is left out. {BEFORE_CLASS}",
        icon=":material/cloud_off:",
    )
    st.button("Try again", on_click=forget, args=(rows,), icon=":material/refresh:")


def _fetch(rows: Rows) -> Download | None:
    """Return the download that does not get the rows in time; None if they are here."""
    job, deadline = start(rows), monotonic() + SECONDS_TO_WAIT
    while True:
        job.wait(max(0.0, min(deadline, job.begun + SECONDS_TO_WAIT) - monotonic()))  # once, not in every run
        if rows.ready:
            return None
        if job.progress.state != "ready" or monotonic() > deadline:
            return job
        job = start(rows)


def is_here(offer: GPT2Offer, what: str) -> bool:
    """Return whether a part of GPT-2 is here; if not, offer it with `what` it makes possible."""
    if offer.ready:
        return True
    offer_download(offer, f"{what} From {host()}: {LICENSE}. {BEFORE_CLASS}")
    return False


def offer_trained() -> None:
    """Offer the trained table, in a section of its own, on a page that shows the random one by choice."""
    if current().state.settings.table == "random":
        section("**GPT-2's own rows** instead of random ones", show_offer)


def show_offer() -> None:
    st.markdown(
        "The trained embeddings of your text, with GPT-2's tokens and D = 768: 3 kB for each token, and 3 MB of "
        f"positions, are downloaded from {host()}, once for everyone. {LICENSE}."
    )
    values = {"table": "gpt2", "position": "learned"}
    st.button("Use GPT-2's rows", on_click=change_settings, kwargs=values, icon=":material/download:")
