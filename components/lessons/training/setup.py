"""What a training starts from: the windows of the learner's text, and a configuration that a class can afford."""

from collections.abc import Sequence

import numpy as np

from components.base.limits import MAX_LOGITS, MAX_TRAINING_CELLS, MAX_TRAINING_DIM, MAX_TRAINING_TOKENS
from components.base.settings import Settings
from components.base.text_format import pluralize
from components.caches.shared import shared
from components.lessons.training.choices import Choices
from components.text.tokenizers import Tokenizer
from components.text.window_counts import too_short_message, window_count
from components.training.config import TrainingConfig
from components.training.training_text import TrainingText, training_text

_shared_text = shared(8, key=lambda ids, *sizes: (ids.tobytes(), *sizes))(training_text)


def checked_text(token_ids: Sequence[int] | np.ndarray, settings: Settings) -> TrainingText:
    """Return the windows of a text in rows of the toy model, shared with other sessions.

    Raises ValueError if the text is too short or has only one distinct token. The message is shown to learners.
    """
    ids = np.asarray(token_ids, dtype=np.int64)[:MAX_TRAINING_TOKENS]
    if problem := too_short_message(len(ids), settings):
        raise ValueError(problem)
    if (ids == ids[0]).all():
        raise ValueError(
            f"Your text has {len(ids):,} tokens, all of them the same: 1 distinct token. There is nothing to predict; "
            "write at least 2 different ones."
        )
    return _shared_text(ids, settings.context_length, settings.stride)


def windows_in_words(text: TrainingText, stride: int) -> str:
    """Return how many windows there are, and why they are more than in the lesson Windows if the last one is padded.

    >>> windows_in_words(training_text(range(8), 4, 4), 4), windows_in_words(training_text(range(5), 4, 4), 4)
    ('N = 2 windows of T = 4 (1 full, and one padded, which the lesson Windows leaves out)', 'N = 1 window of T = 4')
    """
    N, T = text.inputs.shape
    full = window_count(len(text.rows), T, stride)
    padded = f" ({full:,} full, and one padded, which the lesson Windows leaves out)" if full < N else ""
    return f"N = {pluralize(N, 'window')} of T = {T:,}{padded}"


def prompt_ids(prompt: str, encoder: Tokenizer, text: TrainingText) -> list[int]:
    """Return the token IDs of the prompt; those of the first two tokens of the text if it has none."""
    return encoder.encode(prompt) or [text.token_ids[row] for row in text.rows[:2]]


def training_config(settings: Settings, vocab_size: int, choices: Choices) -> tuple[TrainingConfig, list[str]]:
    """Return the configuration of a toy model of `vocab_size` rows, and a message for each size that was limited.

    Raises ValueError if a single window gives too many logits. The message is shown to learners.
    """
    V, T, B = vocab_size, settings.context_length, 1 if choices.one_window else settings.batch_size
    limit_messages = []
    D = min(settings.dim, MAX_TRAINING_DIM, max(1, MAX_TRAINING_CELLS // V))
    if settings.dim > D:
        limit_messages.append(
            f"D = {settings.dim:,} is limited to {D} here so that a whole class can train at the same time."
        )
    if T * V > MAX_LOGITS:
        raise ValueError(
            f"One window of T = {T:,} tokens gives T × V = {T:,} × {V:,} = {T * V:,} logits; the limit is "
            f"{MAX_LOGITS:,}. Lower T to {MAX_LOGITS // V:,}, or use a shorter text."
        )
    if B * T * V > MAX_LOGITS:
        max_batch = MAX_LOGITS // (T * V)
        limit_messages.append(
            f"B = {B} is limited to {max_batch}: one step would give {B * T * V:,} logits, the limit is {MAX_LOGITS:,}."
        )
        B = max_batch
    config = TrainingConfig(
        D,
        settings.seed,
        B,
        settings.position,
        settings.layout,
        choices.optimizer,
        float(choices.learning_rate),
        float(choices.weight_decay) if choices.optimizer == "adamw" else 0.0,
        choices.tied,
        choices.padding_idx,
        float(choices.token_std),
    )
    return config, limit_messages
