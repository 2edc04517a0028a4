# %% [markdown]
# # A special token in a text
# A text that contains the name of a special token is encoded.

# %% Your values
text = "Once upon a time<|endoftext|>"

# %% Libraries
import tiktoken

# %% It fails
ranks = {bytes([b]): b for b in range(256)}  # one token for each byte
special = {"<|endoftext|>": 256}
encoding = tiktoken.Encoding("bytes", pat_str=r"[\s\S]", mergeable_ranks=ranks, special_tokens=special)
try:
    result = encoding.encode(text)
    print("result:", result)
except Exception as error:
    print(f"{type(error).__name__}: {error}")

# %% Fixed
result = encoding.encode_ordinary(text)
print("result:", result)
