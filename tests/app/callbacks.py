"""A guard around the runs of a page: no callback is where Streamlit may break it off."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.state.session_state import SessionState


@contextmanager
def callbacks_run_to_their_end() -> Iterator[None]:
    """Raise AssertionError where a callback does what ends a run that a newer message has made stale.

    That is whatever looks at `st.session_state` or the address, or draws.
    """
    running, call_callbacks = [], SessionState._call_callbacks
    look_for_messages = ScriptRunner._maybe_handle_execution_control_request

    def watched(state: SessionState, **how: Any) -> None:
        running.append(state)
        try:
            call_callbacks(state, **how)
        finally:
            running.pop()

    def guarded(runner: ScriptRunner) -> None:
        assert not running, "A callback could be broken off here, and what was entered be lost."
        look_for_messages(runner)

    with (
        patch.object(SessionState, "_call_callbacks", watched),
        patch.object(ScriptRunner, "_maybe_handle_execution_control_request", guarded),
    ):
        yield
