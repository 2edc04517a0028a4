# %% [markdown]
# # Your own file instead of a training

# %% Your values
path = "vectors.txt"
binary, header, D = False, True, 4  # word2vec's binary format; a first line "words D", which GloVe's files lack

# %% Libraries
import gzip

import numpy as np
from gensim.models import KeyedVectors

# %% Vectors [words, D]
# In a text file each line is a word and D numbers. gensim reads one too, but without tabs or words with spaces.
if binary:
    wv = KeyedVectors.load_word2vec_format(path, binary=True)
else:
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8-sig", newline="\n") as file:
        rows = [line.rstrip().replace("\t", " ").rsplit(" ", D) for line in file if line.strip()][header:]
    wv = KeyedVectors(D)
    wv.add_vectors([word for word, *_ in rows], np.array([numbers for _, *numbers in rows], np.float32))
wv.fill_norms()
wv.norms[wv.norms == 0] = 1  # a vector of zeros has no direction: its cosine similarities are 0
vectors = wv.vectors  # [words, D]
print("words and D:", *vectors.shape)
