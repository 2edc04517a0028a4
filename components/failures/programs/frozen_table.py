# %% [markdown]
# # A table from from_pretrained
# After one step of SGD on a table and an output layer, the table is compared with a copy from before.

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
token_table = nn.Embedding.from_pretrained(W)
head = nn.Parameter(torch.randn(D, generator=generator))  # an output layer
ids = torch.tensor([[0, V - 1]])
try:
    loss = (token_table(ids) @ head).sum()
    loss.backward()
    for parameter in (token_table.weight, head):
        if parameter.grad is not None:  # as torch.optim.SGD does
            parameter.data -= 0.1 * parameter.grad
    result = token_table.weight.detach() - before
    print("result", list(result.shape), result, sep="\n")
except Exception as error:
    print(f"{type(error).__name__}: {error}")

# %% Fixed
token_table = nn.Embedding.from_pretrained(before.clone(), freeze=False)
head = nn.Parameter(torch.randn(D, generator=generator))
loss = (token_table(ids) @ head).sum()
loss.backward()
for parameter in (token_table.weight, head):
    parameter.data -= 0.1 * parameter.grad
result = token_table.weight.detach() - before  # [V, D]
print("result", list(result.shape), result, sep="\n")
