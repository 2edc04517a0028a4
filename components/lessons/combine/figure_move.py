"""The figure of a token at two positions: two sums, of which one term differs, and the change."""

from torch import Tensor

from components.embedding.norm_ratio import MovedToken
from components.figures.cells import FULL_COLOR, number
from components.figures.columns import columns, shown_columns
from components.figures.drawing import Figure, draw

TOP, PITCH = 66, 36
LEFT = (110, 361, 612)  # of both sums, and of the change


def move_figure(
    name: str,
    token: Tensor,
    position: Tensor,
    at: tuple[int, int],
    moved: MovedToken,
    d: int,
    root: float,
) -> Figure:
    """Return the figure of a token embedding [D] added to rows `at` of the position embeddings [T, D].

    `name` is that of the token embedding, which has been multiplied by `root`; column d is lit at first.
    """
    shown = shown_columns(len(token), d - d % 4)
    sums = [
        (LEFT[i], f"at position {t}", f"{name} + P[{t}]", (token, position[t], combined))
        for i, (t, combined) in enumerate(zip(at, (moved.before, moved.after), strict=True))
    ]
    change = position[at[1]] - position[at[0]]
    parts = ("token", "position", "combined")
    texts = {
        part: "; ".join(", ".join(number(rows[i][d].item()) for d in shown) for _, _, _, rows in sums)
        for i, part in enumerate(parts)
    }
    drawing = draw(
        "lessons/combine/move.svg.j2",
        sums=[(*each, [columns(shown, row.tolist()) for row in rows]) for *each, rows in sums],
        change=columns(shown, change.tolist()),
        change_name=f"P[{at[1]}] − P[{at[0]}]",
        change_left=LEFT[2],
        names={part: f"{part}, columns {', '.join(map(str, shown))}: {text}" for part, text in texts.items()},
        top=TOP,
        pitch=PITCH,
        full=FULL_COLOR * root,
    )
    reading = (
        f"{name} + P[{at[0]}] and {name} + P[{at[1]}] in columns {', '.join(map(str, shown))}: {texts['combined']}. "
        f"Change: {', '.join(number(change[d].item()) for d in shown)}"
    )
    return Figure(drawing, reading, TOP + 3 * PITCH + 22, lit="position", columns=shown, column=d)
