"""What a training of the toy model depends on, taken from the settings and held to what one small server can bear."""

from dataclasses import dataclass

from components.core.choices import Choices
from components.core.limits import MAX_LOGITS, MAX_TRAINING_CELLS, MAX_TRAINING_DIM
from components.core.settings import Settings
from components.core.shapes import window_count

SPARE_ROWS = 3  # tokens that the text never uses: they stand for the rest of the vocabulary


@dataclass(frozen=True)
class Recipe:
    """All that a training depends on besides the text: the same recipe gives the same numbers, to the bit."""

    dim: int = 16
    seed: int = 123
    batch_size: int = 2
    position: str = "learned"
    layout: str = "interleaved"
    optimizer: str = "sgd"
    learning_rate: float = 0.3
    weight_decay: float = 0.0
    tied: bool = False
    padding_idx: bool = True


def training_windows(n_tokens: int, context_length: int, stride: int) -> int:
    """Return how many windows a text gives to train on: those it fills, and one more for a tail of two tokens or more.

    A tail of one token has no next token to learn from.

    >>> training_windows(20, 4, 4), training_windows(17, 4, 4)
    (5, 4)
    """
    N = window_count(n_tokens, context_length, stride)
    return N + (n_tokens - N * stride >= 2)


def recipe_for(settings: Settings, choices: Choices, vocab_size: int) -> tuple[Recipe, list[str]]:
    """Return the recipe for a toy model of `vocab_size` rows, and a sentence for each size that had to be held.

    Raises ValueError, in a plain sentence, where the logits of a single window would be too many.

    >>> recipe, held = recipe_for(Settings(dim=256), Choices(), vocab_size=21)
    >>> recipe.dim, held
    (64, ['D = 256 is held to 64 here, so that a whole class can train at once.'])
    """
    V, T, B, held = vocab_size, settings.context_length, settings.batch_size, []
    D = min(settings.dim, MAX_TRAINING_DIM, max(1, MAX_TRAINING_CELLS // V))
    if settings.dim > D:
        held.append(f"D = {settings.dim:,} is held to {D} here, so that a whole class can train at once.")
    if T * V > MAX_LOGITS:
        raise ValueError(
            f"One window of T = {T:,} tokens gives T × V = {T:,} × {V:,} = {T * V:,} logits; the limit is "
            f"{MAX_LOGITS:,}. Lower T to {MAX_LOGITS // V:,}, or take a shorter text."
        )
    if B * T * V > MAX_LOGITS:
        most = MAX_LOGITS // (T * V)
        held.append(
            f"B = {B} is held to {most}: one step would give {B * T * V:,} logits, the limit is {MAX_LOGITS:,}."
        )
        B = most
    recipe = Recipe(
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
    )
    return recipe, held
