# %% [markdown]
# # max_norm
# After a lookup in a table with max_norm, the table is compared with a copy from before.

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
before = W.clone()
token_table = nn.Embedding.from_pretrained(W, max_norm=1.0)
ids = torch.tensor([[0, V - 1]])
try:
    vectors = token_table(ids)
    result = token_table.weight - before
    print("result", list(result.shape), result, sep="\n")
except Exception as error:
    print(f"{type(error).__name__}: {error}")

# %% Fixed
token_table = nn.Embedding.from_pretrained(before.clone())
vectors = token_table(ids)
vectors = vectors / vectors.norm(dim=-1, keepdim=True).clamp(min=1.0)  # norms of at most 1
result = token_table.weight - before  # [V, D]
print("result", list(result.shape), result, sep="\n")
