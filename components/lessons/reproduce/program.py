# %% [markdown]
# # Reproduce
# Numbers that anyone can compute again: published results, each above the same result computed on this machine.

# %% Libraries
import tiktoken
import torch
from torch import nn


def compare(name, published, computed):
    between = "\n" if isinstance(published, torch.Tensor) else ": "
    print(f"published {name}{between}{published}")
    print(f"computed {name}{between}{computed}")


torch.set_printoptions(precision=4, sci_mode=False, linewidth=120)

# %% Toy table [6, 3]
# Six random rows, and four of them looked up. Raschka, Build a Large Language Model (From Scratch), chapter 2.
published_table = [
    [0.3374, -0.1778, -0.1690],
    [0.9178, 1.5810, 1.3010],
    [1.2753, -0.2010, -0.1606],
    [-0.4015, 0.9666, -1.1481],
    [-1.1589, 0.3255, -0.6315],
    [-2.8400, -0.7849, -1.4096],
]
torch.manual_seed(123)
table = nn.Embedding(6, 3)  # [V, D]
looked_up = table(torch.tensor([2, 3, 5, 1])).detach()  # [4, 3]
compare("table", torch.tensor(published_table), table.weight.detach())
compare("rows of IDs 2, 3, 5, 1", torch.tensor([published_table[i] for i in (2, 3, 5, 1)]), looked_up)

# %% The first tokens of a story
# Edith Wharton, The Verdict (1908).
story = (
    "I HAD always thought Jack Gisburn rather a cheap genius--though a good fellow enough--so it was no great surprise "
    "to me to hear that, in"
)
story_ids = tiktoken.get_encoding("gpt2").encode_ordinary(story)

# %% Story batch [8, 4]
# Windows of four token IDs; their targets are the same IDs, shifted by one position. From the same chapter.
published_ids = [
    *(40, 367, 2885, 1464, 1807, 3619, 402, 271, 10899, 2138, 257, 7026, 15632, 438, 2016, 257, 922),
    *(5891, 1576, 438, 568, 340, 373, 645, 1049, 5975, 284, 502, 284, 3285, 326, 11, 287),
]
ids = torch.tensor(story_ids)
inputs, targets = ids[:-1].unfold(0, 4, 4), ids[1:].unfold(0, 4, 4)  # [B, T], [B, T]
compare("inputs", torch.tensor(published_ids[:-1]).reshape(8, 4), inputs)
compare("targets", torch.tensor(published_ids[1:]).reshape(8, 4), targets)

# %% Small vocabulary
# Words in the order of their IDs. The same word has the same row at every position.
words = ["<pad>", "<unk>", "the", "to", "and", "of", "a", "in", "that", "is", "cat", "hat"]
sentence = "the cat in the hat"
sentence_ids = [words.index(word) for word in sentence.split()]
table = nn.Embedding(len(words), 512)  # [V, D]
rows = table(torch.tensor(sentence_ids))  # [T, D]
compare(f"IDs of “{sentence}”", [2, 10, 7, 2, 11], sentence_ids)
compare("table.weight.shape", [12, 512], list(table.weight.shape))
compare("vectors 0 and 3 (both “the”) are equal", True, rows[0].equal(rows[3]))

# %% Text vocabulary
# Four special tokens, then each distinct word of a text.
words = ["<pad>", "<unk>", "<sos>", "<eos>", *(f"word{n}" for n in range(50))]
table = nn.Embedding(len(words), 10)
ids = torch.tensor([words.index(f"word{n}") for n in range(10)])
compare("special tokens", {"<pad>": 0, "<unk>": 1, "<sos>": 2, "<eos>": 3}, {words[i]: i for i in range(4)})
compare("ID of the first word", 4, words.index("word0"))
compare("table.weight.shape, 50 words", [54, 10], list(table.weight.shape))
compare("table(ids).shape, ten words", [10, 10], list(table(ids).shape))

# %% Input shapes
# Looked-up vectors have the shape of the IDs, and D after it. Times √D, as one of them was published, it is the same.
sequences = [[0, 123, 345, 455, 7, 1, 2, 2], [0, 56, 98, 234, 9, 56, 1, 2]]
for V, D, ids, factor, published in (
    (20, 5, torch.tensor([[1, 5, 10, 15], [2, 6, 11, 16]]), 1, [2, 4, 5]),
    (20, 5, torch.tensor([3, 7, 14]), 1, [3, 5]),
    (20, 5, torch.tensor([4]), 1, [1, 5]),
    (10, 10, torch.tensor([0, 3, 4], dtype=torch.int32), 1, [3, 10]),
    (500, 20, torch.tensor(sequences, dtype=torch.int32), 20**0.5, [2, 8, 20]),
    (10_000, 512, torch.tensor([[1, 2, 3, 4], [5, 6, 7, 8]]), 1, [2, 4, 512]),
):
    computed = nn.Embedding(V, D)(ids) * factor
    compare(f"V {V:,}, D {D}, {ids.dtype} {list(ids.shape)}", published, list(computed.shape))

# %% Combined batch [8, 4, 256]
# The token embedding table gets the first random numbers, the position embedding table the next ones.
torch.manual_seed(123)
token_table, position_table = nn.Embedding(50_257, 256), nn.Embedding(4, 256)  # [V, D], [T, D]
token, position = token_table(inputs).detach(), position_table.weight.detach()  # [B, T, D], [T, D]
combined = token + position  # [B, T, D] + [T, D] -> [B, T, D]
compare("ids.shape", [8, 4], list(inputs.shape))
compare("token.shape", [8, 4, 256], list(token.shape))
compare("position.shape", [4, 256], list(position.shape))
compare("position_unsqueezed.shape", [1, 4, 256], list(position.unsqueeze(0).shape))
compare("combined.shape", [8, 4, 256], list(combined.shape))
compare("token[0, 0, :5]", torch.tensor([-0.0640, 0.3317, 0.1070, -0.1428, -0.3014]), token[0, 0, :5])
compare("position[0, :5]", torch.tensor([0.5423, -0.1224, -1.4150, -0.3142, 0.2827]), position[0, :5])
compare("combined[0, 0, :5]", torch.tensor([0.4784, 0.2094, -1.3080, -0.4570, -0.0187]), combined[0, 0, :5])

# %% Error
# Ten rows have the IDs 0 to 9, so ID 10 is out of range.
try:
    nn.Embedding(10, 2)(torch.tensor([10]))
except IndexError as error:
    compare("ID 10 into V = 10", "IndexError: index out of range in self", f"{type(error).__name__}: {error}")

# %% Norms of sinusoidal positions
# Each pair of sine and cosine adds 1 to the sum of squares, and there are D/2 pairs: the norm is √(D/2).
# √(D/3) was published as well and is incorrect: D numbers sampled uniformly from -1 to 1 have about this norm, but
# sines and cosines are more often near -1 and 1.
D = 512
angles = torch.arange(100)[:, None] * 10_000 ** (-torch.arange(0, D, 2, dtype=torch.float64) / D)  # [100, ⌈D / 2⌉]
norm = torch.cat([angles.sin(), angles.cos()], dim=1).norm(dim=1).mean()
compare("D 512, √(D/2)", f"{(D / 2) ** 0.5:.4f}", f"{norm:.4f}")
compare("D 512, √(D/3)", f"{(D / 3) ** 0.5:.4f}", f"{norm:.4f}")
