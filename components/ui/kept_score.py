"""The score of a learner, kept in the tab of the browser: after a reload the new session gets it back from there.

It is in the tab's sessionStorage: neither in the address, which is shared, nor there for the next learner at this
computer.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path

import streamlit as st

from components.questions.summary import Answer
from components.ui.session import LearnerSession, Score, sent_value

MAX_ANSWERS = 500
MAX_CHARS = 1_000_000  # of what a browser sends
KEY = "kept_score"
_component = st.components.v2.component(KEY, js=Path(__file__).with_suffix(".js").read_text("utf-8"))


def keep_score(learner: LearnerSession) -> None:
    """Give the browser the score to keep; if it has kept that of another session, this one gets it."""
    score = learner.score
    if not (score.answers or score.open_figures or score.asked_again or learner.run.whole_page):
        return  # a run of the whole page asks, since the browser may have kept another session's

    def restore() -> None:
        restore_score(score, sent_value(KEY, "stored"), learner.lessons)

    kept = {"session": score.session, "restored": score.restored, "answers": [asdict(each) for each in score.answers]}
    kept |= {name: sorted(getattr(score, name)) for name in ("open_figures", "asked_again", "visited")}
    _component(key=KEY, data=json.dumps(kept).encode(), on_stored_change=restore)


def restore_score(score: Score, stored: object, pages: Mapping[str, object]) -> None:
    """Put what a browser has kept before the score of this session, once; what is not of this app is left out."""
    if score.restored or not isinstance(stored, dict) or len(json.dumps(stored)) > MAX_CHARS:
        return  # a browser has one to give: of any more the memory would grow
    answers = [answer for each in listed(stored, "answers") if (answer := answer_in(each, pages))]
    score.answers = [*answers, *score.answers][-MAX_ANSWERS:]
    for name in ("open_figures", "asked_again"):
        getattr(score, name).update(each for each in listed(stored, name) if isinstance(each, str))
    score.visited |= {each for each in listed(stored, "visited") if each in list(pages)}
    score.restored = str(stored.get("session") or None)


def listed(stored: dict, name: str) -> list:
    found = stored.get(name)
    return found[:MAX_ANSWERS] if isinstance(found, list) else []


def answer_in(stored: object, pages: Mapping[str, object]) -> Answer | None:
    """Return the answer that a browser has kept, or None if it is none."""
    if not isinstance(stored, dict) or stored.keys() != {each.name for each in fields(Answer)}:
        return None
    texts = {name: value for name, value in stored.items() if name != "correct"}
    if not all(isinstance(value, str) for value in texts.values()) or stored["page"] not in list(pages):
        return None
    return Answer(**texts, correct=stored["correct"] is True)
