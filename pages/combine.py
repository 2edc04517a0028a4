"""Combine: token vector plus position vector, number by number."""

import math

import streamlit as st

from components.ui.frame import frame

ROWS, COLUMNS = 12, 16
LETTERS = {
    "ids": "[B, T]",
    "token": "[B, T, D]",
    "scaled": "[B, T, D]",
    "position": "[T, D]",
    "position_unsqueezed": "[1, T, D]",
    "position_broadcast": "[B, T, D]",
    "combined": "[B, T, D]",
}
IDEA = {"ids": "neutral", "token": "token", "scaled": "token", "combined": "combined"}


def choose_step(steps, choices):
    """Draw the steps with a way forward and back, by mouse or by the arrow keys; return the chosen one."""
    number = min(choices.step, len(steps) - 1)
    tied = bound("steps_here", number, change_choices, "step", "default")
    names = [step.name.replace("_", " ") for step in steps]
    last = len(steps) - 1

    def go(by):
        change_choices(step=min(max(0, min(current().state.choices.step, last) + by), last))

    with st.container(horizontal=True):
        st.button("Step back", shortcut="Left", disabled=number == 0, on_click=go, args=(-1,))
        st.button("Step on", shortcut="Right", disabled=number == last, on_click=go, args=(1,), type="primary")
    st.segmented_control(
        "Step",
        list(range(len(steps))),
        format_func=names.__getitem__,
        required=True,
        label_visibility="collapsed",
        **tied,
    )
    return number


def part_shown(T, D, choices):
    """Return the places t and the columns d that the heatmaps show: those around the chosen cell."""
    t, d = min(choices.t, T - 1), min(choices.d, D - 1)
    first_t, first_d = t - t % ROWS, d - d % COLUMNS
    return slice(first_t, min(first_t + ROWS, T)), slice(first_d, min(first_d + COLUMNS, D))


def draw_step(state, step, ids, part, bound_, b):
    """Draw one step: its line of PyTorch, and the part of its numbers around the chosen cell."""
    st.code(step.code)
    ts, ds = part
    if step.name == "ids":
        for row, sequence in enumerate(step.tensor[:ROWS, ts].tolist()):
            names = " → ".join(f":gray-background[{plain(label(state, i))}]" for i in sequence)
            st.markdown(f"b = {row}: {names}")
        return
    batched = step.tensor.dim() == 3
    sheet = min(b, len(step.tensor) - 1)
    values = (step.tensor[sheet] if batched else step.tensor)[ts, ds].numpy()
    where = f"{sheet}, " if batched else ""
    keys = [str(t) for t in range(ts.start, ts.stop)]
    of_position = step.name.startswith("position")
    rows = [f"t = {t}" for t in keys] if of_position else [label(state, i) for i in ids[b, ts].tolist()]
    show(
        heatmap(values, rows, keys, bound_, f"{step.name}[{where}{{row}}, {{column}}]", ds.start),
        f"{step.name}[{where}{ts.start}:{ts.stop}, {ds.start}:{ds.stop}] of a tensor {list(step.shape)}; "
        f"{step.name}[{where}{ts.start}, {ds.start}] = {values[0, 0]:.4f}.",
    )


def ledger(state, walkthrough, ids):
    """Let the learner pick one cell, and write its sum with the real numbers."""
    B, T, D = walkthrough["combined"].shape
    scale = state.settings.scale
    st.header("One cell of the sum", anchor=False)
    places = []
    for column, name, size in zip(st.columns(3), ("sequence b", "place t", "column d"), (B, T, D), strict=True):
        with column:
            places.append(place_entry(name.capitalize(), name[-1], size))
    b, t, d = places
    token_id = int(ids[b, t])
    weight, out = walkthrough["token"].tensor[b, t, d].item(), walkthrough["combined"].tensor[b, t, d].item()
    times = f" × √{D}" if scale else ""
    terms = [f":blue-background[W\\[{token_id}, {d}\\]]{times}"]
    numbers = [f"{weight:.4f}" + (f" × {math.sqrt(D):.4f}" if scale else "")]
    if "position" in walkthrough:
        terms.append(f":orange-background[P\\[{t}, {d}\\]]")
        numbers.append(f"{walkthrough['position'].tensor[t, d].item():.4f}")
    st.markdown(f"### {' + '.join(terms)} = :violet-background[out\\[{b}, {t}, {d}\\]]", anchors=False)
    written = " + ".join(f"({n})" if n.startswith("-") and k else n for k, n in enumerate(numbers))
    st.markdown(f"### {written} ≈ **{out:.4f}**", anchors=False)
    name = plain(label(state, token_id))
    st.caption(f"Token {name} at place {t} of sequence {b}. Each number is rounded to 4 decimals.")


def lesson(state):
    """Tell the lesson from top to bottom."""
    settings, choices = state.settings, state.choices
    left, right = st.columns(2)
    with left:
        input_panel(state)
    ids = journey_batch(state)
    if ids is not None:
        walkthrough = walk(ids, settings, tables(settings))
        steps, (B, T), D = walkthrough.steps, ids.shape, settings.dim
        with right:
            predict_first()
        number = choose_step(steps, choices)
        step, part = steps[number], part_shown(T, D, choices)
        bound_ = shared_bound(*(each.tensor[..., part[0], part[1]].numpy() for each in steps if each.name != "ids"))
        note = f"{LETTERS[step.name]} · step {number + 1} of {len(steps)}"
        shape_of(step.name, step.shape, IDEA.get(step.name, "position"), note)
        draw_step(state, step, ids, part, bound_, min(choices.b, B - 1))
        if "position" in walkthrough:
            show(
                broadcast_chart(B, T, D),
                f"Broadcasting: [{T}, {D}] is read as [1, {T}, {D}] and then as [{B}, {T}, {D}]; the one sheet of "
                f"positions is added to each of {B} sequences, without a copy.",
            )
        ledger(state, walkthrough, ids)
        laboratory(walkthrough["token"].tensor, settings, choices)


with frame("combine") as state:
    from components.charts.broadcast import broadcast_chart
    from components.charts.heatmap import heatmap, shared_bound
    from components.core.walkthrough import walk
    from components.ui.balance import laboratory
    from components.ui.batch import input_panel, journey_batch, label
    from components.ui.blocks import place_entry, shape_of, show
    from components.ui.checks import predict_first
    from components.ui.learner import current
    from components.ui.markdown import plain
    from components.ui.state import bound, change_choices
    from components.ui.tables import tables

    lesson(state)
