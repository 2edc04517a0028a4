"""The link to what is on the screen: to copy, and as a QR code for a room."""

from urllib.parse import urlencode, urlsplit

import streamlit as st

from components.core.limits import MAX_LINK_PACKED_CHARS
from components.core.link import State, fits_link, to_query
from components.core.qr import qr_svg
from components.ui.learner import session
from components.ui.lessons import LESSONS


def address_of(page: str, state: State) -> str:
    """Return the whole address of a page with the learner's state, as others can open it."""
    base = (st.context.url or "").rstrip("/").removesuffix(f"/{page}")  # Streamlit says the page as well
    path = "/" if page == "home" else f"/{page}"
    return f"{base}{path}?{urlencode(to_query(state))}"


@st.dialog("Share what you see", width="large")
def panel() -> None:
    """Show the link, and the QR code that opens it."""
    state = session.learner.state
    link = address_of(session.learner.page, state)
    fits = fits_link(state.text)
    with_text = "and your text" if fits else "but without your text"
    st.markdown(f"The lesson **{LESSONS[session.learner.page].title}** with your settings {with_text}:")
    if not fits:
        st.warning(
            f"The text has {len(state.text):,} characters, and compressed it takes more than the "
            f"{MAX_LINK_PACKED_CHARS:,} that a link carries: the link opens without it. Hand out the text as a file.",
            icon=":material/link_off:",
        )
        st.download_button("The text as a file", state.text, "text.txt", icon=":material/download:", on_click="ignore")
    left, right = st.columns([3, 2], gap="medium")
    with left:
        st.code(link, language=None, wrap_lines=True, height=220)
        st.caption(f"{len(link):,} characters; the button in the corner of the box copies them.")
        if urlsplit(link).hostname in ("localhost", "127.0.0.1", "::1"):
            st.warning(
                "This address leads back to the machine that it is opened on: others cannot open it. Open the app by "
                "this machine's address in the network, and share that.",
                icon=":material/wifi_off:",
            )
    with right:
        try:
            about = {"caption": "Opens the same page on a phone", "alt": "QR code of the link in the box"}
            st.image(qr_svg(link), width="stretch", **about)
        except ValueError as error:
            st.info(str(error), icon=":material/qr_code_2:")
