"""The rows that the figure shows, and that the questions ask about."""

import torch
from jaxtyping import Float
from torch import Tensor

from components.base.settings import Settings
from components.caches.tables import shared_learned_positions
from components.embedding.positions import sinusoidal_positions

SHOWN = 128


def shown_positions(settings: Settings) -> Float[Tensor, "128 D"]:
    """Return 128 rows: those of the position embedding table [T, D], and below them the ones of a longer table."""
    T, D = settings.context_length, settings.dim
    if settings.position == "sinusoidal":
        return sinusoidal_positions(SHOWN, D, settings.layout)
    table, longer = (
        shared_learned_positions(length, D, settings.vocab_size, settings.seed) for length in (T, max(T, SHOWN))
    )
    return torch.cat([table, longer[T:]])[:SHOWN]
