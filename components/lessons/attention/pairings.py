"""Rotary scores of one sequence by both pairings of columns, on the same weights."""

import torch
from jaxtyping import Float
from torch import Tensor

from components.embedding.attention_head import HeadWeights, attention_scores
from components.embedding.rotary import order_for_halves, rotate


def scores_by_pairing(x: Float[Tensor, "T D"], head: HeadWeights) -> dict[str, Float[Tensor, "T T"]]:
    """Return the scores with neighbors as pairs, with halves, and with halves and permuted query and key weights.

    >>> from components.embedding.attention_head import head_weights
    >>> found = scores_by_pairing(torch.ones(2, 4), head_weights(4, 4, seed=1))
    >>> [name for name, scores in found.items() if torch.allclose(scores, found["neighbors"])]
    ['neighbors', 'halves, permuted']
    """
    positions, columns = torch.arange(len(x)), order_for_halves(head.query.shape[1])

    def scores(query: Tensor, key: Tensor, layout: str) -> Tensor:
        return attention_scores(rotate(x @ query, positions, layout), rotate(x @ key, positions, layout))

    return {
        "neighbors": scores(head.query, head.key, "interleaved"),
        "halves": scores(head.query, head.key, "halves"),
        "halves, permuted": scores(head.query[:, columns], head.key[:, columns], "halves"),
    }
