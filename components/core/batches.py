"""The batch [B, T] that travels through the later lessons: cut from the text's IDs, or typed."""

from collections.abc import Sequence

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor

from components.core.choices import Choices
from components.core.settings import Settings
from components.core.shapes import batches_of, typed_rows
from components.core.windows import sliding_windows, window_order


def text_batch(
    token_ids: Sequence[int] | np.ndarray, settings: Settings, choices: Choices
) -> tuple[Int[Tensor, "B T"], Int[Tensor, "B T"]]:
    """Return the chosen batch of windows, inputs and targets [B, T], as torch's own DataLoader hands it out.

    A batch number past the end gives the last batch. Raises ValueError, in a plain sentence, where there is none.

    >>> inputs, targets = text_batch(range(9), Settings(batch_size=2), Choices())
    >>> inputs.tolist(), targets.tolist()
    ([[0, 1, 2, 3], [4, 5, 6, 7]], [[1, 2, 3, 4], [5, 6, 7, 8]])
    """
    T, B = settings.context_length, settings.batch_size
    n_batches = batches_of(len(token_ids), settings, choices.drop_last)
    inputs, targets = sliding_windows(token_ids, T, settings.stride)  # [N, T]
    first = min(choices.batch, n_batches - 1) * B
    chosen = window_order(len(inputs), choices.shuffle, settings.seed)[first : first + B]
    return inputs[chosen], targets[chosen]


def make_batch(token_ids: Sequence[int] | np.ndarray, settings: Settings, choices: Choices) -> Int[Tensor, "B T"]:
    """Return the batch of the journey [B, T]: the typed IDs where there are any, else the text's chosen batch.

    Raises ValueError, in a plain sentence, where neither gives one.

    >>> make_batch([], Settings(), Choices(ids="2 3 5 1"))
    tensor([[2, 3, 5, 1]])
    """
    if not choices.typed:
        return text_batch(token_ids, settings, choices)[0]
    return torch.tensor(typed_rows(choices.ids, settings))
