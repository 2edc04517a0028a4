# %% [markdown]
# # A word without a vector
# A word is looked up among the word vectors of king and queen.

# %% Your values
key = "kings"

# %% Libraries
import numpy as np
from gensim.models import KeyedVectors

# %% It fails
vectors = KeyedVectors(vector_size=2)
vectors.add_vectors(["king", "queen"], np.eye(2))
try:
    result = vectors[key]
    print("result:", result)
except Exception as error:
    print(f"{type(error).__name__}: {error}")

# %% Fixed
from difflib import get_close_matches

near = get_close_matches(key, vectors.index_to_key)  # words of a similar spelling
result = {w: vectors[w] for w in near}
print("result:", result)
