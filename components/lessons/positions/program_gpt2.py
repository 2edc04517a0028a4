# %% [markdown]
# # The cells that differ with GPT-2's tables

# %% Token embeddings [B, T, D]
# Each ID is replaced by its row of GPT-2's token embedding table.
rows_in_use = {i: fetch("wte.weight", i, 1)[0] for i in set(ids.flatten().tolist())}
token = torch.stack([rows_in_use[i] for i in ids.flatten().tolist()]).view(*ids.shape, -1)  # [B, T, D]
B, T, D = token.shape

# %% Learned and sinusoidal positions
# GPT-2's learned table, trained, is fetched. The original Transformer has a formula instead, with a row for any
# position: Vaswani et al. (2017), section 3.5.
rates = 10_000 ** (-torch.arange(0, D, 2, dtype=torch.float64) / D)  # [⌈D / 2⌉] radians per position
all_learned = fetch("wpe.weight")


def learned_positions(length):
    return all_learned[:length]  # [length, D]


def sinusoidal_positions(length, layout=layout):
    angles = torch.arange(length)[:, None] * rates  # [length, ⌈D / 2⌉]
    axis = 2 if layout == "interleaved" else 1  # sine, cosine, sine, cosine, ... or all sines first
    return torch.stack([angles.sin(), angles.cos()], axis).reshape(length, -1)[:, :D].float()  # [length, D]


rows_of = learned_positions if position == "learned" else sinusoidal_positions

# %% Past the end of a learned table
# The message is that of a token ID out of range, but it is this table that is too short.
if position == "learned":
    try:
        nn.functional.embedding(torch.tensor(len(all_learned)), all_learned)
    except IndexError as error:
        print(f"row {len(all_learned)}: IndexError: {error}")
