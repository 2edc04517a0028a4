"""What a browser keeps of a room: in the tab a host's secret and own numbers, for all tabs the number of a voter.

None is in the address, which is projected and shared. The script also presses the next step of a host on PageDown,
and on Space if nothing is focused; it takes a double click, or a key that repeats, as one press.
"""

import json
import re
from pathlib import Path
from uuid import uuid4

import streamlit as st

from components.base.limits import MAX_ROOM_LINK_BYTES
from components.ui.session import LearnerSession, sent_value

KEY = "room_browser"
VOTER = re.compile("[0-9a-f]{32}")
MAX_SECRET_CHARS = 100
_component = st.components.v2.component(KEY, js=Path(__file__).with_suffix(".js").read_text("utf-8"))


def keep_in_browser(learner: LearnerSession) -> None:
    """Have the browser keep what makes this tab the host, and ask once for what it has kept."""
    seat = learner.seat

    def take_back() -> None:
        kept = sent_value(KEY, "kept")
        learner.run.interacted = True  # the browser may not have the new address yet
        learner.messages.waiting += learner.messages.shown  # for this is no entry of the learner
        if not isinstance(kept, dict) or kept.get("code") != seat.code or seat.is_kept:
            return
        voter, claim = str(kept.get("voter")), str(kept.get("claim"))
        seat.voter, seat.is_kept = voter if VOTER.fullmatch(voter) else uuid4().hex, True
        if seat.hosting and seat.secret == learner.host_secret:
            learner.dialog = "class"  # the room is new: its code is shown
        elif not seat.hosting:
            seat.claim = claim[:MAX_SECRET_CHARS]
            other, _, own = str(kept.get("own"))[: 2 * MAX_ROOM_LINK_BYTES + 1].partition("\n")
            seat.other_numbers = other, own

    data = {"code": seat.code, "secret": seat.secret, "own": "\n".join(seat.other_numbers)}
    data |= {"wanted": not seat.is_kept, "steps": seat.hosting}
    _component(key=KEY, data=json.dumps(data).encode(), on_kept_change=take_back)
