# %% [markdown]
# # The first byte of a character
# The first of the tokens of a character is decoded.

# %% Your values
character = "é"

# %% Libraries
import tiktoken

# %% It fails
ranks = {bytes([b]): b for b in range(256)}  # one token for each byte
special = {"<|endoftext|>": 256}
encoding = tiktoken.Encoding("bytes", pat_str=r"[\s\S]", mergeable_ranks=ranks, special_tokens=special)
ids = encoding.encode(character)
try:
    result = encoding.decode(ids[:1])
    print("result:", ascii(result))
except Exception as error:
    print(f"{type(error).__name__}: {error}")

# %% Fixed
result = encoding.decode(ids)
print("result:", result)
