# %% [markdown]
# # Two embedding dimensions
# Token embeddings have D columns, position embeddings D - 1.

# %% Your values
width = 256  # D of the tokens

# %% Libraries
import torch

torch.set_printoptions(precision=4, sci_mode=False, linewidth=120)

# %% It fails
B, T, D = 2, 4, width
generator = torch.Generator().manual_seed(123)
token = torch.randn(B, T, D, generator=generator)
position = torch.randn(T, D - 1, generator=generator)
try:
    result = token + position
    print("result", list(result.shape), result, sep="\n")
except Exception as error:
    print(f"{type(error).__name__}: {error}")

# %% Fixed
position = torch.randn(T, D, generator=generator)
result = token + position
print("result", list(result.shape), result, sep="\n")
