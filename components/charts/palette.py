"""Colours by idea. The theme in .streamlit/config.toml holds the colours, so that charts follow light and dark."""

import altair as alt

from components.charts.ideas import IDEAS


def idea_scale() -> alt.Scale:
    """Return the scale that gives every idea its colour of the theme."""
    return alt.Scale(domain=list(IDEAS), range="category")


def color_by_idea(field: str = "idea") -> alt.Color:
    """Return the encoding that fills marks with the colour of the idea named in `field`, without a legend."""
    return alt.Color(f"{field}:N", scale=idea_scale(), legend=None)


def stroke_by_idea(field: str = "idea") -> alt.Stroke:
    """Return the encoding that outlines marks with the colour of the idea named in `field`, without a legend."""
    return alt.Stroke(f"{field}:N", scale=idea_scale(), legend=None)


def value_scale(bound: float) -> alt.Scale:
    """Return the diverging scale around 0 for numbers from -bound to bound; what lies beyond takes the end colour."""
    return alt.Scale(domain=[-bound, bound], range="diverging", clamp=True)


# Dark letters on bright cells, bright letters on dark cells, whatever the theme. An expression in the mark, not a
# condition in the encoding: Altair takes ten times as long over the latter.
READABLE_ON_CELL = alt.expr("luminance(scale('color', datum.value)) > 0.179 ? '#000000' : '#FFFFFF'")
