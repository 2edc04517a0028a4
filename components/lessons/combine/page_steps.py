"""Step by step: the shapes from IDs [B, T] to the sum [B, T, D], each with its lines of PyTorch and its figure."""

from collections.abc import Mapping, Sequence

import streamlit as st
from torch import Tensor

from components.base.link import State
from components.base.program_text import body
from components.lessons.combine.figure import combine_figure
from components.lessons.combine.program import combine
from components.programs.story import cells
from components.ui.blocks import show_shape
from components.ui.figure import show_figure
from components.ui.state import bind_widget, change_choices

# The shape of each step, its color, and the beginning of the title of its cell in the program.
STEPS = {
    "ids": ("[B, T]", "neutral", ""),
    "token": ("[B, T, D]", "token", "Token"),
    "scaled": ("[B, T, D]", "token", "Times"),
    "position": ("[T, D]", "position", "Position"),
    "position_unsqueezed": ("[1, T, D]", "position", "Broadcasting"),
    "position_broadcast": ("[B, T, D]", "position", "Broadcasting"),
    "combined": ("[B, T, D]", "combined", "The"),
}


def show_steps(
    state: State, steps: Mapping[str, Tensor], names: Sequence[str], at: Sequence[int], masked: bool
) -> None:
    """Show one step: its shape, its lines of PyTorch, and the figure up to it; the sum only once it is not `masked`."""
    order = list(steps)[:-1] if masked else list(steps)
    index = min(state.choices.step, len(order) - 1)
    st.segmented_control(
        "Step",
        list(range(len(order))),
        format_func=lambda number: order[number].replace("_", " "),
        required=True,
        label_visibility="collapsed",
        **bind_widget("combine_step", index, lambda step: change_choices(step=step), "default"),
    )
    name = order[index]
    shape, color, title = STEPS[name]
    show_shape(name, tuple(steps[name].shape), color, f"{shape} · step {index + 1} of {len(steps)}")
    if name != "ids":
        found = cells(body(combine, vars(state.settings)))
        cell = next(each for each in found if each.title.startswith(title))
        st.markdown(cell.prose)
        st.code("\n".join(line for line in cell.code.splitlines() if not line.startswith("print(")))
    show_figure(combine_figure(steps, names, at, stage=name), "_steps")
