# %% [markdown]
# # Attention
# One head learns which word to read: by its position, or by what it is. It is trained here, from random numbers.

# %% Your values
task = "order"  # "order" or "meaning"
fruits = "apple pear plum fig cherry lemon"
pairs = "captain ship, farmer field, pilot plane, baker bread, painter picture"
prompt = "pear plum fig first"  # for "order"; for "meaning" such as "the old captain misses the"
use_positions, causal = True, True
seed, steps, std = 123, 100, 0.1  # std: of the embeddings before training

# %% Libraries
import random
from itertools import permutations, product

import torch
from torch import nn
from torch.nn import functional as F

torch.set_printoptions(precision=4, sci_mode=False, linewidth=120)

# %% The sentences
# The last word of each depends on one word before it: "pear plum fig last fig" on the position of a fruit, "the old
# captain misses the ship" on the noun, wherever it is.
rng = random.Random(seed)
fruit_words = fruits.split()
things = dict(pair.split() for pair in pairs.split(", "))  # {"captain": "ship", ...}
before, after, verbs = [[], ["old"], ["young"]], [[], ["often"], ["never"]], ["loves", "leaves", "misses"]


def order_sentence(shown, asked):
    return [*shown, asked, shown[0] if asked == "first" else shown[-1]]


def meaning_sentence(noun, before, after, verb):
    return ["the", *before, noun, *after, verb, "the", things[noun]]


def random_sentence():
    if task == "order":
        shown = rng.sample(fruit_words, rng.choice([2, 3, 4][: len(fruit_words) - 1]))
        return order_sentence(shown, rng.choice(["first", "last"]))
    noun, *around = rng.choice(list(things)), rng.choice(before), rng.choice(after)
    return meaning_sentence(noun, *around, rng.choice(verbs))


sentences = [random_sentence() for _ in range(1_000)]
vocabulary = sorted({word for words in sentences for word in words})
word_id = {word: n for n, word in enumerate(vocabulary)}
V, T, D = len(vocabulary), max(map(len, sentences)) - 1, 24
print("vocabulary:", ", ".join(vocabulary))

# %% The model: embeddings, one head, and a logit for each word that may follow
torch.manual_seed(seed)
token, position = nn.Embedding(V, D), nn.Embedding(T, D)
query, key, value = (nn.Linear(D, D, bias=False) for _ in range(3))
output = nn.Linear(D, V, bias=False)
with torch.no_grad():
    token.weight *= std  # with torch's own start, N(0, 1), some seeds find only some of the answers
    position.weight *= std


def read(ids):  # [B, T]
    x = token(ids)  # [B, T, D]
    if use_positions:
        x = x + position.weight[: ids.shape[1]]  # [B, T, D] + [T, D]
    scores = query(x) @ key(x).mT / D**0.5  # [B, T, T]: how well each key fits each query
    allowed = scores
    if causal:
        allowed = scores.masked_fill(torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1), -torch.inf)
    weights = allowed.softmax(dim=-1)  # [B, T, T]: each row sums to 1
    values = value(x)  # [B, T, D]
    mixed = weights @ values  # [B, T, D]: the sum of the values, each times its weight
    logits = output(x[:, -1] + mixed[:, -1])  # [B, V]: of the word after the last one
    return scores, weights, values, mixed, logits


layers = nn.ModuleList([token, position, query, key, value, output])

# %% What does the last word of the prompt read, and what may follow it?
words = prompt.split()
ids = torch.tensor([[word_id[word] for word in words]])  # [1, T]


def report(when):
    with torch.no_grad():
        _, weights, _, _, logits = read(ids)
    found = ", ".join(f"{weight:.2f} {word}" for weight, word in zip(weights[0, -1], words))
    best = logits[0].softmax(dim=0).topk(3)
    following = ", ".join(f"{vocabulary[n]} {p:.2f}" for p, n in zip(*best))
    print(f"{when}: {words[-1]} reads {found}; next {following}")


report("before training")

# %% Training: predict the last word of each sentence
# The causal mask makes no difference here: the last word may read all others, and only its output is used.
by_length = {}  # sentences of one length make a batch without padding
for each in sentences:
    by_length.setdefault(len(each), []).append([word_id[word] for word in each])
batches = [torch.tensor(each) for each in by_length.values()]  # each [n, T + 1]
optimizer = torch.optim.AdamW(layers.parameters(), lr=0.01, foreach=False)
for _ in range(steps):
    batch = rng.choices(batches, weights=[len(each) for each in batches])[0]
    batch = batch[torch.randint(len(batch), (64,))]  # [64, T + 1]
    loss = F.cross_entropy(read(batch[:, :-1])[-1], batch[:, -1])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
report("after training")

# %% Why? A score has a part for the word of the key and a part for its position
# A key is W (token + position), so the score is a sum; without positions its second part is 0.
with torch.no_grad():
    scores, weights, values, mixed, logits = (each[0] for each in read(ids))
    x_last = token(ids[0, -1]) + (position.weight[len(words) - 1] if use_positions else 0)  # [D]
    by_position = key(position.weight[: len(words)]) @ query(x_last) / D**0.5 * use_positions  # [T]
    token_table, position_table = token.weight, position.weight
print("score by the word", scores[-1] - by_position, sep="\n")
print("score by the position", by_position, sep="\n")
print("score", scores[-1], sep="\n")
print("weight", weights[-1], sep="\n")

# %% How many prompts are completed?
# In "order" three fruits have six orders. Without positions (use_positions = False above) the head reads the same
# words in all six, and gives one answer, which is correct in two of them at most.
if task == "order":
    tests = [order_sentence(shown, asked) for shown, asked in product(permutations(fruit_words, 3), ["first", "last"])]
else:
    tests = [meaning_sentence(*each) for each in product(things, before, after, verbs)]
right = 0
for sentence in tests:
    with torch.no_grad():
        logits_after = read(torch.tensor([[word_id[word] for word in sentence[:-1]]]))[-1]
    right += vocabulary[logits_after[0].argmax()] == sentence[-1]
print(f"correct answers: {right} of {len(tests)}")
