"""The training of a session: kept while its text and recipe stay the same, bounded for all sessions together.

What had to go, or was left with a page that is closed, is trained again from the number of steps in the address: the
same recipe gives the same numbers.
"""

import time
from collections.abc import Callable, Sequence
from threading import Condition, Lock
from uuid import uuid4

from cachetools import LRUCache, cached

from components.core.limits import MAX_TRAINING_BYTES
from components.core.link import State
from components.core.settings import Settings
from components.core.training import Training
from components.core.training_recipe import Recipe
from components.core.training_text import TrainingText, training_text
from components.ui.encoding import token_ids, tokenizer
from components.ui.learner import known, session

SLICE_SECONDS = 0.08  # between two looks at the page, which also hears what the learner does
BREATH_SECONDS = 0.005  # so long a training holds Python's lock, and so long it then leaves it to others

_kept: LRUCache = LRUCache(MAX_TRAINING_BYTES, getsizeof=lambda kept: kept[1].nbytes)
_keeping, _one_slice = Lock(), Lock()


def windows_only(settings: Settings) -> Settings:
    """Return the settings on which the windows of a text depend, all others at their default."""
    return Settings(tokenizer=settings.tokenizer, context_length=settings.context_length, stride=settings.stride)


@cached(LRUCache(8), key=lambda text, settings: (text, windows_only(settings)), condition=Condition())
def shared_training_text(text: str, settings: Settings) -> TrainingText:
    """Return the windows of a text in rows of the toy model. Raises TokenizerUnavailable, or ValueError in words."""
    ids = token_ids(settings.tokenizer, text)
    return training_text(ids, settings, tokenizer(settings.tokenizer, text).n_vocab)


def kept_training() -> Training | None:
    """Return the training that this session left behind, of whatever text and recipe."""
    with _keeping:
        _, training = _kept.get(known("training_token"), (None, None))
    return training


def session_training(state: State, recipe: Recipe) -> Training:
    """Return this session's training of its text by a recipe: the one begun before, else a new one at step 0.

    A training cannot go back: where fewer steps are asked for than it has taken, it begins anew.
    """
    token = session.setdefault("training_token", str(uuid4()))
    key = (state.text, windows_only(state.settings), recipe)
    with _keeping:
        kept_key, training = _kept.get(token, (None, None))
    if training is None or kept_key != key or len(training.losses) > state.choices.train_steps:
        training = Training(shared_training_text(state.text, state.settings), recipe)
        with _keeping:
            _kept[token] = (key, training)
    return training


def one_slice(training: Training, steps: int) -> None:
    """Train for a moment, towards `steps` in all; one session at a time.

    A rerun of another session asks for Python's lock some dozen times, and would wait for each: hence the breaths.
    """
    end = time.perf_counter() + SLICE_SECONDS
    while time.perf_counter() < end and len(training.losses) < steps and not training.exploded:
        with _one_slice:
            training.advance(steps, BREATH_SECONDS)
        time.sleep(BREATH_SECONDS)


def in_slices(trainings: Sequence[Training], steps: int, moved: Callable[[Training], None]) -> None:
    """Train one after the other up to `steps`; `moved` is called after each slice, and may stop it by raising."""
    for training in trainings:
        while len(training.losses) < steps and not training.exploded:
            one_slice(training, steps)
            moved(training)
