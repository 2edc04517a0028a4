"""CSS for what the theme has no setting for: contrast and a visible focus everywhere.

Streamlit uses white text on every primary button, ignores the theme when it colors code, and renders chart axes in a
pale grey. Both colors of a pair are in the CSS (`light-dark`), so a change of theme needs no rerun.
"""

from functools import cache

import streamlit as st

from components.ui.presentation import LARGER

CODE = {
    "blueTextColor": ".keyword, .function, .class-name, .builtin, .decorator",
    "greenTextColor": ".string",
    "orangeTextColor": ".number, .boolean",
    "grayTextColor": ".comment",
}
PRIMARY = '[data-testid="stBaseButton-primary"]:not(:disabled)'
WITHOUT_FOCUS_RING = '[data-testid="stMain"], [data-testid="stCode"], [data-testid="stPageLink-NavLink"]'
CHART_TEXT = ".role-axis-label, .role-axis-title, .role-legend-label, .role-legend-title"
TABLES = (  # a wide one scrolls, not the page
    '[data-testid="stMarkdownContainer"]:has(> table) { overflow-x: auto; } '
    '[data-testid="stMarkdownContainer"] :is(td, th) { padding: 0.2rem 0.6rem; }'
)
NO_SIZE = ".st-key-scroll_to_top { position: absolute; }"  # otherwise it moves the page down until the next run
NO_COPY = ".st-key-cut_program button { display: none; }"  # a program in which a text is cut is not the whole one
NO_KEYS = "@media (hover: none) { kbd { display: none !important; } }"  # a device without a keyboard

# The meaning of a term is above or below its word, and never beyond the window; without anchors, below its paragraph.
TERMS = """
div:has(> .term) {{ position: relative; }}
.term {{ text-decoration: underline dotted; text-underline-offset: 0.25em; cursor: help; }}
.term {{ anchor-name: --term; anchor-scope: --term; }}
.term:is(:hover, :focus)::after {{
    content: attr(aria-description) / ""; position: absolute; left: 0; top: 100%; z-index: 1000;
    width: max-content; max-width: min(24rem, 100%); padding: 0.5rem 0.75rem; border-radius: 0.4rem;
    font-size: 0.875rem; line-height: 1.4; color: {text}; background: {back};
}}
@supports (anchor-scope: --term) {{
    .term:is(:hover, :focus)::after {{
        position: fixed; left: auto; top: auto; position-anchor: --term; position-area: block-end span-inline-end;
        position-try-fallbacks: flip-block, flip-inline, flip-block flip-inline; max-width: min(24rem, 90vw);
    }}
}}
"""

# Streamlit has no setting for the font size of one session. It measures in rem, so the size of the root sets it.
# Charts are enlarged when they are rendered, because their font sizes are in pixels. What is above a figure is low, so
# that the figure can be larger and is whole in view; on a screen that is high enough the question below it is, too.
PRESENTATION = f"""<style>
html {{ font-size: {16 * LARGER}px !important; --figure-bar: 1.9rem; --above: 9.5rem; }}
html:has(.st-key-own_controls) {{ --above: 10.7rem; }}
html {{ --figure-height: min(100vh - var(--above), max(525px, 100vh - var(--above) - 8rem)); }}
[data-testid="stMainBlockContainer"] {{ padding: 0.25rem 2rem 2rem; }}
[data-testid="stMainBlockContainer"] [data-testid="stVerticalBlock"] {{ gap: 0.5rem; }}
[data-testid="stMainBlockContainer"] h1 {{ padding: 0; font-size: 1.7rem; }}
[data-testid="stHorizontalBlock"]:has(h1) {{ row-gap: 0.1rem; }}
</style>"""


@cache
def base_css() -> str:
    """Return the rules for every page, in the colors of the theme."""
    rules = [
        f'[data-testid="stCode"] .token:is({kinds}) {{ color: {light_dark(name)}; }}' for name, kinds in CODE.items()
    ]
    rules += [f'[data-testid="stCode"] .linenumber {{ color: {light_dark("grayTextColor")} !important; }}']
    on_primary = f"light-dark(#FFFFFF, {st.get_option('theme.dark.backgroundColor')})"
    rules += [f"{PRIMARY}, {PRIMARY} * {{ color: {on_primary}; }}"]
    rules += [f'[data-testid="stVegaLiteChart"] :is({CHART_TEXT}) text {{ fill: {light_dark("grayTextColor")}; }}']
    ring = f"outline: 2px solid {light_dark('primaryColor')} !important; outline-offset: -2px;"
    rules += [f":is({WITHOUT_FOCUS_RING}):focus-visible {{ {ring} }}"]
    rules += [TERMS.format(text=light_dark("backgroundColor"), back=light_dark("textColor"))]
    return f"<style>{' '.join([*rules, TABLES, NO_SIZE, NO_COPY, NO_KEYS])}</style>"


def light_dark(name: str) -> str:
    """Return a color of the theme in CSS, for the light and the dark theme."""
    return f"light-dark({st.get_option(f'theme.light.{name}')}, {st.get_option(f'theme.dark.{name}')})"


def inject_css(presenting: bool) -> None:
    """Add the rules to the page, in presentation mode also those that enlarge it."""
    st.html(base_css() + (PRESENTATION if presenting else ""))
