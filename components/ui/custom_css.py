"""CSS for what the theme has no setting for: contrast and a visible focus everywhere.

Streamlit uses white text on every primary button, ignores the theme when it colors code, and renders chart axes in a
pale grey. Both colors of a pair are in the CSS (`light-dark`), so a change of theme needs no rerun.
"""

from functools import cache

import streamlit as st

from components.ui.presentation import LARGER

CODE = {
    "blueTextColor": ("keyword", "function", "class-name", "builtin", "decorator"),
    "greenTextColor": ("string",),
    "orangeTextColor": ("number", "boolean"),
    "grayTextColor": ("comment",),
}
PRIMARY = '[data-testid="stBaseButton-primary"]:not(:disabled)'
WITHOUT_FOCUS_RING = '[data-testid="stMain"], [data-testid="stCode"], [data-testid="stPageLink-NavLink"]'
CHART_TEXT = ".role-axis-label, .role-axis-title, .role-legend-label, .role-legend-title"
WIDE_TABLES = '[data-testid="stMarkdownContainer"]:has(> table) { overflow-x: auto; }'  # scroll there, not the page
NO_KEYS = "@media (hover: none) { kbd { display: none !important; } }"  # a device without a keyboard

# Streamlit has no setting for the font size of one session. It measures in rem, so the size of the root sets it.
# Charts are enlarged when they are rendered, because their font sizes are in pixels.
PRESENTATION = f"""<style>
html {{ font-size: {16 * LARGER}px !important; }}
[data-testid="stMainBlockContainer"] {{ padding: 0.75rem 2rem 2rem; }}
</style>"""


@cache
def base_css() -> str:
    """Return the rules for every page, in the colors of the theme."""
    rules = [
        f'[data-testid="stCode"] .token:is({token_selector(CODE[name])}) {{ color: {light_dark(name)}; }}'
        for name in CODE
    ]
    rules += [f'[data-testid="stCode"] .linenumber {{ color: {light_dark("grayTextColor")} !important; }}']
    on_primary = f"light-dark(#FFFFFF, {st.get_option('theme.dark.backgroundColor')})"
    rules += [f"{PRIMARY}, {PRIMARY} * {{ color: {on_primary}; }}"]
    rules += [f'[data-testid="stVegaLiteChart"] :is({CHART_TEXT}) text {{ fill: {light_dark("grayTextColor")}; }}']
    ring = f"outline: 2px solid {light_dark('primaryColor')} !important; outline-offset: -2px;"
    rules += [f":is({WITHOUT_FOCUS_RING}):focus-visible {{ {ring} }}"]
    return f"<style>{' '.join([*rules, WIDE_TABLES, NO_KEYS])}</style>"


def token_selector(kinds: tuple[str, ...]) -> str:
    """Return the CSS selector of some kinds of tokens of highlighted code.

    >>> token_selector(("number", "boolean"))
    '.number, .boolean'
    """
    return ", ".join(f".{kind}" for kind in kinds)


def light_dark(name: str) -> str:
    """Return a color of the theme in CSS, for the light and the dark theme."""
    return f"light-dark({st.get_option(f'theme.light.{name}')}, {st.get_option(f'theme.dark.{name}')})"


def inject_css(presenting: bool) -> None:
    """Add the rules to the page, in presentation mode also those that enlarge it."""
    st.html(base_css() + (PRESENTATION if presenting else ""))
