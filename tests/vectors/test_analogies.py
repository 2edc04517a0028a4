import math
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from gensim.models import KeyedVectors

from components.vectors.analogies import analogy, nearest_spellings, rank_of, similarities, starts_with, unknown_word
from components.vectors.analogy_gallery import PEOPLE, POPULAR_ANALOGIES, AnalogyResult, run_analogies
from components.vectors.analogy_questions import MAX_WORDS, Score, score, sections, totals
from components.vectors.analogy_space import analogy_space
from components.vectors.uploads import read_upload
from tests.questions.references.word2vec import published

WORDS = [f"w{number}" for number in range(40)]
ROYAL = (["king", "woman"], ["man"])


def keyed(words: Sequence[str], rows: Sequence) -> KeyedVectors:
    """Return vectors with these rows [words, D]."""
    vectors = KeyedVectors(len(rows[0]))
    vectors.add_vectors([*words], np.asarray(rows, dtype=np.float32))
    return vectors


def test_rank_of_a_word_is_its_position_in_the_results():
    news = published()
    for include_inputs, method in product((True, False), ("add", "mul")):
        for position, (word, expected) in enumerate(analogy(news, *ROYAL, 10, include_inputs, method), 1):
            rank = rank_of(news, *ROYAL, word, method)
            assert rank.score == pytest.approx(expected, abs=1e-5)
            assert (rank.included if include_inputs else rank.excluded) == position
            assert not rank.is_shared
    rank = rank_of(keyed("abcde", [[1], [2], [3], [4], [5]]), ["a"], [], "d")
    assert (rank.included, rank.excluded) == (5, 4)  # after all with the same score
    assert rank_of(keyed("abc", [[1], [-1], [2]]), ["a"], [], "c").is_shared


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        (lambda v: analogy(v, ["w1", "xx"]), "'xx' is not among the 40 words here."),
        (lambda v: analogy(v, [], []), "needs at least one"),
        (lambda v: analogy(v, ["w1"], method="max"), "method = 'max' is neither add nor mul"),
        (lambda v: analogy(v, ["W1"]), "Did you mean w1"),
        (lambda v: rank_of(v, ["w1"], [], "x" * 99), f"^'{'x' * 40}…' is not among"),
        (lambda v: similarities(v, ["w1", ""]), "A word is missing: type one"),
    ],
)
def test_query_that_cannot_be_answered_is_refused(query, problem):
    with pytest.raises(ValueError, match=problem):
        query(keyed(WORDS, np.ones((40, 5))))


def test_unknown_word_has_at_most_three_similar_spellings():
    vectors = keyed(["NASA", "parish", "parishes", "perish", "parched", "in"], np.ones((6, 1)))
    assert nearest_spellings(vectors, "nasa") == ["NASA"]
    assert unknown_word(vectors, ["NASA", "parisch"]).endswith("Did you mean parish or parishes or perish?")
    assert nearest_spellings(vectors, "king") == []  # "in" is in it
    assert unknown_word(vectors, ["NASA"]) is None
    assert starts_with(keyed(WORDS, np.ones((40, 5))), "") == WORDS[:8]
    assert starts_with(vectors, "par", 2) == ["parish", "parishes"]


def test_zero_vector_has_the_cosine_0_with_every_word():
    vectors = read_upload(b"king 1 0\nqueen 0.9 0.1\nnothing 0 0\nman 0 1\n")
    for include_inputs, method in product((True, False), ("add", "mul")):
        ranked = analogy(vectors, ["king", "man"], ["queen"], 4, include_inputs, method)
        assert all(math.isfinite(score) for _, score in ranked)
    assert dict(vectors.most_similar("king", topn=3))["nothing"] == 0
    with pytest.raises(ValueError, match="The vector of 'nothing' is all zeros and has no direction"):
        similarities(vectors, ["nothing", "king"])
    cut = unknown_word(keyed(["n" * 41], np.zeros((1, 2))), ["n" * 41])
    assert cut.startswith(f"The vector of '{'n' * 40}…' is all zeros")
    space = analogy_space(vectors, "king", "man", "queen", "nothing")  # zeros are at a distance of 1 from every word
    assert all(np.linalg.norm(space.answer - point) == pytest.approx(1) for point in (space.a, space.b, space.c))
    questions = ["king queen man nothing", "nothing king queen man", "king queen king man"]
    assert score(vectors, "family", tuple(tuple(words.split()) for words in questions)).covered == 2


def test_score_of_a_section_equals_that_of_gensim(tmp_path):
    news, family = published(), sections()["family"]
    ours = score(news, "family", family)
    (tmp_path / "family.txt").write_text(": family\n" + "\n".join(map(" ".join, family)), "utf-8")
    _, (theirs, _) = news.evaluate_word_analogies(str(tmp_path / "family.txt"))
    assert ours.questions == len(family) == 506
    assert (ours.covered, ours.correct) == (len(theirs["correct"] + theirs["incorrect"]), len(theirs["correct"]))
    assert ours.covered > 50
    assert ours.correct_with_inputs < ours.correct
    assert [part.correct for part in totals([ours, ours])] == [2 * ours.correct, 0, 2 * ours.correct]
    capitalized = keyed([word.capitalize() for word in news.index_to_key], news.vectors)
    with_zeros = keyed([*news.index_to_key, "zzz"], np.vstack([news.vectors, np.zeros(news.vector_size)]))
    assert score(capitalized, "family", family) == score(with_zeros, "family", family) == ours


def test_score_uses_the_most_frequent_words_and_every_question():
    words = [f"w{number}" for number in range(MAX_WORDS + 1)]
    rows = np.tile([[-1.0, -1.0]], (MAX_WORDS + 1, 1))
    rows[:3], rows[-2:] = [[1, 0], [0, 1], [2, 1]], [[1, 2], [1, 2]]
    questions = (("w0", "w1", "w2", words[-2]), ("w0", "w1", "w2", words[-1])) * 300
    assert MAX_WORDS == 30_000
    assert score(keyed(words, rows), "letters", questions) == Score("letters", 600, 300, 300, 0)


@pytest.mark.parametrize("words", [b"king 0 0\nman 1 0\nwoman 0 1\nqueen 1 1\n", b"doctor 1 0\nman 1 1\nwoman 0 1\n"])
def test_run_analogies_omits_those_without_direction_or_answer(words):
    assert run_analogies(read_upload(words), [*POPULAR_ANALOGIES, *PEOPLE]) == []


def test_run_analogies_of_capitalized_words_returns_verdicts():
    words = ["King", "man", "woman", "Queen", "Doctor"]
    vectors = keyed(words, [[1, 0], [0, 1], [0, 2], [-1, 0], [9, 1]])
    results = run_analogies(vectors, [*POPULAR_ANALOGIES, *PEOPLE])
    people = {"Doctor - man + woman": "", "Doctor - woman + man": ""}
    assert {each.question: each.verdict for each in results} == {"King - man + woman = Queen": "incorrect"} | people
    (equal,) = run_analogies(keyed(["king", "man", "woman", "queen"], [[1, 0]] * 4), POPULAR_ANALOGIES)
    assert equal.verdict == "as near as an input"
    verdicts = [AnalogyResult("", "queen", (nearest, 0.9), ("queen", 0.8)).verdict for nearest in ("queen", "king")]
    assert verdicts == ["correct with inputs included", "correct only with inputs excluded"]


def test_popular_analogies_have_four_words_those_of_people_three():
    assert {len({*filter(None, question)}) for question in POPULAR_ANALOGIES} == {4}
    assert {len({*filter(None, question)}) for question in PEOPLE} == {3}
