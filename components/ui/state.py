"""The state of a learner: changed only here, by buttons and by the widgets that are bound to it.

A widget shows the value of the state; its key has a version that is raised whenever anything but this widget has
changed the value, so that an older value in the browser cannot come back.
"""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import streamlit as st

from components.base.field_types import TextField, field_types_of, quote
from components.base.learner_text import clean_text
from components.base.link import TEXT_MISSING, AppState, fits_link
from components.base.presets import PRESETS
from components.ui.markdown import escape_markdown
from components.ui.session import LearnerSession, Widget, current, session_value

WITH_CONTROLS = "with_controls"  # the key of the fragment with the controls above the lesson
CAME_BACK = (
    "The connection was lost and has been restored. Your settings and text are unchanged. Upload your word vectors "
    "again if you used a file."
)


def accept_reconnected_values(learner: LearnerSession) -> None:
    """Take over what the browser's widgets contain that this server does not have, and render the page again.

    Called at the end of a session's first run: a browser that reconnects to a restarted server sends the values of its
    widgets, for which no callback runs.
    """
    values = st.session_state.to_dict()
    changed = False
    for name, widget in learner.widgets.items():
        value = values.get(f"{name}.{widget.version}", widget.value)
        if value is not None and value != widget.value:
            widget.value = value
            widget.change(value)
            changed = True
    if changed:
        missing = () if fits_link(learner.state.text) else (TEXT_MISSING,)  # the browser had the text
        messages = learner.messages
        messages.waiting = [each for each in (*messages.shown, CAME_BACK, *messages.waiting) if each not in missing]
        learner.run.interacted = True
        st.rerun()


def add_message(sentence: str) -> None:
    """Show a sentence above the lesson in the next run; for callbacks as well, since it never interrupts one."""
    _session().messages.waiting.append(sentence)


def begin_run(learner: LearnerSession) -> None:
    """Remove the steps and the messages of the run before, unless this run goes on with its work.

    A message stays until a run that shows it is complete.
    """
    run = learner.run
    if not run.continued:
        run.steps = {}
        if run.last_completed:
            learner.messages.shown = []
    run.last_completed = run.continued = run.in_lesson = False


def show_messages(learner: LearnerSession) -> None:
    """Show the messages that the last changes led to."""
    messages = learner.messages
    messages.shown, messages.waiting = list(dict.fromkeys([*messages.shown, *messages.waiting])), []
    if messages.shown:
        st.warning("  \n".join(map(escape_markdown, messages.shown)), icon=":material/warning:")


def _session() -> LearnerSession:
    """Return the learner of this session without interrupting the run."""
    return session_value("learner")


def rerun_with_controls(learner: LearnerSession) -> None:
    """End a callback with a run of the controls above the lesson and of the lesson, if these controls are outdated.

    In a class the whole page is rendered: its bar depends on the settings.
    """
    if learner.outdated_above and learner.run.in_parts and not learner.seat:
        st.rerun(WITH_CONTROLS)


def interact(**values: Any) -> None:
    """Change what this session alone shows, not the state; the address is not read then."""
    learner = _session()
    learner.run.interacted = True
    vars(learner).update(values)


def set_following(learner: LearnerSession, following: bool) -> None:
    """Have the page of a learner follow a class, or leave it to the learner."""
    learner.run.interacted = True
    learner.seat.following, learner.seat.seen = following, ("", "")
    learner.address.state = None


def _change(change: Callable[[AppState], AppState]) -> None:
    """Apply a change to the state; an invalid one leaves the state as it is and adds a message.

    A follower of a class who changes the text or the settings explores from then on. While it votes, its teacher cannot
    change them: the question is about them.
    """
    learner = _session()
    learner.run.interacted = True
    try:
        changed = change(learner.state)
    except ValueError as error:
        learner.messages.waiting.append(str(error))
        return
    if learner.bound and (changed.text, changed.settings) != (learner.state.text, learner.state.settings):
        if learner.seat.hosting:
            learner.messages.waiting.append("The class votes on this text and these settings: change them after that.")
            return
        set_following(learner, False)
    learner.state = changed


def _with_entries(before: Any, values: dict[str, Any]) -> Any:
    """Return settings or choices with other values; a text is cut to its limit, and a message names it.

    `max_chars` of Streamlit's fields ignores a longer one that is pasted, and shows no message.
    """
    types = field_types_of(type(before))
    for name, value in values.items():
        if isinstance(types[name], TextField) and isinstance(value, str):
            values[name], problem = types[name].read(value, value)
            _session().messages.waiting += [problem] if problem else []
    return replace(before, **values)


