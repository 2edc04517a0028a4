# %% [markdown]
# # Integer one-hot, float table
# A one-hot matrix, as one_hot returns it, is multiplied by a table.

# %% Your values
V, D = 6, 3  # rows and columns of the token embedding table

# %% Libraries
import torch
from torch.nn import functional as F

torch.set_printoptions(precision=4, sci_mode=False, linewidth=120)

# %% It fails
generator = torch.Generator().manual_seed(123)
W = torch.randn(V, D, generator=generator)
ids = torch.tensor([0, V - 1])
hot = F.one_hot(ids, num_classes=V)  # [2, V]
try:
    result = hot @ W
    print("result", list(result.shape), result, sep="\n")
except Exception as error:
    print(f"{type(error).__name__}: {error}")

# %% Fixed
hot = F.one_hot(ids, num_classes=V).float()  # float32, as the table
result = hot @ W
print("result", list(result.shape), result, sep="\n")
