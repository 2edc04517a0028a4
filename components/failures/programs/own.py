"""The program of the experiment that the learner builds."""

from typing import Any

import torch
from torch import Tensor, nn


def own(
    V: int,
    D: int,
    T: int,
    typed_ids: list[Any],
    dtype: str,
    seed: int,
    fixed_sizes: tuple[int, int, int],
    fixed_ids: list[Any],
    fixed: bool,
) -> Tensor:
    """Look up the learner's IDs in both tables, and add the embeddings."""
    if fixed:
        V, D, T = fixed_sizes
    generator = torch.Generator().manual_seed(seed)
    W = torch.randn(V, D, generator=generator)
    token_table = nn.Embedding.from_pretrained(W)
    P = torch.randn(T, D, generator=generator)
    position_table = nn.Embedding.from_pretrained(P)
    if fixed:
        ids = torch.tensor(fixed_ids, dtype=torch.int64)
    elif dtype == "as typed":
        ids = torch.tensor(typed_ids)
    else:
        ids = torch.tensor(typed_ids, dtype=getattr(torch, dtype))
    positions = torch.arange(ids.shape[-1])
    return token_table(ids) + position_table(positions)
