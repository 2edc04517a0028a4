# %% [markdown]
# # Combine
# Token embedding plus position embedding, element by element: the input of the model.

# %% Your values
text = "She left the bank for the riverbank."
tokenizer = "gpt2"  # "gpt2", "cl100k_base" or "o200k_base"
vocab_size, dim = 50_257, 16  # V, D
seed = 123
context_length = 4  # T
stride, batch_size, batch = 4, 2, 0  # tokens between starts, B, index of the batch
shuffle, drop_last = False, False
position = "sinusoidal"  # "sinusoidal", "learned" or "none"
layout, scale = "interleaved", False  # layout: "interleaved" or "halves"
b, t, d = 0, 1, 2  # one element of the sum
move, to = 0, 1  # a token from one position to another
init_std = "1"  # standard deviation of the initial weights: "1", "D^-0.5" or "0.02"

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
# Each ID is replaced by its row of the token embedding table.
torch.manual_seed(seed)
token_table = nn.Embedding(vocab_size, dim)  # [V, D], from N(0, 1)
token = token_table(ids).detach()  # [B, T, D]
B, T, D = token.shape
b, t, d = min(b, B - 1), min(t, T - 1), min(d, D - 1)
print(f"token[{b}]", token[b], sep="\n")

# %% Times √D
# The original Transformer multiplies token embeddings by √D before it adds the positions.
scaled = token * D**0.5 if scale else token  # [B, T, D]
if scale:
    print(f"scaled[{b}]", scaled[b], sep="\n")

# %% Position embeddings [T, D]
# One row for each position, the same for every sequence; the IDs play no role. Learned rows are random before training.
learned = nn.Embedding(context_length, D).weight.detach()[:T]  # the next random numbers after the token embedding table
rates = 10_000 ** (-torch.arange(0, D, 2, dtype=torch.float64) / D)  # [⌈D / 2⌉] radians per position
angles = torch.arange(T)[:, None] * rates  # [T, ⌈D / 2⌉]
axis = 2 if layout == "interleaved" else 1  # sine, cosine, sine, cosine, ... or all sines first
sinusoidal = torch.stack([angles.sin(), angles.cos()], axis).reshape(T, -1)[:, :D].float()  # Vaswani et al. (2017), 3.5
position_rows = {"learned": learned, "sinusoidal": sinusoidal, "none": torch.zeros(T, D)}[position]
if position != "none":
    print("position_rows", position_rows, sep="\n")

# %% Broadcasting [T, D] to [B, T, D] section="Step by step"
# A new axis of size 1 is expanded over the batch. Nothing is copied: the memory is the same.
expanded = position_rows.unsqueeze(0).expand(B, T, D)  # [T, D] -> [1, T, D] -> [B, T, D]
assert expanded.data_ptr() == position_rows.data_ptr()

# %% The sum [B, T, D]
# Addition element by element keeps D; torch adds the batch axis of the positions by itself.
combined = scaled + position_rows  # [B, T, D] + [T, D] -> [B, T, D]
print(f"combined[{b}]", combined[b], sep="\n")
if position != "none":
    name, factor = (f" × √{D}", f" × {D**0.5:.4f}") if scale else ("", "")
    terms = f"{token[b, t, d]:.4f}{factor} + {position_rows[t, d]:.4f}"
    print(f"W[{ids[b, t]}, {d}]{name} + P[{t}, {d}]: {terms} = {combined[b, t, d]:.4f}")

# %% How much of the token is in the sum
# 1: the sum has the direction of the token embedding, 0: it is at right angles to it.
cosines = torch.cosine_similarity(combined, scaled, dim=-1)  # [B, T]
if position != "none":
    print(f"mean cosine similarity of combined and token embeddings: {cosines.mean():.4f}")

# %% The same ID at two positions
# Its token embedding is the same, so its combined embeddings differ by their position embeddings alone.
flat = ids.flatten().tolist()
pairs = [(flat.index(i), n) for n, i in enumerate(flat) if (n - flat.index(i)) % T]  # first, another position
for first, other in pairs[:1]:
    one, two = combined.flatten(0, 1)[[first, other]]  # [D], [D]
    print(f"ID {flat[first]} at positions: {first % T} (b = {first // T}) and {other % T} (b = {other // T})")
    print(f"largest difference of the two sums: {(one - two).abs().max():.4f}")
    print(f"cosine similarity of the two sums: {torch.cosine_similarity(one, two, dim=0):.4f}")

# %% One token at another position
# Only the term of the position changes.
move, to = min(move, T - 1), min(to, T - 1)
before, after = scaled[b, move] + position_rows[move], scaled[b, move] + position_rows[to]  # [D], [D]
if position != "none" and move != to:
    print(f"column {d} at position {move} and at {to}: {before[d]:.4f}, {after[d]:.4f}")
    print(f"largest change of a column: {(after - before).abs().max():.4f}")
    print(f"cosine similarity at both positions: {torch.cosine_similarity(before, after, dim=0):.4f}")

# %% Scaling by √D section="Scaling by √D"
# Which of the two dominates the sum depends on the initial standard deviations and on the factor. Means over the batch.
token_std, learned_std = {"1": (1, 1), "D^-0.5": (D**-0.5, D**-0.5), "0.02": (0.02, 0.01)}[init_std]
for name, rows in (("learned", learned * learned_std), ("sinusoidal", sinusoidal)):  # [T, D]
    for times, vectors in (("as they are", token * token_std), ("times √D", token * token_std * D**0.5)):  # [B, T, D]
        norms = vectors.norm(dim=-1).mean(), rows.norm(dim=-1).mean()
        cosine = torch.cosine_similarity(vectors + rows, vectors, dim=-1).mean()
        print(f"{name}, tokens {times}: token norm {norms[0]:.4f}, position norm {norms[1]:.4f},", end=" ")
        print(f"token / position {norms[0] / norms[1]:.4f}, cosine of sum and token {cosine:.4f}")
