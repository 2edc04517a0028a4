# %% [markdown]
# # One-hot
# A lookup copies what a matrix product of one-hot vectors and the table computes.

# %% Your values
text = "She left the bank for the riverbank."
tokenizer = "gpt2"  # "gpt2", "cl100k_base" or "o200k_base"
vocab_size, dim = 50_257, 16  # V, D
seed = 123
context_length = 4  # T
stride, batch_size, batch = 4, 2, 0  # tokens between starts, B, index of the batch
shuffle, drop_last = False, False

# %% Libraries
import tiktoken
import torch
from torch import nn
from torch.nn import functional as F
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

# %% One-hot vectors [n, V]
# Each of the n IDs becomes a vector of V numbers: 1 at the index of the ID, 0 everywhere else. Without V, `F.one_hot`
# makes only as many columns as the largest ID of the batch needs. It returns integers, which @ cannot mix with floats.
torch.manual_seed(seed)
token_table = nn.Embedding(vocab_size, dim)  # from N(0, 1)
W = token_table.weight.detach()  # [V, D]
V, D = W.shape
flat = ids.flatten()[: max(1, 2**21 // V)]  # [n], so many that the vectors have about 2 million numbers
one_hot = F.one_hot(flat, V).float()  # [n, V]
print("shape of the one-hot vectors:", list(one_hot.shape))
print("index of the 1 in each", one_hot.argmax(dim=1), sep="\n")

# %% Matrix product and lookup [n, D]
# Each dot product of a one-hot vector and a column of W multiplies one element by 1 and all others by 0. The lookup
# copies that one element.
product = one_hot @ W  # [n, V] @ [V, D] -> [n, D]
lookup = W[flat]  # [n, D]
print("matrix product, first columns", product[:, :5], sep="\n")
print("lookup, first columns", lookup[:, :5], sep="\n")
print("matrix product and lookup exactly equal:", product.equal(lookup))

# %% The same as a Linear layer section="Gradients"
# `nn.Linear` multiplies by its weight transposed, so its weight [D, V] is the table transposed.
layer = nn.Linear(V, D, bias=False)
layer.weight = nn.Parameter(W.T)  # [D, V]
print("shape of the weight of the Linear layer:", list(layer.weight.shape))
print("Linear layer and lookup exactly equal:", layer(one_hot).equal(lookup))

# %% What it costs section="What it costs"
# For all IDs of the batch. A float32 number has 4 bytes, an int64 ID 8. The lookup multiplies and adds nothing.
n = ids.numel()
print(f"multiplications of the matrix product: {n * V * D:,}, of which by 1: {n * D:,}")
print(f"additions of the matrix product: {n * (V - 1) * D:,}")
print(f"bytes of the one-hot vectors: {n * V * 4:,}")
print(f"bytes read by the matrix product: {(n * V + V * D) * 4:,}")
print(f"bytes read by the lookup: {n * D * 4 + n * 8:,}")

# %% Gradients section="Gradients"
# Matrix product and lookup are the same function of W, so W gets the same gradient, here for a random upstream one.
# The row of an ID gets the sum over all its positions, every other row gets exactly 0.
upstream = torch.randn(len(flat), D, generator=torch.Generator().manual_seed(seed + 1))  # [n, D]
weight = nn.Parameter(W)  # the same numbers, with a gradient of their own
(by_product,) = torch.autograd.grad(((one_hot @ weight) * upstream).sum(), weight)  # [V, D]
(by_lookup,) = torch.autograd.grad((token_table(flat) * upstream).sum(), token_table.weight)  # [V, D]
rows = flat.unique()  # the different IDs, sorted
print("different IDs:", len(rows))
print("rows with a gradient:", int(by_lookup.any(dim=1).sum()))
print(f"largest difference of the two gradients: {(by_product - by_lookup).abs().max():.4f}")
print(f"gradient of rows {rows[:8].tolist()}, first columns", by_lookup[rows[:8], :5], sep="\n")

# %% Multiplying by zero section="Multiplying by zero"
# Product and lookup agree only if every row that is multiplied by 0 is finite, because 0 · ∞ is NaN. Here W[row, 0]
# is infinity, in a row that no ID uses.
unused = sorted({*range(V)} - {*flat.tolist()})
for row in unused[:1]:
    infinite = W.clone()
    infinite[row, 0] = torch.inf
    print(f"first row of the matrix product with W[{row}, 0] = ∞", (one_hot @ infinite)[0, :3], sep="\n")
    print(f"first row of the lookup with W[{row}, 0] = ∞", infinite[flat][0, :3], sep="\n")
