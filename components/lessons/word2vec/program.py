# %% [markdown]
# # Word2vec
# Words that occur beside the same words get similar vectors; sums of vectors can then answer analogies.

# %% Your values
a, b, c = "king", "man", "woman"  # of the analogy a - b + c; a is the word of the single steps
expected = "queen"  # the answer that you expect
method = "add"  # 3CosAdd; or "mul", 3CosMul
near = "king"
several = "king queen man woman prince princess"
gallery = """king - man + woman = queen
paris - france + italy = rome
father - man + woman = mother"""
dim, window, epochs, n_negative, min_count, seed = 16, 1, 12, 1, 1, 40  # of the training; dim is D
n_sentences = 1000
sentence, rate = 2, 0.5  # of the single steps: which sentence with the word a, and the learning rate
grammar = """king: royal male
queen: royal female
prince: heir male
princess: heir female
man: grown male
woman: grown female
boy: child male
girl: child female
father: parent male
mother: parent female
the [male] trims his beard
his hat suits the [male]
the [female] pins her hair
her dress suits the [female]
the [royal] wears a crown
a throne awaits the [royal]
the [heir] inherits a castle
tutors teach the young [heir]
the [grown] works all day
neighbors greet the [grown] politely
the [child] plays with toys
school bores the little [child]
the [parent] feeds the baby
babies call the [parent] often

paris: city french
france: country french
rome: city italian
italy: country italian
athens: city greek
greece: country greek
oslo: city nordic
norway: country nordic
cairo: city egyptian
egypt: country egyptian
[city] has streets and squares
trains stop in [city] daily
[country] guards its long border
the army of [country] marched
[french] loves cheese and wine
[italian] bakes pizza with basil
[greek] grows olives near temples
[nordic] sees snow on fjords
[egyptian] shows pyramids and camels

big: plain size
bigger: more size
fast: plain speed
faster: more speed
old: plain age
older: more age
cold: plain heat
colder: more heat
it is very [plain] today
how [plain] it really is
it is [more] than before
much [more] than last year
[size] mountains and [size] elephants
[speed] horses win [speed] races
[age] trees fill [age] gardens
[heat] winds bring [heat] winters

king - man + woman = queen
prince - boy + girl = princess
father - man + woman = mother
paris - france + italy = rome
athens - greece + norway = oslo
egypt - cairo + paris = france
bigger - big + fast = faster
older - old + cold = colder
"""

# %% Libraries
import random
import re
from itertools import combinations

import numpy as np
import torch
from gensim.models import Word2Vec
from gensim.models.callbacks import CallbackAny2Vec
from gensim.test.utils import datapath
from torch.nn.functional import logsigmoid

# %% Sentences
# A line of the grammar gives a word its features (king: royal male), is an analogy (king - man + woman = queen), or is
# a sentence, in which [male] is replaced by a random word with that feature.
slots, patterns, analogies = {}, [], []
for line in grammar.lower().splitlines():
    word, colon, features = line.partition(":")
    if analogy := re.fullmatch(r"(\S+) - (\S+) \+ (\S+) = (\S+)", line.strip()):
        analogies.append(analogy.groups())
    elif colon:
        for feature in features.split():
            slots.setdefault(f"[{feature}]", []).append(word.strip())
    elif line.strip():
        patterns.append(line.split())
rng, sentences = random.Random(seed), []
for _ in range(n_sentences):
    sentences.append([rng.choice(slots[part]) if part in slots else part for part in rng.choice(patterns)])

# %% Vectors [words, D]
# Skip-gram with negative sampling: from each word gensim predicts its neighbors in the sentence, up to `window` to each
# side. For each neighbor it also samples `n_negative` words at random, whose probability it lowers.
sizes = {"vector_size": dim, "window": window, "epochs": epochs, "negative": n_negative, "min_count": min_count}
wv = Word2Vec(sentences, sg=1, sample=0, seed=seed, workers=1, **sizes).wv  # one worker: a seed gives the same numbers
vectors = wv.vectors  # [words, D]
print("words and D:", *vectors.shape)

