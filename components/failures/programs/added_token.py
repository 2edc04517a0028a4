# %% [markdown]
# # A token added to the tokenizer
# The tokenizer gets the token `<pad>`, and a text with it is looked up.

# %% Your values
D = 3  # columns of the token embedding table
seed = 123

# %% Libraries
import torch
from torch import nn

torch.set_printoptions(precision=4, sci_mode=False, linewidth=120)

# %% It fails
tokens = ["the", "river", "bank"]
V, T = len(tokens), 3
generator = torch.Generator().manual_seed(seed)
W = torch.randn(V, D, generator=generator)
token_table = nn.Embedding.from_pretrained(W)
position_table = nn.Embedding.from_pretrained(torch.randn(T, D, generator=generator))
tokens.append("<pad>")
ids = torch.tensor([[tokens.index(token) for token in ("the", "bank", "<pad>")]])  # [1, T]
positions = torch.arange(T)
try:
    result = token_table(ids) + position_table(positions)
    print("result", list(result.shape), result, sep="\n")
except Exception as error:
    print(f"{type(error).__name__}: {error}")

# %% Fixed
W = torch.cat([W, W.mean(dim=0, keepdim=True)])  # [V + 1, D]
token_table = nn.Embedding.from_pretrained(W, freeze=False)
result = token_table(ids) + position_table(positions)
print("result", list(result.shape), result, sep="\n")
