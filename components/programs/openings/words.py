# %% [markdown]
# # Whole words as tokens

# %% Token IDs
# Whitespace separates words. Each new word gets the next ID, after those of `<pad>`, `<unk>`, `<sos>` and `<eos>`.
tokens = text.split()
word_ids = {word: i for i, word in enumerate(dict.fromkeys(tokens), start=4)}
token_ids = [word_ids[word] for word in tokens]
print("number of tokens:", len(token_ids))
print("tokens:", tokens[:20])

# %% The prompt
# A word that the text does not contain has ID 1, that of `<unk>`.
prompt_ids = [word_ids.get(word, 1) for word in prompt.split()] or token_ids[:2]
