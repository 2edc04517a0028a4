# %% [markdown]
# # Typed token IDs instead of a text

# %% Your values
typed_ids = [[2, 3, 5, 1]]

# %% Token IDs
ids = torch.tensor(typed_ids)  # [B, T]
print("ids", list(ids.shape), ids, sep="\n")

# %% One batch of windows [B, T]

# %% One sequence [n]
# The first one, up to nine IDs of it.
sequence = ids[0, :9]  # [n]
