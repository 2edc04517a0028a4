"""A browser that comes back to a server which does not know it: one that was started again, or another replica.

Its address carries settings and text. What it sends besides is what its widgets hold: the text as it stands there, also
one that is too long for the address or was typed meanwhile, the answers in sight, and a change just made. Streamlit
calls no callback for widgets that it has not drawn yet, so the page is drawn from the address first; then what the
browser sent is handed over once more, as if it had been entered at that moment.
"""

import streamlit as st
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.scriptrunner import RerunData, RerunException, get_script_run_ctx

from components.ui.learner import Learner, session
from components.ui.lessons import LESSONS

SECONDS_BETWEEN_RUNS = 86_400  # never in practice: it is there for what the browser does when it reconnects
CAME_BACK = (
    "The connection to the server was lost, and the server no longer knew this page. Your settings and your text came "
    "along; the predictions counted so far did not, and a file of word vectors has to be uploaded again."
)


@st.fragment(run_every=SECONDS_BETWEEN_RUNS)
def run_when_reconnected() -> None:
    """Draw nothing; only a page with a part that runs by itself asks for a run as soon as it is reconnected."""


def sent_before_drawn(who: Learner) -> None:
    """Keep what the browser sent to a session that is new, or was not drawn to its end so far."""
    if not who.page or who.came_with:
        states = get_script_run_ctx().session_state.get_widget_states()
        # The files themselves are gone with the server that had them.
        who.came_with = [state for state in states if state.WhichOneof("value") != "file_uploader_state_value"]


def text_sent(who: Learner) -> str | None:
    """Return the text in the browser's text area, where the browser came back with one."""
    own = tuple(f"-text_{name}" for name in LESSONS)
    return next((sent.string_value for sent in who.came_with if _is_text(sent, own)), None)


def _is_text(sent: WidgetState, own: tuple[str, ...]) -> bool:
    return sent.WhichOneof("value") == "string_value" and sent.id.endswith(own)


def hand_over() -> None:
    """Run the page once more with what the browser came back with, now that its widgets have their callbacks."""
    who, context = session.learner, get_script_run_ctx()
    if who.came_with:
        came_with, who.came_with = who.came_with, []
        who.notices.append(CAME_BACK)
        who.said = {}
        raise RerunException(
            RerunData(
                query_string=context.query_string,
                page_script_hash=context.page_script_hash,
                widget_states=WidgetStates(widgets=came_with),
                cached_message_hashes=context.cached_message_hashes,
                context_info=context.context_info,
            )
        )
