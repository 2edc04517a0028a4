"""One state for a learner: kept in the session, carried in the address of the page, changed only through here.

Which of the two is believed when they differ:
- the first run of a session: the address (a link, a reload, a server that was restarted); where a browser comes back
  to a server that does not know it, the text that it still holds, and then all else that it sent (see reconnect.py);
- another page was opened: the session (the link that was clicked may be older than the text just typed);
- a page that was left says once more what was typed there (a browser sends an entry after the tap that ended it): the
  session takes it, and the learner is brought back to the page opened since, or goes on to it (see messages.py);
- the learner went back or forward on the same page: the address;
- otherwise the session: what is entered and then clicked arrives before the browser has heard of the new address. Nor
  has it drawn then what was set, such as the slider beside an entry (see messages.py).
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from components.core.link import PRESETS, State, apply_preset, fits_link, read_query, text_key, to_query
from components.core.text import clean_text
from components.ui.learner import Learner, current, print_of, session
from components.ui.lessons import LESSONS
from components.ui.reconnect import sent_before_drawn, text_sent

MAX_UNHEARD = 20  # values set one after the other before the browser has drawn the last


def begin(page: str) -> State:
    """Return the learner's state for this run, from the session or the address, and bring the address up to date."""
    query, run = st.query_params.to_dict(), get_script_run_ctx()
    first = "learner" not in session
    who = Learner() if first else session.learner
    sent_before_drawn(who)
    moved, late = page != who.page, page == who.entered_on != who.page
    who.entered_on = ""
    if late:
        st.switch_page(LESSONS[who.page].path, query_params=to_query(who.state))
    who.drawn_anew, who.page = moved, page
    if moved:
        who.was_set.clear()
    if moved or who.asked == run.page_script_hash:
        who.asked = ""
    if who.finished:
        who.shown = []
    who.finished = False
    if first:
        read_address(who, query, text_sent(who))
        session.learner = who
    elif not moved and run.is_history_navigation:
        read_address(who, query)
    who.visited.add(page)
    told, who.url = who.url, to_query(who.state)
    if query != who.url or (told != who.url and not (first or moved or run.is_history_navigation)):
        st.query_params.from_dict(who.url)  # also where the browser names the right one: it has not heard of `told` yet
    return who.state


def read_address(who: Learner, query: dict[str, str], typed: str | None = None) -> None:
    """Take the state from the address; `typed` is the text that a browser came back with."""
    if typed is not None:
        who.long_text = typed
        query = query | ({"long_text": text_key(typed)} if "long_text" in query else {})
    who.state, problems = read_query(who.state, query, who.long_text)
    who.notices += problems
    if typed is not None and typed != who.state.text:
        take_text(who, typed)


def note(sentence: str) -> None:
    """Keep a sentence to be shown above the page in this run."""
    current().notices.append(sentence)


def take_notices() -> list[str]:
    """Return the sentences that wait to be shown, and those of runs that did not come to their end."""
    who = session.learner
    who.shown, who.notices = list(dict.fromkeys([*who.shown, *who.notices])), []
    return who.shown


def _keep(who: Learner, change: Callable[[State], State]) -> None:
    """Apply a change to the state; one that is not valid leaves it as it was and says why."""
    try:
        who.state = change(who.state)
    except ValueError as error:
        who.notices.append(str(error))


def change_settings(**values: Any) -> None:
    """Change shared settings; a value that cannot work is named in a sentence and the last valid one stays."""
    _keep(current(), lambda state: replace(state, settings=replace(state.settings, **values)))


def change_choices(**values: Any) -> None:
    """Change choices of the page in the same way."""
    _keep(current(), lambda state: replace(state, choices=replace(state.choices, **values)))


def change_text(text: str) -> None:
    """Take over a new text, cleaned and cut to the limit; the batch then comes from it again."""
    take_text(current(), text)


def take_text(who: Learner, text: str) -> None:
    """Give a learner a text in the same way."""
    text, problem = clean_text(text)
    if problem:
        who.notices.append(problem)
    if not fits_link(text):
        who.long_text = text
    if who.state.choices.typed:
        who.notices.append(
            "The batch comes from your text again; the IDs typed before, or those of the preset, are gone."
        )
    _keep(who, lambda state: replace(state, text=text, choices=replace(state.choices, ids="", batch=0, start=0)))


def change_preset(name: str) -> None:
    """Take over a preset's settings and IDs; the text stays."""
    if name in PRESETS:
        _keep(current(), lambda state: apply_preset(state, PRESETS[name]))


def bound(key: str, value: Any, change: Callable[..., None], name: str = "", default: str = "value") -> dict[str, Any]:
    """Return the arguments that tie a widget to the state: it shows `value`, and hands what is entered to `change`.

    The widget is set only where it differs, so that a slider is not pulled back while it is being dragged; on a page
    drawn anew it is always set, because the browser has dropped the value that it had before. The value is its default
    as well (`default` is the name of that argument): a browser that draws it anew unasked begins with that.
    """
    who = session.learner
    page, was_set, mark = who.page, who.was_set.get(key, []), print_of(value)
    if who.drawn_anew or session.get(key) != value or (was_set and was_set[-1] != mark):
        session[key] = value
        who.was_set[key] = [*was_set, mark][-MAX_UNHEARD:]

    def entered() -> None:
        if key not in who.entered or (page != who.page and who.entered[key] == value):
            return  # said by the way; of a page that was left Streamlit no longer knows what it showed
        who.entered_on = page
        entry = who.entered[key]
        if entry is None:  # it was emptied: the last valid value comes back
            return
        if name:
            change(**{name: entry})
        else:
            change(entry)

    return {"key": key, "on_change": entered, default: value}


def among(options: Sequence[Any], tied: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of `bound` as a selectbox takes them: its default is the place among `options`."""
    rest = {name: value for name, value in tied.items() if name != "value"}
    return {**rest, "index": options.index(tied["value"])}


def setting(name: str, default: str = "value") -> dict[str, Any]:
    """Return the arguments that tie a widget to the shared setting `name`."""
    value = getattr(session.learner.state.settings, name)
    return bound(f"setting_{name}", value, change_settings, name, default)


def choice(name: str, size: int | None = None, default: str = "value") -> dict[str, Any]:
    """Return the arguments that tie a widget to the page's choice `name`; a place is held below `size`."""
    value = getattr(session.learner.state.choices, name)
    return bound(f"choice_{name}", value if size is None else min(value, size - 1), change_choices, name, default)
