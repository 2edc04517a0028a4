"""CSS for what the theme has no setting for: contrast and a visible focus everywhere, and presentation mode.

Streamlit uses white text on every primary button, ignores the theme when it colors code, and renders chart axes in a
pale gray. Both colors of a pair are in the CSS (`light-dark`), so a change of theme needs no rerun.
"""

from functools import cache
from pathlib import Path

import streamlit as st

from components.ui.presentation import LARGER

FILES = ("page", "phone", "presentation", "room")
PAGE, PHONE, PRESENTATION, ROOM = (Path(__file__).with_name(f"{name}.css").read_text("utf-8") for name in FILES)
COLORS = "textColor backgroundColor borderColor primaryColor linkColor "
COLORS += "grayTextColor blueTextColor greenTextColor orangeTextColor redTextColor"


@cache
def variables() -> str:
    """Return the variables of the rules: how much larger a presentation is, and the colors of the theme."""
    rules = [f"--larger: {LARGER};"]
    for name in COLORS.split():
        light, dark = st.get_option(f"theme.light.{name}"), st.get_option(f"theme.dark.{name}")
        rules.append(f"--{name}: light-dark({light}, {dark});")
    return f":root {{ {' '.join(rules)} }}"


def inject_css(presenting: bool, in_room: bool) -> None:
    """Add the rules to the page, in presentation mode also those that enlarge it, in a room also its own."""
    rules = f"{PAGE}{PRESENTATION if presenting else PHONE}{ROOM if in_room else ''}"
    st.html(f"<style>{variables()}\n{rules}</style>")
