"""The theme that is kept is the theme that Streamlit would send."""

from inspect import getsource

from streamlit.config import CustomThemeCategories
from streamlit.proto.NewSession_pb2 import NewSession
from streamlit.runtime import app_session

from components.ui import theme

SECTIONS = ["theme", *(f"theme.{category.value}" for category in CustomThemeCategories)]


def sent(populate) -> NewSession:
    """Fill in every section, the nested ones where they belong."""
    message = NewSession()
    for section in SECTIONS:
        holder = message.custom_theme
        for name in section.split(".")[1:]:
            holder = getattr(holder, name)
        populate(holder, section)
    return message


def test_the_theme_that_is_kept_says_all_that_streamlit_says_and_no_more():
    streamlits = sent(theme._populate_theme_msg)
    assert streamlits.custom_theme.dark.primary_color == "#4FB0EA"
    assert not streamlits.custom_theme.HasField("sidebar")
    for _ in range(2):  # made, then copied
        assert sent(theme.put_theme) == streamlits


def test_streamlit_takes_the_theme_that_is_kept(monkeypatch):
    monkeypatch.setattr(app_session, "_populate_theme_msg", theme._populate_theme_msg)
    theme.keep_theme()
    assert app_session._populate_theme_msg is theme.put_theme
    # Once for each section, of which these are all.
    assert getsource(app_session.AppSession._create_new_session_message).count("_populate_theme_msg(") == len(SECTIONS)
