"""The link to what is on the screen: to copy, and as a QR code for a room."""

from urllib.parse import urlencode, urlsplit

import streamlit as st

from components.base.limits import MAX_LINK_PACKED_CHARS
from components.base.link import fits_link, to_query
from components.base.qr import qr_svg
from components.ui.session import LearnerSession


def address_of(learner: LearnerSession) -> str:
    """Return the whole address of the page with the state, without this lesson's defaults, as others can open it."""
    path = learner.lessons[learner.page].url_path
    base = (st.context.url or "").rstrip("/").removesuffix(f"/{path}")  # Streamlit's URL includes the page
    return f"{base}/{path}?{urlencode(to_query(learner.state))}"


@st.dialog("Share this page", width="large")
def show(learner: LearnerSession, _: object) -> None:
    """Show the link, and the QR code that opens it."""
    state, lesson = learner.state, learner.lessons[learner.page]
    link = address_of(learner)
    fits = fits_link(state.text)
    with_text = "and your text" if fits else "but without your text"
    st.markdown(f"The lesson **{lesson.title}** with your settings {with_text}:")
    if not fits:
        st.warning(
            f"The text has {len(state.text):,} characters, and compressed it takes more than the "
            f"{MAX_LINK_PACKED_CHARS:,} that a link carries: the link opens without it. Hand out the text as a file.",
            icon=":material/link_off:",
        )
        st.download_button("Download text", state.text, "text.txt", icon=":material/download:", on_click="ignore")
    left, right = st.columns([3, 2], gap="medium")
    with left:
        st.code(link, language=None, wrap_lines=True, height=220)
        st.caption(f"{len(link):,} characters; use the copy button in the corner.")
        if urlsplit(link).hostname in ("localhost", "127.0.0.1", "::1"):
            st.warning(
                "A localhost link works on this computer only. Open the app under this computer's network address and "
                "share that link.",
                icon=":material/wifi_off:",
            )
    with right:
        try:
            about = {"caption": "Opens the same page on a phone", "alt": "QR code of the link in the box"}
            st.image(qr_svg(link), width="stretch", **about)
        except ValueError as error:
            st.info(str(error), icon=":material/qr_code_2:")
