# %% [markdown]
# # Training
# Tokens with the same successors come to have similar rows; only rows that are looked up, or all with tied weights, get
# a gradient.

# %% Your values
text = "She left the bank for the riverbank."
tokenizer = "gpt2"  # "gpt2", "cl100k_base" or "o200k_base"
prompt = ""  # empty: the first two tokens of the text
context_length, stride, batch_size = 4, 4, 1  # T, and B windows in a step
dim = 16  # D
seed = 123
position = "sinusoidal"  # "sinusoidal", "learned" or "none"
layout = "interleaved"  # "interleaved" or "halves"
token_std, padding_idx, tied = 0.02, True, False  # of the token embedding table
optimizer_name, learning_rate = "sgd", 0.3  # "sgd", "momentum", "adam" or "adamw"
weight_decay = 0.1  # of "adamw" alone
steps = 200  # at least 1

# %% Libraries
import math

import tiktoken
import torch
from torch import nn
from torch.nn import functional as F
from torch.optim import SGD, Adam, AdamW

torch.set_printoptions(precision=4, sci_mode=False, linewidth=120)

# %% Token IDs
encoding = tiktoken.get_encoding(tokenizer)
token_ids = encoding.encode_ordinary(text)
tokens = [encoding.decode_single_token_bytes(i).decode(errors="backslashreplace") for i in token_ids]
print("number of tokens:", len(token_ids))
print("tokens:", tokens[:20])

# %% The prompt section="Predictions"
prompt_ids = encoding.encode_ordinary(prompt) or token_ids[:2]

# %% Rows of a small table
# Row 0 is `<pad>`. Then comes one row for each token of the text, and three for tokens that the text never uses.
token_ids = token_ids[:10_000]
used = sorted({*token_ids})
unused = sorted({*range(1, len(used) + 4)} - {*used})[:3]
row_of = {token_id: row for row, token_id in enumerate(used + unused, start=1)}
texts = dict(zip(token_ids, tokens))
names = ["<pad>", *(texts.get(token_id, f"unused ID {token_id}") for token_id in row_of)]
rows = torch.tensor([row_of[token_id] for token_id in token_ids])  # [tokens]
V, T, D = len(names), context_length, dim

# %% Windows [N, T]
# The target of a token is the next one. If one more window would have two tokens or more, it is padded with `<pad>`,
# which counts in the loss, too: `ignore_index=0` of `cross_entropy` would leave it out.
full = (len(rows) - T - 1) // stride + 1
N = full + (len(rows) - full * stride >= 2)
windows = F.pad(rows, (0, T)).unfold(0, T + 1, stride)[:N]  # [N, T + 1]
inputs, targets = windows[:, :-1], windows[:, 1:]  # [N, T]
print("inputs", list(inputs.shape), inputs, "targets", targets, sep="\n")

# %% The model
# Token embedding plus position embedding, then a linear layer to one logit for each row. Without attention it is given
# one token, and its position unless `position` is "none". With tied weights, the weight of the linear layer is the
# token embedding table.
torch.manual_seed(seed)
token_table = nn.Embedding(V, D, padding_idx=0 if padding_idx else None)  # [V, D]
learned = nn.Embedding(T, D)
output = nn.Linear(D, V, bias=False)  # its weight is [V, D]
token_table.weight.data *= token_std
if tied:
    output.weight = token_table.weight
rates = 10_000 ** (-torch.arange(0, D, 2, dtype=torch.float64) / D)  # [⌈D / 2⌉] radians per position
angles = torch.arange(T)[:, None] * rates  # [T, ⌈D / 2⌉]
axis = 2 if layout == "interleaved" else 1  # sine, cosine, sine, cosine, ... or all sines first
sinusoidal = torch.stack([angles.sin(), angles.cos()], axis).reshape(T, -1)[:, :D].float()  # not trained
positions = {"learned": learned.weight, "sinusoidal": sinusoidal, "none": torch.zeros(T, D)}[position]  # [T, D]
model = nn.ModuleList([token_table, output] + [learned] * (position == "learned"))


def loss_of(inputs, targets, reduction="mean"):  # [B, T], [B, T]
    logits = output(token_table(inputs) + positions)  # [B, T, V]
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction=reduction)


token_table_at_start = token_table.weight.detach().clone()
print("token embedding table [V, D]:", [V, D])

# %% The next token before training section="Predictions"
row, t = row_of.get(prompt_ids[-1]), min(len(prompt_ids), T) - 1  # no row: not a token of the text


@torch.no_grad()
def next_token(row, t):
    return output(token_table.weight[row] + positions[t]).softmax(dim=0)  # [V]


