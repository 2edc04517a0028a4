# %% [markdown]
# # News documents instead of a grammar

# %% Libraries
from gensim.utils import simple_preprocess

# %% Sentences
# 300 news documents (Lee, Pincombe and Welsh, 2005), each as one sentence. They are part of gensim.
with open(datapath("lee_background.cor"), encoding="utf-8") as file:
    sentences = [simple_preprocess(line) for line in file]
analogies = [
    ("king", "man", "woman", "queen"),
    ("paris", "france", "italy", "rome"),
    ("he", "man", "woman", "she"),
    ("his", "he", "she", "her"),
    ("father", "man", "woman", "mother"),
    ("going", "go", "say", "saying"),
    ("killed", "kill", "attack", "attacked"),
]
