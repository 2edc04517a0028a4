# %% [markdown]
# # More tokens than positions
# A sequence is longer than the position embedding table.

# %% Your values
V, D, T = 6, 3, 4  # T: rows of the position embedding table
seed = 123
extra = 1  # tokens beyond T

# %% Libraries
import torch
from torch import nn

torch.set_printoptions(precision=4, sci_mode=False, linewidth=120)

# %% It fails
generator = torch.Generator().manual_seed(seed)
W = torch.randn(V, D, generator=generator)
token_table = nn.Embedding.from_pretrained(W)
position_table = nn.Embedding.from_pretrained(torch.randn(T, D, generator=generator))
ids = torch.arange(T + extra)[None] % V  # [1, T + extra]
positions = torch.arange(ids.shape[1])
try:
    result = token_table(ids) + position_table(positions)
    print("result", list(result.shape), result, sep="\n")
except Exception as error:
    print(f"{type(error).__name__}: {error}")

# %% Fixed
ids = ids[:, -T:]  # the last T tokens
positions = torch.arange(ids.shape[1])
result = token_table(ids) + position_table(positions)
print("result", list(result.shape), result, sep="\n")
