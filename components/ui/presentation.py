"""Presentation mode: larger text, no sidebar, and a lesson gone through by the keys of a clicker; `present=1` in the
address.
"""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from components.ui.lesson import Lesson
from components.ui.session import LearnerSession, current
from components.ui.state import change_choices, change_presenting

Step = Callable[[], object]
LARGER = 1.3
WIDER = 1.4  # more than that: on a large screen the text grows with its width
WHOLE_LINE = 2_000  # pixels: wider than any page, so it has a line of its own among elements beside each other
KEY, CONTROLS_KEY = "Shift+P", "Shift+S"
# Moves the page until this is in view, by no more than that, once nothing has moved it for some frames. While something
# is pressed, the page stays, or stops: it would not be under the pointer when it is released. With data, it moves the
# page back to its top when it is removed.
scroll_here = st.components.v2.component(
    "scroll_here",
    js="""
export default function ({ parentElement, data }) {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const page = location.pathname;  // another one begins at its top, while this is still there
    const main = document.querySelector('[data-testid="stMain"]');
    let top, frames = 0, removed = false;
    const scroll = () => {
        const now = parentElement.host.getBoundingClientRect().top;
        frames = now === top ? frames + 1 : 0;
        top = now;
        if (removed || location.pathname !== page) return;
        if (frames < 12 || document.querySelector(':active')) return requestAnimationFrame(scroll);
        parentElement.host.scrollIntoView({ block: 'nearest', behavior: still || data ? 'auto' : 'smooth' });
        const stop = () => main.scrollTo({ top: main.scrollTop, behavior: 'instant' });
        addEventListener('pointerdown', stop, { capture: true, once: true });
    };
    scroll();
    return () => {
        removed = true;
        if (data) main.scrollTop = 0;
    };
}
""",
)
# Keeps the keys of the page from it while a dialog is in front of it; those of a clicker also scroll a dialog.
keep_keys = st.components.v2.component(
    "keep_keys",
    js="""
export default function () {
    const keep = event => {
        const ofPage = ['PageUp', 'PageDown'].includes(event.key) || event.shiftKey && /^[ps]$/i.test(event.key);
        if (ofPage && document.querySelector('[data-testid="stDialog"]')) event.stopPropagation();
    };
    addEventListener('keydown', keep, true);
    return () => removeEventListener('keydown', keep, true);
}
""",
)


def enlarged(pixels: int) -> int:
    """Return the width of a control, which has larger text in presentation mode."""
    return round(pixels * WIDER) if current().state.present else pixels


def turn_buttons(previous: Lesson | None, following: Lesson | None) -> None:
    """Render Previous, Next and Exit; a clicker for slides sends the keys of the first two.

    They step through the lesson, from its question to the answer and to what to notice, through its scenes, and then to
    the next lesson.
    """
    learner = current()

    def turn(label: str) -> None:
        steps, learner.run.steps = learner.run.steps, {}  # a press before its page is complete does nothing
        step = steps.get(label)
        learner.run.interacted, learner.run.turning = True, label if steps and step is None else ""
        if step:
            step()

    turns = (("Previous", previous, "PageUp", "back"), ("Next", following, "PageDown", "forward"))
    for label, lesson, key, way in turns:
        look = {"icon": f":material/arrow_{way}:", "type": "tertiary", "help": f"{label} ({key})", "shortcut": key}
        st.button(label, disabled=not (lesson or learner.run.steps.get(label)), on_click=turn, args=(label,), **look)
        if lesson and learner.run.turning == label:
            st.switch_page(lesson.path)
    look = {"icon": ":material/close_fullscreen:", "type": "tertiary", "help": f"Exit ({KEY})", "shortcut": KEY}
    st.button("Exit", on_click=change_presenting, args=(False,), **look)


def step_on(learner: LearnerSession) -> Step | None:
    """Return what shows the answer or, if none is masked, what to notice, and then the next scene; None after that."""
    outputs = learner.outputs
    if outputs.has_notice and not (outputs.open_figure or learner.notice_shown):
        return partial(setattr, learner, "notice_shown", True)
    return outputs.open_figure or outputs.next_scene


def step_back(learner: LearnerSession) -> Step | None:
    """Return what shows the question again, masks its answer, or shows the scene before; None before that."""
    if learner.notice_shown:
        return partial(setattr, learner, "notice_shown", False)
    return learner.outputs.mask_figure or learner.outputs.previous_scene


def end_notice() -> None:
    """Make what has just been rendered what to notice, to which a presentation scrolls at its step."""
    learner = current()
    learner.outputs.has_notice = True
    if learner.notice_shown:
        scroll_here(key="scroll_to_notice", data=b"back")


def step_through(name: str, scenes: Sequence[str]) -> None:
    """Let the clicker go through the scenes of a lesson, which are the values of its choice `name`."""
    learner = current()
    at = scenes.index(getattr(learner.state.lessons[learner.page], name))

    def show(scene: str) -> None:
        learner.notice_shown = False
        change_choices(**{name: scene})

    before, after = scenes[:at][-1:], scenes[at + 1 :][:1]
    learner.outputs.previous_scene = partial(show, before[0]) if before else None
    learner.outputs.next_scene = partial(show, after[0]) if after else None
