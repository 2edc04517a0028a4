"""What the head reads: up to nine tokens as one sequence, their vectors, and all that the head computes from these."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from components.base.link import State
from components.base.settings import Settings
from components.embedding.attention_head import (
    HeadSteps,
    HeadWeights,
    attention_scores,
    head_dim,
    head_weights,
    run_head,
)
from components.embedding.order import change_by_order, shuffled_order
from components.embedding.rotary import pairs, rotate
from components.embedding.tables import scaled
from components.embedding.walkthrough import Tables
from components.lessons.attention.choices import MAX_TOKENS, Choices
from components.text.window_counts import typed_batch


class Reading(NamedTuple):
    """The IDs [n] in the order in which the head reads them, their vectors, its weights, and what it computes."""

    ids: Int[Tensor, " n"]
    token: Float[Tensor, "n D"]  # in the order of the text
    position: Float[Tensor, "n D"] | None  # None if the settings have none
    shuffled: list[int]  # the positions 0 to n - 1 in the order that the shuffle seed gives
    rows: Float[Tensor, "n D"]  # the tokens in the order in which the head reads them
    x: Float[Tensor, "n D"]  # with positions, if they are added
    head: HeadWeights
    steps: HeadSteps


def sequence_of(token_ids: Sequence[int] | np.ndarray, settings: Settings, first: int) -> list[int]:
    """Return nine IDs of the text from `first` on, or the typed ones of the first sequence; fewer if there are no more.

    Raises ValueError if there are none. The message is shown to learners.
    """
    if settings.typed:
        return typed_batch(settings)[0][:MAX_TOKENS]
    if not len(token_ids):
        raise ValueError("Your text has 0 tokens; attention needs one or more. Write more.")
    first = min(first, last_first(len(token_ids)))
    return [int(token_id) for token_id in token_ids[first : first + MAX_TOKENS]]


def sequence_if_any(state: State, token_ids: Sequence[int] | np.ndarray) -> list[int]:
    """Return the IDs that the head reads, none if there are no tokens."""
    try:
        return sequence_of(token_ids, state.settings, state.choices.first_token)
    except ValueError:
        return []


def last_first(n_tokens: int) -> int:
    return max(0, n_tokens - MAX_TOKENS)


def order_of(n: int, choices: Choices) -> list[int]:
    """Return the positions in the text of the n tokens, in the order in which the head reads them."""
    return shuffled_order(n, choices.order_seed) if choices.shuffled else list(range(n))


def read(ids: Int[Tensor, " n"], tables: Tables, settings: Settings, choices: Choices) -> Reading:
    """Return what one head computes from a sequence; `tables` have at least n position embeddings, if any."""
    kind, n = choices.attention_positions, len(ids)
    order = order_of(n, choices)
    token = tables.token(ids).detach()  # [n, D]
    if settings.scale:
        token = scaled(token, settings.dim)
    position = None if tables.position is None else tables.position[:n]  # [n, D]
    rows = token[order]
    x = rows + position if kind == "added" and position is not None else rows
    head = head_weights(settings.dim, head_dim(settings.dim), settings.seed + 1)  # the table is sampled with the seed
    steps = run_head(x, head, choices.causal, kind == "rotary")
    return Reading(ids[order], token, position, shuffled_order(n, choices.order_seed), rows, x, head, steps)


def changes(reading: Reading, kind: str, causal: bool, order: list[int]) -> Float[Tensor, " n"]:
    """Return by how much the output of each token changes if the tokens are in this order, with any positions."""
    added = reading.position if kind == "added" and reading.position is not None else 0

    def outputs(tokens: Tensor) -> Tensor:
        return run_head(tokens + added, reading.head, causal, kind == "rotary").out

    return change_by_order(outputs, reading.token, order).abs().amax(dim=-1)


def scores_by_pairing(x: Float[Tensor, "T D"], head: HeadWeights) -> dict[str, Float[Tensor, "T T"]]:
    """Return the scores with neighbors as pairs, with halves, and with halves and permuted query and key weights."""
    positions = torch.arange(len(x))
    columns = pairs(head.query.shape[1]).flatten()  # the first of each, then the second

    def scores(query: Tensor, key: Tensor, layout: str) -> Tensor:
        return attention_scores(rotate(x @ query, positions, layout), rotate(x @ key, positions, layout))

    return {
        "neighbors": scores(head.query, head.key, "interleaved"),
        "halves": scores(head.query, head.key, "halves"),
        "halves, permuted": scores(head.query[:, columns], head.key[:, columns], "halves"),
    }
