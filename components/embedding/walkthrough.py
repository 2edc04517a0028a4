"""The walk in steps: IDs [B, T] -> token embeddings [B, T, D] + position embeddings [T, D] -> combined [B, T, D]."""

from collections.abc import Callable
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from components.base.settings import Settings
from components.embedding.positions import learned_positions, sinusoidal_positions
from components.embedding.tables import scaled, token_table


class Tables(NamedTuple):
    """The token embedding table [V, D] and the position embeddings [T, D], None if positions are off."""

    token: nn.Embedding
    position: Float[Tensor, "T D"] | None


def init_tables(settings: Settings) -> Tables:
    """Return both tables of these settings, as torch initializes them.

    >>> tables = init_tables(Settings(vocab_size=6, dim=3))
    >>> tables.token.weight.shape, tables.position.shape, init_tables(Settings(position="none")).position
    (torch.Size([6, 3]), torch.Size([4, 3]), None)
    """
    return Tables(token_table(settings.vocab_size, settings.dim, settings.seed), position_table(settings))


def position_table(
    settings: Settings,
    learned: Callable[[int, int, int, int], Tensor] = learned_positions,
    sinusoidal: Callable[[int, int, str], Tensor] = sinusoidal_positions,
) -> Float[Tensor, "T D"] | None:
    """Return the position embeddings [T, D] of these settings, None if positions are off.

    They are made by `learned`, which takes T, D, V and the seed, or by `sinusoidal`, which takes T, D and the layout.

    >>> position_table(Settings(position="sinusoidal", dim=4))[0]
    tensor([0., 1., 0., 1.])
    """
    T, D = settings.context_length, settings.dim
    if settings.position == "sinusoidal":
        return sinusoidal(T, D, settings.layout)
    return learned(T, D, settings.vocab_size, settings.seed) if settings.position == "learned" else None


@torch.no_grad()
def walk(ids: Int[Tensor, "B T"], settings: Settings, tables: Tables | None = None) -> dict[str, Tensor]:
    """Return each step from `ids` [B, T] to the combined embedding [B, T, D], by name and in order.

    `tables` are those of the settings if they exist already; they are not changed. Raises IndexError, as torch does, if
    an ID is out of range, and ValueError if the sequences are longer than the context length.

    >>> steps = walk(torch.tensor([[2, 3, 5, 1]]), Settings(vocab_size=6, dim=3))
    >>> [(name, list(tensor.shape)) for name, tensor in steps.items()]
    [('ids', [1, 4]), ('token', [1, 4, 3]), ('position', [4, 3]), ('position_unsqueezed', [1, 4, 3]),
     ('position_broadcast', [1, 4, 3]), ('combined', [1, 4, 3])]
    """
    tables, T = tables or init_tables(settings), ids.shape[1]
    token = tables.token(ids)  # [B, T, D]
    steps = {"ids": ids, "token": token}
    if settings.scale:
        token = steps["scaled"] = scaled(token, settings.dim)  # [B, T, D]
    if tables.position is None:
        return steps | {"combined": token}
    if len(tables.position) < T:
        raise ValueError(
            f"The sequences have {T:,} IDs; the context length is T = {len(tables.position):,}: "
            f"raise T to {T:,} or shorten the sequences."
        )
    position = tables.position[:T]  # [T, D]
    unsqueezed = position.unsqueeze(0)  # [1, T, D]
    return steps | {
        "position": position,
        "position_unsqueezed": unsqueezed,
        "position_broadcast": unsqueezed.expand(token.shape),  # [B, T, D]
        "combined": token + position,  # [B, T, D] + [T, D] -> [B, T, D]
    }
