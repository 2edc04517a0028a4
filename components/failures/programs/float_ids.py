# %% [markdown]
# # IDs of another dtype
# Token IDs that are neither int64 nor int32 are looked up.

# %% Your values
V, D = 6, 3  # rows and columns of the token embedding table
seed = 123
wrong_dtype = "float32"

# %% Libraries
import torch
from torch import nn

torch.set_printoptions(precision=4, sci_mode=False, linewidth=120)

# %% It fails
generator = torch.Generator().manual_seed(seed)
W = torch.randn(V, D, generator=generator)
token_table = nn.Embedding.from_pretrained(W)
ids = torch.tensor([[0, 1, 1]], dtype=getattr(torch, wrong_dtype))
try:
    result = token_table(ids)
    print("result", list(result.shape), result, sep="\n")
except Exception as error:
    print(f"{type(error).__name__}: {error}")

# %% Fixed
result = token_table(ids.long())  # int64
print("result", list(result.shape), result, sep="\n")
