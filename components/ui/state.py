"""One state for a learner: kept in the session, carried in the address of the page, changed only through here.

Which of the two is believed when they differ:
- the first run of a session: the address (a link, a reload, a server that was restarted);
- a widget was changed: the session (the address that came with a quick change may be an old one);
- another page was opened: the session (the link that was clicked may be older than the text just typed);
- the page just left says once more what was typed there (a browser sends an entry after the tap that ended it): the
  session takes it, and the learner is brought back to the page just opened;
- otherwise the address: the learner went back or forward.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from components.core.link import PRESETS, State, apply_preset, fits_link, read_query, to_query
from components.core.text import clean_text
from components.ui.lessons import LESSONS

session = st.session_state
LATE_SECONDS = 1.5  # how long after a change of page an entry of the page before may still arrive


def begin(page: str) -> State:
    """Return the learner's state for this run, from the session or the address, and bring the address up to date."""
    query = st.query_params.to_dict()
    first = "state" not in session
    touched = session.pop("touched", False)
    if first:
        session.state, session.visited, session.notices, session.answers = State(), set(), [], []
    moved = first or page != session.page
    if moved:
        if touched and not first and page == session.came_from and time.monotonic() - session.moved_at < LATE_SECONDS:
            st.switch_page(LESSONS[session.page].path, query_params=to_query(session.state))
        session.came_from, session.moved_at = session.get("page"), time.monotonic()
    session.drawn_anew = moved
    if first or (not touched and not moved and query != session.url):
        session.state, problems = read_query(session.state, query, session.get("long_text", ""))
        session.notices += problems
    session.page = page
    session.visited.add(page)
    session.url = to_query(session.state)
    if query != session.url:
        st.query_params.from_dict(session.url)
    return session.state


def note(sentence: str) -> None:
    """Keep a sentence to be shown above the page in this run."""
    session.notices.append(sentence)


def take_notices() -> list[str]:
    """Return the sentences that wait to be shown, once."""
    session.shown, session.notices = session.notices, []
    return session.shown


def run_again() -> None:
    """Run the page once more, of its own accord: what it has just said stays to be read."""
    session.notices = session.shown
    st.rerun()


def link() -> dict[str, str]:
    """Return the address parameters of the state as it stands, for links to other pages."""
    return session.url


def _keep(change: Callable[[State], State]) -> None:
    """Apply a change to the state; one that is not valid leaves it as it was and says why."""
    session.touched = True
    try:
        session.state = change(session.state)
    except ValueError as error:
        note(str(error))


def change_settings(**values: Any) -> None:
    """Change shared settings; a value that cannot work is named in a sentence and the last valid one stays."""
    _keep(lambda state: replace(state, settings=replace(state.settings, **values)))


def change_choices(**values: Any) -> None:
    """Change choices of the page in the same way."""
    _keep(lambda state: replace(state, choices=replace(state.choices, **values)))


def change_text(text: str) -> None:
    """Take over a new text, cleaned and cut to the limit; the batch then comes from it again."""
    text, problem = clean_text(text)
    if problem:
        note(problem)
    if not fits_link(text):
        session.long_text = text
    if session.state.choices.typed:
        note("The batch comes from your text again; the IDs typed before, or those of the preset, are gone.")
    _keep(lambda state: replace(state, text=text, choices=replace(state.choices, ids="", batch=0, start=0)))


def change_preset(name: str) -> None:
    """Take over a preset's settings and IDs; the text stays."""
    _keep(lambda state: apply_preset(state, PRESETS[name]))


def bound(key: str, value: Any, change: Callable[..., None], name: str = "", default: str = "value") -> dict[str, Any]:
    """Return the arguments that tie a widget to the state: it shows `value`, and hands what is entered to `change`.

    The widget is set only where it differs, so that a slider is not pulled back while it is being dragged; on a page
    drawn anew it is always set, because the browser has dropped the value that it had before. The value is its default
    as well (`default` is the name of that argument): a browser that draws it anew unasked begins with that.
    """
    if session.drawn_anew or session.get(key) != value:
        session[key] = value

    def entered() -> None:
        if session[key] is None:  # an emptied entry: the last valid value comes back
            session.touched = True
        elif name:
            change(**{name: session[key]})
        else:
            change(session[key])

    return {"key": key, "on_change": entered, default: value}


def among(options: Sequence[Any], tied: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of `bound` as a selectbox takes them: its default is the place among `options`."""
    rest = {name: value for name, value in tied.items() if name != "value"}
    return {**rest, "index": options.index(tied["value"])}


def setting(name: str, default: str = "value") -> dict[str, Any]:
    """Return the arguments that tie a widget to the shared setting `name`."""
    return bound(f"setting_{name}", getattr(session.state.settings, name), change_settings, name, default)


def choice(name: str, size: int | None = None, default: str = "value") -> dict[str, Any]:
    """Return the arguments that tie a widget to the page's choice `name`; a place is held below `size`."""
    value = getattr(session.state.choices, name)
    return bound(f"choice_{name}", value if size is None else min(value, size - 1), change_choices, name, default)
