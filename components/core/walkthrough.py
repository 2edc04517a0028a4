"""The journey in steps: IDs [B, T] -> token vectors [B, T, D] + position vectors [T, D] -> combined [B, T, D]."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Generator, Tensor, nn

from components.core.embeddings import draw_table, scaled, seeded, skip
from components.core.positions import learned_table, sinusoidal_table
from components.core.settings import Settings


class Tables(NamedTuple):
    """The token table [V, D] and the position vectors [T, D], or None where positions are off."""

    token: nn.Embedding
    position: Float[Tensor, "T D"] | None


@dataclass(frozen=True)
class Step:
    """One step of the walk: its name, the tensor it gives, and the line of PyTorch that gives it."""

    name: str
    tensor: Tensor
    code: str

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.tensor.shape)


@dataclass(frozen=True)
class Walkthrough:
    """The steps in order; `walkthrough["combined"]` is the step of that name."""

    steps: tuple[Step, ...]

    def __getitem__(self, name: str) -> Step:
        return next(step for step in self.steps if step.name == name)

    def __contains__(self, name: str) -> bool:
        return any(step.name == name for step in self.steps)


def generator_after(vocab_size: int, dim: int, seed: int) -> Generator:
    """Return the random stream as it stands after the token table, where the position table begins.

    >>> generator_after(6, 3, seed=123).initial_seed()
    123
    """
    generator = seeded(seed)
    skip(generator, vocab_size * dim)
    return generator


def position_vectors(settings: Settings, after: Callable[[], Generator]) -> Float[Tensor, "T D"] | None:
    """Return the position vectors [T, D] of these settings, a learned table drawn next from `after()`; None for none.

    The generator itself is left as it is, so that it can be shared.
    """
    if settings.position == "none":
        return None
    if settings.position == "sinusoidal":
        return sinusoidal_table(settings.context_length, settings.dim, settings.layout)
    return learned_table(settings.context_length, settings.dim, after().clone_state()).weight.detach()


def draw_tables(settings: Settings) -> Tables:
    """Return both tables for these settings, drawn in the published order: tokens first, positions next.

    >>> tables = draw_tables(Settings(vocab_size=6, dim=3))
    >>> tables.token.weight.shape, tables.position.shape
    (torch.Size([6, 3]), torch.Size([4, 3]))
    """
    generator = seeded(settings.seed)
    token = draw_table(settings.vocab_size, settings.dim, generator)
    return Tables(token, position_vectors(settings, lambda: generator))


@torch.no_grad()
def walk(ids: Int[Tensor, "B T"], settings: Settings, tables: Tables | None = None) -> Walkthrough:
    """Return every step from `ids` [B, T] to the combined embedding [B, T, D].

    `tables` may be handed in when they were drawn before; they are read, never changed. Raises IndexError, as torch
    does, for an ID without a row, and ValueError for rows longer than the position table.

    >>> walkthrough = walk(torch.tensor([[2, 3, 5, 1]]), Settings(vocab_size=6, dim=3))
    >>> [(step.name, step.shape) for step in walkthrough.steps[-2:]]
    [('position_broadcast', (1, 4, 3)), ('combined', (1, 4, 3))]
    >>> walkthrough["token"].code
    'token = token_table(ids)'
    """
    tables = tables or draw_tables(settings)
    B, T = ids.shape
    steps = [Step("ids", ids, f"ids  # {B} {'row' if B == 1 else 'rows'} of {T} {'ID' if T == 1 else 'IDs'}")]
    token = tables.token(ids)  # [B, T, D]
    steps.append(Step("token", token, "token = token_table(ids)"))
    if settings.scale:
        token = scaled(token, settings.dim)  # [B, T, D]
        steps.append(Step("scaled", token, f"token = token * math.sqrt({settings.dim})"))
    if tables.position is None:
        steps.append(Step("combined", token, "combined = token  # no positions"))
        return Walkthrough(tuple(steps))
    if len(tables.position) < T:
        raise ValueError(
            f"The rows have {T:,} IDs, the position table has T = {len(tables.position):,} rows: "
            f"raise T to {T:,} or shorten the rows."
        )
    position = tables.position[:T]  # [T, D]
    unsqueezed = position.unsqueeze(0)  # [1, T, D]
    line = "position_table(torch.arange(T))" if settings.position == "learned" else "position_table[:T]"
    steps += [
        Step("position", position, f"position = {line}"),
        Step("position_unsqueezed", unsqueezed, "position.unsqueeze(0)"),
        Step("position_broadcast", unsqueezed.expand(token.shape), f"position.expand({B}, {T}, {settings.dim})"),
        Step("combined", token + unsqueezed, "combined = token + position"),
    ]
    return Walkthrough(tuple(steps))
