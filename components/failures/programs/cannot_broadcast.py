# %% [markdown]
# # More positions than tokens
# Position embeddings for more than T positions are added to T token embeddings.

# %% Your values
B, T, D = 2, 4, 3
extra = 1  # positions beyond T

# %% Libraries
import torch

torch.set_printoptions(precision=4, sci_mode=False, linewidth=120)

# %% It fails
generator = torch.Generator().manual_seed(123)
token = torch.randn(B, T, D, generator=generator)
position = torch.randn(T + extra, D, generator=generator)
try:
    result = token + position
    print("result", list(result.shape), result, sep="\n")
except Exception as error:
    print(f"{type(error).__name__}: {error}")

# %% Fixed
result = token + position[:T]
print("result", list(result.shape), result, sep="\n")
