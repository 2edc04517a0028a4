"""The focus of a control whose entry was refused: it is rendered again, under another key, and would lose the focus."""

import streamlit as st

from components.ui.session import LearnerSession

KEY = "kept_focus"
_component = st.components.v2.component(
    KEY,
    js="""
export default function ({ data }) {
    const key = `st-key-${new TextDecoder().decode(data)}`;
    let frames = 60;
    const focus = () => {
        const at = document.activeElement;
        const again = document.querySelector(`.${key} :is(input, textarea, [aria-checked=true])`);
        const elsewhere = at !== document.body && !at.closest(`[class*="${key.replace(/\\d+$/, '')}"]`);
        if (elsewhere || frames-- < 0) return;
        again ? again.focus({ preventScroll: true }) : requestAnimationFrame(focus);
    };
    focus();
    return () => { frames = 0; };
}
""",
)


def keep_focus(learner: LearnerSession) -> None:
    """Give the focus to the control that replaces one whose entry has just been refused."""
    if learner.run.refused:
        _component(key=KEY, data=learner.run.refused.replace(".", "-").encode())
