# %% [markdown]
# # The cells that differ with GPT-2's table

# %% The token embedding table W [V, D]
# GPT-2's, trained: one row of D numbers for each of V token IDs. Only the rows of the batch and
# those that are printed are fetched; all others are zero here.
V, D = tensors["wte.weight"]["shape"]
W = torch.zeros(V, D)
first = min(row, max(0, V - 12))
for i in {*ids.flatten().tolist(), *(() if rows_in_use else range(first, first + 12))}:
    W[i] = fetch("wte.weight", i, 1)[0]
token_table = nn.Embedding.from_pretrained(W)
print("shape of the table:", [V, D])
