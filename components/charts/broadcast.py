"""Broadcasting as stacks of sheets: B sheets of tokens, one sheet of positions read B times, B sheets of sums."""

import altair as alt
import pandas as pd

from components.charts.palette import color_by_idea, stroke_by_idea

MAX_SHEETS = 5


def broadcast_chart(batch_size: int, context_length: int, dim: int) -> alt.LayerChart:
    """Return token [B, T, D] + position [T, D] = combined [B, T, D] as three stacks; sheets read again are dashed."""
    sheets = min(batch_size, MAX_SHEETS)
    stacks = (
        ("token", 0, f"token [{batch_size}, {context_length}, {dim}]"),
        ("position", 10, f"position [{context_length}, {dim}], read {batch_size} ×"),
        ("combined", 20, f"combined [{batch_size}, {context_length}, {dim}]"),
    )
    data = pd.DataFrame(
        [
            {
                "x": at + n * 0.5,
                "x2": at + n * 0.5 + 5,
                "y": n * 0.8,
                "y2": n * 0.8 + 4,
                "idea": name,
                "sheet": "one real sheet" if n == 0 or name != "position" else "the same sheet again, not copied",
                "real": n == 0 or name != "position",
            }
            for name, at, _ in stacks
            for n in reversed(range(sheets))
        ]
    )
    names = [(at + 2.5, -1.0, label) for _, at, label in stacks]
    words = pd.DataFrame([*names, (8.6, 2.0, "+"), (18.6, 2.0, "=")], columns=["x", "y", "label"])
    words["idea"] = "letters"
    x = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[-3, 31]))
    y = alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[-1.6, 4.2 + 0.8 * (sheets - 1)]))
    sheet = alt.Chart(data).encode(
        x=x, x2="x2", y=y, y2="y2", color=color_by_idea(), stroke=stroke_by_idea(), tooltip=["idea", "sheet"]
    )
    real = sheet.mark_rect(fillOpacity=0.35, strokeWidth=1.5).transform_filter("datum.real")
    again = sheet.mark_rect(fillOpacity=0.05, strokeWidth=1.5, strokeDash=[5, 4]).transform_filter("!datum.real")
    letters = alt.Chart(words).mark_text(fontSize=13).encode(x=x, y=y, text="label:N", color=color_by_idea())
    return alt.layer(again, real, letters).properties(height=150)
