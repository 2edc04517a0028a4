# %% [markdown]
# # A list instead of a tensor
# Token IDs are looked up as a list of lists.

# %% Your values
V, D = 6, 3  # rows and columns of the token embedding table
seed = 123

# %% Libraries
import torch
from torch import nn

torch.set_printoptions(precision=4, sci_mode=False, linewidth=120)

# %% It fails
generator = torch.Generator().manual_seed(seed)
W = torch.randn(V, D, generator=generator)
token_table = nn.Embedding.from_pretrained(W)
ids = [[0, 1]]
try:
    result = token_table(ids)
    print("result", list(result.shape), result, sep="\n")
except Exception as error:
    print(f"{type(error).__name__}: {error}")

# %% Fixed
ids = torch.tensor(ids)  # [1, 2], int64
result = token_table(ids)
print("result", list(result.shape), result, sep="\n")
