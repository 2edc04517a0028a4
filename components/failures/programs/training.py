"""Programs that raise nothing and train, or change, what was not meant."""

import torch
from torch import Tensor, nn


def frozen_table(V: int, D: int, seed: int, fixed: bool) -> Tensor:
    """Train a table that was made by from_pretrained."""
    generator = torch.Generator().manual_seed(seed)
    W = torch.randn(V, D, generator=generator)
    before = W.clone()
    if fixed:
        token_table = nn.Embedding.from_pretrained(W, freeze=False)
    else:
        token_table = nn.Embedding.from_pretrained(W)
    head = nn.Parameter(torch.randn(D, generator=generator))
    ids = torch.tensor([[0, V - 1]])
    loss = (token_table(ids) @ head).sum()
    loss.backward()
    for parameter in (token_table.weight, head):
        if parameter.grad is not None:  # as torch.optim.SGD does
            parameter.data -= 0.1 * parameter.grad
    return token_table.weight.detach() - before


def max_norm_writes(V: int, D: int, seed: int, fixed: bool) -> Tensor:
    """Look up IDs in a table with max_norm."""
    generator = torch.Generator().manual_seed(seed)
    W = torch.randn(V, D, generator=generator)
    before = W.clone()
    if fixed:
        token_table = nn.Embedding.from_pretrained(W)
    else:
        token_table = nn.Embedding.from_pretrained(W, max_norm=1.0)
    ids = torch.tensor([[0, V - 1]])
    vectors = token_table(ids)
    if fixed:
        vectors = vectors / vectors.norm(dim=-1, keepdim=True).clamp(min=1.0)
    return token_table.weight - before


def new_random_row(V: int, D: int, seed: int, fixed: bool) -> Tensor:
    """Add a row to a table whose weights are those of the output layer too."""
    generator = torch.Generator().manual_seed(seed)
    W = 0.02 * torch.randn(V, D, generator=generator)  # as in GPT-2
    if fixed:
        new_row = W.mean(dim=0, keepdim=True)
    else:
        new_row = torch.randn(1, D, generator=generator)  # as in nn.Embedding
    W = torch.cat([W, new_row])
    contexts = torch.randn(1_000, D, generator=generator)
    logits = contexts @ W.T
    return (logits.argmax(dim=1) == V).float().mean()
