# %% [markdown]
# # Combine
# Token embedding plus position embedding, element by element: the input of the model.
#
# From Embedding Lab, with your values; open it there to change them:
# <http://localhost:8501/combine>
#
# It needs these libraries: `pip install jaxtyping numpy tiktoken torch`

# %% Your values
text = 'She left the bank for the riverbank.'
context_length = 4  # T
stride = 4
batch_size = 2  # B
shuffle = False
drop_last = False
seed = 123
batch = 0
vocab_size = 50_257  # V
dim = 16  # D
b = 0
layout = 'interleaved'
t = 1
d = 2
move = 0
to = 1
init_std = '1'
ranks = {  # the tokens of GPT-2 that can occur in the text, with their IDs
    b'.': 13, b'S': 50, b'a': 64, b'b': 65, b'e': 68, b'f': 69, b'h': 71, b'i': 72, b'k': 74,
    b'l': 75, b'n': 77, b'o': 78, b'r': 81, b't': 83, b'v': 85, b' ': 220, b' t': 256, b'he': 258,
    b' the': 262, b'er': 263, b'an': 272, b'or': 273, b' b': 275, b' f': 277, b'le': 293,
    b' th': 294, b' l': 300, b've': 303, b' for': 329, b'ver': 332, b' r': 374, b'ri': 380,
    b'th': 400, b'ive': 425, b' le': 443, b'iv': 452, b'ft': 701, b'ef': 891, b'ank': 962,
    b'the': 1169, b' left': 1364, b'iver': 1428, b'for': 1640, b'Sh': 2484, b' bank': 3331,
    b'She': 3347, b'ban': 3820, b' ban': 3958, b'fo': 6513, b'ba': 7012, b' river': 7850,
    b'left': 9464, b' fo': 11511, b'rive': 11590, b'riv': 15104, b'bank': 17796, b'verb': 19011,
    b'erb': 23552, b'rb': 26145, b' ba': 26605, b'river': 38291, b' rive': 40112,
}

# %% What is used
# The functions are those of the app; each is used below.
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import tiktoken
import torch
from jaxtyping import Float, Int
from tiktoken_ext.openai_public import r50k_pat_str
from torch import Generator, Tensor, nn
from torch.utils.data import DataLoader


Ids = Sequence[int] | np.ndarray
BASE = 10_000.0  # wavelengths from 2π to BASE · 2π positions
ADVANCE_BLOCK = 2**18  # numbers sampled at a time only to advance a generator
INIT_STDS = {
    "1": lambda dim: (1.0, 1.0),
    "D^-0.5": lambda dim: (dim**-0.5, dim**-0.5),
    "0.02": lambda dim: (0.02, 0.01),
}


def gpt2_encoding(ranks: dict[bytes, int]) -> tiktoken.Encoding:
    """Return GPT-2's byte-pair encoding with all its tokens, or with those that a text can contain."""
    special_tokens = {"<|endoftext|>": 50_256}
    return tiktoken.Encoding("gpt2", pat_str=r50k_pat_str, mergeable_ranks=ranks, special_tokens=special_tokens)


def sliding_windows(ids: Ids, max_length: int, stride: int) -> tuple[Int[Tensor, "N T"], Int[Tensor, "N T"]]:
    """Return inputs and targets, both [N, T] int64; the targets are the inputs shifted by one position."""
    ids = torch.tensor(ids, dtype=torch.int64)  # [tokens]
    if len(ids) <= max_length:
        return ids.new_empty(0, max_length), ids.new_empty(0, max_length)
    return ids[:-1].unfold(0, max_length, stride), ids[1:].unfold(0, max_length, stride)  # [N, T], [N, T]


def batch_order(n_windows: int, batch_size: int, shuffle: bool, drop_last: bool, seed: int) -> list[list[int]]:
    """Return the window indices of each batch of `window_dataloader` with the same arguments."""
    order = list(range(n_windows))
    if shuffle and order:
        generator = torch.Generator().manual_seed(seed)
        # All windows in one batch: 100,000 batches of one window each take seconds, and the order is the same.
        (order,) = DataLoader(order, n_windows, shuffle=True, generator=generator, collate_fn=list)
    n_used = n_windows - n_windows % batch_size if drop_last else n_windows
    return [order[first : first + batch_size] for first in range(0, n_used, batch_size)]


