"""Programs with lookups that fail: IDs out of range, and IDs that are not integers in a tensor."""

import torch
from torch import Tensor, nn


def id_equals_v(V: int, D: int, seed: int, fixed: bool) -> Tensor:
    """Look up an ID equal to V."""
    T = 3
    generator = torch.Generator().manual_seed(seed)
    W = torch.randn(V, D, generator=generator)
    token_table = nn.Embedding.from_pretrained(W)
    P = torch.randn(T, D, generator=generator)
    position_table = nn.Embedding.from_pretrained(P)
    if fixed:
        end_of_text = V - 1  # the last ID of the tokenizer that the table was trained with
    else:
        end_of_text = V  # the last ID of another tokenizer, which has a token more
    ids = torch.tensor([[0, V - 1, end_of_text]])
    positions = torch.arange(T)
    return token_table(ids) + position_table(positions)


def added_token(D: int, seed: int, fixed: bool) -> Tensor:
    """Look up a token that was added to the tokenizer alone."""
    tokens = ["the", "river", "bank"]
    V, T = len(tokens), 3
    generator = torch.Generator().manual_seed(seed)
    W = torch.randn(V, D, generator=generator)
    P = torch.randn(T, D, generator=generator)
    tokens.append("<pad>")
    if fixed:
        W = torch.cat([W, W.mean(dim=0, keepdim=True)])
    token_table = nn.Embedding.from_pretrained(W)
    position_table = nn.Embedding.from_pretrained(P)
    ids = torch.tensor([[tokens.index(token) for token in ("the", "bank", "<pad>")]])
    positions = torch.arange(T)
    return token_table(ids) + position_table(positions)


def id_far_above(V: int, D: int, seed: int, far: int, fixed: bool) -> Tensor:
    """Look up an ID far above V."""
    T = 2
    generator = torch.Generator().manual_seed(seed)
    W = torch.randn(V, D, generator=generator)
    token_table = nn.Embedding.from_pretrained(W)
    P = torch.randn(T, D, generator=generator)
    position_table = nn.Embedding.from_pretrained(P)
    ids = torch.tensor([[1, V - 1 + far]])
    if fixed:
        _, ids = ids.unique(return_inverse=True)
    positions = torch.arange(T)
    return token_table(ids) + position_table(positions)


def negative_id(V: int, D: int, seed: int, back: int, fixed: bool) -> Tensor:
    """Look up a negative ID."""
    T = 2
    generator = torch.Generator().manual_seed(seed)
    if fixed:
        W = torch.randn(V + 1, D, generator=generator)
        token_table = nn.Embedding.from_pretrained(W, padding_idx=V)
    else:
        W = torch.randn(V, D, generator=generator)
        token_table = nn.Embedding.from_pretrained(W)
    P = torch.randn(T, D, generator=generator)
    position_table = nn.Embedding.from_pretrained(P)
    ids = torch.tensor([[0, -back]])
    if fixed:
        ids = ids.masked_fill(ids < 0, V)
    positions = torch.arange(T)
    return token_table(ids) + position_table(positions)


def float_ids(V: int, D: int, seed: int, wrong_dtype: str, fixed: bool) -> Tensor:
    """Look up IDs of another dtype."""
    generator = torch.Generator().manual_seed(seed)
    W = torch.randn(V, D, generator=generator)
    token_table = nn.Embedding.from_pretrained(W)
    ids = torch.tensor([[0, 1, 1]], dtype=getattr(torch, wrong_dtype))
    if fixed:
        return token_table(ids.long())
    else:
        return token_table(ids)


def list_not_tensor(V: int, D: int, seed: int, fixed: bool) -> Tensor:
    """Look up IDs in a list."""
    generator = torch.Generator().manual_seed(seed)
    W = torch.randn(V, D, generator=generator)
    token_table = nn.Embedding.from_pretrained(W)
    if fixed:
        ids = torch.tensor([[0, 1]])
    else:
        ids = [[0, 1]]
    return token_table(ids)