def change_settings(**values: Any) -> None:
    """Change shared settings; if a value is invalid, the last valid one stays and a message names the limit."""
    _change(lambda state: replace(state, settings=_with_entries(state.settings, values)))


def change_choices(lesson: str = "", **values: Any) -> None:
    """Change choices of a lesson in the same way; by default of the lesson that has choices of these names.

    That is not always the one on the page: a value can arrive after its learner has opened another page.
    """

    def change(state: AppState) -> AppState:
        name = lesson or next(each for each, own in state.lessons.items() if values.keys() <= vars(own).keys())
        return replace(state, lessons={**state.lessons, name: _with_entries(state.lessons[name], values)})

    _change(change)


def change_presenting(present: bool) -> None:
    _session().notice_shown = False
    _change(lambda state: replace(state, present=present))


def set_text(text: str) -> None:
    """Replace the text by another, cleaned and cut to the limit; the batch then comes from its first windows."""
    learner = _session()
    text, problem = clean_text(text)
    if problem:
        learner.messages.waiting.append(problem)
    if not fits_link(text):
        learner.long_text = text
    if learner.state.settings.typed:
        learner.messages.waiting.append("Using your text again. The typed or preset IDs were cleared.")
    _change(lambda state: _from_start(replace(state, text=text, settings=replace(state.settings, ids="", batch=0))))


def change_preset(name: str) -> None:
    """Take over a preset's settings and IDs; the text stays."""
    if name in PRESETS:
        _change(lambda state: _from_start(replace(state, settings=PRESETS[name].settings)))


def _from_start(state: AppState) -> AppState:
    """Return the state with the choices of a position in the text at their defaults."""

    def first(choices: Any) -> Any:
        return replace(choices, **{each.name: each.default for each in fields(choices) if each.metadata.get("of_text")})

    return replace(state, lessons={name: first(choices) for name, choices in state.lessons.items()})


def register_widget(name: str, value: Any, change: Callable[[Any], None], default: str = "value") -> dict[str, Any]:
    """Register a widget of this run, under a new key if another has changed its value; return its arguments.

    It shows `value` and passes an entry to `change`. `default` is the name of the argument for the value. An emptied
    field shows the last valid value again.
    """
    learner = current()
    widget = learner.widgets.setdefault(name, Widget(0, value, change))
    if widget.value != value:
        widget.version += 1
        if widget.entered:
            learner.run.refused = f"{name}.{widget.version}"

    def enter(entry: Any) -> None:
        is_whole = isinstance(value, int) and isinstance(entry, float) and entry.is_integer()
        change(int(entry) if is_whole else entry)

    widget.value, widget.change, widget.entered = value, enter, False
    key, of_lesson = f"{name}.{widget.version}", learner.run.in_lesson

    def entered() -> None:
        entry, is_current = session_value(key), key == f"{name}.{widget.version}"
        if entry == (widget.value if is_current else value):
            return  # not entered: for a moment the browser goes on sending what a widget shows that is gone
        learner.run.interacted = True
        if isinstance(value, str) and not isinstance(entry, str | None):
            learner.messages.waiting.append(f"{quote(entry)} is not text: the field has what it had before.")
            return
        if is_current:
            widget.value, widget.entered = entry, True
        if entry is not None:
            enter(entry)
        if of_lesson:
            rerun_with_controls(learner)

    return {"key": key, "on_change": entered, default: value}


def bind_setting(name: str, area: str = "setting") -> dict[str, Any]:
    """Register a widget of the shared setting `name`; `area` distinguishes two of it. Return its arguments."""
    value = getattr(current().state.settings, name)
    return register_widget(f"{area}_{name}", value, lambda entry: change_settings(**{name: entry}))


def bind_choice(name: str, size: int | None = None, default: str = "value") -> dict[str, Any]:
    """Register a widget of the lesson's choice `name`, an index clamped below `size`; return its arguments."""
    learner = current()
    value = getattr(learner.state.lessons[learner.page], name)
    shown = value if size is None else min(value, size - 1)
    return register_widget(f"{learner.page}_{name}", shown, lambda entry: change_choices(**{name: entry}), default)
