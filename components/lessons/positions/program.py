"""The program of the lesson on positions: the table, one column, norms, and the shuffle."""

from collections.abc import Sequence
from typing import Any

import torch

from components.base.link import State
from components.embedding.norm_ratio import expected_norm, row_norms, shuffle_difference, shuffled_order
from components.embedding.positions import (
    error_past_the_end,
    learned_positions,
    positions_with_padding,
    rates,
    similarity,
    sinusoidal_positions,
)
from components.embedding.tables import token_table
from components.programs.batch_story import batch_values, choose_batch, tokenize

COLUMNS = 48  # on the page


def positions(
    ids, vocab_size, dim, seed, context_length, position, layout, position_column, wave_column, at, shuffle_seed
):
    """Make the position embeddings, and shuffle the tokens of a sequence with and without them."""
    if position != "none":
        # %% Position embeddings P [T, D]
        if position == "learned":
            # One row for each position, shared by all sequences. A learned table, as in GPT-2, is sampled like the
            # token embedding table, from the next random numbers: until it is trained, its rows are random.
            P = learned_positions(context_length, dim, vocab_size, seed)
        else:
            # One row for each position, shared by all sequences. A sinusoidal encoding is computed: sines and cosines
            # whose wavelengths grow from column to column.
            P = sinusoidal_positions(context_length, dim, layout)
        print(P.shape, P[:12, position_column : position_column + 16], sep="\n")
        # %% One column, from position to position
        if position == "sinusoidal" and context_length < 64:
            # The formula also works beyond T; 64 positions are shown.
            wave = sinusoidal_positions(64, dim, layout)[:, wave_column]
        else:
            wave = P[:256, wave_column]
        print(f"column {wave_column} from {wave.min():.4f} to {wave.max():.4f}", wave, sep="\n")
        # %% The norm of each row
        # D numbers from N(0, 1) have a root-mean-square norm of √D. In a sinusoidal encoding each sine and its cosine
        # add 1 to the square of the norm, so it is √(D/2), exactly if D is even.
        norms = row_norms(P)  # [T]
        print(f"norms from {norms.min():.4f} to {norms.max():.4f}, expected {expected_norm(dim, position):.4f}")
    if position == "sinusoidal":
        # %% How alike two positions are
        # The cosine similarity of one position with others, after as many rows as the figure has.
        cosines = similarity(sinusoidal_positions(128, dim, layout))[at]
        for step in (1, 3, 10, 50):
            other = at + step if at + step < 128 else at - step
            print(f"position {at} with {other}: {cosines[other]:.2f}")
    if position == "learned":
        # %% Past the end of the table
        # The rows are 0 to T - 1. Row T raises the message of a token ID out of range, but it is this table that is too
        # short.
        print(error_past_the_end(P))
    if position == "sinusoidal":
        # %% Both layouts
        # They have the same columns in another order, so weights trained with one do not fit the other.
        interleaved = sinusoidal_positions(context_length, dim, "interleaved")  # sin, cos, sin, cos
        halves = sinusoidal_positions(context_length, dim, "halves")  # all sines, then all cosines
        # tensor2tensor, the code published with the paper, has the order of halves, and other rates.
        for formula in ("paper", "tensor2tensor"):
            numbers = rates(dim, formula)  # in radians per position, one for each pair of sine and cosine
            print(formula, *(f"{rate:.6g}" for rate in [*numbers[:3], *numbers[-1:]]))
        print("the same columns:", torch.equal(interleaved[:, [*range(0, dim, 2), *range(1, dim, 2)]], halves))
    # %% Padding at the left
    # GPT-2's `forward` in transformers counts positions from the left; its `generate` computes them from the mask.
    mask = torch.tensor([0, 0] + [1] * ids.shape[1])
    print(torch.arange(len(mask)), positions_with_padding(mask), sep="\n")
    # %% Shuffle the tokens of the first sequence
    W = token_table(vocab_size, dim, seed)  # equals torch.manual_seed(seed); nn.Embedding(vocab_size, dim)
    token = W(ids).detach()  # [B, T, D]
    order = shuffled_order(ids.shape[1], shuffle_seed)  # the token at position order[t] moves to position t
    moved = sum(t != i for t, i in enumerate(order))
    print(f"order {order}, {moved} of {len(order)} tokens moved")
    # %% The change of each combined embedding [T, D]
    if position == "none":
        # Position embeddings are off, so a token has the same vector at every position. Only the order differs.
        change = shuffle_difference(token[0], None, order)
    else:
        # A token that moved gets another position embedding, so its combined embedding is another vector.
        P = P[: ids.shape[1]]  # [T, D]
        change = shuffle_difference(token[0], P, order)
    print(f"largest change {change.abs().max():.4f}", change[:12, :16], sep="\n")


STORIES = (tokenize, choose_batch, positions)


def values(state: State, token_ids: Sequence[int]) -> dict[str, Any] | None:
    """Return the values of the stories; None if the settings give no batch."""
    found, choices, D = batch_values(state, token_ids), state.choices, state.settings.dim
    if found is None:
        return None
    return found | {
        "position_column": min(choices.position_column, max(0, D - COLUMNS)),
        "wave_column": min(choices.wave, D - 1),
        "at": choices.at,
        "shuffle_seed": choices.shuffle_seed,
    }
