# %% [markdown]
# # unsqueeze(1) on one sequence
# The position embeddings get a new axis before they are added to one sequence.

# %% Your values
T, D = 4, 3

# %% Libraries
import torch

torch.set_printoptions(precision=4, sci_mode=False, linewidth=120)

# %% It fails
generator = torch.Generator().manual_seed(123)
token = torch.randn(T, D, generator=generator)
position_rows = torch.randn(T, D, generator=generator)
position = position_rows.unsqueeze(1)  # [T, 1, D]
try:
    result = token + position
    print("result", list(result.shape), result, sep="\n")
except Exception as error:
    print(f"{type(error).__name__}: {error}")

# %% Fixed
position = position_rows  # [T, D]
result = token + position
print("result", list(result.shape), result, sep="\n")
