"""States that differ in all that questions depend on, and every question that is asked for them."""

from components.base.link import AppState, apply_preset
from components.base.presets import PRESETS, SAMPLE_TEXT
from components.base.settings import LAYOUTS, POSITIONS, Settings
from components.lessons.combine.choices import INIT_STDS
from components.lessons.lookup.choices import INPUTS
from components.lessons.training.choices import OPTIMIZERS
from components.questions.quiz import Question
from tests.states import WITH_QUESTIONS, app_state, questions, token_ids

TEXTS = (
    "",
    "word",
    "☕",
    "I drink ☕ in the café, you drink 茶 at home; neither of us drinks <|endoftext|>.",
    "a a a a a a a a",
    "unhappily " * 40 + "tokenization",
    SAMPLE_TEXT,
)


def asked_by(page: str, state: AppState) -> list[Question]:
    """Return the questions that a lesson asks in a state of the app."""
    return questions(page, state.lesson(page), token_ids(state))


def varied_states() -> list[AppState]:
    """Return the presets, and states that differ from them in one thing or several at once."""
    states = [apply_preset(app_state(text=text), preset) for preset in PRESETS.values() for text in TEXTS[-2:]]
    for n, text in enumerate(TEXTS * 8):
        settings = Settings(
            vocab_size=(50_257, 12, 300, 7, 2_000)[n % 5],
            dim=(16, 3, 8, 2, 5, 64)[n % 6],
            seed=n,
            context_length=(4, 1, 6, 2, 3)[n % 5],
            stride=(4, 1, 2, 9)[n % 4],
            batch_size=(2, 1, 5)[n % 3],
            tokenizer=("gpt2", "words", "cl100k_base")[n % 3],
            position=POSITIONS[n % 3],
            layout=LAYOUTS[n % 2],
            scale=bool(n % 2),
            ids=("", "2 3 5 1", "0 1; 1 0", "nonsense")[n // 2 % 4],
        )
        choices = {
            "input": INPUTS[n % 3],
            "optimizer": OPTIMIZERS[n % 4],
            "weight_decay": (0.1, 0.0)[n // 4 % 2],
            "tied": n % 5 == 0,
            "padding_idx": bool(n % 2),
            "spread": INIT_STDS[n // 3 % 3],
            "lab_V": (6, 0, 1, 90)[n % 4],
            "lab_T": n % 5,
            "t": n % 4,
            "d": n % 3,
            "word_a": ("king", "x")[n % 2],
        }
        states.append(app_state(settings, text, **choices))
    tiny = [Settings(size, size, context_length=size, batch_size=1, seed=seed) for size in (1, 2) for seed in range(4)]
    return states + [app_state(settings, "a b a") for settings in tiny]


STATES = varied_states()
ASKED = [
    (page, question, state.lesson(page))
    for state in STATES
    for page in WITH_QUESTIONS
    for question in asked_by(page, state)
]
