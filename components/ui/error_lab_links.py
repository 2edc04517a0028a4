"""Links from what cannot work on any page to the error lab, with that very case filled in."""

from typing import Any

import streamlit as st

from components.base.limits import MAX_LAB_CELLS
from components.base.link import State
from components.failures.own import AS_TYPED
from components.text.nested_ids import parse_nested
from components.ui.session import current
from components.ui.state import change_choices


def offer_experiment(state: State, experiment: str, label: str = "See what PyTorch raises here", **values: Any) -> None:
    """Render a button that opens an experiment, with the sizes of these settings and `values` filled in."""
    settings = state.settings
    V, T = settings.vocab_size, settings.context_length
    sizes = {"V": V, "D": min(settings.dim, MAX_LAB_CELLS // max(V, T)), "T": T}
    filled = {f"lab_{name}": value for name, value in (sizes | values).items()}
    lab = current().lessons["errors"]
    new = {"lesson": lab.name, "experiment": experiment, **filled}
    if st.button(label, icon=":material/bug_report:", on_click=change_choices, kwargs=new):
        st.switch_page(lab.path)


def offer_ids(state: State, ids: str) -> None:
    """Render the button for IDs as typed, if they are numbers: nothing else is passed to PyTorch."""
    try:
        parse_nested(ids)
    except ValueError:
        return
    offer_experiment(state, "own", ids=ids, dtype=AS_TYPED)
