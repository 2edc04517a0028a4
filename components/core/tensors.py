"""The tensors of the journey by name, as they go into files."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Int
from torch import Tensor

from components.core.settings import Settings
from components.core.walkthrough import Tables, walk

IN_FILES = ("ids", "token", "scaled", "position", "combined")
LETTERS = {1: ("t",), 2: ("t", "d"), 3: ("b", "t", "d")}


@dataclass(frozen=True)
class Named:
    """An array and the letters of its dimensions."""

    array: np.ndarray
    letters: tuple[str, ...]


def journey_tensors(ids: Int[Tensor, "B T"], settings: Settings, tables: Tables) -> dict[str, Named]:
    """Return the tensors of the walk from `ids` to the combined embedding, and the whole token table, by name.

    >>> import torch
    >>> from components.core.walkthrough import draw_tables
    >>> settings = Settings(vocab_size=6, dim=3, position="none")
    >>> tensors = journey_tensors(torch.tensor([[2, 3]]), settings, draw_tables(settings))
    >>> {name: tensor.array.shape for name, tensor in tensors.items()}
    {'ids': (1, 2), 'token': (1, 2, 3), 'combined': (1, 2, 3), 'token_table': (6, 3)}
    """
    steps = [step for step in walk(ids, settings, tables).steps if step.name in IN_FILES]
    found = {step.name: Named(step.tensor.detach().numpy(), LETTERS[step.tensor.dim()]) for step in steps}
    found["ids"] = Named(ids.numpy(), ("b", "t"))
    found["token_table"] = Named(tables.token.weight.detach().numpy(), ("v", "d"))
    return found
