"""The ideas that have a colour of their own, on every page the same."""

# The order of chartCategoricalColors in .streamlit/config.toml, and Streamlit's names for the same colours.
IDEAS = {
    "token": "blue",
    "position": "orange",
    "combined": "violet",
    "target": "green",
    "error": "red",
    "neutral": "gray",
    "letters": "gray",  # on charts: the text colour of the theme
}
