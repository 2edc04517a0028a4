"""Step by step: the shapes from IDs [B, T] to the sum [B, T, D], each with its lines of PyTorch and its figure."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import streamlit as st
from torch import Tensor

from components.base.link import State
from components.lessons.combine.figure import combine_figure
from components.programs.handout import cells
from components.ui.blocks import show_shape
from components.ui.figure import show_figure
from components.ui.state import bind_widget, change_choices

PROGRAM = Path(__file__).with_name("program.py")
# The shape of each step, its color, and the title of its cell in the program.
STEPS = {
    "ids": ("[B, T]", "neutral", ""),
    "token": ("[B, T, D]", "token", "Token embeddings [B, T, D]"),
    "scaled": ("[B, T, D]", "token", "Times √D"),
    "position": ("[T, D]", "position", "Position embeddings [T, D]"),
    "position_unsqueezed": ("[1, T, D]", "position", "Broadcasting [T, D] to [B, T, D]"),
    "position_broadcast": ("[B, T, D]", "position", "Broadcasting [T, D] to [B, T, D]"),
    "combined": ("[B, T, D]", "combined", "The sum [B, T, D]"),
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
        st.code(cells(PROGRAM)[title])
    show_figure(combine_figure(steps, names, at, stage=name), "_steps")
