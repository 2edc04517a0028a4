"""Word2vec: trained on the page, and asked for analogies, neighbours, similarities and a map."""

import pytest
from driver import AppDriver

from components.base.limits import MAX_LINE_CHARS
from components.vectors.analogies import analogy, neighbours, rank_of
from components.vectors.analogy_questions import sections
from components.vectors.corpora import GRAMMAR, read_grammar, write_sentences
from components.vectors.word2vec import train_word2vec


def trained(**settings):
    grammar = read_grammar(GRAMMAR)
    count = settings.pop("sentences", 600)
    return train_word2vec(write_sentences(grammar, count, settings.get("seed", 1)), grammar.questions, **settings)


def ranked(app: AppDriver, number: int) -> list[tuple[str, float]]:
    return [(row["word"], row["score"]) for row in app.drawn("score")[number]]


def rounded(answers):
    return [(word, pytest.approx(score, abs=6e-5)) for word, score in answers]


def test_analogies_include_and_exclude_the_inputs():
    app = AppDriver().open("word2vec")
    vectors = trained().vectors
    assert ranked(app, 0) == rounded(analogy(vectors, ["king", "woman"], ["man"], 8, include_inputs=True))
    assert ranked(app, 1) == rounded(analogy(vectors, ["king", "woman"], ["man"], 8))
    assert "king" not in [word for word, _ in ranked(app, 1)]


@pytest.mark.parametrize(
    ("key", "value", "argument"),
    [
        ("word2vec_sentences", 1_000, "sentences"),
        ("word2vec_vector_size", 8, "dim"),
        ("word2vec_window", 2, "window"),
        ("word2vec_epochs", 3, "epochs"),
        ("word2vec_negative", 2, "negative"),
        ("word2vec_train_seed", 7, "seed"),
    ],
)
def test_a_setting_trains_other_vectors(key, value, argument):
    app = AppDriver().open("word2vec").set(**{key: value})
    wanted = trained(**{argument: value})
    assert ranked(app, 0) == rounded(analogy(wanted.vectors, ["king", "woman"], ["man"], 8, include_inputs=True))
    losses, solved = app.drawn("epoch")
    assert [row["value"] for row in losses] == [round(epoch.loss) for epoch in wanted.epochs]
    assert [row["value"] for row in solved] == [epoch.solved for epoch in wanted.epochs]


def test_analogies_that_are_not_solved_are_named():
    app = AppDriver().open("word2vec", vector_size=2)
    assert "Not solved: " in app.words
    assert "of 8 analogies are solved at the end" in app.words


def test_the_grammar_can_be_changed():
    app = AppDriver().open("word2vec").set(grammar=GRAMMAR.replace("queen", "xyzzy"))
    assert "xyzzy" in app.state.choices.grammar
    assert "xyzzy" in [word for word, _ in ranked(app, 1)]
    app.press("Reset grammar")
    assert app.state.choices.grammar == ""
    assert "xyzzy" not in app.words


@pytest.mark.parametrize(
    ("grammar", "named"),
    [
        ("king: royal", "no sentences"),
        ("the [loyal] one", "no word has the feature 'loyal'"),
        ("a", "word2vec needs two"),
    ],
)
def test_a_grammar_that_cannot_be_read_shows_an_error(grammar, named):
    app = AppDriver().open("word2vec").set(grammar=grammar)
    assert named in app.errors()[0]
    assert not app.press("Reset grammar").errors()


def test_other_words_and_the_other_method_are_used():
    app = AppDriver().open("word2vec").set(word2vec_word_a="paris", word2vec_word_b="france", word2vec_word_c="italy")
    vectors = trained().vectors
    assert ranked(app, 1) == rounded(analogy(vectors, ["paris", "italy"], ["france"], 8))
    app.set(word2vec_method="mul")
    assert ranked(app, 1) == rounded(analogy(vectors, ["paris", "italy"], ["france"], 8, method="mul"))
    assert ranked(app, 0) == rounded(analogy(vectors, ["paris", "italy"], ["france"], 8, True, "mul"))


@pytest.mark.parametrize("word", ["quen", "King", "", " ", "<b>x</b>", ":red[x]", "猫" * 40])
def test_an_unknown_word_is_named_with_similar_spellings(word):
    app = AppDriver().open("word2vec").set(word2vec_word_a=word)
    assert ("A word is missing" if not word.strip() else "is not among the 119 words here") in app.errors()[0]
    if word == "quen":
        assert "Did you mean queen?" in app.errors()[0]
        assert app.widget("offer_word_a").options == ["queen"]
        app.set(offer_word_a="queen")
        assert app.state.choices.word_a == "queen"
        assert not app.errors()


