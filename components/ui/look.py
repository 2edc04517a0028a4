"""What the theme has no setting for: letters that can be read everywhere, and a focus that can be seen everywhere.

Streamlit writes white on every primary button, colours programs without regard to the theme, writes the axes of charts
in a pale grey, and leaves the link to the page that is open as it is when the focus comes to it. Which of two colours
counts is said by the page itself, so that a change from light to dark needs no rerun.

On a phone Streamlit lays the opened sidebar over the page, also over every page that is opened from it. Here it stands
below the page instead, until the page is tapped: a setting is moved with its numbers in sight.
"""

from functools import cache

import streamlit as st

CODE = {
    "blueTextColor": ("keyword", "function", "class-name", "builtin", "decorator"),
    "greenTextColor": ("string",),
    "orangeTextColor": ("number", "boolean"),
    "grayTextColor": ("comment",),
}
INSIDE = '[data-testid="stBaseButton-primary"]:not(:disabled) *'
WITHOUT_FOCUS = '[data-testid="stMain"], [data-testid="stCode"], [data-testid="stPageLink-NavLink"]'
BESIDE = ".role-axis-label, .role-axis-title, .role-legend-label, .role-legend-title"
OPENED = '[data-testid="stSidebar"][data-collapsed="false"]'
SIDEBAR = f"""[data-testid="stSidebarHeader"] {{ height: 2.5rem; margin-bottom: 0; }}
@media (max-width: 767.98px) {{
[data-testid="stAppViewContainer"]:has(> {OPENED}) {{ flex-direction: column-reverse; }}
{OPENED} {{ position: relative !important; flex: none !important; box-shadow: 0 -1px 4px gray;
    width: 100% !important; max-width: 100% !important; height: 42dvh !important; }}
{OPENED} + div {{ position: relative; min-height: 0; }}
{OPENED} + div [data-testid="stMain"] {{ height: 100%; }}
}}"""
NO_KEYS = "@media (hover: none) { kbd { display: none !important; } }"  # hints at keys, on a device without them


@cache
def style() -> str:
    """Return the rules of style, in the colours of the theme."""
    rules = [f'[data-testid="stCode"] .token:is({of_tokens(CODE[name])}) {{ color: {both(name)}; }}' for name in CODE]
    rules += [f'[data-testid="stCode"] .linenumber {{ color: {both("grayTextColor")} !important; }}']
    on_primary = f"light-dark(#FFFFFF, {st.get_option('theme.dark.backgroundColor')})"
    rules += [f'[data-testid="stBaseButton-primary"]:not(:disabled), {INSIDE} {{ color: {on_primary}; }}']
    rules += [f'[data-testid="stVegaLiteChart"] :is({BESIDE}) text {{ fill: {both("grayTextColor")}; }}']
    ring = f"outline: 2px solid {both('primaryColor')} !important; outline-offset: -2px;"
    rules += [f":is({WITHOUT_FOCUS}):focus-visible {{ {ring} }}"]
    return f"<style>{' '.join([*rules, SIDEBAR, NO_KEYS])}</style>"


def of_tokens(kinds: tuple[str, ...]) -> str:
    """Return the selector of kinds of tokens.

    >>> of_tokens(("number", "boolean"))
    '.number, .boolean'
    """
    return ", ".join(f".{kind}" for kind in kinds)


def both(name: str) -> str:
    """Return a colour of the theme, light or dark as the page is."""
    return f"light-dark({st.get_option(f'theme.light.{name}')}, {st.get_option(f'theme.dark.{name}')})"


def look() -> None:
    """Give the page the look that the theme cannot give it."""
    st.html(style())
