# %% [markdown]
# # Attention: GPT-2's own heads
# What embeddings are for: the heads of GPT-2's first layer read the sum of token and position embeddings.

# %% Your values
text = "She left the bank for the riverbank."
tokenizer = "gpt2"
first_token = 0  # the first of those that the heads read
gpt2_head = 1  # of the 12 of the first layer
query = 7  # position of a token

# %% Libraries
import tiktoken
import torch
from torch.nn import functional as F

torch.set_printoptions(precision=4, sci_mode=False, linewidth=120)

# %% Token IDs
encoding = tiktoken.get_encoding(tokenizer)
token_ids = encoding.encode_ordinary(text)
tokens = [encoding.decode_single_token_bytes(i).decode(errors="backslashreplace") for i in token_ids]
print("number of tokens:", len(token_ids))
print("tokens:", tokens[:20])

# %% One sequence [n]
# Up to nine tokens, whatever the context length is.
first_token = min(first_token, max(0, len(token_ids) - 9))
sequence = torch.tensor(token_ids[first_token : first_token + 9])  # [n]

# %% What the layer reads [n, D]
# Token + position embedding, then a layer norm: mean 0 and variance 1 of each row, times weights, plus a bias.
token = torch.cat([fetch("wte.weight", i, 1) for i in sequence.tolist()])  # [n, D]
n, D = token.shape
x = token + fetch("wpe.weight", 0, n)
normal = F.layer_norm(x, (D,), fetch("h.0.ln_1.weight"), fetch("h.0.ln_1.bias"), eps=1e-5)
print("sequence:", sequence.tolist())

# %% All heads: weights [H, n, n] and outputs [H, n, d]
# One product gives queries, keys and values of all heads; head h has columns 64 h to 64 h + 63 of each. A causal mask
# sets the scores of later keys to -inf.
d = 64
both = normal @ fetch("h.0.attn.c_attn.weight") + fetch("h.0.attn.c_attn.bias")  # [n, 3 D]
q, k, v = (third.view(n, -1, d).transpose(0, 1) for third in both.split(D, dim=1))  # [H, n, d] each
scores = (q @ k.mT / d**0.5).masked_fill(torch.ones(n, n, dtype=torch.bool).triu(1), -torch.inf)  # [H, n, n]
weights = scores.softmax(dim=-1)
out = weights @ v  # [H, n, d]
head = min(gpt2_head, len(out) - 1)
query = min(query, n - 1)
print(f"weights of head {head}, query {query}", weights[head, query, : query + 1], sep="\n")
by_torch = F.scaled_dot_product_attention(q, k, v, is_causal=True)
assert torch.allclose(by_torch, out, atol=1e-5)

# %% Where each head puts its weights
# Means over the queries for which there is such a key; a query itself counts for none.
earlier = (sequence[:, None] == sequence) & torch.ones(n, n, dtype=torch.bool).tril(-1)
repeated = earlier.any(dim=1)  # [n]: queries whose token occurs before
for h, each in enumerate(weights):  # [n, n]
    shares = [("same token", (each * earlier).sum(dim=1)[repeated])]  # by query
    shares += [("token before", each.diagonal(-1)), ("first token", each[1:, 0])]
    print(f"head {h}:", ", ".join(f"{name} {share.mean():.4f}" for name, share in shares if len(share)))