# %% Single steps
# Two tables with D = 2, trained by gensim; then one sentence with the word a, pair by pair, by torch's autograd. The
# loss is that of Mikolov et al. (2013), equation 4: the true neighbor should have a high dot product with the center
# word, two words sampled by their frequency to the power 0.75 a low one. gensim's own step differs a little.
two = Word2Vec(sentences, sg=1, sample=0, seed=seed, workers=1, **sizes | {"vector_size": 2, "negative": 2})
tables = [torch.tensor(table, requires_grad=True) for table in (two.wv.vectors, two.syn1neg)]  # [words, 2] each
counts = [two.wv.get_vecattr(word, "count") for word in two.wv.index_to_key]
with_a = [tuple(word for word in words if word in two.wv) for words in sentences if a in words]
choice = [*dict.fromkeys(words for words in with_a if len(words) > 1)]
shown = choice[sentence % len(choice)]
start = max(0, min(shown.index(a) - 3, len(shown) - 7))
shown = shown[start : start + 7]  # at most 7 words, and 12 steps
pairs = [(i, j) for i in range(len(shown)) for j in range(len(shown)) if 0 < abs(i - j) <= window]
own = max(n for n, (i, _) in enumerate(pairs) if i == shown.index(a))
first = max(0, min(own - 6, len(pairs) - 12))
draw = random.Random(seed)
for step, (i, j) in enumerate(pairs[first : first + 12], 1):
    center, true = (two.wv.key_to_index[shown[position]] for position in (i, j))
    weights = [0.0 if word == true else count**0.75 for word, count in enumerate(counts)]
    others = [true, *draw.choices(range(len(counts)), weights, k=2)]
    before = tables[0][center].tolist()
    dots = tables[1][others] @ tables[0][center]  # [3]
    loss = -logsigmoid(dots[0]) - logsigmoid(-dots[1:]).sum()
    gradients = torch.autograd.grad(loss, tables)
    with torch.no_grad():
        for table, gradient in zip(tables, gradients):
            table -= rate * gradient
    errors = torch.tensor([1, 0, 0]) - dots.sigmoid()  # wanted minus sigmoid
    for word, dot, error in zip(others, dots.tolist(), errors.tolist()):
        print(f"step {step}, {two.wv.index_to_key[word]}:", f"product {dot:.4f}, error {error:+.4f}")
    row, changed = (" ".join(f"{x:.4f}" for x in each) for each in (before, tables[0][center].tolist()))
    print(f"step {step}, the row of {shown[i]}: {row} becomes {changed}")

# %% The training once more, epoch by epoch
# If a - b + c were exactly the answer, a - b and answer - c would be equal, with a cosine similarity of 1.
[(answer, _)] = wv.most_similar(positive=[a, c], negative=[b], topn=1)


class Film(CallbackAny2Vec):
    epoch = 0

    def on_epoch_end(self, model):
        one, other = (torch.tensor(model.wv[x] - model.wv[y]) for x, y in ((a, b), (answer, c)))  # [D] each
        print(f"epoch {self.epoch}: cosine similarity {torch.cosine_similarity(one, other, dim=0):.4f}")
        self.epoch += 1

    on_train_begin = on_epoch_end  # epoch 0: the random start


Word2Vec(sentences, sg=1, sample=0, seed=seed, workers=1, callbacks=[Film()], **sizes)

# %% Analogies
# gensim excludes the input words from the answers, unless it is given their vectors instead of the words.


def nearest(one, minus, plus, exclude, topn=1, most_similar=wv.most_similar):
    positive, negative = [one, plus], [minus]
    if not exclude:
        positive, negative = ([wv.get_vector(word, norm=True) for word in each] for each in (positive, negative))
    return most_similar(positive=positive, negative=negative, topn=topn)


