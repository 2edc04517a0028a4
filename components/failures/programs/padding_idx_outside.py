# %% [markdown]
# # padding_idx outside the table
# A table is built whose padding_idx is no ID of the vocabulary.

# %% Your values
V, D = 6, 3  # rows and columns of the token embedding table
seed = 123
beyond = 1  # rows past the end

# %% Libraries
import torch
from torch import nn

torch.set_printoptions(precision=4, sci_mode=False, linewidth=120)

# %% It fails
padding_idx = V - 1 + beyond
generator = torch.Generator().manual_seed(seed)
W = torch.randn(V, D, generator=generator)
try:
    token_table = nn.Embedding.from_pretrained(W, padding_idx=padding_idx)
    result = token_table(torch.tensor([[0]]))
    print("result", list(result.shape), result, sep="\n")
except Exception as error:
    print(f"{type(error).__name__}: {error}")

# %% Fixed
padding_idx = V
W = torch.cat([W, torch.zeros(1, D)])  # [V + 1, D]: row V is the padding
token_table = nn.Embedding.from_pretrained(W, padding_idx=padding_idx)
result = token_table(torch.tensor([[0]]))
print("result", list(result.shape), result, sep="\n")
