"""The app behind its security headers and its limit on sessions; start it by either of

.venv/bin/streamlit run serve.py
.venv/bin/uvicorn serve:app --ws-per-message-deflate false

Left alone, uvicorn compresses every message of a rerun; Streamlit does not.
"""

import logging
import os
import sys
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from components.server.headers import SecurityHeaders
from components.server.limit import VARIABLE, session_limit
from components.server.places import Places
from components.server.policy import content_security_policy
from components.server.sessions import SessionLimit
from components.server.uploads import UploadLimit

INDEX = Path(st.__file__).parent / "static" / "index.html"

# An address holds the learner's text, and has no business in a log; uvicorn would write every one of them there.
logging.getLogger("uvicorn.access").addFilter(lambda _: False)

try:
    places = Places(session_limit(os.environ.get(VARIABLE)))
except ValueError as error:
    sys.exit(str(error))

app = st.App(
    Path(__file__).with_name("app.py"),
    middleware=[
        Middleware(SecurityHeaders, policy=content_security_policy(INDEX.read_text("utf-8"))),
        Middleware(SessionLimit, places=places),
        Middleware(UploadLimit),
    ],
)
