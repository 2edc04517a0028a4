"""The figure of what one window trains: its growing contexts, each with the token that is to be predicted from it."""

from components.base.text_format import pluralize
from components.figures.drawing import Figure, draw
from components.lessons.windows.ribbon import Name, Ribbon

ROWS, TOKENS = 6, 4  # shown of a window, and of a context
TOP, PITCH = 24, 30
LINES = 2  # of text beside the rows, as high as these
NARROW = 424


def contexts_figure(ribbon: Ribbon, name: Name) -> Figure:
    """Return the figure of the contexts of the window that is followed; `name` gives the token of an ID."""
    start, T = ribbon.window * ribbon.stride, ribbon.T
    rows = [_context(ribbon, name, start, t) for t in range(min(ROWS, T))]
    count, rule = f"Window {ribbon.window:,} is 1 prediction", "of the next token, from one token."
    if T > 1:
        count = f"Window {ribbon.window:,} is {pluralize(T, 'prediction')} at once"
        rule = "each from the tokens before its target in the window."
    part = f"the first {ROWS} are shown" if T > ROWS else ""
    height = TOP + PITCH * max(LINES, len(rows))
    drawing = draw(
        "lessons/windows/contexts.svg.j2",
        rows=rows,
        top=TOP,
        pitch=PITCH,
        count=count,
        rule=rule,
        part=part,
        down=height,
    )
    reading = f"{count}. {'; '.join(row['about'] for row in rows)}"
    return Figure(drawing, reading, height, narrow=(NARROW, height + 72), lit="0")


def _context(ribbon: Ribbon, name: Name, start: int, t: int) -> dict:
    """Return the last tokens of a context, whether there are more before them, and the token that follows it."""
    first = max(start, start + t - TOKENS + 1)
    *tokens, target = (name(int(token_id)) for token_id in ribbon.ids[first : start + t + 2])
    more = first > start
    about = f"{'… ' * more}{' '.join(tokens)} → {target}"
    return {"tokens": tokens, "more": more, "target": target, "about": about}
