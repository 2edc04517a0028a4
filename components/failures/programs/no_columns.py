# %% [markdown]
# # A table with D = 0
# A table is built for vectors without elements, and two IDs are looked up.

# %% Your values
V = 6  # rows of the token embedding table
seed = 123

# %% Libraries
import torch
from torch import nn

torch.set_printoptions(precision=4, sci_mode=False, linewidth=120)

# %% It fails
D = 0
generator = torch.Generator().manual_seed(seed)
W = torch.randn(V, D, generator=generator)
token_table = nn.Embedding.from_pretrained(W)
ids = torch.tensor([[0, 1]])
try:
    result = token_table(ids)
    print("result", list(result.shape), result, sep="\n")
except Exception as error:
    print(f"{type(error).__name__}: {error}")

# %% Fixed
D = 1
W = torch.randn(V, D, generator=generator)
token_table = nn.Embedding.from_pretrained(W)
result = token_table(ids)
print("result", list(result.shape), result, sep="\n")
