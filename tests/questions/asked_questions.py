"""States that differ in all that questions depend on, and every question that is asked for them."""

from functools import cache
from itertools import product
from pathlib import Path

from components.base.link import AppState, State
from components.base.presets import PRESETS, SAMPLE_TEXT
from components.base.settings import Settings, with_trained_table
from components.entry import LESSONS
from components.questions.quiz import Question, load_templates
from tests.gpt2_server import D, T, V
from tests.states import WITH_QUESTIONS, app_state, facts, questions, token_ids
from tests.varied_states import varied_state

TEMPLATES = {page: load_templates(Path(facts(page).__file__).with_name("questions.toml")) for page in WITH_QUESTIONS}
STATES = [app_state(preset.settings) for preset in PRESETS.values()]
STATES += [varied_state(number) for number in range(60)]
STATES += [  # the seeds choose each analogy and each pair of opposites that is measured
    app_state(Settings(1, 1, seed, context_length=1, batch_size=1), "a b a", vectors="upload", word_a="xyz")
    for seed in range(25)
]
STATES += [app_state(Settings(2, 2, seed, context_length=2, batch_size=1), "a b a") for seed in range(4)]
STATES += [app_state(Settings(2, 2, context_length=2, stride=2, batch_size=2), "a b a b a")]
STATES += [app_state(Settings(tokenizer=each), "Käse für Mäuse 🎵 " * 400, word_a="x") for each in ("words", "gpt2")]
STATES += [app_state(Settings(14, 1, ids="14 14"), "Straße ☕ ß", experiment="unknown_vector", lab_key="king's")]
STATES += [app_state(Settings(seed=seed), head="meaning", pairs="cat mouse, dog bone") for seed in range(4)]
STATES += [app_state(Settings(context_length=4 + seed, seed=seed), head="text") for seed in range(4)]


TRAINED = [
    app_state(with_trained_table(Settings(table="gpt2", position="learned", seed=seed), V, D, T), text, head="gpt2")
    for seed, text in product(range(5), (SAMPLE_TEXT, "The can of worms can be opened.", "猫 can"))
]


def asked_by(page: str, state: AppState) -> list[Question]:
    """Return the questions that a lesson asks in a state of the app."""
    return questions(page, state.lesson(page), token_ids(state))


@cache
def asked(page: str) -> list[tuple[Question, State]]:
    """Return every question that a lesson asks in any of the states, with the state of the lesson."""
    states = STATES + TRAINED * LESSONS[page].trained
    return [(question, state.lesson(page)) for state in states for question in asked_by(page, state)]
