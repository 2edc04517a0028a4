"""The program of the lesson on word2vec: the vectors, trained here or read from a file, and the chosen view of them."""

from collections import Counter
from collections.abc import Sequence
from threading import Condition
from typing import Any

import numpy as np
from cachetools import LRUCache, cached
from gensim.models import KeyedVectors

from components.base.limits import MAX_WORDS_DRAWN
from components.base.link import State
from components.embedding.projection import project
from components.lessons.word2vec.choices import Choices
from components.lessons.word2vec.trained import corpus, min_count, training_key
from components.vectors.analogies import analogy, distances_from_mean, neighbours, rank_of, similarities
from components.vectors.analogy_gallery import run_analogies
from components.vectors.analogy_lists import NEWS_QUESTIONS, PEOPLE, POPULAR_ANALOGIES
from components.vectors.analogy_questions import score, sections
from components.vectors.analogy_space import analogy_space
from components.vectors.corpora import GRAMMAR, read_grammar, write_sentences
from components.vectors.news import lee_sentences
from components.vectors.sources import SOURCES
from components.vectors.word2vec import train_word2vec


def make_vectors(
    source, path, binary, grammar, n_sentences, vector_size, window, epochs, negative, min_count, train_seed
):
    """Train word vectors on a small corpus, or read them from a file."""
    if source == "file":
        # %% Vectors from a file
        # `binary=True` reads word2vec's binary format, `no_header=True` GloVe's text.
        word_vectors = KeyedVectors.load_word2vec_format(path, binary=binary)
        vectors = word_vectors.vectors  # [words, D]
        print(len(vectors), "words, each a vector of", vectors.shape[1], "numbers")
    else:
        # %% The corpus
        if source == "grammar":
            # `king: royal male` gives a word its features; `[male]` stands for any word with that feature;
            # `king - man + woman = queen` is an analogy to test.
            rules = read_grammar(grammar)
            sentences, questions = write_sentences(rules, n_sentences, train_seed), rules.questions
        else:
            # 300 news documents, which are part of gensim.
            sentences, questions = lee_sentences(), NEWS_QUESTIONS
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


def answer_analogy(word_vectors, answerable, word_a, word_b, word_c):
    """Answer an analogy with the input words included and excluded, and compute the true distances."""
    if answerable:
        # %% The analogy a - b + c, both ways
        # gensim excludes the input words from the answers. With them included, an input is often nearest.
        nearest = analogy(word_vectors, [word_a, word_c], [word_b], 4, include_inputs=True)
        answer = analogy(word_vectors, [word_a, word_c], [word_b], 1)[0][0]
        print("input words included:", *(f"{word} {cosine:.3f}" for word, cosine in nearest))
        print("input words excluded:", answer)
        # %% The four words in three dimensions
        # Their differences span three dimensions, so four words and the sum can be drawn there with true distances.
        space = analogy_space(word_vectors, word_a, word_b, word_c, answer)
        for word, point in ((word_a, space.a), (answer, space.answer)):
            print(f"{word} is {space.distance(point):.2f} from the sum")
        print(f"{answer} is {space.height:.2f} above the plane of the other words")


