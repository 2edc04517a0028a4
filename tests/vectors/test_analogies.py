from pathlib import Path

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import given
from hypothesis import strategies as st

from components.embedding.projection import project
from components.vectors.analogies import (
    analogy,
    distances_from_mean,
    nearest_spellings,
    neighbours,
    rank_of,
    similarities,
    starts_with,
    unknown_word,
)
from components.vectors.analogy_gallery import run_analogies
from components.vectors.analogy_lists import PEOPLE, POPULAR_ANALOGIES
from components.vectors.analogy_questions import score, sections, totals
from tests.skipping import skip_or_fail

REAL = Path(__file__).parents[3] / "shared" / "data" / "word2vec-1000x300.bin"


@pytest.fixture(scope="module")
def real() -> KeyedVectors:
    """A thousand words of Google News, beside the project."""
    if not REAL.exists():
        reason = f"{REAL} is missing: it is not part of this project"
        skip_or_fail(reason)
    return KeyedVectors.load_word2vec_format(REAL, binary=True)


def made_up(words: int = 40, dim: int = 5, seed: int = 0) -> KeyedVectors:
    vectors = KeyedVectors(dim)
    rows = np.random.default_rng(seed).normal(size=(words, dim)).astype(np.float32)
    vectors.add_vectors([f"w{i}" for i in range(words)], rows)
    return vectors


def rounded(ranked, digits=4):
    return [(word, round(score, digits)) for word, score in ranked]


def test_king_minus_man_plus_woman_with_the_inputs_struck_out_and_kept(real):
    struck = analogy(real, ["king", "woman"], ["man"], topn=3)
    assert rounded(struck) == [("queen", 0.5516), ("she", 0.3172), ("her", 0.3058)]
    kept = analogy(real, ["king", "woman"], ["man"], topn=2, include_inputs=True)
    assert rounded(kept) == [("king", 0.8010), ("queen", 0.5516)]


WORDS = st.lists(st.integers(0, 39).map("w{}".format), min_size=1, max_size=3, unique=True)


@given(WORDS, WORDS, st.integers(0, 5))
def test_struck_out_it_is_gensims_own_answer(positive, negative, seed):
    vectors = made_up(seed=seed)
    for method, ask in (("add", vectors.most_similar), ("mul", vectors.most_similar_cosmul)):
        expected = ask(positive=positive, negative=negative, topn=7)
        assert rounded(analogy(vectors, positive, negative, 7, method=method)) == rounded(expected)


@given(WORDS, WORDS, st.integers(0, 5), st.sampled_from(["add", "mul"]))
def test_kept_it_is_the_same_list_with_the_inputs_in_it(positive, negative, seed, method):
    vectors = made_up(seed=seed)
    kept = analogy(vectors, positive, negative, 40, include_inputs=True, method=method)
    struck = analogy(vectors, positive, negative, 40, method=method)
    without = [(word, score) for word, score in kept if word not in {*positive, *negative}]
    assert dict(without) == pytest.approx(dict(struck), abs=1e-4)
    assert {word for word, _ in kept} == {f"w{i}" for i in range(40)}
    assert [score for _, score in kept] == sorted((score for _, score in kept), reverse=True)


def test_kept_the_score_is_the_cosine_with_the_sum_of_unit_vectors():
    vectors = made_up()
    unit = {w: vectors[w] / np.linalg.norm(vectors[w]) for w in vectors.index_to_key}
    target = unit["w1"] - unit["w2"] + unit["w3"]
    for word, value in analogy(vectors, ["w1", "w3"], ["w2"], 40, include_inputs=True):
        assert value == pytest.approx(float(unit[word] @ target / np.linalg.norm(target)), abs=1e-5)


def test_neighbours_leave_the_word_itself_out_and_follow_the_cosine(real):
    words = [word for word, _ in neighbours(real, "king", 3)]
    assert words[0] == "queen"
    assert "king" not in words


def test_similarities_are_cosines_and_the_odd_one_out_is_gensims(real):
    words = ["king", "queen", "man", "woman"]
    values = similarities(real, words)
    assert values == pytest.approx(values.T)
    assert np.diag(values) == pytest.approx(np.ones(4))
    assert values[0, 1] == pytest.approx(real.similarity("king", "queen"), abs=1e-6)
    for group in (["red", "blue", "green", "king"], ["man", "woman", "water"]):
        assert distances_from_mean(real, group)[0][0] == real.doesnt_match(group)


