# %% [markdown]
# # A new random row
# A table that is also the output layer gets a new row, and a token is predicted for each of 1,000 random contexts.

# %% Your values
V, D = 6, 3  # rows and columns of the token embedding table
seed = 123

# %% Libraries
import torch

torch.set_printoptions(precision=4, sci_mode=False, linewidth=120)

# %% It fails
generator = torch.Generator().manual_seed(seed)
W = 0.02 * torch.randn(V, D, generator=generator)  # as in GPT-2
new_row = torch.randn(1, D, generator=generator)  # as in nn.Embedding
W = torch.cat([W, new_row])  # [V + 1, D]
contexts = torch.randn(1_000, D, generator=generator)
try:
    logits = contexts @ W.T
    result = (logits.argmax(dim=1) == V).float().mean()
    print(f"result: {result:.4f}")
except Exception as error:
    print(f"{type(error).__name__}: {error}")

# %% Fixed
new_row = W[:V].mean(dim=0, keepdim=True)  # the mean of the other rows
W = torch.cat([W[:V], new_row])
logits = contexts @ W.T
result = (logits.argmax(dim=1) == V).float().mean()
print(f"result: {result:.4f}")
