"""The figure of a token at two positions: two sums, of which one term differs, and the change."""

from torch import Tensor

from components.figures.cells import FULL_COLOR, number
from components.figures.columns import SHOWN, columns, shown_columns, wider_by
from components.figures.drawing import Figure, draw

TOP, PITCH = 66, 36
LEFT = (116, 361, 612)  # of both sums, and of the change
NARROW, BELOW = 424, 30  # of a narrow screen, and from a block to the next heading


def move_figure(
    name: str, token: Tensor, position: Tensor, at: tuple[int, int], d: int, root: float, extra: int = 0
) -> Figure:
    """Return the figure of a token embedding [D] added to rows `at` of the position embeddings [T, D].

    `name` is that of the token embedding; its numbers are `root` times as large as those of N(0, 1). Column d is lit at
    first. The blocks have `extra` columns more than usually, if there are as many.
    """
    shown = shown_columns(len(token), d, SHOWN + extra)
    wider = wider_by(shown)
    lefts = [left + wider * n for n, left in enumerate(LEFT)]
    positions = position[list(at)]  # [2, D]
    parts = {"token": (token, token), "position": positions, "combined": token + positions}
    change = columns(shown, (positions[1] - positions[0]).tolist())
    texts = {
        part: "; ".join(", ".join(number(row[d].item()) for d in shown) for row in rows) for part, rows in parts.items()
    }
    down = TOP + 3 * PITCH + BELOW
    drawing = draw(
        "lessons/combine/move.svg.j2",
        sums=[
            (left, f"at position {t}", f"{name} + P[{t}]", [columns(shown, row.tolist()) for row in rows])
            for left, t, *rows in zip(lefts[:2], at, *parts.values(), strict=True)
        ],
        change=change,
        change_name=f"P[{at[1]}] − P[{at[0]}]",
        change_left=lefts[2],
        names={part: f"{part}, columns {', '.join(map(str, shown))}: {text}" for part, text in texts.items()},
        top=TOP,
        pitch=PITCH,
        full=FULL_COLOR * root,
        down=down,
    )
    reading = (
        f"{name} + P[{at[0]}] and {name} + P[{at[1]}] in columns {', '.join(map(str, shown))}: {texts['combined']}. "
        f"Change: {', '.join(number(each.value) for each in change)}"
    )
    size = {"width": Figure.width + 3 * wider, "height": TOP + 3 * PITCH + 22, "narrow": (NARROW, 3 * down - 2 * PITCH)}
    return Figure(drawing, reading, **size, lit="position", columns=shown, column=d)
