# %% [markdown]
# # One-hot
# A lookup is a matrix product that skips the zeros.
#
# From Embedding Lab, with your values; open it there to change them:
# <http://localhost:8501/one_hot>
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
columns_of_result = [0, 1, 15]
columns_with_gradient = 16
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
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import tiktoken
import torch
from jaxtyping import Float, Int
from tiktoken_ext.openai_public import r50k_pat_str
from torch import Generator, Tensor, nn
from torch.nn import functional as F
from torch.utils.data import DataLoader


Ids = Sequence[int] | np.ndarray
MAX_ONE_HOT_CELLS = 2**21  # N x V: 8.4 MB as float32
BYTES_PER_FLOAT = 4  # torch.float32


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


def first_ids(ids: Int[Tensor, "*shape"], vocab_size: int) -> Int[Tensor, " N"]:
    """Return IDs of any shape as one sequence, at most so many that their one-hot matrix is not too large."""
    return ids.flatten()[: max(1, MAX_ONE_HOT_CELLS // vocab_size)]


class BothWays(NamedTuple):
    """The rows of a table for some IDs: by one-hot product, by lookup, and as a Linear layer does it."""

    one_hot: Float[Tensor, "N V"]
    product: Float[Tensor, "N D"]
    lookup: Float[Tensor, "N D"]
    linear: Float[Tensor, "N D"]


def one_hot_matrix(ids: Int[Tensor, " N"], table: Float[Tensor, "V D"]) -> Float[Tensor, "N V"]:
    """Return the one-hot vectors of `ids`, as F.one_hot gives them, but in the dtype of `table` from the start.

    F.one_hot makes int64, twice as large as float32, which would then have to be copied.
    """
    return table.new_zeros(len(ids), len(table)).scatter_(1, ids[:, None], 1.0)  # [N, V]


def both_ways(ids: Int[Tensor, " N"], table: Float[Tensor, "V D"]) -> BothWays:
    """Return the one-hot matrix of `ids`, and the rows of `table` for them: by product, lookup and Linear layer.

    A Linear layer multiplies by its weight transposed, so its weight [D, V] is the table transposed.
    """
    one_hot = one_hot_matrix(ids, table)  # [N, V]
    return BothWays(one_hot, one_hot @ table, F.embedding(ids, table), F.linear(one_hot, table.T))


def largest_difference(one: Float[Tensor, "*shape"], other: Float[Tensor, "*shape"]) -> float:
    """Return the largest absolute difference between an element of one tensor and the same element of the other."""
    return (one - other).abs().max().item()


class Costs(NamedTuple):
    """The cost of the one-hot product and the lookup: multiplications, additions, and bytes of float32 read."""

    multiplications: int
    additions: int
    one_hot_bytes: int
    product_bytes: int
    lookup_bytes: int


def costs(n_ids: int, vocab_size: int, dim: int) -> Costs:
    """Return the cost of a one-hot matrix [N, V] times a table [V, D]; a lookup multiplies and adds nothing.

    The product reads the one-hot matrix and the whole table; the lookup reads N rows, and 8 bytes for each ID.
    """
    N, V, D = n_ids, vocab_size, dim
    one_hot_bytes = N * V * BYTES_PER_FLOAT
    return Costs(
        N * V * D,
        N * (V - 1) * D,
        one_hot_bytes,
        one_hot_bytes + V * D * BYTES_PER_FLOAT,
        N * D * BYTES_PER_FLOAT + 8 * N,
    )


def random_upstream(n_ids: int, dim: int, seed: int) -> Float[Tensor, "N D"]:
    """Return an upstream gradient, that of a loss with respect to the rows of the IDs, here sampled from N(0, 1)."""
    return torch.empty(n_ids, dim).normal_(generator=torch.Generator().manual_seed(seed))


class Gradients(NamedTuple):
    """The gradients of a table: of its rows in use through the lookup, of all its rows through the product."""

    rows: Int[Tensor, " U"]  # the distinct IDs, in ascending order
    lookup: Float[Tensor, "U D"]
    product: Float[Tensor, "V D"]


def gradients(
    ids: Int[Tensor, " N"],
    one_hot: Float[Tensor, "N V"],
    table: Float[Tensor, "V D"],
    upstream: Float[Tensor, "N D"],
) -> Gradients:
    """Return the gradients of `table` through the lookup of `ids` and through the product with their one-hot matrix.

    Row i gets the sum of `upstream` over all positions of ID i. The lookup reads no other row: their gradient is 0, and
    takes no memory here. `table` is not changed.
    """
    rows, index_in_rows = ids.unique(return_inverse=True)  # [U], [N]
    used = table.detach()[rows].requires_grad_()  # [U, D]
    # Not backward(upstream), whose gradient is the same: PyTorch would load its algebra of shapes for it, 35 MB.
    (F.embedding(index_in_rows, used) * upstream).sum().backward()
    # Over all columns of the one-hot matrix: without the unused ones, sums of repeated IDs differ in the last bit.
    weight = table.detach().requires_grad_()  # [V, D]
    ((one_hot @ weight) * upstream).sum().backward()
    return Gradients(rows, used.grad, weight.grad)


def rows_with_gradient(gradient: Float[Tensor, "rows D"]) -> int:
    """Return the number of rows that are not zero."""
    return int((gradient != 0).any(dim=1).sum())


def unused_row(ids: Int[Tensor, " N"], vocab_size: int) -> int | None:
    """Return the first row of a table that no ID uses; None if all are in use."""
    used = set(ids.tolist())
    return next((row for row in range(vocab_size) if row not in used), None)


def beside_infinity(ids: Int[Tensor, " N"], table: Float[Tensor, "V D"]) -> tuple[int, BothWays] | None:
    """Return an unused row and both ways for a copy of `table` that has infinity there; None if all are in use."""
    row = unused_row(ids, len(table))
    if row is None:
        return None
    infinite = table.clone()
    infinite[row, 0] = float("inf")
    return row, both_ways(ids, infinite)

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

# %% One-hot vectors [N, V]
# Each of the N IDs becomes a vector of V numbers: 1 at the index of the ID, 0 everywhere else.
W = token_table(vocab_size, dim, seed).weight.detach()  # [V, D]
flat_ids = first_ids(ids, vocab_size)  # [N]
one_hot, product, lookup, linear = both_ways(flat_ids, W)  # [N, V], then three times [N, D]
print(one_hot.shape, one_hot.argmax(dim=1), sep="\n")

# %% The product and the lookup [N, D]
# Each dot product multiplies one element of the table by 1 and all others by 0, so the product is
# the row of the ID. That is true of finite numbers only: 0 times infinity is NaN.
print(product.shape, product[:8, columns_of_result], lookup[:8, columns_of_result], sep="\n")
print(f"largest difference {largest_difference(product, lookup):.2e}")

# %% The same as a Linear layer
# `nn.Linear(V, D, bias=False)` computes the product. It stores its weight transposed, as [D, V].
print("exactly equal:", torch.equal(linear, lookup))

# %% What it costs
# Of the whole batch. A lookup copies N rows. It multiplies and adds nothing.
cost = costs(ids.numel(), vocab_size, dim)
print(f"multiplications: {cost.multiplications:,} in the product, 0 in the lookup")
print(f"additions: {cost.additions:,} in the product, 0 in the lookup")
print(f"one-hot matrix: {cost.one_hot_bytes:,} bytes")
print(f"bytes read: {cost.product_bytes:,} by the product, {cost.lookup_bytes:,} by the lookup")

# %% The gradients are equal
# Both ways are the same function of the table, so it gets the same gradient from both: the row of
# an ID gets the sum of the upstream gradients from all positions of that ID, every other row gets
# exactly 0.
upstream = random_upstream(len(flat_ids), columns_with_gradient, seed)  # [N, columns]
gradient = gradients(flat_ids, one_hot, W[:, :columns_with_gradient], upstream)
difference = largest_difference(gradient.lookup, gradient.product[gradient.rows])
print(f"rows in use: {len(gradient.rows)} of {vocab_size}, largest difference {difference:.0e}")
print(f"rows with a gradient: {rows_with_gradient(gradient.lookup)} through the lookup,", end=" ")
print(f"{rows_with_gradient(gradient.product)} through the product")
print(gradient.rows[:8], gradient.lookup[:8], sep="\n")

# %% Multiplying by zero
# Product and lookup agree only if the whole table is finite. Here a row that no ID uses gets
# infinity in column 0.
found = beside_infinity(flat_ids, W[:, :3])
if found:
    row, ways = found
    print(f"W[{row}, 0] = inf", ways.product[0], ways.lookup[0], sep="\n")
