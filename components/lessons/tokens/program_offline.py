# %% [markdown]
# # The tokens instead of the tokenizer, which would need a network

# %% Your values
# They belong to your text, its opened piece and the second text, and do not follow if one of these is changed.
token_ids = []  # of your text
tokens = []  # as bytes
n_vocab = 50_257
ranks = {}  # in the opened piece
second_gpt2_ids = []

# %% Byte-pair encoding (BPE)

# %% GPT-2's tokens of a second text
