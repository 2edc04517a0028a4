# %% [markdown]
# # Positions
# A token embedding carries no information about position; a second table adds it.

# %% Your values
text = "She left the bank for the riverbank."
tokenizer = "gpt2"  # "gpt2", "cl100k_base" or "o200k_base"
vocab_size, dim = 50_257, 16  # V, D
seed = 123
context_length = 4  # T
stride, batch_size, batch = 4, 2, 0  # tokens between starts, B, index of the batch
shuffle, drop_last = False, False
position = "sinusoidal"  # "sinusoidal", "learned" or "none"
layout = "interleaved"  # "interleaved" or "halves"
wave, at = 0, 5  # a column; a position from 0 to 127, which is compared with others
shuffle_seed = 1

# %% Libraries
import tiktoken
import torch
from torch import nn
from torch.utils.data import DataLoader

torch.set_printoptions(precision=4, sci_mode=False, linewidth=120)

# %% Token IDs
encoding = tiktoken.get_encoding(tokenizer)
token_ids = encoding.encode_ordinary(text)
tokens = [encoding.decode_single_token_bytes(i).decode(errors="backslashreplace") for i in token_ids]
print("number of tokens:", len(token_ids))
print("tokens:", tokens[:20])

# %% One batch of windows [B, T]
# A window is T consecutive token IDs, and the ID after it is its last target. A batch is B windows. A text that has no
# window is one sequence.
if len(token_ids) > context_length:
    windows = torch.tensor(token_ids[:-1]).unfold(0, context_length, stride)  # [N, T]
    generator = torch.Generator().manual_seed(seed)
    batches = list(DataLoader(windows, batch_size, shuffle, drop_last=drop_last, generator=generator))
    ids = batches[min(batch, len(batches) - 1)]  # [B, T]
else:
    ids = torch.tensor([token_ids])  # [1, T]
print("ids", list(ids.shape), ids, sep="\n")

# %% Token embeddings [B, T, D]
# The same ID has the same row, at every position.
torch.manual_seed(seed)
token_table = nn.Embedding(vocab_size, dim)  # [V, D], from N(0, 1)
token = token_table(ids).detach()  # [B, T, D]
B, T, D = token.shape

# %% Learned and sinusoidal positions
# GPT-2 learns a table. Before training its rows are random: the next numbers after those of the token embedding table.
# The original Transformer has a formula instead, with a row for any position: Vaswani et al. (2017), section 3.5.
rates = 10_000 ** (-torch.arange(0, D, 2, dtype=torch.float64) / D)  # [⌈D / 2⌉] radians per position


def learned_positions(length):
    torch.manual_seed(seed)
    nn.Embedding(vocab_size, dim)  # samples the token embedding table, so that the next numbers are those of positions
    return nn.Embedding(length, dim).weight.detach()  # [length, D]


def sinusoidal_positions(length, layout=layout):
    angles = torch.arange(length)[:, None] * rates  # [length, ⌈D / 2⌉]
    axis = 2 if layout == "interleaved" else 1  # sine, cosine, sine, cosine, ... or all sines first
    return torch.stack([angles.sin(), angles.cos()], axis).reshape(length, -1)[:, :D].float()  # [length, D]


rows_of = learned_positions if position == "learned" else sinusoidal_positions

# %% The position embedding table P
# One row for each position, shared by all sequences. Its norm is √(D/2) for sines and cosines, if D is even; for D
# numbers from N(0, 1) the root mean square of the norm is √D.
P = rows_of(context_length)  # [context_length, D]
position_rows = P[:T] if position != "none" else torch.zeros(T, D)  # those that the batch uses
if position != "none":
    print("position_rows", position_rows, sep="\n")
    wave = min(wave, D - 1)
    column = P[:64, wave] if position == "learned" else sinusoidal_positions(64)[:, wave]  # the formula has no end
    print(f"column {wave}", column, sep="\n")
    norms = P.norm(dim=1)
    print(f"norm of each row: from {norms.min():.4f} to {norms.max():.4f}")
    print(f"√D: {D**0.5:.4f}" if position == "learned" else f"√(D/2): {(D / 2) ** 0.5:.4f}")

# %% How alike two positions are
# Sinusoidal rows: the cosine similarity falls with the distance at first, but not at every distance, and for an even
# D it depends on the distance alone. Learned rows are alike by chance until they are trained.
if position != "none":
    rows = torch.cat([P, rows_of(max(128, context_length))[context_length:]])  # P, then rows of a longer table
    cosines = torch.cosine_similarity(rows, rows[at], dim=1)
    for step in (1, 3, 10, 50):
        other = at + step if at + step < 128 else at - step
        print(f"cosine similarity of positions {at} and {other}: {cosines[other]:.4f}")

# %% Both layouts, and another formula section="Layouts"
# The layouts have the same columns in another order, so weights trained with one do not fit the other. tensor2tensor,
# the code published with the paper, has all sines first, and other rates.
if position == "sinusoidal":
    sines_first = [*range(0, D, 2), *range(1, D, 2)]
    assert sinusoidal_positions(T, "interleaved")[:, sines_first].equal(sinusoidal_positions(T, "halves"))
    other_rates = 10_000 ** (-torch.arange(D // 2, dtype=torch.float64) / max(1, D // 2 - 1))
    print("rates of the first pairs, the paper", rates[:3], sep="\n")
    print("rates of the first pairs, tensor2tensor", other_rates[:3], sep="\n")

# %% Past the end of a learned table section="Past the end"
# The message is that of a token ID out of range, but it is this table that is too short: it has `context_length` rows.
if position == "learned":
    try:
        nn.functional.embedding(torch.tensor(context_length), P)
    except IndexError as error:
        print(f"row {context_length}: IndexError: {error}")

# %% Padding at the left section="Padding"
# Padding counts too. GPT-2's `forward` in transformers counts from the left, whatever the mask is; its `generate`
# computes positions from the mask, so that the first token has position 0 (padding gets 0, in older
# releases 1; attention masks it).
mask = torch.tensor([0, 0] + [1] * T)[:24]  # two of padding, then tokens
print("positions counted from the left:", torch.arange(len(mask)).tolist())
print("positions by the mask:", (mask.cumsum(0) - 1).masked_fill(mask == 0, 0).tolist())

# %% Shuffle the tokens of the first sequence section="Shuffle the tokens"
# The row of a position is added to whichever token is there, so the combined embedding of a token that moves changes.
# Without position embeddings only the order changes.
if T > 1:
    order = torch.randperm(T, generator=torch.Generator().manual_seed(shuffle_seed))  # token order[t] moves to t
    before, after = token[0] + position_rows, token[0, order] + position_rows  # [T, D]
    change = after[order.argsort()] - before  # [T, D], in the order before the shuffle
    print("IDs in the new order:", ids[0, order][:16].tolist())
    print(f"tokens that moved: {(order != torch.arange(T)).sum()} of {T}")
    print(f"largest change: {change.abs().max():.4f}")
