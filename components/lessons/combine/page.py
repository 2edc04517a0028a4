"""The page of the lesson on the combined embedding: the steps to it, and one element of the sum."""

import math

import streamlit as st
from torch import Tensor

from components.base.link import State
from components.base.program_text import body
from components.base.settings import Settings
from components.charts.heatmap import heatmap, shared_bound
from components.embedding.walkthrough import walk
from components.lessons.combine.charts import broadcast_chart
from components.lessons.combine.choices import Choices
from components.lessons.combine.page_norms import norm_comparison
from components.lessons.combine.program import combine
from components.programs.story import cells
from components.ui.batch import journey_batch, row_label
from components.ui.blocks import index_field, show_chart, show_shape
from components.ui.markdown import escape_markdown
from components.ui.quiz import predict_first
from components.ui.state import bind_widget, change_choices
from components.ui.tables import tables

ROWS, COLUMNS = 12, 16
# The shape of each step, its colour, and the beginning of the title of its cell in the program.
STEPS = {
    "ids": ("[B, T]", "neutral", ""),
    "token": ("[B, T, D]", "token", "Token"),
    "scaled": ("[B, T, D]", "token", "Times"),
    "position": ("[T, D]", "position", "Position"),
    "position_unsqueezed": ("[1, T, D]", "position", "Broadcasting"),
    "position_broadcast": ("[B, T, D]", "position", "Broadcasting"),
    "combined": ("[B, T, D]", "combined", "The"),
}


def render(state: State) -> None:
    """Render the lesson from top to bottom."""
    settings, choices = state.settings, state.choices
    ids = journey_batch(state)
    if ids is None:
        return
    steps = walk(ids, settings, tables(settings))
    (B, T), D = ids.shape, settings.dim
    predict_first()
    name = choose_step(list(steps), choices)
    shape, color, _ = STEPS[name]
    show_shape(name, tuple(steps[name].shape), color, f"{shape} · step {list(steps).index(name) + 1} of {len(steps)}")
    show_step(state, steps, name)
    if "position" in steps:
        show_chart(
            broadcast_chart(B, T, D),
            f"Broadcasting: [{T}, {D}] is expanded to [{B}, {T}, {D}] without copying; every sequence gets the same "
            "position embeddings.",
        )
    show_element_sum(state, steps)
    norm_comparison(steps["token"], settings, choices)


def choose_step(names: list[str], choices: Choices) -> str:
    """Render the steps as a segmented control for the arrow keys; return the name of the chosen one."""
    index = min(choices.step, len(names) - 1)
    bound = bind_widget("combine_step", index, lambda step: change_choices(step=step), "default")
    st.segmented_control(
        "Step",
        list(range(len(names))),
        format_func=lambda number: names[number].replace("_", " "),
        required=True,
        label_visibility="collapsed",
        **bound,
    )
    return names[index]


def step_code(name: str, settings: Settings) -> str:
    """Return the lines of the lesson's program that compute a step, without those that print it."""
    begins = STEPS[name][2]
    code = next((cell.code for cell in cells(body(combine, vars(settings))) if cell.title.startswith(begins)), "")
    return "\n".join(line for line in code.splitlines() if not line.startswith("print("))


def show_step(state: State, steps: dict[str, Tensor], name: str) -> None:
    """Show one step: its lines of PyTorch, and the part of its tensor around the chosen element."""
    ids, tensor = steps["ids"], steps[name]
    B, T = ids.shape
    ts, ds = part_shown(T, state.settings.dim, state.choices)
    if name == "ids":
        for b, sequence in enumerate(ids[:ROWS, ts].tolist()):
            names = " → ".join(f":gray-background[{escape_markdown(row_label(state, i))}]" for i in sequence)
            st.markdown(f"b = {b}: {names}")
        return
    st.code(step_code(name, state.settings))
    # One bound for all steps, so that a colour is the same number in each of them.
    bound = shared_bound(*(each[..., ts, ds].numpy() for other, each in steps.items() if other != "ids"))
    b = min(state.choices.b, B - 1)
    b_shown = min(b, len(tensor) - 1)  # an unsqueezed position table is a batch of one
    batched = tensor.dim() == 3
    values = (tensor[b_shown] if batched else tensor)[ts, ds].numpy()
    prefix = f"{b_shown}, " if batched else ""
    keys = [str(t) for t in range(ts.start, ts.stop)]
    of_positions = name.startswith("position")
    names = [f"t = {t}" for t in keys] if of_positions else [row_label(state, i) for i in ids[b, ts].tolist()]
    show_chart(
        heatmap(values, names, keys, bound, f"{name}[{prefix}{{row}}, {{column}}]", ds.start),
        f"{name}[{prefix}{ts.start}:{ts.stop}, {ds.start}:{ds.stop}] of a tensor {list(tensor.shape)}; "
        f"{name}[{prefix}{ts.start}, {ds.start}] = {values[0, 0]:.4f}.",
    )


def part_shown(T: int, D: int, choices: Choices) -> tuple[slice, slice]:
    """Return the positions t and the columns d that the heatmaps show: those around the chosen element."""
    t, d = min(choices.t, T - 1), min(choices.d, D - 1)
    first_t, first_d = t - t % ROWS, d - d % COLUMNS
    return slice(first_t, min(first_t + ROWS, T)), slice(first_d, min(first_d + COLUMNS, D))


def show_element_sum(state: State, steps: dict[str, Tensor]) -> None:
    """Render the fields for an element, and its sum with the real numbers."""
    B, T, D = steps["combined"].shape
    scale = state.settings.scale
    st.header("One element of the sum", anchor=False)
    indices = []
    for column, name, size in zip(st.columns(3), ("sequence b", "position t", "column d"), (B, T, D), strict=True):
        with column:
            indices.append(index_field(name.capitalize(), name[-1], size))
    b, t, d = indices
    token_id = int(steps["ids"][b, t])
    weight, out = steps["token"][b, t, d].item(), steps["combined"][b, t, d].item()
    terms = [f":blue-background[W\\[{token_id}, {d}\\]]" + (f" × √{D}" if scale else "")]
    numbers = [f"{weight:.4f}" + (f" × {math.sqrt(D):.4f}" if scale else "")]
    if "position" in steps:
        terms.append(f":orange-background[P\\[{t}, {d}\\]]")
        numbers.append(f"{steps['position'][t, d].item():.4f}")
    st.markdown(f"### {' + '.join(terms)} = :violet-background[out\\[{b}, {t}, {d}\\]]", anchors=False)
    total = " + ".join(f"({n})" if n.startswith("-") and k else n for k, n in enumerate(numbers))
    st.markdown(f"### {total} ≈ **{out:.4f}**", anchors=False)
    name = escape_markdown(row_label(state, token_id))
    st.caption(f"Token {name} at position {t} of sequence {b}. Each number is rounded to 4 decimals.")
