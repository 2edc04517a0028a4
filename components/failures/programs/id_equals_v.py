# %% [markdown]
# # An ID equal to V
# Three token IDs are looked up, and position embeddings are added.

# %% Your values
V, D = 6, 3  # rows and columns of the token embedding table
seed = 123

# %% Libraries
import torch
from torch import nn

torch.set_printoptions(precision=4, sci_mode=False, linewidth=120)

# %% It fails
T = 3
generator = torch.Generator().manual_seed(seed)
W = torch.randn(V, D, generator=generator)
token_table = nn.Embedding.from_pretrained(W)
position_table = nn.Embedding.from_pretrained(torch.randn(T, D, generator=generator))
end_of_text = V  # the last ID of another tokenizer, which has one more token
ids = torch.tensor([[0, V - 1, end_of_text]])  # [1, T]
positions = torch.arange(T)
try:
    result = token_table(ids) + position_table(positions)
    print("result", list(result.shape), result, sep="\n")
except Exception as error:
    print(f"{type(error).__name__}: {error}")

# %% Fixed
end_of_text = V - 1  # the last ID of the tokenizer that the table was trained with
ids = torch.tensor([[0, V - 1, end_of_text]])
result = token_table(ids) + position_table(positions)
print("result", list(result.shape), result, sep="\n")
