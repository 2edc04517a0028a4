"""The roles that have their own color, the same on every page."""

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
