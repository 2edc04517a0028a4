# %% [markdown]
# # The cells that differ with GPT-2's tables

# %% Token and position embeddings [n, D]
# Learned positions are GPT-2's, and so are the rows of the tokens.
token = torch.cat([fetch("wte.weight", i, 1) for i in sequence.tolist()]) * (768**0.5 if scale else 1)  # [n, D]
n, D = token.shape
learned = fetch("wpe.weight", 0, n)
angles = torch.arange(n)[:, None] * 10_000 ** (-torch.arange(0, D, 2, dtype=torch.float64) / D)  # [n, ⌈D / 2⌉]
axis = 2 if layout == "interleaved" else 1  # sine, cosine, sine, cosine, ... or all sines first
sinusoidal = torch.stack([angles.sin(), angles.cos()], axis).reshape(n, -1)[:, :D].float()
position_rows = {"learned": learned, "sinusoidal": sinusoidal, "none": torch.zeros(n, D)}[position]