def rank_of(word, ranked):  # words with the same score are counted before it
    own = dict(ranked)[word]
    return sum(score >= own - 1e-6 for _, score in ranked)


def show(label, ranked):
    print(f"{label}:", ", ".join(f"{word} {score:.4f}" for word, score in ranked))


# %% The analogy a - b + c
# Four unit vectors and the sum fit into three dimensions, so their true distances can be drawn.
show("nearest with input words included", nearest(a, b, c, exclude=False))
show("nearest with input words excluded", nearest(a, b, c, exclude=True))
[(answer, _)] = nearest(a, b, c, exclude=True)
unit = {word: wv[word] / np.linalg.norm(wv[word]) for word in (a, b, c, answer)}  # [D] each
for word, vector in unit.items():
    print(f"distance of {word} from the sum: {np.linalg.norm(vector - (unit[a] - unit[b] + unit[c])):.4f}")

# %% The analogies of the corpus
# With rank 1 the answer is nearer than every other word, input words excluded.
for one, minus, plus, answer in analogies:
    if answer not in (one, minus, plus) and all(word in wv for word in (one, minus, plus, answer)):
        rank = rank_of(answer, nearest(one, minus, plus, exclude=True, topn=len(wv)))
        print(f"rank of {answer} in {one} - {minus} + {plus}: {rank}")

# %% Methods
# 3CosMul multiplies and divides cosines, shifted to 0 … 1 (Levy and Goldberg, 2014).
most_similar = {"add": wv.most_similar, "mul": wv.most_similar_cosmul}[method]
for exclude in (False, True):
    ranked = nearest(a, b, c, exclude, len(wv), most_similar)
    inputs = "excluded" if exclude else "included"
    show(f"input words {inputs}", ranked[:8])
    if expected in dict(ranked):
        rank, score = rank_of(expected, ranked), dict(ranked)[expected]
        print(f"{expected} with input words {inputs}: rank {rank}, score {score:.4f}")

# %% Neighbors
# Words in similar contexts, so opposites are often among them.
for word, cosine in wv.most_similar(near, topn=12):
    print(f"cosine similarity of {near} and {word}: {cosine:.4f}")

# %% Similarity
for one, other in combinations(several.split(), 2):
    print(f"{one}, {other}: {wv.similarity(one, other):.4f}")
if len(several.split()) > 2:
    (cosine, odd), *others = sorted(wv.rank_by_centrality(several.split()))
    print(f"farthest from the mean: {odd} {cosine:.4f}, the others {others[0][0]:.4f} to {others[-1][0]:.4f}")

# %% Map
# PCA: the two directions in which the words differ most.
points = np.stack([wv.get_vector(word, norm=True) for word in several.split()])  # [n, D]
points = points - points.mean(axis=0)
_, singular_values, axes = np.linalg.svd(points, full_matrices=False)
axes = [axis * np.sign(axis[np.abs(axis).argmax()]) for axis in axes[:2]]  # the largest element is positive
for word, point in zip(several.split(), points):
    print(f"{word} on the map:", ", ".join(f"{axis @ point:.4f}" for axis in axes))
variance = singular_values**2
print("explained variance:", ", ".join(f"{share:.0%}" for share in variance[:2] / variance.sum()))

# %% Gallery
# The nearest word with input words included, then excluded; about people no answer is correct.
for question in gallery.splitlines():
    one, _, minus, _, plus, *_ = question.split()
    if all(word in wv for word in (one, minus, plus)):
        show(question, nearest(one, minus, plus, exclude=False) + nearest(one, minus, plus, exclude=True))

# %% 19,544 questions
# Of Mikolov et al. (2013), input words excluded; the 30,000 most frequent words may answer, and questions with a word
# that is not among them are left out.
for section in wv.evaluate_word_analogies(datapath("questions-words.txt"), restrict_vocab=30_000)[1]:
    correct, wrong = len(section["correct"]), len(section["incorrect"])
    print(f"{section['section']}: {correct} of {correct + wrong} correct")
