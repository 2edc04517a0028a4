"""Colours by idea. The theme in .streamlit/config.toml holds the colours, so that charts follow light and dark."""

import altair as alt

from components.charts.ideas import IDEAS


def idea_scale() -> alt.Scale:
    """Return the scale that gives every idea its colour of the theme."""
    return alt.Scale(domain=list(IDEAS), range="category")


def idea(name: str) -> alt.Color:
    """Return the colour of one idea as an encoding without a legend."""
    return alt.Color(datum=name, type="nominal", scale=idea_scale(), legend=None)


def value_scale(bound: float) -> alt.Scale:
    """Return the diverging scale around 0 for numbers from -bound to bound; what lies beyond takes the end colour."""
    return alt.Scale(domain=[-bound, bound], range="diverging", clamp=True)


# Dark letters on bright cells, bright letters on dark cells, whatever the theme.
READABLE_ON_CELL = alt.condition(
    "luminance(scale('color', datum.value)) > 0.25", alt.value("#111820"), alt.value("#F6F8FA")
)
