# %% [markdown]
# # An ID that no token has
# Three IDs are decoded by a tokenizer with 257 tokens.

# %% Your values
token_id = 300

# %% Libraries
import tiktoken

# %% It fails
ranks = {bytes([b]): b for b in range(256)}  # one token for each byte
special = {"<|endoftext|>": 256}
encoding = tiktoken.Encoding("bytes", pat_str=r"[\s\S]", mergeable_ranks=ranks, special_tokens=special)
ids = [72, 105, token_id]
try:
    result = encoding.decode(ids)
    print("result:", result)
except Exception as error:
    print(f"{type(error).__name__}: {error}")

# %% Fixed
result = encoding.decode([i for i in ids if i < encoding.n_vocab])
print("result:", result)
