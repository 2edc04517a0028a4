"""A lesson's figure on its page and among the downloads, by one component for all figures.

The component is registered once, when this module is imported. A figure travels as data: nothing of a learner is part
of the definition, which all sessions share.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from components.figures.drawing import FOLDER, STYLE, Figure
from components.ui.session import current, sent_value
from components.ui.state import change_choices, interact

EXTRA = (2, 1)  # columns more in each block of a presented figure
_HTML = """<div class="bar">
<label hidden><span></span><input type="range"><output></output></label><button type="button" hidden></button></div>
<div class="figure"></div><p class="live hidden" aria-live="polite"></p>"""
_PARTS = ("layout", "lighting", "films", "figure")
_SCRIPT = "\n".join(FOLDER.joinpath(f"{name}.js").read_text("utf-8") for name in _PARTS)
_component = st.components.v2.component("figure", html=_HTML, css=STYLE, js=_SCRIPT)


def show_widened(draw: Callable[..., Figure], *arguments: Any, name: str = "", **options: Any) -> None:
    """Show the figure that a function draws; in presentation mode with `extra` columns if there is room for them.

    The browser chooses, by its width: a phone shows the figure as usual, which is also the one that is downloaded.
    """
    figure = draw(*arguments, **options)
    if current().state.present:
        wider = [draw(*arguments, **options, extra=extra) for extra in EXTRA]
        figure = replace(figure, wider=[each for each in wider if each.width > figure.width])
    show_figure(figure, name)


def show_figure(figure: Figure, name: str = "") -> None:
    """Show the figure of the lesson; its slider, and a part with `data-choose`, change the choices that they name.

    A part with `data-choose='{"lesson": "tokens"}'` opens that lesson. A further figure of the page has a name; it is
    not among the downloads.
    """
    learner = current()
    key = f"figure_{learner.page}{name}"

    def chosen() -> None:
        entries = sent_value(key, "chosen")
        if isinstance(entries, dict) and entries.keys() <= vars(learner.state.lessons[learner.page]).keys():
            change_choices(learner.page, **entries)
        else:  # another lesson, or what no figure sends
            interact()

    data = _sent(figure) | {"play": figure.play, "wider": [*map(_sent, figure.wider)]}
    data |= {"slider": figure.slider._asdict() if figure.slider else None}
    # As bytes: for a string Streamlit imports pandas.
    result = _component(key=key, data=json.dumps(data).encode(), on_chosen_change=chosen)
    if not name:
        learner.outputs.figure = figure
    opened = result.chosen.get("lesson") if isinstance(result.chosen, dict) else None
    if opened in list(learner.lessons):  # a list: what a browser sends may not be hashable
        st.switch_page(learner.lessons[opened].path)


def _sent(figure: Figure) -> dict[str, Any]:
    """Return what the browser gets of one drawing of a figure."""
    svg = figure.svg()
    if current().in_class or current().hides_answers:  # a mask has no question of its own
        svg = svg.replace("answer to see it", "after the vote").replace("once you have answered", "after the vote")
    found = {name: getattr(figure, name) for name in ("reading", "lit", "column", "narrow")}
    return found | {"svg": svg, "columns": list(figure.columns), "size": (figure.width, figure.height)}
