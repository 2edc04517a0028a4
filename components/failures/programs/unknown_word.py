# %% [markdown]
# # An unknown word, no `<unk>`
# The words of a sentence are looked up in a vocabulary of five words.

# %% Your values
word = "dog"

# %% It fails
words = ["the", "cat", "sat", "on", "the", "mat"]
words = [*dict.fromkeys(words)]  # each once
vocabulary = {w: i for i, w in enumerate(words)}
sentence = ["the", word, "sat"]
try:
    result = [vocabulary[w] for w in sentence]
    print("result:", result)
except Exception as error:
    print(f"{type(error).__name__}: {error}")

# %% Fixed
with_unknown = ["<unk>", *words]
vocabulary = {w: i for i, w in enumerate(with_unknown)}
result = [vocabulary.get(w, vocabulary["<unk>"]) for w in sentence]
print("result:", result)
