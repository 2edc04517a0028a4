"""A training that waits for its turn is shown to its learner."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from components.base.limits import MAX_TRAININGS_AT_ONCE
from components.caches.turns import wait_shown_by

WAITS = (
    f"This training waits for those of other learners: {MAX_TRAININGS_AT_ONCE} run at once. It begins by itself; you "
    "can go on meanwhile."
)


@contextmanager
def shown_waits() -> Iterator[None]:
    """Show that a training within waits, in a part that is always rendered: so what is below keeps the focus."""
    part = st.empty()

    def show(waits: bool) -> None:
        nonlocal shown
        if waits or shown:
            part.info(WAITS, icon=":material/hourglass:") if waits else part.empty()
        shown = waits

    shown = False
    with wait_shown_by(show):
        yield
