"""States of the app, built from choices by their names, and what lessons have in them."""

from random import Random
from string import ascii_letters
from types import ModuleType
from typing import Any

from components.base.link import AppState, State
from components.base.presets import SAMPLE_TEXT
from components.base.settings import Settings
from components.entry import LESSONS
from components.questions.quiz import Question, ask
from components.text.tokenizers import get_tokenizer
from components.text.vocabulary import Vocabulary

CHOICES: dict[str, type] = {name: lesson.choices for name, lesson in LESSONS.items()}
RIVER = "The river bank is steep. The bank in town lends money, and the river does not care."
LONG_TEXT = "".join(Random(1).choices(ascii_letters, k=9_000))  # too long for a link: it hardly compresses
WITH_PROGRAMS = [name for name, lesson in LESSONS.items() if lesson.has_program]
WITH_QUESTIONS = [name for name, lesson in LESSONS.items() if lesson.asks]


def app_state(settings: Settings | None = None, text: str = SAMPLE_TEXT, present: bool = False, **choices) -> AppState:
    """Return a state of the app; each choice goes to the lesson that it belongs to, the others have their defaults."""
    lessons = {}
    for name, own in CHOICES.items():
        names = own.__dataclass_fields__.keys() & choices.keys()
        lessons[name] = own(**{key: choices.pop(key) for key in names})
    assert not choices, f"no lesson has the choices {[*choices]}"
    return AppState(lessons, settings or Settings(), text, present)


def token_ids(state: State | AppState) -> list[int]:
    """Return the IDs of the state's text; none if its tokenizer is not installed with the app."""
    name = state.settings.tokenizer
    if name == "words":
        return Vocabulary(state.text.split()).encode(state.text)
    return get_tokenizer(name).encode(state.text) if name == "gpt2" else []


def facts(lesson: str) -> ModuleType:
    return LESSONS[lesson].facts


def questions(lesson: str, state: State, ids: Any) -> list[Question]:
    return [*ask(facts(lesson), state, ids)]
