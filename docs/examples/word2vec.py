# %% [markdown]
# # Word2vec
# An analogy is answered by the word nearest to a sum of vectors; which words may answer decides.
#
# From Embedding Lab, with your values; open it there to change them:
# <http://localhost:8501/word2vec>
#
# It needs these libraries: `pip install gensim jaxtyping numpy`

# %% Your values
n_sentences = 1000
train_seed = 8
vector_size = 16
window = 1
epochs = 12
negative = 1
min_count = 1
word_a = 'king'
word_c = 'woman'
word_b = 'man'
method = 'add'
expected = 'queen'
grammar = (
    'king: royal male\n'
    'queen: royal female\n'
    'prince: heir male\n'
    'princess: heir female\n'
    'man: grown male\n'
    'woman: grown female\n'
    'boy: child male\n'
    'girl: child female\n'
    'father: parent male\n'
    'mother: parent female\n'
    'the [male] trims his beard\n'
    'his hat suits the [male]\n'
    'the [female] pins her hair\n'
    'her dress suits the [female]\n'
    'the [royal] wears a crown\n'
    'a throne awaits the [royal]\n'
    'the [heir] inherits a castle\n'
    'tutors teach the young [heir]\n'
    'the [grown] works all day\n'
    'neighbours greet the [grown] politely\n'
    'the [child] plays with toys\n'
    'school bores the little [child]\n'
    'the [parent] feeds the baby\n'
    'babies call the [parent] often\n'
    '\n'
    'paris: city french\n'
    'france: country french\n'
    'rome: city italian\n'
    'italy: country italian\n'
    'athens: city greek\n'
    'greece: country greek\n'
    'oslo: city nordic\n'
    'norway: country nordic\n'
    'cairo: city egyptian\n'
    'egypt: country egyptian\n'
    '[city] has streets and squares\n'
    'trains stop in [city] daily\n'
    '[country] guards its long border\n'
    'the army of [country] marched\n'
    '[french] loves cheese and wine\n'
    '[italian] bakes pizza with basil\n'
    '[greek] grows olives near temples\n'
    '[nordic] sees snow on fjords\n'
    '[egyptian] shows pyramids and camels\n'
    '\n'
    'big: plain size\n'
    'bigger: more size\n'
    'fast: plain speed\n'
    'faster: more speed\n'
    'old: plain age\n'
    'older: more age\n'
    'cold: plain heat\n'
    'colder: more heat\n'
    'it is very [plain] today\n'
    'how [plain] it really is\n'
    'it is [more] than before\n'
    'much [more] than last year\n'
    '[size] mountains and [size] elephants\n'
    '[speed] horses win [speed] races\n'
    '[age] trees fill [age] gardens\n'
    '[heat] winds bring [heat] winters\n'
    '\n'
    'king - man + woman = queen\n'
    'prince - boy + girl = princess\n'
    'father - man + woman = mother\n'
    'paris - france + italy = rome\n'
    'athens - greece + norway = oslo\n'
    'egypt - cairo + paris = france\n'
    'bigger - big + fast = faster\n'
    'older - old + cold = colder\n'
)

# %% What is used
# The functions are those of the app; each is used below.
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
from gensim.models import KeyedVectors, Word2Vec
from gensim.models.callbacks import CallbackAny2Vec
from jaxtyping import Float


MAX_GRAMMAR_CHARS = 3_000
QUESTION = re.compile(r"(\S+) - (\S+) \+ (\S+) = (\S+)")
SLOT = re.compile(r"\[([^\[\]\s]+)\]")
SPELLINGS_SEARCHED = 50_000  # the most frequent words; a search through 400,000 takes seconds
TIE_TOLERANCE = 1e-6  # smaller differences are within the precision of float32
Ranked = list[tuple[str, float]]
SMALL = 1e-6  # of a unit vector: what float32 leaves of two equal directions


@dataclass(frozen=True)
class AnalogyQuestion:
    """An analogy a - b + c = answer; without an answer if none is expected."""

    a: str
    b: str
    c: str
    answer: str = ""

    def __str__(self) -> str:
        return f"{self.a} - {self.b} + {self.c}" + (f" = {self.answer}" if self.answer else "")


@dataclass(frozen=True)
class Grammar:
    """Words by feature, sentences as lists of words and slots, and the analogies to test."""

    words: dict[str, list[str]]
    sentences: list[list[str]]
    questions: list[AnalogyQuestion]


def quote(raw: Any, length: int = 40) -> str:
    """Return `raw` in quotation marks, on one line, cut to `length` characters, invisible characters replaced by �."""
    line = " ".join(str(raw)[: length + 1].split())
    line = "".join(character if character.isprintable() else "�" for character in line)
    return f"'{line[:length]}…'" if len(str(raw)) > length else f"'{line}'"


