"""Programs with sums and matrix products: positions out of range, shapes that do not fit or that broadcast."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F


def past_position_table(V: int, D: int, T: int, seed: int, extra: int, fixed: bool) -> Tensor:
    """Look up more positions than the position table has."""
    generator = torch.Generator().manual_seed(seed)
    W = torch.randn(V, D, generator=generator)
    token_table = nn.Embedding.from_pretrained(W)
    P = torch.randn(T, D, generator=generator)
    position_table = nn.Embedding.from_pretrained(P)
    ids = torch.arange(T + extra)[None] % V  # [1, T + extra]
    if fixed:
        ids = ids[:, -T:]
    positions = torch.arange(ids.shape[1])
    return token_table(ids) + position_table(positions)


def cannot_broadcast(B: int, T: int, D: int, extra: int, fixed: bool) -> Tensor:
    """Add more position embeddings than there are tokens."""
    generator = torch.Generator().manual_seed(123)
    token = torch.randn(B, T, D, generator=generator)
    position = torch.randn(T + extra, D, generator=generator)
    if fixed:
        return token + position[:T]
    else:
        return token + position


def dim_mismatch(width: int, fixed: bool) -> Tensor:
    """Add position embeddings with another D."""
    B, T, D = 2, 4, width
    generator = torch.Generator().manual_seed(123)
    token = torch.randn(B, T, D, generator=generator)
    if fixed:
        position = torch.randn(T, D, generator=generator)
    else:
        position = torch.randn(T, D - 1, generator=generator)
    return token + position


def silent_pairs(T: int, D: int, fixed: bool) -> Tensor:
    """Insert an axis into the positions of one sequence."""
    generator = torch.Generator().manual_seed(123)
    token = torch.randn(T, D, generator=generator)
    position = torch.randn(T, D, generator=generator)
    if not fixed:
        position = position.unsqueeze(1)  # [T, 1, D]
    return token + position


def silent_batch(T: int, D: int, fixed: bool) -> Tensor:
    """Insert the wrong axis into the positions of a batch with B = T."""
    B = T
    generator = torch.Generator().manual_seed(123)
    token = torch.randn(B, T, D, generator=generator)
    position = torch.randn(T, D, generator=generator)
    if fixed:
        position = position.unsqueeze(0)  # [1, T, D]
    else:
        position = position.unsqueeze(1)  # [T, 1, D]
    return token + position


def one_hot_without_num_classes(V: int, D: int, fixed: bool) -> Tensor:
    """Multiply a one-hot matrix with too few columns by a table."""
    generator = torch.Generator().manual_seed(123)
    W = torch.randn(V, D, generator=generator)
    ids = torch.tensor([0, 1, V - 2])
    if fixed:
        hot = F.one_hot(ids, num_classes=V).float()
    else:
        hot = F.one_hot(ids).float()
    return hot @ W


def one_hot_integers(V: int, D: int, fixed: bool) -> Tensor:
    """Multiply a one-hot matrix of integers by a table."""
    generator = torch.Generator().manual_seed(123)
    W = torch.randn(V, D, generator=generator)
    ids = torch.tensor([0, V - 1])
    if fixed:
        hot = F.one_hot(ids, num_classes=V).float()
    else:
        hot = F.one_hot(ids, num_classes=V)
    return hot @ W
