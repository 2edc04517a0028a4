"""The batch [B, T] that the lessons look up: windows of the text, or typed IDs."""

from collections.abc import Sequence

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor

from components.base.settings import Settings
from components.text.window_counts import require_batches, typed_batch
from components.text.windows import batch_order, sliding_windows


def make_batch(token_ids: Sequence[int] | np.ndarray, settings: Settings) -> Int[Tensor, "B T"]:
    """Return the batch of the journey [B, T]: the typed IDs, or the chosen batch of the text's windows.

    An index of a batch that does not exist gives the last batch. Raises ValueError if there is none. The message is
    shown to learners.

    >>> make_batch(range(9), Settings(batch_size=2))
    tensor([[0, 1, 2, 3],
            [4, 5, 6, 7]])
    >>> make_batch([], Settings(ids="2 3 5 1"))
    tensor([[2, 3, 5, 1]])
    """
    if settings.typed:
        return torch.tensor(typed_batch(settings))
    last = require_batches(len(token_ids), settings) - 1
    inputs, _ = sliding_windows(token_ids, settings.context_length, settings.stride)  # [N, T], [N, T]
    order = batch_order(len(inputs), settings.batch_size, settings.shuffle, settings.drop_last, settings.seed)
    return inputs[order[min(settings.batch, last)]]  # [B, T]
