"""The way from what cannot work on any page into the error lab, with that very case filled in."""

from typing import Any

import streamlit as st

from components.core.failure_own import AS_TYPED
from components.core.limits import MAX_LAB_CELLS
from components.core.link import State, to_query
from components.core.nested import parse_nested
from components.ui.learner import session
from components.ui.lessons import LESSONS
from components.ui.state import change_choices

FRESH = {"guess": "", "ran": False, "repaired": False}  # how every experiment begins


def offer_experiment(state: State, experiment: str, label: str = "See what PyTorch raises here", **values: Any) -> None:
    """Offer an experiment of the error lab, with the sizes of these settings and `values` filled in."""
    settings = state.settings
    V, T = settings.vocab_size, settings.context_length
    sizes = {"V": V, "D": min(settings.dim, MAX_LAB_CELLS // max(V, T)), "T": T}
    filled = {f"lab_{name}": value for name, value in (sizes | values).items()}
    fresh = {"experiment": experiment, **FRESH, **filled}
    if st.button(label, icon=LESSONS["errors"].icon, on_click=change_choices, kwargs=fresh):
        # A link would not do: on a change of page the session is believed, not the address.
        st.switch_page(LESSONS["errors"].path, query_params=to_query(session.learner.state))


def offer_ids(state: State, ids: str) -> None:
    """Offer IDs as typed, where they are numbers at all; what is not never reaches PyTorch."""
    try:
        parse_nested(ids)
    except ValueError:
        return
    offer_experiment(state, "own", ids=ids, dtype=AS_TYPED)
