"""Programs with tables that are wrong from the start: no rows, no columns, or a padding_idx out of range."""

import torch
from torch import Tensor, nn


def no_rows(D: int, seed: int, fixed: bool) -> Tensor:
    """Look up an ID in a table with V = 0."""
    if fixed:
        V = 1
    else:
        V = 0
    generator = torch.Generator().manual_seed(seed)
    W = torch.randn(V, D, generator=generator)
    token_table = nn.Embedding.from_pretrained(W)
    ids = torch.tensor([[0]])
    return token_table(ids)


def no_columns(V: int, seed: int, fixed: bool) -> Tensor:
    """Look up IDs in a table with D = 0."""
    if fixed:
        D = 1
    else:
        D = 0
    generator = torch.Generator().manual_seed(seed)
    W = torch.randn(V, D, generator=generator)
    token_table = nn.Embedding.from_pretrained(W)
    ids = torch.tensor([[0, 1]])
    return token_table(ids)


def padding_idx_outside(V: int, D: int, seed: int, beyond: int, fixed: bool) -> Tensor:
    """Make a table with a padding_idx past its end."""
    padding_idx = V - 1 + beyond
    generator = torch.Generator().manual_seed(seed)
    if fixed:
        W = torch.randn(padding_idx + 1, D, generator=generator)
    else:
        W = torch.randn(V, D, generator=generator)
    token_table = nn.Embedding.from_pretrained(W, padding_idx=padding_idx)
    ids = torch.tensor([[0]])
    return token_table(ids)


def padding_idx_negative(V: int, D: int, seed: int, fixed: bool) -> Tensor:
    """Take −1 for no padding."""
    generator = torch.Generator().manual_seed(seed)
    W = torch.randn(V, D, generator=generator)
    if fixed:
        token_table = nn.Embedding.from_pretrained(W, freeze=False, padding_idx=None)
    else:
        token_table = nn.Embedding.from_pretrained(W, freeze=False, padding_idx=-1)
    token_table(torch.tensor([V - 1])).sum().backward()
    return token_table.weight.grad[V - 1]
