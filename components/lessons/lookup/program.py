# %% [markdown]
# # Lookup
# An embedding layer is a table with one row for each ID; looking up means copying rows.

# %% Your values
text = "She left the bank for the riverbank."
tokenizer = "gpt2"  # "gpt2", "cl100k_base" or "o200k_base"
vocab_size, dim = 50_257, 16  # V, D
seed = 123
context_length = 4  # T
stride, batch_size, batch = 4, 2, 0  # tokens between starts, B, index of the batch
shuffle, drop_last = False, False
input_shape = "batch"  # "batch" [B, T], "sequence" [T] or "single" [ ]
dtype = "int64"  # "int64" or "int32"
rows_in_use, row, column = True, 0, 0  # the part of the table that is printed

# %% Libraries
from collections import Counter

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

# %% The token embedding table W [V, D]
# One row of D numbers for each of V token IDs, random before training. V counts the rows, not the tokens of the text.
torch.manual_seed(seed)
token_table = nn.Embedding(vocab_size, dim)  # [V, D], from N(0, 1)
W = token_table.weight.detach()
V, D = W.shape
print("shape of the table:", [V, D])

# %% The input
# An embedding layer takes IDs in any shape, int64 or int32.
input_ids = {"sequence": ids[0], "single": ids[0, 0]}.get(input_shape, ids)  # [B, T], [T] or [ ]
input_ids = input_ids.to(getattr(torch, dtype))
print(f"shape and dtype of the IDs: {list(input_ids.shape)}, {input_ids.dtype}")

# %% The lookup
# Every ID is replaced by its row, so the result has the shape of the IDs with D after it.
vectors = token_table(input_ids).detach()  # [B, T, D], [T, D] or [D]
assert vectors.equal(W[input_ids])  # copies of the rows
print("shape of the result:", list(vectors.shape))
print("vectors", vectors, sep="\n")

# %% The same ID, the same row
# A token embedding does not depend on the tokens around it.
counts = Counter(input_ids.flatten().tolist())  # how often each ID occurs
print("different IDs, and so rows selected:", len(counts))
repeated = [token_id for token_id, times in counts.items() if times > 1]
for token_id in repeated[:1]:
    copies = vectors[input_ids == token_id]  # [times, D]
    assert (copies == W[token_id]).all()
    print("first ID that occurs more than once:", token_id)

# %% A part of the table section="The table"
# At most 12 rows, all of a small table, those in use or from the chosen one on, and 16 columns.
row, column = min(row, max(0, V - 12)), min(column, max(0, D - 16))
rows = sorted(counts)[:12] if rows_in_use and V > 12 else list(range(V))[row : row + 12]
print(f"W, rows {rows}, columns from {column} on", W[rows, column : column + 16], sep="\n")