def show_view(word_vectors, view, word_a, word_b, word_c, expected, method, near, chosen_words):
    """Query the vectors in the chosen way."""
    if view == "analogy":
        # %% Two methods
        # 3CosAdd adds unit vectors, 3CosMul multiplies and divides cosine similarities.
        for include_inputs in (True, False):
            print(method, "with the input words included:" if include_inputs else "with the input words excluded:")
            for word, score_of_word in analogy(word_vectors, [word_a, word_c], [word_b], 8, include_inputs, method):
                print(f"    {word} {score_of_word:.4f}")
        if expected:
            rank = rank_of(word_vectors, [word_a, word_c], [word_b], expected, method)
            print(f"{expected}: {rank.score:.4f}, rank {rank.included} with the input words included")
    elif view == "neighbours":
        # %% Nearest neighbours
        # Words are near if they occur in similar contexts.
        for word, cosine in neighbours(word_vectors, near, 12):
            print(f"{word} {cosine:.4f}")
    elif view == "similarity":
        # %% Cosine similarity of every pair
        cosines = similarities(word_vectors, chosen_words)  # [words, words]
        np.set_printoptions(linewidth=160, suppress=True, precision=4)
        print(cosines)
        pairs = [(cosines[i, j], chosen_words[j], chosen_words[i]) for i in range(len(cosines)) for j in range(i)]
        for title, (cosine, one, other) in (("most alike", max(pairs)), ("least alike", min(pairs))):
            print(f"{title}: {one} and {other}, {cosine:.4f}")
        if len(chosen_words) > 2:
            (odd, cosine), *others = distances_from_mean(word_vectors, chosen_words)
            print(f"farthest from the mean of all: {odd}, cosine {cosine:.4f};", end=" ")
            print(f"the others {others[0][1]:.4f} to {others[-1][1]:.4f}")
    elif view == "map":
        # %% A map
        # The two directions in which the words differ most (PCA). The other directions are left out.
        projection = project(np.stack([word_vectors.get_vector(word, norm=True) for word in chosen_words]))
        for word, (x, y) in zip(chosen_words, projection.points, strict=True):
            print(f"{word} {x:.4f} {y:.4f}")
        print(f"{sum(projection.shares):.0%} of the variance")
    elif view == "gallery":
        # %% Analogies that are often shown, and analogies about people
        # Only those whose words all have vectors. What is said about people comes from the texts; none is correct.
        for result in run_analogies(word_vectors, [*POPULAR_ANALOGIES, *PEOPLE]):
            print(f"{result.question}: included {result.included[0]} {result.included[1]:.2f},", end=" ")
            print(f"excluded {result.excluded[0]} {result.excluded[1]:.2f}", result.verdict)
    elif view == "questions":
        # %% The 19,544 published questions
        # Covered: all four words have vectors.
        for section, asked in sections().items():
            found = score(word_vectors, section, asked)
            print(f"{section}: {found.correct} of {found.covered} correct with input words excluded,", end=" ")
            print(f"{found.correct_with_inputs} with input words included")


STORIES = (make_vectors, answer_analogy, show_view)


def values(state: State, token_ids: Sequence[int]) -> dict[str, Any] | None:
    """Return the values of the stories; None if there is nothing to train on.

    >>> found = values(State(choices=Choices(view="neighbours", near=" king ")), [])
    >>> found["source"], found["view"], found["near"], found["min_count"]
    ('grammar', 'neighbours', 'king', 1)
    """
    choices = state.choices
    found = vars(choices) | {name: getattr(choices, name).strip() for name in ("word_a", "word_b", "word_c", "near")}
    found |= {"source": "file", "expected": choices.expected.strip()}
    known = None
    if choices.vectors in ("grammar", "news"):
        try:
            known = _known(choices)
        except ValueError:
            return None
        if len(known) < 2:
            return None
        found |= {"source": choices.vectors, "min_count": min_count(choices), "grammar": choices.grammar or GRAMMAR}
        found |= {"n_sentences": choices.sentences, "expected": found["expected"] if found["expected"] in known else ""}
    else:
        found |= _file(choices.vectors)
    found["chosen_words"] = [word for word in choices.word_list[:MAX_WORDS_DRAWN] if known is None or word in known]
    is_file = choices.vectors == "upload"  # its words are not known here
    found["answerable"] = (not is_file or choices.view == "analogy") and _shown("analogy", found, known)
    return found if _shown(choices.view, found, known) else found | {"view": ""}


def _shown(view: str, found: dict[str, Any], known: frozenset[str] | None) -> bool:
    """Return whether the view has the words that it needs, and the page shows no error for them."""
    inputs = {"analogy": ("word_a", "word_b", "word_c"), "neighbours": ("near",)}.get(view, ())
    words = {found[name] for name in inputs}
    if "" in words or (known is not None and not words <= known):
        return False
    if view in ("similarity", "map"):
        return len(found["chosen_words"]) > 1
    return known is None or not words or len(known) > len(words)


@cached(LRUCache(16), key=training_key, condition=Condition())
def _known(choices: Choices) -> frozenset[str]:
    """Return the words that get a vector. Raises ValueError if the grammar cannot be read."""
    counts = Counter(word for sentence in corpus(choices)[0] for word in sentence)
    return frozenset(word for word, times in counts.items() if times >= min_count(choices))


def _file(name: str) -> dict[str, Any]:
    """Return the name and the format of the file with published vectors, as it is downloaded."""
    if name == "upload":
        return {"path": "vectors.txt", "binary": False}
    if name == "word2vec_sample":
        return {"path": "pruned.word2vec.txt", "binary": False}  # unpacked
    return {"path": SOURCES[name].url.rsplit("/", 1)[-1], "binary": name == "word2vec-google-news-300"}