def read_grammar(text: str) -> Grammar:
    """Return the grammar in `text`.

    Raises ValueError if a line is invalid or the text is too long. The message names the line and is shown to learners.
    """
    if len(text) > MAX_GRAMMAR_CHARS:
        raise ValueError(f"The grammar has {len(text):,} characters; {MAX_GRAMMAR_CHARS:,} is the limit: shorten it.")
    words: dict[str, list[str]] = {}
    sentences, questions = [], []
    for number, line in enumerate(text.lower().splitlines(), 1):
        if question := QUESTION.fullmatch(line.strip()):
            questions.append(AnalogyQuestion(*question.groups()))
        elif ":" in line:
            word, _, features = line.partition(":")
            if len(word.split()) != 1 or not features.split():
                problem = f"Line {number}, {quote(line.strip())}, is not a word with features"
                raise ValueError(f"{problem}: write for example king: royal male.")
            for feature in features.split():
                words.setdefault(feature, []).append(word.strip())
        elif line.strip():
            sentences.append((number, line.split()))
    for number, sentence in sentences:
        for slot in filter(None, map(SLOT.fullmatch, sentence)):
            if slot[1] not in words:
                problem = f"Line {number}: no word has the feature {quote(slot[1])}"
                raise ValueError(f"{problem}. Give it to a word, as in king: {slot[1]}, or change the slot.")
    if not sentences:
        raise ValueError("The grammar has no sentences: write for example the [royal] wears a crown.")
    return Grammar(words, [sentence for _, sentence in sentences], questions)


def write_sentences(grammar: Grammar, count: int, seed: int) -> list[list[str]]:
    """Return `count` random sentences of the grammar, their slots filled with random words."""
    rng = random.Random(seed)

    def fill(part: str) -> str:
        slot = SLOT.fullmatch(part)
        return rng.choice(grammar.words[slot[1]]) if slot else part

    return [[fill(part) for part in rng.choice(grammar.sentences)] for _ in range(count)]


@dataclass(frozen=True)
class Epoch:
    """One pass over the corpus: the loss summed over its examples, and the rank of each answer (1 is correct)."""

    loss: float
    ranks: tuple[int | None, ...]

    @property
    def solved(self) -> int:
        """How many analogies have their answer at rank 1."""
        return sum(rank == 1 for rank in self.ranks)


@dataclass(frozen=True)
class TrainedVectors:
    """Trained vectors, the analogies tested on them, and the epochs of their training."""

    vectors: KeyedVectors
    questions: tuple[AnalogyQuestion, ...]
    epochs: tuple[Epoch, ...]


def new_model(dim: int, window: int, negative: int, seed: int, min_count: int) -> Word2Vec:
    """Return an untrained skip-gram model with negative sampling, in one thread so that a seed gives the same numbers."""
    return Word2Vec(
        vector_size=dim, window=window, negative=negative, seed=seed, min_count=min_count, sg=1, workers=1, sample=0
    )


@dataclass(frozen=True)
class WordRank:
    """The score of one word and its rank among all words, with the input words included and excluded."""

    score: float
    included: int
    excluded: int


def nearest_spellings(vectors: KeyedVectors, word: str, count: int = 3) -> list[str]:
    """Return the word in another capitalization, or else the words with the most similar spelling."""
    cases = [form for form in (word.lower(), word.capitalize(), word.upper()) if form in vectors]
    return cases or get_close_matches(word, vectors.index_to_key[:SPELLINGS_SEARCHED], count, 0.6)


def unknown_word(vectors: KeyedVectors, words: Sequence[str]) -> str | None:
    """Return an error message if a word has no vector, with the nearest spellings, else None."""
    for word in words:
        if not word:
            return "A word is missing: type one."
        if word in vectors and not vectors[word].any():
            return f"The vector of '{word[:40]}' is all zeros and has no direction: choose another word."
        if word not in vectors:
            spellings = nearest_spellings(vectors, word)
            hint = f"Did you mean {' or '.join(spellings)}?" if spellings else "No similar spelling: try another word."
            return f"'{word[:40]}' is not among the {len(vectors):,} words here. {hint}"
    return None


def _require_vectors(vectors: KeyedVectors, words: Sequence[str]) -> None:
    if problem := unknown_word(vectors, words):
        raise ValueError(problem)


