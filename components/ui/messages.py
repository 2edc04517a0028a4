"""What a browser's message enters: not what it repeats, and none is lost for the one behind it.

With each entry a browser says what all controls of the page show, also those that were set since and that it has not
drawn yet, such as the slider beside a number just typed. So a value that was set here is drawn, not entered; another is
entered where it is not what the message before said. Where a message brings nothing of the kind, and its browser has
heard of all that was set, a control was moved back to what it was.

A number is typed and a link tapped: the browser sends the number, and at once the change of page, without the number.
Where the first still waits, Streamlit keeps of it nothing but pressed buttons, and of two presses one; where it has
just been taken, the second ends it before anything of it is looked at. Here what was entered is taken over, every press
counts, and then the newer message is looked at. With a quick tap the number comes after the change of page, from the
page that is left: it is taken over on the way to the other.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any
from urllib.parse import parse_qsl

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils import script_requests
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import SessionState

from components.ui.learner import Learner, print_of

MAX_WAITING = 20  # presses of one button in one message; only a program sends more

_call_callbacks = SessionState._call_callbacks
_request_rerun = AppSession.request_rerun
_is_pressed = script_requests._has_active_trigger_value


def joined(older: WidgetStates | None, newer: WidgetStates | None) -> WidgetStates | None:
    """Return two messages that wait together as one: the newer, what only the older one has, and every press of both.

    >>> from streamlit.proto.WidgetStates_pb2 import WidgetState
    >>> press = WidgetState(id="Step on", trigger_value=True)
    >>> older = WidgetStates(widgets=[press, WidgetState(id="V", int_value=3), WidgetState(id="D", int_value=4)])
    >>> newer = WidgetStates(widgets=[press, WidgetState(id="D", int_value=5)])
    >>> [(state.id, state.int_value) for state in joined(older, newer).widgets]
    [('Step on', 0), ('V', 3), ('Step on', 0), ('D', 5)]
    """
    if older is None or newer is None:
        return newer or older
    there = {state.id for state in newer.widgets}
    kept = [state for state in older.widgets if state.id not in there or _is_pressed(state)]
    return WidgetStates(widgets=[*kept, *newer.widgets])


def entered(who: Learner, says: Mapping[str, int], changed: Collection[str], something_else: bool) -> set[str]:
    """Return the keys of the widgets that a message enters; it `says` the prints of their values.

    `changed` are those that are not as the server has them; `something_else` tells that a button was pressed, or that
    the browser has not heard of all that was set. A widget that the message before did not have was drawn since, and
    with it all that was set: it proves nothing.

    >>> who = Learner(said={"V": 3_000, "slider": 50_257, "text": 1}, was_set={"slider": [2_000]})
    >>> sorted(entered(who, {"V": 3_000, "slider": 50_257, "text": 2}, {"slider", "text"}, False))
    ['text']
    >>> sorted(entered(who, {"V": 6_000, "slider": 2_000, "text": 1}, {"V"}, False))
    ['V']
    >>> sorted(entered(who, {"V": 3_000, "slider": 50_257, "text": 1}, {"slider"}, False))  # moved back
    ['V', 'slider', 'text']
    """
    new = {key for key, said in says.items() if said != who.said.get(key) and said not in who.was_set.get(key, ())}
    return new if something_else or any(key in who.said and key in changed for key in new) else set(says)


def hear(state: SessionState) -> None:
    """Note for the learner what the message enters, and which of the values that were set the browser shows by now."""
    who, heard = state["learner"], dict(parse_qsl(get_script_run_ctx().query_string, keep_blank_values=True))
    widgets, key_of = state._current_interaction_widget_states.widgets, state._key_id_mapper.id_key_mapping
    pressed = any(map(_is_pressed, widgets))
    ids = {key_of[widget.id]: widget.id for widget in widgets if widget.id in key_of and not is_button(widget)}
    values = {key: state._new_widget_state.get(name) for key, name in ids.items()}
    says = {key: print_of(value) for key, value in values.items()}
    changed = {key for key, name in ids.items() if state._widget_changed(name)}
    new = entered(who, says, changed, pressed or not who.url.items() <= heard.items())
    for key, said in says.items():
        if key in new & changed or said == who.was_set.get(key, [None])[-1]:
            who.was_set.pop(key, None)
    who.said, who.entered = says or who.said, {key: values[key] for key in new}


def is_button(widget: WidgetState) -> bool:
    """Return whether it is told of where it is pressed alone."""
    return "trigger" in (widget.WhichOneof("value") or "")


def press_again(state: SessionState) -> None:
    """Run the callbacks of buttons that were pressed more than once, as often as that; Streamlit runs them once."""
    presses = Counter(widget.id for widget in state._current_interaction_widget_states.widgets if _is_pressed(widget))
    for name, times in presses.items():
        about = state._new_widget_state.widget_metadata.get(name)
        if about and not about.disabled:
            for _ in range(1, min(times, MAX_WAITING)):
                state._new_widget_state.call_callback(name)


def call_callbacks(state: SessionState, **how: Any) -> None:
    """Run the callbacks of what changed, knowing what was entered."""
    if "learner" in state:
        hear(state)
    _call_callbacks(state, **how)
    if "learner" in state:
        press_again(state)
        state["learner"].entered = {}


def take_over(session: SafeSessionState, *states: Any, **how: Any) -> None:
    """Take over what was entered and run the callbacks, without a look at whether a newer message waits."""
    with session._lock:
        session._state.on_script_will_rerun(*states, **how)


def request_rerun(session: AppSession, message: ClientState | None) -> None:
    """Hand a message on; where it was sent from a page that is being left, as one from the page asked for.

    A browser that changes the page sends no widgets, one that enters something sends all of its page.
    """
    state = session._session_state
    if message and not message.fragment_id and "learner" in state:
        who = state["learner"]
        if not message.widget_states.widgets:
            who.asked = message.page_script_hash
        elif who.asked:
            message.page_script_hash = who.asked
    _request_rerun(session, message)


@cache
def keep_messages() -> None:
    """Have Streamlit do so from now on, in this process."""
    script_requests._coalesce_widget_states = joined
    SessionState._call_callbacks = call_callbacks
    SafeSessionState.on_script_will_rerun = take_over
    AppSession.request_rerun = request_rerun
