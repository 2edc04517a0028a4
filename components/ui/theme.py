"""The theme as Streamlit sends it, made once.

With every run Streamlit tells the browser the whole theme, and goes through all its options six times to find it: about
an eighth of what a server with a class computes. The theme stays as it is while a server runs, so its message is kept.
"""

from functools import cache

from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session

_populate_theme_msg = app_session._populate_theme_msg


@cache
def theme_of(section: str) -> CustomThemeConfig:
    """Return what Streamlit says of one section of the theme, such as theme.dark."""
    message = CustomThemeConfig()
    _populate_theme_msg(message, section)
    return message


def put_theme(message: CustomThemeConfig, section: str = "theme") -> None:
    """Fill in a section as Streamlit does; one that says nothing leaves no trace in the message."""
    kept = theme_of(section)
    if kept.ByteSize():
        message.MergeFrom(kept)


def keep_theme() -> None:
    """Have Streamlit copy the theme from now on; where it does already, nothing changes."""
    app_session._populate_theme_msg = put_theme
