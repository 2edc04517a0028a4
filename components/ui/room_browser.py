"""What a browser keeps of a room: the secret of a host in the tab, the number of a voter for all its tabs.

Neither is in the address, which is projected and shared. The script also presses the next step of a host on PageDown,
and on Space if nothing is focused; it takes a double click, or a key that repeats, as one press.
"""

import json
import re
from uuid import uuid4

import streamlit as st

from components.ui.session import LearnerSession, sent_value

KEY = "room_browser"
VOTER = re.compile("[0-9a-f]{32}")
MAX_SECRET_CHARS = 100
_component = st.components.v2.component(
    KEY,
    js="""
const BETWEEN_STEPS = 300;  // milliseconds
const STEPS = ['next', 'other'].map(each => `[class*="st-key-room_${each}_"] button`);
let stepped = -BETWEEN_STEPS;
function cancel(event) {
    event.preventDefault();
    event.stopImmediatePropagation();
}
function press(event) {
    const focused = document.activeElement ?? document.body;
    const isFree = event.key === 'PageDown' ? !focused.matches('textarea') : focused.matches('body, .stMain');
    if (!['PageDown', ' '].includes(event.key) || !isFree) return;
    cancel(event);
    if (!event.repeat) document.querySelector(STEPS[0])?.click();
}
function step(event) {
    if (!event.target.closest(STEPS)) return;
    if (event.timeStamp - stepped < BETWEEN_STEPS) cancel(event); else stepped = event.timeStamp;
}
export default function ({ data, setTriggerValue }) {
    const { code, secret, wanted, steps } = JSON.parse(new TextDecoder().decode(data));
    const key = `room ${code}`;
    try { if (secret) sessionStorage.setItem(key, secret); } catch { /* closed to this page, or full */ }
    if (wanted) {
        let voter = [...crypto.getRandomValues(new Uint8Array(16))].map(n => n.toString(16).padStart(2, '0')).join('');
        let claim = '';
        try { claim = sessionStorage.getItem(key) || ''; } catch { /* closed to this page */ }
        try { voter = localStorage.getItem(key) || voter; localStorage.setItem(key, voter); } catch { /* the same */ }
        setTriggerValue('kept', { code, voter, claim });
    }
    if (!steps) return;
    // This function runs at each change of its data: a listener that is added again is still one.
    document.addEventListener('keydown', press, true);
    document.addEventListener('click', step, true);
    return () => {
        document.removeEventListener('keydown', press, true);
        document.removeEventListener('click', step, true);
    };
}
""",
)


def keep_in_browser(learner: LearnerSession) -> None:
    """Have the browser keep what makes this tab the host, and ask once for what it has kept."""
    seat = learner.seat

    def take_back() -> None:
        kept = sent_value(KEY, "kept")
        learner.run.interacted = True  # the browser may not have the new address yet
        if not isinstance(kept, dict) or kept.get("code") != seat.code or seat.is_kept:
            return
        voter, claim = str(kept.get("voter")), str(kept.get("claim"))
        seat.voter, seat.is_kept = voter if VOTER.fullmatch(voter) else uuid4().hex, True
        if seat.hosting:
            learner.dialog = "class"  # the room is new: its code is shown
        else:
            seat.claim = claim[:MAX_SECRET_CHARS]

    data = {"code": seat.code, "secret": seat.secret, "wanted": not seat.is_kept, "steps": seat.hosting}
    _component(key=KEY, data=json.dumps(data).encode(), on_kept_change=take_back)
