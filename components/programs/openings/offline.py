# %% [markdown]
# # The IDs instead of the tokenizer, which would need a network

# %% Your values
token_ids = []  # of your text
tokens = []
prompt_ids = []

# %% Token IDs
print("number of tokens:", len(token_ids))
print("tokens:", tokens[:20])

# %% The prompt
