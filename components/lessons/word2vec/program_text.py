# %% [markdown]
# # Your own sentences instead of a grammar

# %% Your values
text = "She left the bank for the riverbank."

# %% Sentences
# A sentence ends at . ! ? or at the end of a line; its words are in lower case.
sentences = [re.findall(r"\w+(?:['’]\w+)*", part) for part in re.split(r"[.!?。！？\n]+", text.lower())]
sentences, analogies = [words for words in sentences if words], []
