"""The animated map of a training: one 2-D projection for all steps, and a slider over the steps."""

from collections.abc import Sequence
from functools import lru_cache

import altair as alt
import numpy as np

from components.charts.columns import arrow_table
from components.charts.flat import HALF_Y_SHOWN, flat_axes, flat_params
from components.charts.palette import color_by_role
from components.charts.plot import MAX_CACHED_SPECS, Plot, chart_on

HEIGHT = 520
ROOM = 1.1
INSIDE = HEIGHT - 100  # pixels between the axes, at least
WIDTHS = (240, 600, 880)  # pixels between the axes: on a phone, a tablet, a desktop
LETTER, LINE, GAP, POINT = 7, 13, 7, 4  # pixels: width of a letter, height of a line, from point to name, a point
PIXELS_PER_UNIT = f"height / (2 * {HALF_Y_SHOWN})"


@lru_cache(MAX_CACHED_SPECS)
def _animation_spec() -> dict:
    x, y = flat_axes("direction 1", "direction 2")
    tooltip = ["row:N", "step:Q", alt.Tooltip("x:Q", format=".2f"), alt.Tooltip("y:Q", format=".2f")]
    frames = chart_on("snapshots").transform_filter("datum.step <= at && at <= datum.until")
    paths = frames.mark_rule(strokeWidth=1, opacity=0.5, aria=False).encode(x, y, color_by_role(), x2="x0:Q", y2="y0:Q")
    starts = frames.mark_point(size=40, filled=False, opacity=0.7)
    starts = starts.encode(x="x0:Q", y="y0:Q", color=color_by_role("start"), description="origin:N")
    points = frames.mark_point(size=60, filled=True, opacity=1).encode(
        x, y, color_by_role(), tooltip=tooltip, description="reading:N"
    )
    names = frames.mark_text(
        align=alt.expr("datum.side < 0 ? 'right' : 'left'"),
        baseline="middle",
        dx=alt.expr(f"{GAP} * datum.side"),
        fontSize=12,
        opacity=alt.expr(f"datum.side == 0 || {PIXELS_PER_UNIT} < datum.scale ? 0 : 1"),
        aria=False,
    ).encode(x, y, color_by_role("letters"), text="row:N")
    return alt.layer(paths, starts, points, names).properties(height=HEIGHT).to_dict()


def animation_chart(names: Sequence[str], color_roles: Sequence[str], steps: Sequence[int], points: np.ndarray) -> Plot:
    """Return rows at `points` [frames, rows, 2], one frame at a time: that of the step chosen with the slider.

    A hollow point is the start of a row, and the line from it leads to its current point. A frame is shown until the
    next one. A name without room at the last step is left out; the tooltip still shows it.

    >>> plot = animation_chart(["a"], ["token"], [0, 4], np.zeros((2, 1, 2)))
    >>> plot.data["snapshots"]["until"].to_pylist()
    [3, 4]
    """
    frames, rows, _ = points.shape
    points = points.astype(float).round(4)
    last = max(1, steps[-1])  # a slider needs two ends
    until = [step - 1 for step in steps[1:]] + [last]
    x, y = points[:, :, 0].ravel(), points[:, :, 1].ravel()
    frame = flat_params(points.reshape(-1, 2), ROOM)
    half = {param["name"]: param["value"] for param in frame}
    scales = [min(INSIDE / half["half_y"], width / half["half_x"]) / 2 for width in WIDTHS]
    labels = names_with_room(points[-1], [len(name) for name in names], scales)
    columns = {
        "row": [*names] * frames,
        "step": np.repeat(np.array(steps), rows),
        "until": np.repeat(np.array(until), rows),
        "x": x,
        "y": y,
        "x0": np.tile(points[0, :, 0], frames),
        "y0": np.tile(points[0, :, 1], frames),
        "color_role": [*color_roles] * frames,
        "start": ["neutral"] * (frames * rows),
        "letters": ["letters"] * (frames * rows),
        "side": [side for side, _ in labels] * frames,
        "scale": [scale for _, scale in labels] * frames,
        "origin": [f"start of {name}" for name in names] * frames,
        "reading": [
            f"{name} at {a:.2f}, {b:.2f} after step {step}"
            for step, frame in zip(steps, points.tolist(), strict=True)
            for name, (a, b) in zip(names, frame, strict=True)
        ],
    }
    slider = {"input": "range", "min": 0, "max": last, "step": 1, "name": "step "}
    params = [*frame, {"name": "at", "value": steps[-1], "bind": slider}]
    return Plot({**_animation_spec(), "params": params}, {"snapshots": arrow_table(columns)})


def names_with_room(points: np.ndarray, letters: Sequence[int], scales: Sequence[float]) -> list[tuple[int, float]]:
    """Return the side of each name and the scale from which it is shown: 1 is right, -1 left, 0 not shown.

    `points` are [rows, 2], `letters` the lengths of the names, and `scales` pixels per unit, from small to large.
    Earlier rows have priority, and a name covers neither another name nor a point.

    >>> names_with_room(np.array([[0.0, 0.0], [10.0, 0.0], [8.0, 3.0]]), [3, 3, 3], scales=[1.0, 8.0])
    [(-1, 1.0), (1, 1.0), (1, 8.0)]
    """
    labels = [(0, 0.0)] * len(points)
    for scale in scales:
        at = points * scale
        dots = np.hstack([at - POINT, at + POINT])  # left, bottom, right, top
        boxes = [name_box(at[n], side, letters[n]) for n, (side, _) in enumerate(labels) if side]
        for n, (placed, _) in enumerate(labels):
            for side in () if placed else (1, -1):
                box = name_box(at[n], side, letters[n])
                others = np.array([*np.delete(dots, n, axis=0), *boxes]).reshape(-1, 4)
                if not ((others[:, :2] < box[2:]) & (others[:, 2:] > box[:2])).all(axis=1).any():
                    labels[n] = (side, float(scale))
                    boxes.append(box)
                    break
    return labels


def name_box(point: np.ndarray, side: int, letters: int) -> np.ndarray:
    """Return left, bottom, right and top of a name beside `point`, all in pixels.

    >>> name_box(np.array([0.0, 0.0]), side=1, letters=2).tolist()
    [7.0, -6.5, 21.0, 6.5]
    """
    near, far = sorted([side * GAP, side * (GAP + letters * LETTER)])
    return np.array([point[0] + near, point[1] - LINE / 2, point[0] + far, point[1] + LINE / 2])
