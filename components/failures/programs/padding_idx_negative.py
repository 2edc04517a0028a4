# %% [markdown]
# # padding_idx = −1
# A table is built with padding_idx=-1, and the gradient of its last row is computed.

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
token_table = nn.Embedding.from_pretrained(W, freeze=False, padding_idx=-1)
try:
    token_table(torch.tensor([V - 1])).sum().backward()
    result = token_table.weight.grad[V - 1]
    print("result", list(result.shape), result, sep="\n")
except Exception as error:
    print(f"{type(error).__name__}: {error}")

# %% Fixed
token_table = nn.Embedding.from_pretrained(W, freeze=False, padding_idx=None)
token_table(torch.tensor([V - 1])).sum().backward()
result = token_table.weight.grad[V - 1]  # [D]
print("result", list(result.shape), result, sep="\n")
