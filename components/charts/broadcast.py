"""Broadcasting as stacks of sheets: B sheets of tokens, one sheet of positions read B times, B sheets of sums."""

from collections.abc import Sequence
from functools import lru_cache

import altair as alt
import pyarrow as pa

from components.charts.columns import arrow_table, rows_table
from components.charts.palette import color_by_idea, stroke_by_idea
from components.charts.plot import LOOKS_KEPT, Plot, named

MAX_SHEETS = 5
LEFT_OF_STACK = {"token": 0.0, "position": 10.0, "combined": 20.0}


@lru_cache(LOOKS_KEPT)
def _look(sheets: int, lines: int) -> dict:
    x = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[-3, 31]))
    y = alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[-0.6 - 0.9 * lines, 4.2 + 0.8 * (sheets - 1)]))
    ends = {"x2": "x2:Q", "y2": "y2:Q", "tooltip": ["idea:N", "sheet:N"]}
    again = named("again").mark_rect(fillOpacity=0.05, strokeWidth=1.5, strokeDash=[5, 4])
    real = named("real").mark_rect(fillOpacity=0.55, strokeWidth=1.5)
    layers = [sheet.encode(x, y, color_by_idea(), stroke_by_idea(), **ends) for sheet in (again, real)]
    letters = named("names").mark_text(fontSize=12, lineBreak="\n").encode(x, y, color_by_idea(), text="label:N")
    signs = named("signs").mark_text(fontSize=22, baseline="middle").encode(x, y, color_by_idea(), text="label:N")
    return alt.layer(*layers, letters, signs).properties(height=130 + 15 * lines).to_dict()


def broadcast_chart(batch_size: int, context_length: int, dim: int) -> Plot:
    """Return token [B, T, D] + position [T, D] = combined [B, T, D] as three stacks; sheets read again are dashed.

    >>> plot = broadcast_chart(batch_size=2, context_length=4, dim=16)
    >>> plot.data["again"]["idea"].to_pylist()
    ['position']
    """
    sheets = min(batch_size, MAX_SHEETS)
    real, again = [], []
    for idea, left in LEFT_OF_STACK.items():
        for n in reversed(range(sheets)):
            x, y = left + n * 0.5, n * 0.8
            copied = idea == "position" and n > 0
            sheet = "the same sheet, read again" if copied else "a sheet of its own"
            place = {"x": x, "x2": x + 5, "y": y, "y2": y + 4, "idea": idea, "sheet": sheet}
            (again if copied else real).append(place)
    cut = batch_size > sheets
    drawn = f"\n{sheets} of {batch_size} drawn" if cut else ""
    names = [
        (2.5, -1.0, f"token\n[{batch_size}, {context_length}, {dim}]{drawn}"),
        (12.5, -1.0, f"position [{context_length}, {dim}]\nread {batch_size} ×{drawn}"),
        (22.5, -1.0, f"combined\n[{batch_size}, {context_length}, {dim}]{drawn}"),
    ]
    signs = [(8.6, 2.0, "+"), (18.6, 2.0, "=")]
    copies = rows_table(again) if again else rows_table(real).slice(0, 0)
    data = {"real": rows_table(real), "again": copies, "names": _letters(names), "signs": _letters(signs)}
    return Plot(_look(sheets, 3 if cut else 2), data)


def _letters(labels: Sequence[tuple[float, float, str]]) -> pa.Table:
    x, y, words = zip(*labels, strict=True)
    return arrow_table({"x": x, "y": y, "label": words, "idea": ["letters"] * len(labels)})
