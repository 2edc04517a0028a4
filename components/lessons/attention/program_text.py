# %% [markdown]
# # Attention
# What the position is for: one attention head reads embeddings, and each output mixes the values its token may read.

# %% Your values
text = "She left the bank for the riverbank."
tokenizer = "gpt2"  # "gpt2", "cl100k_base" or "o200k_base"
first_token = 0  # the first of those that the head reads
vocab_size, dim = 50_257, 16  # V, D
seed = 123
context_length = 4  # T
position = "sinusoidal"  # "sinusoidal", "learned" or "none"
layout, scale = "interleaved", False  # layout: "interleaved" or "halves"
attention_positions = "added"  # "none", "added" or "rotary"
attention_view = "weights"  # "weights" or "hands", the rotated pairs of one query and one key
causal = True
shuffled, order_seed = False, 1
query, key = 7, 3  # positions of two tokens

# %% Libraries
import tiktoken
import torch
from torch import nn
from torch.nn import functional as F

torch.set_printoptions(precision=4, sci_mode=False, linewidth=120)

# %% Token IDs
encoding = tiktoken.get_encoding(tokenizer)
token_ids = encoding.encode_ordinary(text)
tokens = [encoding.decode_single_token_bytes(i).decode(errors="backslashreplace") for i in token_ids]
print("number of tokens:", len(token_ids))
print("tokens:", tokens[:20])

# %% One sequence [n]
# Up to nine tokens, whatever the context length is.
first_token = min(first_token, max(0, len(token_ids) - 9))
sequence = torch.tensor(token_ids[first_token : first_token + 9])  # [n]

# %% Token and position embeddings [n, D]
# Tables before training: learned positions are the next random numbers after those of the token embedding table.
torch.manual_seed(seed)
token_table = nn.Embedding(vocab_size, dim)  # [V, D], from N(0, 1)
token = token_table(sequence).detach() * (dim**0.5 if scale else 1)  # [n, D]
n, D = token.shape
learned = nn.Embedding(max(context_length, n), D).weight.detach()[:n]
angles = torch.arange(n)[:, None] * 10_000 ** (-torch.arange(0, D, 2, dtype=torch.float64) / D)  # [n, ⌈D / 2⌉]
axis = 2 if layout == "interleaved" else 1  # sine, cosine, sine, cosine, ... or all sines first
sinusoidal = torch.stack([angles.sin(), angles.cos()], axis).reshape(n, -1)[:, :D].float()
position_rows = {"learned": learned, "sinusoidal": sinusoidal, "none": torch.zeros(n, D)}[position]

# %% What the head reads: x [n, D]
# If the tokens are shuffled, the position embeddings are not: each belongs to its position.
order = torch.randperm(n, generator=torch.Generator().manual_seed(order_seed))  # token order[t] moves to position t
rows = token[order] if shuffled else token
sequence = sequence[order] if shuffled else sequence
x = rows + position_rows if attention_positions == "added" else rows
print("sequence:", sequence.tolist())

# %% One head: weights [n, n] and outputs [n, d]
# Three matrices [D, d] make queries, keys and values. A model learns them. Here they are random, so the attention
# weights mean nothing. Rotary positions rotate each pair of columns of queries and keys by an angle that grows with the
# position. A causal mask sets the scores of later keys to -inf, so that their weights are 0.
d = min(D + D % 2, 64)  # even, for the pairs of columns; 64 as in GPT-2
W_query, W_key, W_value = torch.randn(3, D, d, generator=torch.Generator().manual_seed(seed + 1)) / D**0.5


def rotate(vectors, positions, pairs="neighbors"):  # [n, d], [n]
    angles = positions[:, None] * 10_000 ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)  # [n, d / 2]
    cosines, sines = angles.cos().float(), angles.sin().float()
    shape, axis = ((-1, 2), 2) if pairs == "neighbors" else ((2, -1), 1)
    a, b = vectors.unflatten(1, shape).unbind(axis)  # [n, d / 2], [n, d / 2]
    return torch.stack([a * cosines - b * sines, a * sines + b * cosines], axis).flatten(1)  # [n, d]


