# %% [markdown]
# # Your own file instead of a training

# %% Your values
path = "vectors.txt"
binary, no_header = False, False  # word2vec's binary format; text without a first line "words D", as GloVe's

# %% Libraries
from gensim.models import KeyedVectors

# %% Vectors [words, D]
wv = KeyedVectors.load_word2vec_format(path, binary=binary, no_header=no_header)
wv.fill_norms()
wv.norms[wv.norms == 0] = 1  # a vector of zeros has no direction: its cosine similarities are 0
vectors = wv.vectors  # [words, D]
print("words and D:", *vectors.shape)
