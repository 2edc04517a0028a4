# %% [markdown]
# # News documents instead of a grammar

# %% Libraries
import random
from itertools import combinations

import numpy as np
import torch
from gensim.models import Word2Vec
from gensim.test.utils import datapath
from gensim.utils import simple_preprocess
from torch.nn.functional import logsigmoid

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
