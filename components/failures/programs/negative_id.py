# %% [markdown]
# # A negative ID
# One of two token IDs is negative.

# %% Your values
V, D = 6, 3  # rows and columns of the token embedding table
seed = 123
back = 1  # how far below 0

# %% Libraries
import torch
from torch import nn

torch.set_printoptions(precision=4, sci_mode=False, linewidth=120)

# %% It fails
T = 2
generator = torch.Generator().manual_seed(seed)
W = torch.randn(V, D, generator=generator)
token_table = nn.Embedding.from_pretrained(W)
position_table = nn.Embedding.from_pretrained(torch.randn(T, D, generator=generator))
ids = torch.tensor([[0, -back]])  # [1, T]
positions = torch.arange(T)
try:
    result = token_table(ids) + position_table(positions)
    print("result", list(result.shape), result, sep="\n")
except Exception as error:
    print(f"{type(error).__name__}: {error}")

# %% Fixed
W = torch.cat([W, torch.zeros(1, D)])  # [V + 1, D]: row V is the padding
token_table = nn.Embedding.from_pretrained(W, padding_idx=V)
ids = ids.masked_fill(ids < 0, V)
result = token_table(ids) + position_table(positions)
print("result", list(result.shape), result, sep="\n")