@pytest.mark.parametrize(
    ("ask", "named"),
    [
        (lambda v: analogy(v, ["w1", "xx"]), "'xx' is not among the 40 words here"),
        (lambda v: analogy(v, [], []), "needs at least one"),
        (lambda v: analogy(v, ["w1"], method="max"), "neither add nor mul"),
        (lambda v: neighbours(v, "W1"), "Did you mean w1"),
        (lambda v: distances_from_mean(v, ["w1", "w1", "w2"]), "2 different words are too few"),
        (lambda v: similarities(v, ["w1", ""]), "A word is missing"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_sentence(ask, named):
    with pytest.raises(ValueError, match=named):
        ask(made_up())


def test_the_nearest_spellings_are_offered():
    vectors = KeyedVectors(1)
    vectors.add_vectors(["Paris", "parish", "NASA", "queen"], np.ones((4, 1), dtype=np.float32))
    assert nearest_spellings(vectors, "paris") == ["Paris"]
    assert nearest_spellings(vectors, "parisch") == ["parish", "Paris"]
    assert nearest_spellings(vectors, "nasa") == ["NASA"]
    assert unknown_word(vectors, ["qqqqq"]).endswith("try another word.")
    assert unknown_word(vectors, ["queen"]) is None
    assert starts_with(vectors, "par") == ["parish"]
    assert starts_with(vectors, "") == ["Paris", "parish", "NASA", "queen"]


def test_a_map_keeps_distances_as_far_as_its_shares_say():
    rows = np.random.default_rng(1).normal(size=(12, 6))
    flat = project(rows)
    centred = rows - rows.mean(axis=0)
    assert np.var(flat.points, axis=0).sum() / np.var(centred, axis=0).sum() == pytest.approx(sum(flat.shares))
    assert flat.shares[0] >= flat.shares[1]
    covariance = np.linalg.eigvalsh(np.cov(rows.T))[::-1]
    assert flat.shares == pytest.approx(tuple(covariance[:2] / covariance.sum()))
    assert project(rows[:, ::-1]).points == pytest.approx(flat.points)  # the signs do not depend on the order


@pytest.mark.parametrize("rows", [np.zeros((3, 4)), np.ones((2, 1)), np.eye(2)])
def test_a_map_of_little_is_still_a_map(rows):
    flat = project(rows)
    assert flat.points.shape == (len(rows), 2)
    assert np.isfinite(flat.points).all()


def test_one_vector_makes_no_map():
    with pytest.raises(ValueError, match="name two or more words"):
        project(np.ones((1, 3)))


def test_the_published_questions_are_all_there():
    assert len(sections()) == 14
    assert sum(map(len, sections().values())) == 19_544
    assert [len(questions) for questions in sections().values()][:3] == [506, 4_524, 866]


def test_a_section_is_scored_as_gensim_scores_it(real, tmp_path):
    family = sections()["family"]
    ours = score(real, "family", family)
    path = tmp_path / "family.txt"
    path.write_text(": family\n" + "\n".join(" ".join(words) for words in family), "utf-8")
    _, told = real.evaluate_word_analogies(str(path))
    assert ours.covered == len(told[0]["correct"]) + len(told[0]["incorrect"]) > 50
    assert ours.correct == len(told[0]["correct"])
    assert ours.correct_with_inputs < ours.correct
    assert [one.correct for one in totals([ours, ours])] == [2 * ours.correct, 0, 2 * ours.correct]


def test_capital_letters_make_no_difference_to_the_questions(real):
    capital = KeyedVectors(real.vector_size)
    capital.add_vectors([word.capitalize() for word in real.index_to_key], real.vectors)
    family = sections()["family"]
    assert score(capital, "family", family) == score(real, "family", family)


def test_a_row_of_zeros_changes_no_score(real):
    more = KeyedVectors(real.vector_size)
    more.add_vectors([*real.index_to_key, "zzz"], np.vstack([real.vectors, np.zeros(real.vector_size)]))
    family = sections()["family"]
    assert score(more, "family", family) == score(real, "family", family)


def test_the_place_of_a_word_is_its_rank_both_ways(real):
    rank = rank_of(real, ["king", "woman"], ["man"], "queen")
    assert (round(rank.score, 4), rank.included, rank.excluded) == (0.5516, 2, 1)
    assert rank_of(real, ["king", "woman"], ["man"], "king").included == 1


@pytest.mark.parametrize("method", ["add", "mul"])
def test_the_place_of_a_word_is_where_the_answers_have_it(real, method):
    asked = (real, ["king", "woman"], ["man"])
    for keep in (True, False):
        for position, (word, score_) in enumerate(analogy(*asked, 10, keep, method), 1):
            rank = rank_of(*asked, word, method)
            assert rank.score == pytest.approx(score_, abs=1e-5)
            assert (rank.included if keep else rank.excluded) == position


def test_words_that_are_as_near_stand_before_it():
    line = KeyedVectors(1)
    line.add_vectors(["a", "b", "c", "d", "e"], np.array([[1], [2], [3], [4], [5]], dtype=np.float32))
    assert rank_of(line, ["a"], [], "d").excluded == 4


def test_the_gallery_says_what_these_vectors_answer(real):
    tried = {one.question: one for one in run_analogies(real, POPULAR_ANALOGIES)}
    royal = tried["king - man + woman = queen"]
    assert (royal.excluded[0], royal.included[0], royal.verdict) == (
        "queen",
        "king",
        "correct only with inputs excluded",
    )
    for one in tried.values():
        words = one.question.replace(" = ", " - ").replace(" + ", " - ").split(" - ")
        assert one.excluded[0] not in words[:3]
        assert one.verdict in {"correct with inputs included", "correct only with inputs excluded", "incorrect"}
    assert all(one.verdict == "" for one in run_analogies(real, PEOPLE))
