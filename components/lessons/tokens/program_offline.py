# %% [markdown]
# # The tokens instead of the tokenizer, which would need a network

# %% Your values
token_ids = []  # of your text
tokens = []  # as bytes
n_vocab = 50_257
ranks = {}  # in the opened piece
second_gpt2_ids = []

# %% Byte-pair encoding (BPE)

# %% GPT-2's tokens of a second text
