"""What the lessons share on screen: a chart with its description, an error, a shape, an index field, a table."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import streamlit as st

from components.base.learner_text import show_hidden
from components.charts.palette import COLOR_ROLES
from components.charts.plot import Plot
from components.ui.markdown import escape_markdown
from components.ui.presentation import LARGER, end_notice
from components.ui.session import current
from components.ui.state import bind_choice
from components.ui.terms import explained


def live(render: Callable[..., object], seconds: float, *arguments: object) -> None:
    """Render a part of the page that is rendered again every so many seconds, alone in a container.

    If its time comes before the browser has been sent all of the whole page, Streamlit leaves out what the whole page
    made of it; it would then replace what follows in the same container.
    """
    with st.container():
        st.fragment(render, run_every=seconds)(*arguments)


def show_chart(plot: Plot, reading: str) -> None:
    """Show a chart and below it its description, which is also its text alternative."""
    learner, reading = current(), show_hidden(reading)
    st.vega_lite_chart(spec=plot.to_spec(LARGER if learner.state.present else 1.0), alt=reading)
    st.caption(escape_markdown(reading))
    learner.outputs.charts.append((reading, plot))


def notice(sentences: Iterable[str], below: Callable[[], None] = lambda: None) -> None:
    """Show what to notice on this very screen; terms that the purpose of the lesson lacks are explained.

    A second figure is shown by `below`: a presentation scrolls to both.
    """
    learner = current()
    if not learner.hides_answers:
        text = explained(" ".join(sentences), learner.page, learner.lesson.purpose)
        st.html(f"<div><strong>What to notice.</strong> {text}</div>")
    below()
    if not learner.hides_answers:
        end_notice()


def note_typed_ids(does: str) -> None:
    """Show that this page, which `does` something with the text, takes no IDs instead of it."""
    st.caption(
        f"This page {does}. Lookup and most lessons after it currently use the IDs that you typed. Clear the ID "
        "field to use your text."
    )


def show_error(sentence: str) -> None:
    """Show an error: a sentence that names the value, the limit and the fix."""
    st.error(escape_markdown(sentence), icon=":material/block:")


def show_shape(name: str, shape: Sequence[int], color_role: str, letters: str) -> None:
    """Show the name of a tensor with its shape in numbers and letters, in the color of its role."""
    st.markdown(f":{COLOR_ROLES[color_role]}-background[**{name}**] `{list(shape)}` {letters}")


def whole_number(
    label: str, low: int | None = None, high: int | None = None, step: int = 1, *, value: int, **options: Any
) -> int:
    """Render the field for a whole number that is bound to the state; return the number in the state.

    In a field for integers the browser cuts 12.7 to 12. A field for any number passes it on, and the state refuses it
    with a sentence.
    """
    limits = {"min_value": low, "max_value": high}
    limits = {name: float(limit) for name, limit in limits.items() if limit is not None}
    st.number_input(label, value=float(value), step=float(step), format="%g", **limits, **options)
    return value


def ranged_number(label: str, low: int, high: int, step: int = 1, **options: Any) -> int:
    """Render the field for a whole number with its range in the label; none if there is one number only."""
    return low if low == high else whole_number(f"{label}, {low:,} to {high:,}", low, high, step, **options)


def index_field(label: str, name: str, size: int, step: int = 1) -> int:
    """Render the field for an index from 0 to size - 1, bound to the choice `name`; return the index."""
    return ranged_number(label, 0, size - 1, step, **bind_choice(name, size))


def option_buttons(label: str, name: str, options: Mapping[str, str], **look: Any) -> None:
    """Render a button for each option, by its label, bound to the choice `name`, of which one is always chosen."""
    bound = bind_choice(name, default="default")
    st.segmented_control(label, list(options), format_func=options.get, required=True, **look, **bound)


def option_list(label: str, options: Sequence[Any], bound: dict[str, Any], **look: Any) -> None:
    """Render the list of options of a registered widget, whose arguments have the chosen one as a value."""
    chosen = bound.pop("value")
    st.selectbox(label, options, None if chosen is None else options.index(chosen), **look, **bound)


def option_pills(label: str, options: Sequence[Any], name: Callable[[Any], str], bound: dict[str, Any]) -> None:
    """Render options, each with its name, in as many lines as they need; one stays chosen, and no label is seen."""
    look = {"required": True, "wrap": True, "label_visibility": "collapsed"}
    st.pills(label, options, format_func=name, **look, **bound)


def show_table(rows: Iterable[Mapping[str, str]]) -> None:
    """Show one or more rows of words as a table; learner text in them is escaped."""
    rows = list(rows)
    names = list(rows[0])
    lines = [names, ["---"] * len(names), *([escape_markdown(row[name]) for name in names] for row in rows)]
    st.markdown("\n".join("| " + " | ".join(line) + " |" for line in lines))