def read(x, causal, rotary):
    q, k, v = x @ W_query, x @ W_key, x @ W_value  # [n, d] each
    if rotary:
        q, k = rotate(q, torch.arange(n)), rotate(k, torch.arange(n))
    scores = q @ k.mT / d**0.5  # [n, n]: how well each key fits each query
    if causal:
        scores = scores.masked_fill(torch.ones(n, n, dtype=torch.bool).triu(1), -torch.inf)
    weights = scores.softmax(dim=1)  # each row sums to 1
    return q, k, v, weights, weights @ v  # an output is the sum of the values, each times its weight


q, k, v, weights, out = read(x, causal, attention_positions == "rotary")
print("weights", weights, sep="\n")
print("out", out, sep="\n")

# %% The same in one call section="Queries, keys and values"
by_torch = F.scaled_dot_product_attention(q, k, v, is_causal=causal)  # [n, d]
print(f"largest difference from torch's call: {(by_torch - out).abs().max():.7f}")

# %% Shuffle the words section="Shuffle the words"
# Without mask and positions a shuffle only reorders the outputs: what is left is rounding. With positions an output
# depends on where the tokens are. With a causal mask alone it depends on which tokens come before it, though in one
# layer not on their order: if the first two are exchanged, only their own outputs change. From the second layer on the
# later ones change as well.
exchanged = torch.tensor([1, 0, *range(2, n)])


def change(new_order, added, causal, rotary=False):
    before, after = (read(vectors + added, causal, rotary)[-1] for vectors in (token, token[new_order]))  # [n, d]
    return (after[new_order.argsort()] - before).abs().amax(dim=1)  # [n]: the largest of each token's output


if n > 1:
    print("order:", order.tolist())
    kinds = ("no positions", 0, False), ("positions added", position_rows, False), ("rotary positions", 0, True)
    for kind, added, rotary in kinds:
        for mask, causal_mask in (("without a mask", False), ("with a causal mask", True)):
            print(f"largest change, {kind}, {mask}: {change(order, added, causal_mask, rotary).max():.7f}")
    changes = ", ".join(f"{each:.7f}" for each in change(exchanged, 0, causal=True))
    print(f"tokens 0 and 1 exchanged, causal mask alone, change of each output: {changes}")

# %% One query and one key at other positions
# A rotary score depends on the signed offset alone, up to rounding: it stays if both move on by five positions, and
# changes if they are exchanged.
query, key = min(query, n - 1), min(key, n - 1)
if attention_positions == "rotary" and attention_view == "hands":
    one, other = (rows @ W_query)[[query]], (rows @ W_key)[[key]]  # [1, d], [1, d]
    for i, j in ((query, key), (query + 5, key + 5), (key, query)):
        terms = rotate(one, torch.tensor([i])) * rotate(other, torch.tensor([j])) / d**0.5  # [1, d]
        score, first = terms.sum(), terms[0, :2].sum()
        print(f"query at {i}, key at {j}: score {score:.4f}, of which the first pair adds {first:.4f}")

# %% Both pairings of rotary positions section="Both pairings of RoPE"
# Neighbors are a pair in RoFormer, GPT-J and Meta's Llama code; columns i and i + d/2 of the d rotated ones in GPT-NeoX
# and in transformers' Llama, whose query and key weights are permuted to match. Without that the scores differ from
# d = 4 on, and there is no error.
columns, scores = torch.arange(d), {}
permuted = torch.cat([columns[0::2], columns[1::2]])  # 0, 2, 4, ..., 1, 3, 5, ...
for name, chosen in (("neighbors", columns), ("halves", columns), ("halves, permuted", permuted)):
    pairs = name.split(",")[0]
    queries, keys = (rotate(rows @ W[:, chosen], torch.arange(n), pairs) for W in (W_query, W_key))  # [n, d], [n, d]
    scores[name] = queries @ keys.mT / d**0.5  # [n, n]
    print(f"{name}, score of query {query}, key {key}: {scores[name][query, key]:.4f}")
    print(f"{name}, largest difference from neighbors: {(scores[name] - scores['neighbors']).abs().max():.7f}")