def _rank_all_words(
    vectors: KeyedVectors, positive: Sequence[str], negative: Sequence[str], topn: int | None, method: str
) -> Any:
    """Return the results with the input words included, or the scores of all words if `topn` is None.

    gensim excludes inputs that are given as words, but not those that are given as vectors.
    """
    if method == "mul":  # most_similar_cosmul does not normalize vectors
        plus, minus = ([vectors.get_vector(word, norm=True) for word in words] for words in (positive, negative))
        return vectors.most_similar_cosmul(positive=plus, negative=minus, topn=topn)
    weights = [1.0] * len(positive) + [-1.0] * len(negative)
    mean = vectors.get_mean_vector([*positive, *negative], weights, pre_normalize=True, post_normalize=True)
    return vectors.similar_by_vector(mean, topn=topn)


def rank_of(
    vectors: KeyedVectors, positive: Sequence[str], negative: Sequence[str], word: str, method: str = "add"
) -> WordRank:
    """Return the rank of `word` in the results of an analogy; words with the same score are counted before it.

    Raises ValueError if a word has no vector.
    """
    inputs = [*positive, *negative]
    _require_vectors(vectors, [*inputs, word])
    scores = _rank_all_words(vectors, positive, negative, None, method)
    own = scores[vectors.key_to_index[word]]
    before = scores >= own - TIE_TOLERANCE  # [words]
    included = int(before.sum())
    inputs_before = before[[vectors.key_to_index[other] for other in {*inputs} - {word}]]
    return WordRank(float(own), included, included - int(inputs_before.sum()))


def rank_of_answer(vectors: KeyedVectors, question: AnalogyQuestion) -> int | None:
    """Return the rank of the answer with the input words excluded; None if a word has no vector or is an input."""
    inputs = (question.a, question.b, question.c)
    if question.answer in inputs or any(word not in vectors for word in (*inputs, question.answer)):
        return None
    return rank_of(vectors, [question.a, question.c], [question.b], question.answer).excluded


class _EpochRecorder(CallbackAny2Vec):
    """Records every epoch and calls `progress`, which may raise to stop the training."""

    def __init__(self, questions: Sequence[AnalogyQuestion], progress: Callable[[list[Epoch]], None]) -> None:
        self.questions, self.progress = questions, progress
        self.epochs: list[Epoch] = []

    def on_epoch_end(self, model: Word2Vec) -> None:
        loss = float(model.get_latest_training_loss())
        model.running_training_loss = 0.0  # else gensim sums up all epochs in float32, which loses precision
        model.wv.fill_norms(force=True)  # gensim caches the norms of the previous epoch
        ranks = tuple(rank_of_answer(model.wv, question) for question in self.questions)
        self.epochs.append(Epoch(loss, ranks))
        self.progress(self.epochs)


def train_word2vec(
    sentences: Sequence[Sequence[str]],
    questions: Sequence[AnalogyQuestion] = (),
    dim: int = 32,
    window: int = 5,
    epochs: int = 15,
    negative: int = 10,
    seed: int = 1,
    min_count: int = 1,
    progress: Callable[[list[Epoch]], None] = lambda epochs: None,
) -> TrainedVectors:
    """Train skip-gram vectors with negative sampling.

    `progress` is called after every epoch with all epochs so far; an exception from it stops the training. Raises
    ValueError if fewer than two words get a vector. The message is shown to learners.
    """
    model = new_model(dim, window, negative, seed, min_count)
    model.build_vocab(sentences)
    if len(model.wv) < 2:
        raise ValueError(
            f"Words that occur {min_count} times or more: {len(model.wv)}. word2vec needs two; write more sentences."
        )
    recorder = _EpochRecorder(questions, progress)
    model.train(sentences, total_examples=len(sentences), epochs=epochs, compute_loss=True, callbacks=[recorder])
    return TrainedVectors(model.wv, tuple(questions), tuple(recorder.epochs))


def analogy(
    vectors: KeyedVectors,
    positive: Sequence[str],
    negative: Sequence[str] = (),
    topn: int = 10,
    include_inputs: bool = False,
    method: str = "add",
) -> Ranked:
    """Return the `topn` words nearest to the sum of `positive` minus the sum of `negative`, with their scores.

    "add" is 3CosAdd: the score is the cosine similarity with the mean of the unit vectors (Mikolov et al., 2013). "mul"
    is 3CosMul: products and quotients of cosines shifted to 0 … 1 (Levy and Goldberg, 2014). Raises ValueError if a
    word has no vector or the method is unknown. The message is shown to learners.
    """
    if method not in ("add", "mul"):
        raise ValueError(f"method = {method!r} is neither add nor mul.")
    _require_vectors(vectors, [*positive, *negative])
    if not positive and not negative:
        raise ValueError("A word is missing: an analogy needs at least one.")
    if include_inputs:
        ranked = _rank_all_words(vectors, positive, negative, topn, method)
    else:
        query = vectors.most_similar if method == "add" else vectors.most_similar_cosmul
        ranked = query(positive=list(positive), negative=list(negative), topn=topn)
    return [(word, float(score)) for word, score in ranked]