def test_the_expected_word_shows_its_rank_and_cosine():
    app = AppDriver().open("word2vec", sentences=6_000).set(word2vec_expected="throne")
    rank = rank_of(trained(sentences=6_000).vectors, ["king", "woman"], ["man"], "throne")
    assert f"cosine similarity **{rank.score:.4f}**, rank **{rank.included}** with input words included" in app.words
    assert f"rank **{rank.excluded}** with them excluded" in app.words
    rank = rank_of(trained(sentences=6_000).vectors, ["king", "woman"], ["man"], "throne", "mul")
    app.set(word2vec_method="mul")
    assert f"score of 3CosMul **{rank.score:.4f}**, rank **{rank.included}** with input words included" in app.words
    assert "'xyz' is not among" in app.set(word2vec_expected="xyz").words
    assert "among 119 words" not in app.set(word2vec_expected="").words


@pytest.mark.parametrize("grammar", ["a b c", "a b c d", "a b"])
def test_a_few_words_are_enough_for_every_view(grammar):
    app = AppDriver().open("word2vec", grammar=grammar, word_a="a", word_b="b", word_c="c")
    assert app.errors() or len(ranked(app, 1)) == 1
    for view in ("neighbours", "similarity", "map", "gallery", "questions"):
        app.open("word2vec", near="a", words="a b").set(word2vec_view=view)


def test_a_grammar_without_analogies_shows_how_to_add_one():
    app = AppDriver().open("word2vec", grammar="a b c d e f")
    assert "The grammar has no analogies" in app.words


def test_an_answer_that_is_an_input_is_named():
    app = AppDriver().open("word2vec", grammar="a b c d\na - b + c = a")
    assert "a - b + c = a (the answer is an input)" in app.words


def test_the_parallelogram_has_three_arrows():
    app = AppDriver().open("word2vec")
    (arrows,) = app.drawn("x2")
    assert [arrow["name"] for arrow in arrows] == ["man to king", "woman to a − b + c", "woman to queen"]
    assert "in all 32 dimensions it is" in app.words


def test_neighbours_are_ranked_by_cosine():
    app = AppDriver().open("word2vec", view="neighbours").set(word2vec_near="paris")
    assert ranked(app, 0) == rounded(neighbours(trained().vectors, "paris", 12))


def test_similarity_shows_every_pair_and_the_odd_one_out():
    app = AppDriver().open("word2vec", view="similarity", sentences=6_000).set(word2vec_words="king queen paris")
    (pairs,) = app.drawn("pair")
    vectors = trained(sentences=6_000).vectors
    assert len(pairs) == 9
    assert pairs[1]["value"] == pytest.approx(float(vectors.similarity("king", "queen")), abs=6e-5)
    assert "**Odd one out:** paris" in app.words
    rows = app.tables()[0]
    assert rows[0]["pair"] == "king, queen"
    assert [float(row["cosine"]) for row in rows] == sorted((float(row["cosine"]) for row in rows), reverse=True)


@pytest.mark.parametrize("view", ["similarity", "map"])
@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("king xyz", "'xyz' is not among"),
        ("king", "Two words or more"),
        ("", "Two words or more"),
        (("king queen " * 90)[:MAX_LINE_CHARS], ""),
        ("king king queen", ""),
    ],
)
def test_any_line_of_words_is_drawn_or_shows_an_error(view, words, message):
    app = AppDriver().open("word2vec", view=view).set(word2vec_words=words)
    assert message in "\n".join([app.words, *app.errors()])


def test_the_map_draws_every_word():
    app = AppDriver().open("word2vec", view="map").set(word2vec_words="king, queen, man woman")
    points = app.drawn("reading")[0]
    assert [point["word"] for point in points] == ["king", "queen", "man", "woman"]


def test_the_gallery_is_computed_from_these_vectors():
    app = AppDriver().open("word2vec", view="gallery", sentences=6_000)
    rows = {row["question"]: row for row in app.tables()[0]}
    assert rows["king - man + woman = queen"]["inputs excluded"].startswith("queen")
    assert "of 12 have all their words in this vocabulary" in app.words


def test_published_questions_run_on_demand():
    app = AppDriver().open("word2vec", view="questions", sentences=6_000)
    assert not app.tables()
    rows = app.press("Run all questions").tables()[0]
    assert len(rows) == 17
    assert app.open("tokens").open("word2vec").tables()[0] == rows  # kept while the vectors stay
    assert rows[-1]["section"] == "all"
    assert rows[-1]["questions"] == "19,544"
    family = next(row for row in rows if row["section"] == "family")
    known = set(trained(sentences=6_000).vectors.index_to_key)
    covered = [words for words in sections()["family"] if set(words) <= known]
    assert family["covered"].startswith(f"{len(covered)} (")


def test_the_news_can_be_trained_on():
    app = AppDriver().open("word2vec", vectors="news", epochs=2, vector_size=8, negative=1)
    assert "2,747 words, each a vector of 8 numbers." in app.words
    assert not app.errors()


def test_sessions_with_equal_settings_have_equal_vectors():
    first, second = AppDriver().open("word2vec", train_seed=77), AppDriver().open("word2vec", train_seed=77)
    assert ranked(first, 0) == ranked(second, 0)
