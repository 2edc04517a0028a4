"""The tokens that the figure of Home follows, and the two among them that have the same ID."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from components.base.settings import Settings
from components.text.batches import make_batch
from components.text.token_ids import repeated_ids

SHOWN = 8  # tokens


class Step(NamedTuple):
    """A token in a batch: the index of its sequence, its position in it, and its ID."""

    sequence: int
    position: int
    token_id: int


def journey_ids(token_ids: Sequence[int] | np.ndarray, settings: Settings) -> Tensor | None:
    """Return the batch [B, T], the first tokens of a text that gives none [1, T], or None if there are no IDs.

    >>> journey_ids([9, 7], Settings()), journey_ids([], Settings())
    (tensor([[9, 7]]), None)
    """
    try:
        return make_batch(token_ids, settings)
    except ValueError:
        if settings.typed or not len(token_ids):
            return None
        return torch.tensor([[int(token_id) for token_id in token_ids[: settings.context_length]]])


def first_steps(ids: Tensor) -> list[Step]:
    """Return the first tokens of a batch [B, T], as many as the figure shows.

    >>> first_steps(torch.tensor([[5, 6], [5, 7]]))[2]
    Step(sequence=1, position=0, token_id=5)
    """
    T = ids.shape[1]
    return [Step(*divmod(n, T), token_id) for n, token_id in enumerate(first_sequences(ids).flatten().tolist()[:SHOWN])]


def first_sequences(ids: Tensor) -> Tensor:
    """Return the part of a batch [B, T] that the figure needs; its positions are those of the batch.

    >>> first_sequences(torch.zeros(9, 3)).shape, first_sequences(torch.zeros(2, 99)).shape
    (torch.Size([3, 3]), torch.Size([1, 8]))
    """
    return ids[: -(-SHOWN // ids.shape[1]), :SHOWN]


def repeated_steps(steps: Sequence[Step]) -> tuple[Step, Step] | None:
    """Return the first two tokens with the same ID, or None.

    >>> repeated_steps([Step(0, 0, 5), Step(0, 1, 6), Step(1, 0, 5)])
    (Step(sequence=0, position=0, token_id=5), Step(sequence=1, position=0, token_id=5))
    """
    found = repeated_ids([step.token_id for step in steps])
    return (steps[found[0][1]], steps[found[0][2]]) if found else None
