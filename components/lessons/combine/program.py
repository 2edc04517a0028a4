"""The program of the lesson on the combined embedding: from token IDs to the sum, and one element of it."""

from collections.abc import Sequence
from typing import Any

import torch

from components.base.link import State
from components.embedding.norm_ratio import move_token, norm_ratio
from components.embedding.positions import learned_positions, sinusoidal_positions
from components.embedding.tables import scaled, token_table
from components.programs.batch_story import batch_values, choose_batch, tokenize
from components.text.token_ids import same_id_elsewhere
from components.text.window_counts import batch_shape


def combine(ids, vocab_size, dim, seed, context_length, position, layout, scale, b, t, d):
    """Add position embeddings to token embeddings."""
    # %% Token embeddings [B, T, D]
    # Each ID is replaced by its row of the token embedding table W.
    W = token_table(vocab_size, dim, seed)  # equals torch.manual_seed(seed); nn.Embedding(vocab_size, dim)
    token = W(ids).detach()  # [B, T, D]
    print(token.shape, token[b], sep="\n")
    if scale:
        # %% Times √D
        # The first Transformer multiplies token embeddings by √D before it adds the positions.
        token = scaled(token, dim)  # [B, T, D]
        print(token[b])
    if position == "none":
        # %% The input of the model [B, T, D]
        # Position embeddings are off: the model reads the token embeddings alone.
        combined = token  # [B, T, D]
        print(combined.shape, combined[b], sep="\n")
    else:
        # %% Position embeddings [T, D]
        # One row for each position, the same for every sequence; the IDs play no role.
        if position == "learned":
            P = learned_positions(context_length, dim, vocab_size, seed)  # the next numbers after those of W
        else:
            P = sinusoidal_positions(context_length, dim, layout)
        P = P[: ids.shape[1]]  # [T, D]
        print(P.shape, P, sep="\n")
        # %% Broadcasting: [T, D] is read as [B, T, D]
        # A new axis of size 1 is expanded over the batch. Nothing is copied: the memory is the same.
        expanded = P.unsqueeze(0).expand(token.shape)  # [T, D] -> [1, T, D] -> [B, T, D]
        print(expanded.shape, "the same memory:", expanded.data_ptr() == P.data_ptr())
        # %% The sum [B, T, D]
        # Addition element by element keeps D; torch adds the batch axis of the positions by itself.
        combined = token + P  # [B, T, D] + [T, D] -> [B, T, D]
        print(combined.shape, combined[b], sep="\n")
        # %% One element of the sum
        # Only what is printed is rounded.
        if scale:
            print(f"W[{ids[b, t]}, {d}] × √{dim} + P[{t}, {d}]:", end=" ")
        else:
            print(f"W[{ids[b, t]}, {d}] + P[{t}, {d}]:", end=" ")
        print(f"{token[b, t, d]:.4f} + ({P[t, d]:.4f}) ≈ {combined[b, t, d]:.4f}")


def compare_positions(ids, token, combined, P, position, b, d, move, to):
    """Compare the combined embeddings of one token at two positions."""
    # %% How much of the token is in the sum
    # 1: the combined embedding has the direction of the token embedding, 0: it is at right angles to it.
    cosines = torch.cosine_similarity(combined, token, dim=-1)  # [B, T]
    print(f"mean cosine similarity of combined and token embeddings {cosines.mean():.2f}")
    # %% The same ID at two positions
    # Its token embedding is the same, so its combined embeddings differ by their position embeddings alone.
    for token_id, (b1, t1), (b2, t2) in same_id_elsewhere(ids.tolist())[:1]:
        one, other = combined[b1, t1], combined[b2, t2]  # [D]
        print(f"ID {token_id} at [{b1}, {t1}] and [{b2}, {t2}]: cosine similarity", end=" ")
        print(f"{torch.cosine_similarity(one, other, dim=0):.2f}, largest difference {(one - other).abs().max():.2f}")
    if position != "none":
        # %% One token at another position
        # Only the term of the position changes.
        moved = move_token(token[b, move], P, move, to)
        print(f"position {move} to {to}, column {d}: {moved.before[d]:.4f} becomes {moved.after[d]:.4f}")
        print(f"largest change of a column {moved.largest:.4f}, cosine similarity {moved.cosine:.4f}")


def compare_norms(ids, W, vocab_size, dim, seed, context_length, layout, init_std):
    """Compare the norms of token and position embeddings, with and without the factor √D."""
    # %% Scaling by √D
    # Which of the two dominates the sum depends on the standard deviations of the initial weights, and on the factor.
    # Norms and cosines are means over the batch.
    unscaled = W(ids).detach()  # [B, T, D]
    for learned in (True, False):
        if learned:
            table = learned_positions(context_length, dim, vocab_size, seed)  # [T, D]
        else:
            table = sinusoidal_positions(context_length, dim, layout)  # [T, D]
        for times_root in (False, True):
            result = norm_ratio(unscaled, table[: ids.shape[1]], init_std, times_root, learned)
            print("learned" if learned else "sinusoidal", "tokens times √D:" if times_root else "tokens:")
            print(f"  norms {result.token:.4f} and {result.position:.4f}, ratio {result.ratio:.4f},", end=" ")
            print(f"cosine of sum and token {result.cosine:.4f}")


STORIES = (tokenize, choose_batch, combine, compare_positions, compare_norms)


def values(state: State, token_ids: Sequence[int]) -> dict[str, Any] | None:
    """Return the values of the stories; None if the settings give no batch."""
    found = batch_values(state, token_ids)
    if found is None:
        return None
    B, T = batch_shape(len(token_ids), state.settings)
    choices = state.choices
    index = {"b": min(choices.b, B - 1), "d": min(choices.d, state.settings.dim - 1)}
    index |= {name: min(getattr(choices, name), T - 1) for name in ("t", "move", "to")}
    return found | index | {"init_std": choices.spread}
