"""One attention head: Vaswani et al. (2017), "Attention Is All You Need", section 3.2: https://arxiv.org/abs/1706.03762."""

import math
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from components.embedding.rotary import rotate

MAX_HEAD_DIM = 64  # as in GPT-2


class HeadWeights(NamedTuple):
    """The three weights of a head [D, d], which make queries, keys and values of its input."""

    query: Float[Tensor, "D d"]
    key: Float[Tensor, "D d"]
    value: Float[Tensor, "D d"]


class HeadSteps(NamedTuple):
    """What heads compute from their input: queries, keys (both rotated, if they are), values, scores, weights."""

    q: Float[Tensor, "*heads T d"]
    k: Float[Tensor, "*heads T d"]
    v: Float[Tensor, "*heads T d"]
    scores: Float[Tensor, "*heads T T"]
    weights: Float[Tensor, "*heads T T"]
    out: Float[Tensor, "*heads T d"]


def head_dim(dim: int) -> int:
    """Return the columns d of a head for embeddings with D columns: D, one more if it is odd, at most 64.

    >>> head_dim(16), head_dim(5), head_dim(768)
    (16, 6, 64)
    """
    return min(dim + dim % 2, MAX_HEAD_DIM)


def head_weights(dim: int, columns: int, seed: int) -> HeadWeights:
    """Return weights [D, d] for queries, keys and values, sampled from N(0, 1) and divided by √D: untrained."""
    sampled = torch.empty(3, dim, columns).normal_(generator=torch.Generator().manual_seed(seed))
    return HeadWeights(*(sampled / math.sqrt(dim)))


def attention_scores(q: Float[Tensor, "*batch T d"], k: Float[Tensor, "*batch T d"]) -> Float[Tensor, "*batch T T"]:
    """Return how well each query fits each key: q · k / √d, a row for each query.

    >>> attention_scores(torch.tensor([[1.0, 0, 0, 0]]), torch.tensor([[3.0, 0, 0, 0]]))
    tensor([[1.5000]])
    """
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def attention(
    q: Float[Tensor, "*batch T d"], k: Float[Tensor, "*batch T d"], v: Float[Tensor, "*batch T e"], causal: bool
) -> tuple[Float[Tensor, "*batch T e"], Float[Tensor, "*batch T T"]]:
    """Return the outputs [.., T, e], mixtures of the values, and their weights [.., T, T], each row with the sum 1.

    A causal mask sets the scores of later keys to -inf, so that their weights are 0.

    >>> out, weights = attention(torch.zeros(2, 1), torch.zeros(2, 1), torch.tensor([[1.0], [3.0]]), causal=True)
    >>> weights.tolist(), out.tolist()
    ([[1.0, 0.0], [0.5, 0.5]], [[1.0], [2.0]])
    """
    steps = attention_steps(q, k, v, causal)
    return steps.out, steps.weights


def attention_steps(
    q: Float[Tensor, "*batch T d"], k: Float[Tensor, "*batch T d"], v: Float[Tensor, "*batch T e"], causal: bool
) -> HeadSteps:
    """Return all that `attention` computes; the scores are those before the mask."""
    scores = masked = attention_scores(q, k)  # [.., T, T]
    if causal:
        later = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
        masked = scores.masked_fill(later, -math.inf)
    weights = masked.softmax(dim=-1)
    return HeadSteps(q, k, v, scores, weights, weights @ v)


def run_head(x: Float[Tensor, "T D"], head: HeadWeights, causal: bool, rotary: bool = False) -> HeadSteps:
    """Return what one head computes from its input [T, D]; `rotary` rotates queries and keys by positions 0 to T - 1.

    >>> run_head(torch.ones(3, 4), head_weights(4, 2, seed=1), causal=True).weights[2]
    tensor([0.3333, 0.3333, 0.3333])
    """
    q, k, v = x @ head.query, x @ head.key, x @ head.value  # [T, d]
    if rotary:
        positions = torch.arange(len(x))
        q, k = rotate(q, positions), rotate(k, positions)
    return attention_steps(q, k, v, causal)
