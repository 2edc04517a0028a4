# %% [markdown]
# # Your own IDs
# Typed IDs are looked up, and position embeddings are added.

# %% Your values
V, D, T = 6, 3, 4  # rows and columns of the token embedding table, rows of the position embedding table
typed_ids = [2, 3, 6, 1]
dtype, seed = "as typed", 123
fixed_sizes = (7, 3, 4)  # V, D, T
fixed_ids = [2, 3, 6, 1]

# %% Libraries
import torch
from torch import nn

torch.set_printoptions(precision=4, sci_mode=False, linewidth=120)

# %% It fails
generator = torch.Generator().manual_seed(seed)
W = torch.randn(V, D, generator=generator)
token_table = nn.Embedding.from_pretrained(W)
P = torch.randn(T, D, generator=generator)
position_table = nn.Embedding.from_pretrained(P)
torch_dtype = getattr(torch, dtype, None)  # None: torch chooses
try:
    ids = torch.tensor(typed_ids, dtype=torch_dtype)
    positions = torch.arange(ids.shape[-1])
    result = token_table(ids) + position_table(positions)
    print("result", list(result.shape), result, sep="\n")
except Exception as error:
    print(f"{type(error).__name__}: {error}")

# %% Fixed
V, D, T = fixed_sizes
generator = torch.Generator().manual_seed(seed)
token_table = nn.Embedding.from_pretrained(torch.randn(V, D, generator=generator))
position_table = nn.Embedding.from_pretrained(torch.randn(T, D, generator=generator))
ids = torch.tensor(fixed_ids)  # int64
positions = torch.arange(ids.shape[-1])
result = token_table(ids) + position_table(positions)
print("result", list(result.shape), result, sep="\n")