def token_table(vocab_size: int, dim: int, seed: int) -> nn.Embedding:
    """Return the token embedding table [V, D], sampled from N(0, 1): torch.manual_seed(seed); nn.Embedding(V, D)."""
    generator = Generator().manual_seed(seed)
    return nn.Embedding(vocab_size, dim, _weight=torch.empty(vocab_size, dim).normal_(generator=generator))


def rates(dim: int, formula: str = "paper") -> Float[Tensor, " pairs"]:
    """Return the rate of each pair of sine and cosine in radians per position, of the paper or of tensor2tensor.

    The paper, Vaswani et al. (2017), has 10000^(-2i / D) and, for an odd D, one pair more without its cosine;
    tensor2tensor, the code published with it, has 10000^(-i / (D // 2 - 1)) for D // 2 pairs.
    """
    if formula == "paper":
        return BASE ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)  # [ceil(D / 2)]
    return BASE ** (-torch.arange(dim // 2, dtype=torch.float64) / max(1, dim // 2 - 1))  # [D // 2]


def sinusoidal_positions(length: int, dim: int, layout: str = "interleaved") -> Float[Tensor, "length dim"]:
    """Return the sinusoidal positional encoding [T, D] of Vaswani et al. (2017), section 3.5.

    The layouts order the same columns differently: "interleaved" is sin, cos, sin, cos (the paper); "halves" is all
    sines, then all cosines. With an odd D the last sine has no cosine. Raises ValueError for another layout.
    """
    if layout not in ("interleaved", "halves"):
        raise ValueError(f"layout = {layout!r} is neither interleaved nor halves.")
    positions = torch.arange(length, dtype=torch.float64)[:, None]  # [T, 1]
    angles = positions * rates(dim)  # [T, ceil(D / 2)]
    sines, cosines = angles.sin(), angles.cos()[:, : dim // 2]
    if layout == "halves":
        return torch.cat([sines, cosines], dim=1).float()  # [T, D]
    table = torch.empty(length, dim, dtype=torch.float64)
    table[:, 0::2], table[:, 1::2] = sines, cosines
    return table.float()  # [T, D]


def same_id_elsewhere(batch: Sequence[Sequence[int]]) -> list[tuple[int, tuple[int, int], tuple[int, int]]]:
    """Return every ID of a batch [B, T] that occurs at two positions t, with the indices [b, t] of the first two."""
    first: dict[int, tuple[int, int]] = {}
    second: dict[int, tuple[int, int]] = {}
    for b, sequence in enumerate(batch):
        for t, token_id in enumerate(sequence):
            if first.setdefault(token_id, (b, t))[1] != t:
                second.setdefault(token_id, (b, t))
    return [(token_id, first[token_id], found) for token_id, found in second.items()]


class MovedToken(NamedTuple):
    """The combined embedding [D] of a token at two positions, its largest change and the cosine similarity of both."""

    before: Float[Tensor, "D"]
    after: Float[Tensor, "D"]
    largest: float
    cosine: float


def move_token(token: Float[Tensor, "D"], position: Float[Tensor, "T D"], start: int, to: int) -> MovedToken:
    """Return the combined embedding of a token at position `start` and at position `to`."""
    before, after = token + position[start], token + position[to]  # [D]
    cosine = torch.cosine_similarity(before, after, dim=0).item()
    return MovedToken(before, after, (after - before).abs().max().item(), cosine)


def advance_generator(generator: Generator, numbers: int) -> None:
    """Advance `generator` as sampling a table of so many numbers does, without the memory of the table."""
    while numbers:
        # The last block includes the rest, because torch samples the end of a tensor differently unless its size is a
        # multiple of 16.
        block = numbers if numbers < 2 * ADVANCE_BLOCK else ADVANCE_BLOCK
        torch.empty(block).normal_(generator=generator)
        numbers -= block


def learned_positions(length: int, dim: int, vocab_size: int, seed: int) -> Float[Tensor, "length dim"]:
    """Return a learned position embedding table [T, D] before training, as in GPT-2: Radford et al. (2019).

    It equals the weight of the second layer of torch.manual_seed(seed); nn.Embedding(V, D); nn.Embedding(T, D): its
    numbers follow those of the token embedding table.
    """
    generator = torch.Generator().manual_seed(seed)
    advance_generator(generator, vocab_size * dim)
    return torch.empty(length, dim).normal_(generator=generator)


class NormRatio(NamedTuple):
    """Mean norms of token and position embeddings, token over position, mean cosine similarity of sum and token."""

    token: float
    position: float
    ratio: float
    cosine: float


def scaled(vectors: Float[Tensor, "*shape"], dim: int) -> Float[Tensor, "*shape"]:
    """Return the vectors times sqrt(D), as in Vaswani et al. (2017), "Attention Is All You Need", section 3.4."""
    return vectors * math.sqrt(dim)


def row_norms(vectors: Float[Tensor, "*rows D"]) -> Float[Tensor, "*rows"]:
    """Return the norm (L2) of every row."""
    return vectors.norm(dim=-1)


def norm_ratio(
    token: Float[Tensor, "B T D"],
    position: Float[Tensor, "T D"],
    init_std: str = "1",
    scale: bool = False,
    learned: bool = True,
) -> NormRatio:
    """Return the norms of token and position embeddings if their tables had the standard deviations `init_std`.

    Both are given as sampled from N(0, 1) and are multiplied by their standard deviation; a sinusoidal encoding is not,
    because it has no weights. `scale` multiplies the token embeddings by sqrt(D). The ratio is infinite if all position
    embeddings are zero: for D = 1, position 0 is sin(0). Raises KeyError unless `init_std` is in INIT_STDS.
    """
    dim = token.shape[-1]
    token_std, position_std = INIT_STDS[init_std](dim)
    token = scaled(token * token_std, dim) if scale else token * token_std  # [B, T, D]
    position = position * position_std if learned else position  # [T, D]
    token_norm, position_norm = row_norms(token).mean(), row_norms(position).mean()
    cosine = torch.cosine_similarity(token + position, token, dim=-1).mean()
    return NormRatio(token_norm.item(), position_norm.item(), (token_norm / position_norm).item(), cosine.item())

# %% Token IDs of the text
# Byte-pair encoding with those of GPT-2's 50,257 tokens that can occur in this text. The whole
# encoding is `tiktoken.get_encoding("gpt2")`; tiktoken downloads it once.
encoding = gpt2_encoding(ranks)
token_ids = encoding.encode_ordinary(text)
print(len(token_ids), "tokens:", token_ids[:20])

# %% One batch of token IDs [B, T]
# Each window is T consecutive IDs, and begins `stride` IDs after the one before. A batch is B
# windows.
inputs, _ = sliding_windows(token_ids, context_length, stride)  # [N, T], [N, T]
batches = batch_order(len(inputs), batch_size, shuffle, drop_last, seed)
ids = inputs[batches[batch]]  # [B, T]
torch.set_printoptions(linewidth=120, sci_mode=False)
print(ids.shape, ids, sep="\n")

# %% Token embeddings [B, T, D]
# Each ID is replaced by its row of the token embedding table W.
W = token_table(vocab_size, dim, seed)  # equals torch.manual_seed(seed); nn.Embedding(vocab_size, dim)
token = W(ids).detach()  # [B, T, D]
print(token.shape, token[b], sep="\n")

# %% Position embeddings [T, D]
# One row for each position, the same for every sequence; the IDs play no role.
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
print(f"W[{ids[b, t]}, {d}] + P[{t}, {d}]:", end=" ")
print(f"{token[b, t, d]:.4f} + ({P[t, d]:.4f}) ≈ {combined[b, t, d]:.4f}")

# %% How much of the token is in the sum
# 1: the combined embedding has the direction of the token embedding, 0: it is at right angles to
# it.
cosines = torch.cosine_similarity(combined, token, dim=-1)  # [B, T]
print(f"mean cosine similarity of combined and token embeddings {cosines.mean():.2f}")

# %% The same ID at two positions
# Its token embedding is the same, so its combined embeddings differ by their position embeddings
# alone.
for token_id, (b1, t1), (b2, t2) in same_id_elsewhere(ids.tolist())[:1]:
    one, other = combined[b1, t1], combined[b2, t2]  # [D]
    print(f"ID {token_id} at [{b1}, {t1}] and [{b2}, {t2}]: cosine similarity", end=" ")
    print(f"{torch.cosine_similarity(one, other, dim=0):.2f}, largest difference {(one - other).abs().max():.2f}")

# %% One token at another position
# Only the term of the position changes.
moved = move_token(token[b, move], P, move, to)
print(f"position {move} to {to}, column {d}: {moved.before[d]:.4f} becomes {moved.after[d]:.4f}")
print(f"largest change of a column {moved.largest:.4f}, cosine similarity {moved.cosine:.4f}")

# %% Scaling by √D
# Which of the two dominates the sum depends on the standard deviations of the initial weights, and
# on the factor. Norms and cosines are means over the batch.
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
