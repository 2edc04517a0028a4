"""GPT-2's tables as tensors of the mapped file: shared by all sessions and processes, and never copied as a whole."""

from warnings import filterwarnings

import numpy as np
import torch
from torch import Tensor

from components.base.settings import Settings
from components.caches.shared import shared
from components.downloads.gpt2 import LAYER, POSITIONS, TOKENS, RowFile, row_file
from components.embedding.gpt2 import FirstLayer
from components.text.windows import make_batch

filterwarnings("ignore", "The given NumPy array is not writable")  # torch has no read-only tensors


def batch_rows(settings: Settings, token_ids: np.ndarray) -> list[int]:
    """Return the IDs of the batch, or of the first tokens if there is none."""
    try:
        return make_batch(token_ids, settings).flatten().tolist()
    except ValueError:
        return token_ids[: settings.context_length].tolist()


def mapped(name: str) -> Tensor:
    """Return a tensor of the file, which must be there, as it is mapped; nothing may write to it.

    Rows that were not fetched are zero.
    """
    return torch.from_numpy(row_file().numbers(name))


def gpt2_positions() -> Tensor:
    """Return the learned position embeddings [T, D] of GPT-2, which must have been fetched."""
    return mapped(POSITIONS)


def table_norms() -> Tensor:
    """Return the norm of every row of the whole table [V], computed once."""
    return _norms(row_file())


@shared(1)
def _norms(file: RowFile) -> Tensor:
    return torch.from_numpy(file.numbers(TOKENS)).norm(dim=1)


def first_layer() -> FirstLayer | None:
    """Return the weights of the first layer; None if they have not been fetched."""
    file = row_file()
    return FirstLayer(*map(mapped, LAYER)) if file and file.has(POSITIONS, *LAYER) else None
