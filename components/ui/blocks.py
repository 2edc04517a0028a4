"""Building blocks that the pages share: a chart with its reading, a plain refusal, a table."""

from collections.abc import Mapping, Sequence

import streamlit as st

from components.charts.ideas import IDEAS
from components.charts.plot import Plot
from components.core.tokenizers import TokenizerUnavailable
from components.ui.learner import session
from components.ui.markdown import plain
from components.ui.offers import offer_chart
from components.ui.presenter import LARGER
from components.ui.state import change_settings, choice


def show(plot: Plot, reading: str) -> None:
    """Draw a chart, and under it the same in words: the reading serves screen readers as well."""
    st.vega_lite_chart(spec=plot.to_spec(LARGER if session.learner.state.choices.present else 1.0), alt=reading)
    st.caption(plain(reading))
    offer_chart(plot, reading)


def refuse(sentence: str) -> None:
    """Say in a plain sentence what cannot work here and what to do about it."""
    st.error(plain(sentence), icon=":material/block:")


def refuse_tokenizer(error: TokenizerUnavailable) -> None:
    """Say that a tokenizer is not here, and offer the one that always is."""
    refuse(str(error))
    st.button("Use GPT-2's tokens", on_click=change_settings, kwargs={"tokenizer": "gpt2"}, type="primary")


def shape_of(name: str, shape: Sequence[int], idea: str, letters: str, heading: str = "") -> None:
    """Draw the name of a tensor with its shape in numbers and letters, in the colour of its idea."""
    if heading:
        st.header(heading, anchor=False)
    numbers = ", ".join(f"{size:,}" for size in shape)
    st.markdown(f":{IDEAS[idea]}-background[**{name}**] `[{numbers}]` {letters}")


def place_entry(label: str, name: str, size: int, step: int = 1, disabled: bool = False) -> int:
    """Draw an entry for a place from 0 to size - 1, tied to the choice `name`; return the place."""
    return st.number_input(
        f"{label}, 0 to {size - 1:,}",
        min_value=0,
        max_value=size - 1,
        step=step,
        disabled=disabled,
        **choice(name, size),
    )


def table_of(rows: Sequence[Mapping[str, str]]) -> None:
    """Draw rows of words as a table; learner text in them is shown as typed."""
    names = list(rows[0])
    lines = [names, ["---"] * len(names), *([plain(row[name]) for name in names] for row in rows)]
    st.markdown("\n".join("| " + " | ".join(line) + " |" for line in lines))
