"""Colors by role. The theme in .streamlit/config.toml defines the colors, so that charts follow light and dark."""

import altair as alt

# The order of chartCategoricalColors in .streamlit/config.toml, and Streamlit's names for the same colors.
COLOR_ROLES = {
    "token": "blue",
    "position": "orange",
    "combined": "violet",
    "target": "green",
    "error": "red",
    "neutral": "gray",
    "letters": "gray",  # in charts: the text color of the theme
}


def role_scale() -> alt.Scale:
    """Return the scale that maps every color role to its color of the theme."""
    return alt.Scale(domain=list(COLOR_ROLES), range="category")


def color_by_role(legend: alt.Legend | None = None) -> alt.Color:
    """Return the encoding that fills marks with the color of the role in the field `color_role`."""
    return alt.Color("color_role:N", scale=role_scale(), legend=legend)


LETTERS = alt.expr("scale('color', 'letters')")
# The background of the page, or nearly, for what has to be read on top of a line.
PAPER = alt.expr("luminance(scale('color', 'letters')) > 0.5 ? '#12171E' : '#FFFFFF'")
# Dark text on bright cells, bright text on dark cells, in either theme. An expression in the mark, not a condition in
# the encoding, which takes Altair ten times as long.
READABLE_ON_CELL = alt.expr("luminance(scale('color', datum.value)) > 0.179 ? '#000000' : '#FFFFFF'")
