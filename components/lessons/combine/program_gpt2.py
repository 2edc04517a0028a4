# %% [markdown]
# # The cells that differ with GPT-2's tables

# %% Token embeddings [B, T, D]
# Each ID is replaced by its row of GPT-2's token embedding table.
rows_in_use = {i: fetch("wte.weight", i, 1)[0] for i in set(ids.flatten().tolist())}
token = torch.stack([rows_in_use[i] for i in ids.flatten().tolist()]).view(*ids.shape, -1)  # [B, T, D]
B, T, D = token.shape
b, t, d = min(b, B - 1), min(t, T - 1), min(d, D - 1)
print(f"token[{b}]", token[b], sep="\n")

# %% Position embeddings [T, D]
# One row for each position, the same for every sequence; the IDs play no role. The learned ones are GPT-2's.
learned = fetch("wpe.weight", 0, T)
rates = 10_000 ** (-torch.arange(0, D, 2, dtype=torch.float64) / D)  # [⌈D / 2⌉] radians per position
angles = torch.arange(T)[:, None] * rates  # [T, ⌈D / 2⌉]
axis = 2 if layout == "interleaved" else 1  # sine, cosine, sine, cosine, ... or all sines first
sinusoidal = torch.stack([angles.sin(), angles.cos()], axis).reshape(T, -1)[:, :D].float()  # Vaswani et al. (2017), 3.5
position_rows = {"learned": learned, "sinusoidal": sinusoidal, "none": torch.zeros(T, D)}[position]
if position != "none":
    print("position_rows", position_rows, sep="\n")

# %% Scaling by √D
# Which of the two dominates the sum depends on the standard deviations and on the factor: of random rows before any
# training, and of GPT-2's. Means over the batch.
random_token = torch.empty(token.shape).normal_(generator=torch.Generator().manual_seed(0))
random_learned = torch.empty(learned.shape).normal_(generator=torch.Generator().manual_seed(1))
token_std, learned_std = {"1": (1, 1), "D^-0.5": (D**-0.5, D**-0.5), "0.02": (0.02, 0.01)}[init_std]
random = random_token * token_std
cases = ("learned", random, random_learned * learned_std), ("sinusoidal", random, sinusoidal)
for name, one, rows in (*cases, ("GPT-2's, trained", token, learned)):  # [B, T, D], [T, D]
    for times, vectors in (("as they are", one), ("times √D", one * D**0.5)):  # [B, T, D]
        norms = vectors.norm(dim=-1).mean(), rows.norm(dim=-1).mean()
        cosine = torch.cosine_similarity(vectors + rows, vectors, dim=-1).mean()
        print(f"{name}, tokens {times}: token norm {norms[0]:.4f}, position norm {norms[1]:.4f},", end=" ")
        print(f"token / position {norms[0] / norms[1]:.4f}, cosine of sum and token {cosine:.4f}")
