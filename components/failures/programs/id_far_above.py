# %% [markdown]
# # An ID far above V
# One of two token IDs is as large as the key of a database.

# %% Your values
V, D = 6, 3  # rows and columns of the token embedding table
seed = 123
far = 1_000_000  # rows past the end

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
ids = torch.tensor([[1, V - 1 + far]])  # [1, T]
positions = torch.arange(T)
try:
    result = token_table(ids) + position_table(positions)
    print("result", list(result.shape), result, sep="\n")
except Exception as error:
    print(f"{type(error).__name__}: {error}")

# %% Fixed
row_of = {token_id: row for row, token_id in enumerate(sorted({*ids.flatten().tolist()}))}  # once, for all data
ids = torch.tensor([[row_of[token_id] for token_id in row] for row in ids.tolist()])
W = torch.randn(len(row_of), D, generator=generator)  # [rows, D]: new ones, to be trained
token_table = nn.Embedding.from_pretrained(W, freeze=False)
result = token_table(ids) + position_table(positions)
print("result", list(result.shape), result, sep="\n")
