"""The questions on word2vec against published vectors and trained ones."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from components.lessons.word2vec.facts import LOWEST, MEASURED, OPPOSITES
from components.vectors.analogies import rank_of
from components.vectors.corpora import GRAMMAR, read_grammar, write_sentences
from components.vectors.load import load_vectors
from components.vectors.word2vec import train_word2vec
from tests.skipping import skip_or_fail
from tests.states import lesson_state, questions

VECTORS = Path(__file__).parents[3] / "shared" / "data" / "word2vec-1000x300.bin"


def real_vectors():
    if not VECTORS.exists():
        reason = f"{VECTORS} is missing: it is not part of this project"
        skip_or_fail(reason)
    return load_vectors(VECTORS)


def test_the_measured_analogies_and_opposites_are_those_of_the_real_vectors():
    vectors = real_vectors()
    for asked, first, cosine, second, second_cosine in MEASURED:
        words = sorted(vectors.index_to_key, key=lambda w: -rank_of(vectors, *split(asked), w).score)[:2]
        assert words == [first, second]
        given = [round(rank_of(vectors, *split(asked), word).score, 2) for word in words]
        assert given == [cosine, second_cosine]
        assert asked.answer in words
    for (one, other), cosine in OPPOSITES.items():
        assert round(float(vectors.similarity(one, other)), 2) == cosine
    unit = vectors.get_normed_vectors()
    cosines = unit @ unit.T
    assert round(float(cosines.min()), 2) == LOWEST[2]
    assert {vectors.index_to_key[n] for n in np.unravel_index(cosines.argmin(), cosines.shape)} == {*LOWEST[:2]}


def split(asked) -> tuple[Sequence[str], Sequence[str]]:
    return [asked.a, asked.c], [asked.b]


def test_the_learners_own_analogy_is_asked_where_it_was_measured():
    for asked, first, *_ in MEASURED:
        state = lesson_state("word2vec", word_a=asked.a, word_b=asked.b, word_c=asked.c)
        check = questions("word2vec", state, [])[0]
        assert f"{asked.a} - {asked.b} + {asked.c}" in check.prompt
        assert check.answer == first
    survive = [asked for asked, first, *_ in MEASURED if first == asked.answer]
    assert 0 < len(survive) < len(MEASURED)


def test_an_analogy_depends_on_the_corpus():
    other = GRAMMAR.replace("king: royal male", "king: royal female").replace("queen: royal female", "queen: heir male")
    ranks = []
    for text in (GRAMMAR, other):
        grammar = read_grammar(text)
        trained = train_word2vec(write_sentences(grammar, 600, seed=1), grammar.questions[:1])
        ranks.append(trained.epochs[-1].ranks[0])
    assert ranks[0] == 1
    assert ranks[1] > 1
    assert questions("word2vec", lesson_state("word2vec"), [])[3].answer.startswith("it may or may not")
