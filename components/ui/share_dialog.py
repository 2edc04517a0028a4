"""The link to what is on the screen: to copy, and as a QR code for a room."""

from dataclasses import replace
from ipaddress import ip_address
from urllib.parse import urlencode, urlsplit

import streamlit as st

from components.base.limits import MAX_LINK_PACKED_CHARS
from components.base.link import fits_link, to_query
from components.base.qr import qr_svg
from components.ui.markdown import escape_markdown
from components.ui.session import LearnerSession

LINK_HEIGHT = 220  # pixels; a longer link scrolls
SHORT_LINK = 300  # characters that take less


def address_of(learner: LearnerSession, page: str = "") -> str:
    """Return the whole address of a page with the state, as others can open it; by default of the open page.

    Others are not in presentation mode: a phone has no room for it.
    """
    path, state = learner.lessons[page or learner.page].url_path, replace(learner.state, present=False)
    return f"{base_address(learner)}/{path}?{urlencode(to_query(state))}"


def base_address(learner: LearnerSession) -> str:
    return (st.context.url or "").rstrip("/").removesuffix(f"/{learner.lesson.url_path}").rstrip("/")


def room_link(learner: LearnerSession) -> str:
    return f"{base_address(learner)}/?room={learner.seat.code}"


def opens_here_only(link: str) -> bool:
    """Return whether a link leads everybody to their own machine."""
    host = (urlsplit(link).hostname or "localhost").rstrip(".")
    try:
        address = ip_address(host)
        address = getattr(address, "ipv4_mapped", None) or address
        return address.is_loopback or address.is_unspecified
    except ValueError:  # a name
        return host.rpartition(".")[2] == "localhost"


def warn_if_local(link: str) -> bool:
    """Show, for a link that others cannot open, why and what to do; return whether it is one."""
    if not opens_here_only(link):
        return False
    address = urlsplit(link)
    example = f"{address.scheme or 'http'}://192.168.1.20" + (f":{address.port}" if address.port else "")
    st.warning(
        f"Nobody else can open the address of this page: {escape_markdown(str(address.hostname))} is always the "
        f"reader's own device. Open the app by the host name or the IP address of this computer, such as `{example}`, "
        "and share the page or open a room there: then the link opens on every device of this network, and has a "
        "QR code.",
        icon=":material/wifi_off:",
    )
    return True


def show_qr(link: str, alt: str, caption: str | None = None) -> None:
    """Show a link as a QR code; or why it has none, and what to do."""
    if warn_if_local(link):
        return
    try:
        st.image(qr_svg(link), caption, width="stretch", alt=alt)
    except ValueError as error:
        st.info(str(error), icon=":material/qr_code_2:")


@st.dialog("Share this page", width="large")
def show(learner: LearnerSession) -> None:
    text, link = learner.state.text, address_of(learner)
    fits = fits_link(text)
    to_scan, opens = link, "Opens the same page on a phone" if fits else "Opens the page on a phone, without the text"
    left, right = st.columns([3, 2], gap="medium")
    with left:
        if learner.seat:
            to_scan, opens = room_link(learner), "Opens the class on a phone"
            st.markdown("The class that you are in; this link leads to where it is:")
            st.code(to_scan, language=None)
        whose = "the class's" if learner.attends else "your"
        with_text = f"and {whose} text" if fits else f"but without {whose} text"
        st.markdown(f"The lesson **{learner.lesson.title}** with {whose} settings {with_text}:")
        if not fits:
            st.warning(
                f"The text has {len(text):,} characters, and compressed it takes more than the "
                f"{MAX_LINK_PACKED_CHARS:,} that a link carries: the link opens without it. Hand out the text as a "
                "file.",
                icon=":material/link_off:",
            )
            st.download_button("Download text", text, "text.txt", icon=":material/download:", on_click="ignore")
        st.code(link, language=None, wrap_lines=True, height="content" if len(link) <= SHORT_LINK else LINK_HEIGHT)
        st.caption(f"{len(link):,} characters; use the copy button in the corner.")
        # Behind a box that ends the dialog, Tab would skip its copy button.
        st.link_button("Open in a new tab", link, icon=":material/open_in_new:")
    with right:
        show_qr(to_scan, "QR code of the first link", opens)
