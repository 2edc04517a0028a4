"""A lesson's figure on its page and among the downloads, by one component for all figures.

The component is registered once, when this module is imported. A figure travels as data: nothing of a learner is part
of the definition, which all sessions share.
"""

import json

import streamlit as st

from components.figures.drawing import FOLDER, STYLE, Figure
from components.ui.session import current, session_value
from components.ui.state import change_choices

_HTML = """<div class="bar">
<label hidden><span></span><input type="range"><output></output></label><button type="button" hidden></button></div>
<div class="figure"></div><p class="live hidden" aria-live="polite"></p>"""
_component = st.components.v2.component(
    "figure", html=_HTML, css=STYLE, js=FOLDER.joinpath("figure.js").read_text("utf-8")
)


def show_figure(figure: Figure) -> None:
    """Show the figure of the lesson; its slider, and a part with `data-choose`, change the choices that they name."""
    learner = current()
    key = f"figure_{learner.page}"

    def chosen() -> None:
        change_choices(learner.page, **session_value(key)["chosen"])

    data = {name: getattr(figure, name) for name in ("reading", "lit", "column", "play")}
    data |= {"svg": figure.svg(), "columns": list(figure.columns)}
    data |= {"slider": figure.slider._asdict() if figure.slider else None}
    # As bytes: for a string Streamlit imports pandas.
    _component(key=key, data=json.dumps(data).encode(), on_chosen_change=chosen)
    learner.figure = figure
