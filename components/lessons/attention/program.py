"""The program of the lesson on attention: one head reads a sequence, with and without mask and positions."""

from collections.abc import Sequence
from typing import Any

import torch
from torch.nn import functional as F

from components.base.link import State
from components.embedding.attention_head import attention, change_by_order, head_dim, head_weights
from components.embedding.norm_ratio import shuffled_order
from components.embedding.one_hot import largest_difference
from components.embedding.positions import learned_positions, sinusoidal_positions
from components.embedding.rotary import rotate
from components.embedding.tables import scaled, token_table
from components.lessons.attention.hands import three_pairs
from components.lessons.attention.pairings import scores_by_pairing
from components.lessons.attention.reading import last_first, sequence_of
from components.programs.batch_story import text_values, tokenize
from components.text.token_ids import out_of_range
from components.text.window_counts import typed_batch


def attend(
    token_ids, typed_ids, vocab_size, dim, seed, context_length, position, layout, scale, first_token,
    causal, attention_positions, shuffled, order_seed,
):  # fmt: skip
    """Let one head read up to nine tokens."""
    # %% The sequence that the head reads [n]
    # Up to nine tokens as one sequence, whatever the context length is: as many as the figure has room for.
    if typed_ids:
        sequence = torch.tensor(typed_ids[0][:9], dtype=torch.int64)
    else:
        sequence = torch.tensor(token_ids[first_token : first_token + 9], dtype=torch.int64)
    n = len(sequence)
    new_order = shuffled_order(n, order_seed)
    # %% Its vectors [n, D]
    W = token_table(vocab_size, dim, seed)  # equals torch.manual_seed(seed); nn.Embedding(vocab_size, dim)
    vectors = W(sequence).detach()  # [n, D]
    if scale:
        vectors = scaled(vectors, dim)  # times √D, as in the first Transformer
    if position == "none":
        added = None
    elif position == "learned":
        added = learned_positions(max(context_length, n), dim, vocab_size, seed)[:n]  # [n, D]
    else:
        added = sinusoidal_positions(max(context_length, n), dim, layout)[:n]  # [n, D]
    if shuffled:
        sequence, rows = sequence[new_order], vectors[new_order]
    else:
        rows = vectors
    x = rows  # [n, D]
    if attention_positions == "added" and position != "none":
        x = rows + added  # a position stays, whichever token is there
    print(sequence, x[:, :16], sep="\n")
    # %% Queries, keys and values [n, d]
    # Three matrices [D, d] make them. A model learns these; here they are random, from another seed than the table's.
    head = head_weights(dim, head_dim(dim), seed + 1)
    q, k, v = x @ head.query, x @ head.key, x @ head.value
    if attention_positions == "rotary":
        # Rotary positions turn queries and keys, pair of columns by pair, by angles that grow with the position.
        q, k = rotate(q, torch.arange(n)), rotate(k, torch.arange(n))
    # %% Weights [n, n] and outputs [n, d]
    # The weights are a softmax of q · k / √d, each row with the sum 1. An output is the sum of the values, each times
    # its weight. A causal mask sets the weights of later tokens to 0.
    out, weights = attention(q, k, v, causal)
    print(weights, out[:, :16], sep="\n")
    # %% The same in one call
    by_torch = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    print(f"largest difference {largest_difference(by_torch, out):.2e}")


def shuffle_words(vectors, added, head, new_order, n):
    """Shuffle the words, with and without mask and positions."""
    # %% Shuffle the words
    # Without mask and positions a shuffle only reorders the outputs. With a mask an output depends on which tokens come
    # before it; with positions, on where they are.
    if n > 1:
        print("order", new_order)
        for name, table, rotary in (("none", None, False), ("added", added, False), ("rotary", None, True)):
            for mask in (False, True):
                change = change_by_order(vectors, table, head, new_order, mask, rotary).max()
                print(f"positions {name}, causal mask {mask}: largest change {change:.7f}")
        # Only the tokens at positions 0 and 1 exchanged, causal mask, no positions.
        for change in change_by_order(vectors, None, head, [1, 0, *range(2, n)], causal=True):
            print(f"{change:.7f}")


def compare_pairings(rows, head, query, key, attention_positions, attention_view):
    """Compare both pairings of rotary positions."""
    # %% Both pairings of rotary positions
    # Neighbors are a pair in RoFormer, GPT-J and Meta's Llama; column i and i + d/2 in GPT-NeoX and transformers.
    pairings = scores_by_pairing(rows, head)
    for name, scores in pairings.items():
        print(f"{name}: score {scores[query, key]:.4f}, ", end="")
        print(f"largest difference {largest_difference(scores, pairings['neighbors']):.7f}")
    if attention_positions == "rotary" and attention_view == "hands":
        # %% One query and one key at three pairs of positions
        # As they are, both five positions further, and exchanged: the score depends on the signed offset alone.
        for placed in three_pairs(rows[query] @ head.query, rows[key] @ head.key, query, key):
            pairs_shown = ", ".join(f"{term:.2f}" for term in placed.terms[:4])
            score = placed.terms.sum()
            print(f"query at {placed.m}, key at {placed.n}: score {score:.4f}, of the first pairs {pairs_shown}")


STORIES = (tokenize, attend, shuffle_words, compare_pairings)


def values(state: State, token_ids: Sequence[int]) -> dict[str, Any] | None:
    """Return the values of the stories; None if there is no sequence with valid IDs."""
    settings, choices = state.settings, state.choices
    try:
        sequence = sequence_of(token_ids, settings, choices.first_token)
    except ValueError:
        return None
    if out_of_range(sequence, settings.vocab_size):
        return None
    last = len(sequence) - 1
    own = {"query": min(choices.query, last), "key": min(choices.key, last), "n": last + 1}
    own |= {"first_token": min(choices.first_token, last_first(len(token_ids)))}
    texts = {"typed_ids": typed_batch(settings)} if settings.typed else text_values(state)
    return vars(settings) | vars(choices) | texts | own