@dataclass(frozen=True)
class AnalogySpace:
    """Coordinates [3] of the words of a - b + c, of the sum, and of a word that may answer.

    b is the origin, c is on the first axis, a and the sum are in the plane of the first two axes.
    """

    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
    sum: np.ndarray
    answer: np.ndarray

    @property
    def height(self) -> float:
        """The distance of the answer from the plane of the other words."""
        return float(self.answer[2])

    @property
    def foot(self) -> np.ndarray:
        """The point of the plane that is nearest to the answer."""
        return self.answer * np.array([1.0, 1.0, 0.0])

    def distance(self, point: np.ndarray) -> float:
        """Return the distance of a point [3] from the sum."""
        return float(np.linalg.norm(self.sum - point))


def unit(vectors: KeyedVectors, word: str) -> np.ndarray:
    """Return the vector [D] of a word divided by its norm, in double precision."""
    vector = vectors[word].astype(np.float64)
    return vector / np.linalg.norm(vector)


def coordinates(vectors: Float[np.ndarray, "3 D"]) -> Float[np.ndarray, "3 3"]:
    """Return three vectors [3, D] in an orthonormal basis of theirs; no diagonal element is below 0."""
    basis = np.zeros((3, vectors.shape[1]))
    for axis, vector in enumerate(vectors):
        rest = vector - basis.T @ (basis @ vector)
        rest = rest - basis.T @ (basis @ rest)  # once more: nearly parallel vectors lose digits the first time
        if (norm := np.linalg.norm(rest)) > SMALL:
            basis[axis] = rest / norm
    return vectors @ basis.T


def analogy_space(vectors: KeyedVectors, a: str, b: str, c: str, answer: str) -> AnalogySpace:
    """Return the words as unit vectors in an orthonormal basis of their differences: Gram-Schmidt."""
    origin = unit(vectors, b)
    differences = np.stack([unit(vectors, word) - origin for word in (c, a, answer)])  # [3, D]
    c_point, a_point, answer_point = coordinates(differences)
    return AnalogySpace(a_point, np.zeros(3), c_point, a_point + c_point, answer_point)

# %% The corpus
# `king: royal male` gives a word its features; `[male]` stands for any word with that feature;
# `king - man + woman = queen` is an analogy to test.
rules = read_grammar(grammar)
sentences, questions = write_sentences(rules, n_sentences, train_seed), rules.questions
print(len(sentences), "sentences; the first begins:", *sentences[0][:12])

# %% Training with skip-gram and negative sampling
# One worker and a seed give the same numbers every time. After each epoch the analogies are tested.
trained = train_word2vec(sentences, questions, vector_size, window, epochs, negative, train_seed, min_count)
word_vectors = trained.vectors
vectors = word_vectors.vectors  # [words, D]
first_epoch, last_epoch = trained.epochs[0], trained.epochs[-1]
print(len(vectors), "words, each a vector of", vectors.shape[1], "numbers")
print(f"loss {last_epoch.loss:,.0f}, in the first epoch {first_epoch.loss:,.0f}")
for question, rank in zip(trained.questions, last_epoch.ranks, strict=True):
    print(f"{question}: rank {rank}")
print(f"{last_epoch.solved} of {len(trained.questions)} analogies solved")

# %% The analogy a - b + c, both ways
# gensim excludes the input words from the answers. With them included, an input is often nearest.
nearest = analogy(word_vectors, [word_a, word_c], [word_b], 4, include_inputs=True)
answer = analogy(word_vectors, [word_a, word_c], [word_b], 1)[0][0]
print("input words included:", *(f"{word} {cosine:.3f}" for word, cosine in nearest))
print("input words excluded:", answer)

# %% The four words in three dimensions
# Their differences span three dimensions, so four words and the sum can be drawn there with true
# distances.
space = analogy_space(word_vectors, word_a, word_b, word_c, answer)
for word, point in ((word_a, space.a), (answer, space.answer)):
    print(f"{word} is {space.distance(point):.2f} from the sum")
print(f"{answer} is {space.height:.2f} above the plane of the other words")

# %% Two methods
# 3CosAdd adds unit vectors, 3CosMul multiplies and divides cosine similarities.
for include_inputs in (True, False):
    print(method, "with the input words included:" if include_inputs else "with the input words excluded:")
    for word, score_of_word in analogy(word_vectors, [word_a, word_c], [word_b], 8, include_inputs, method):
        print(f"    {word} {score_of_word:.4f}")
rank = rank_of(word_vectors, [word_a, word_c], [word_b], expected, method)
print(f"{expected}: {rank.score:.4f}, rank {rank.included} with the input words included")
