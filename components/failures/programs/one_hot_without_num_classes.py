# %% [markdown]
# # one_hot without num_classes
# A one-hot matrix is multiplied by a table; its number of columns is not set.

# %% Your values
V, D = 6, 3  # rows and columns of the token embedding table

# %% Libraries
import torch
from torch.nn import functional as F

torch.set_printoptions(precision=4, sci_mode=False, linewidth=120)

# %% It fails
generator = torch.Generator().manual_seed(123)
W = torch.randn(V, D, generator=generator)
ids = torch.tensor([0, 1, V - 2])
hot = F.one_hot(ids).float()
try:
    result = hot @ W
    print("result", list(result.shape), result, sep="\n")
except Exception as error:
    print(f"{type(error).__name__}: {error}")

# %% Fixed
hot = F.one_hot(ids, num_classes=V).float()  # [3, V]
result = hot @ W
print("result", list(result.shape), result, sep="\n")
