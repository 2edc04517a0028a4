# %% [markdown]
# # Your own sentences instead of a grammar

# %% Your values
text = "She left the bank for the riverbank."

# %% Libraries
import regex

# %% Sentences
# A sentence ends at . ! ? or at the end of a line; its words are in lower case. Unlike that of re, \w of regex has the
# combining marks of Hindi or Thai.
parts = regex.split(r"[.!?。！？।؟۔\n]+", text.lower())
sentences = [regex.findall(r"[\p{L}\p{N}]\w*(?:['’]\w+)*", part) for part in parts]
sentences, analogies = [words for words in sentences if words], []