before = next_token(row, t) if row else None  # [V]

# %% Two losses to compare with
# A uniform prediction has the loss ln V. The conditional entropy is the lowest mean loss over these windows for a
# model that is given the current token alone. With positions, this model may get below it.
_, pair, n_pairs = (inputs * V + targets).unique(return_inverse=True, return_counts=True)
share = n_pairs[pair] / inputs.flatten().bincount()[inputs]  # [N, T] of this target among those of this token
print(f"ln V: {math.log(V):.4f}")
print(f"conditional entropy of the target given the current token: {(1 / share).log().mean():.4f}")

# %% Training
# A step takes the next batch, computes its loss and the gradient of every weight, and updates the weights. If the loss
# is infinite or NaN, the training has diverged and stops.
parameters = [*model.parameters()]
optimizer = {
    "sgd": SGD(parameters, learning_rate),
    "momentum": SGD(parameters, learning_rate, momentum=0.9),
    "adam": Adam(parameters, learning_rate),
    "adamw": AdamW(parameters, learning_rate, weight_decay=weight_decay),
}[optimizer_name]
generator, batches, losses = torch.Generator().manual_seed(seed), [], []
for _ in range(steps):
    if not batches:  # a new epoch, in a new order
        batches = [*torch.randperm(N, generator=generator).split(batch_size)]
    batch = batches.pop(0)  # [B] windows
    loss = loss_of(inputs[batch], targets[batch])
    losses.append(loss.item())
    if not loss.isfinite():
        break
    previous = token_table.weight.detach().clone()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
with torch.no_grad():
    parts = zip(inputs.split(64), targets.split(64))
    mean_loss = sum(loss_of(*part, "sum").item() for part in parts) / inputs.numel()
finite = math.isfinite(mean_loss) and all(weight.isfinite().all() for weight in parameters)
print("number of steps:", len(losses))
print(f"loss of the first and the last step: {losses[0]:.5g}, {losses[-1]:.5g}")
if finite:
    print(f"mean loss over all windows now: {mean_loss:.5g}")

# %% Which rows changed
# A row that is not looked up has a gradient of exactly 0, unless weights are tied. Momentum and Adam also use the
# gradients of earlier steps, and weight decay shrinks every row. `padding_idx`: the lookup of `<pad>` has no gradient.
table, gradient = token_table.weight.detach(), token_table.weight.grad  # [V, D], the gradient of the last step
# In float64: in float32 the square of a small number is 0.
norms, distances = gradient.double().norm(dim=1), (table.double() - token_table_at_start).norm(dim=1)  # [V]
frequent = rows.bincount()[1:].argsort(descending=True, stable=True)[:20].sort().values + 1  # rows
if finite:
    looked_up = dict.fromkeys(names[n] for n in inputs[batch].flatten().tolist())
    print("looked up in the last step:", [*looked_up][:20])
    print("rows that the last step changed:", (table != previous).any(dim=1).sum().item())
    print("rows with a gradient of exactly 0:", (norms == 0).sum().item())
    print("rows unchanged since the start:", (distances == 0).sum().item())
    for n in [0, *frequent.tolist(), V - 3, V - 2, V - 1]:
        print(f"row {n}: {names[n]!r}, gradient norm {norms[n]:.4f}, distance from the start {distances[n]:.4f}")

# %% The two tokens that are most alike
# The same successors give similar gradients, which turn both rows in the same direction.
cosines = F.cosine_similarity(table[frequent][:, None], table[frequent], dim=-1).fill_diagonal_(-2)  # each two rows
first, second = (frequent[n].item() for n in divmod(cosines.argmax().item(), len(frequent)))
at_start = F.cosine_similarity(token_table_at_start[first], token_table_at_start[second], dim=0)
if finite:
    print(f"most alike: {names[first]!r} and {names[second]!r}", end=", ")
    print(f"cosine similarity {at_start:.4f} at the start, {cosines.max():.4f} now")

# %% The next token section="Predictions"
# The model is given the last token of the prompt, its position unless `position` is "none", and nothing else of it.
if finite and row:
    after = next_token(row, t)  # [V]
    followers = rows[1:][rows[:-1] == row].bincount(minlength=V)  # [V] how often each comes next
    print(f"the model is given: {names[row]!r} at position {t}")
    for n in after.argsort(descending=True, stable=True)[:5].tolist():
        observed = followers[n] / max(1, followers.sum())  # in the text
        print(f"{names[n]!r} is next: before {before[n]:.4f}, after {after[n]:.4f}, observed {observed:.4f}")
