"""The roles that have their own colour, the same on every page."""

# The order of chartCategoricalColors in .streamlit/config.toml, and Streamlit's names for the same colours.
COLOR_ROLES = {
    "token": "blue",
    "position": "orange",
    "combined": "violet",
    "target": "green",
    "error": "red",
    "neutral": "gray",
    "letters": "gray",  # in charts: the text colour of the theme
}
