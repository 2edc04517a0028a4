import pytest
from lab import Lab

from components.core.analogies import analogy, neighbours, place_of
from components.core.analogy_questions import sections
from components.core.corpora import GRAMMAR, read_grammar, write_sentences
from components.core.limits import MAX_LINE_CHARS
from components.core.word2vec import train_word2vec


def trained(**settings):
    grammar = read_grammar(GRAMMAR)
    count = settings.pop("sentences", 600)
    return train_word2vec(write_sentences(grammar, count, settings.get("seed", 1)), grammar.questions, **settings)


def ranked(lab: Lab, number: int) -> list[tuple[str, float]]:
    return [(row["word"], row["score"]) for row in lab.drawn("score")[number]]


def rounded(answers):
    return [(word, pytest.approx(score, abs=6e-5)) for word, score in answers]


def test_the_page_trains_and_shows_both_ways_of_asking():
    lab = Lab().open("word2vec")
    vectors = trained().vectors
    assert ranked(lab, 0) == rounded(analogy(vectors, ["king", "woman"], ["man"], 8, keep_inputs=True))
    assert ranked(lab, 1) == rounded(analogy(vectors, ["king", "woman"], ["man"], 8))
    assert "king" not in [word for word, _ in ranked(lab, 1)]


@pytest.mark.parametrize(
    ("key", "value", "argument"),
    [
        ("choice_sentences", 1_000, "sentences"),
        ("choice_vector_size", 8, "dim"),
        ("choice_window", 2, "window"),
        ("choice_epochs", 3, "epochs"),
        ("choice_negative", 2, "negative"),
        ("choice_train_seed", 7, "seed"),
    ],
)
def test_another_setting_trains_other_vectors(key, value, argument):
    lab = Lab().open("word2vec").set(**{key: value})
    wanted = trained(**{argument: value})
    assert ranked(lab, 0) == rounded(analogy(wanted.vectors, ["king", "woman"], ["man"], 8, keep_inputs=True))
    losses, solved = lab.drawn("epoch")
    assert [row["value"] for row in losses] == [round(epoch.loss) for epoch in wanted.epochs]
    assert [row["value"] for row in solved] == [epoch.solved for epoch in wanted.epochs]


def test_too_few_dimensions_break_the_analogies_and_the_page_names_them():
    lab = Lab().open("word2vec", vector_size=2)
    assert "Not solved: " in lab.words
    assert "of 8 analogies are solved at the end" in lab.words


def test_the_grammar_can_be_changed():
    lab = Lab().open("word2vec").set(grammar=GRAMMAR.replace("queen", "xyzzy"))
    assert "xyzzy" in lab.state.choices.grammar
    assert "xyzzy" in [word for word, _ in ranked(lab, 1)]
    lab.press("The grammar as it was")
    assert lab.state.choices.grammar == ""
    assert "xyzzy" not in lab.words


@pytest.mark.parametrize(
    ("grammar", "named"),
    [
        ("king: royal", "no sentences"),
        ("the [loyal] one", "no word has the feature 'loyal'"),
        ("a", "word2vec needs two"),
    ],
)
def test_a_grammar_that_cannot_be_read_is_refused_and_the_page_goes_on(grammar, named):
    lab = Lab().open("word2vec").set(grammar=grammar)
    assert named in lab.errors()[0]
    assert not lab.press("The grammar as it was").errors()


def test_other_words_and_the_other_method_are_asked():
    lab = Lab().open("word2vec").set(choice_word_a="paris", choice_word_b="france", choice_word_c="italy")
    vectors = trained().vectors
    assert ranked(lab, 1) == rounded(analogy(vectors, ["paris", "italy"], ["france"], 8))
    lab.set(choice_method="mul")
    assert ranked(lab, 1) == rounded(analogy(vectors, ["paris", "italy"], ["france"], 8, method="mul"))
    assert ranked(lab, 0) == rounded(analogy(vectors, ["paris", "italy"], ["france"], 8, True, "mul"))


@pytest.mark.parametrize("word", ["quen", "King", "", " ", "<b>x</b>", ":red[x]", "猫" * 40])
def test_an_unknown_word_is_named_with_the_nearest_spellings(word):
    lab = Lab().open("word2vec").set(choice_word_a=word)
    assert ("There is no word yet" if not word.strip() else "is not among the 119 words here") in lab.errors()[0]
    if word == "quen":
        assert "Did you mean queen?" in lab.errors()[0]
        assert lab.widget("offer_word_a").options == ["queen"]
        lab.set(offer_word_a="queen")
        assert lab.state.choices.word_a == "queen"
        assert not lab.errors()


def test_the_expected_word_is_found_with_rank_and_cosine():
    lab = Lab().open("word2vec", sentences=6_000).set(choice_expected="throne")
    place = place_of(trained(sentences=6_000).vectors, ["king", "woman"], ["man"], "throne")
    assert f"cosine **{place.score:.4f}**, rank **{place.kept}** with the inputs kept" in lab.words
    assert f"rank **{place.struck}** with them struck out" in lab.words
    place = place_of(trained(sentences=6_000).vectors, ["king", "woman"], ["man"], "throne", "mul")
    lab.set(choice_method="mul")
    assert f"score of 3CosMul **{place.score:.4f}**, rank **{place.kept}** with the inputs kept" in lab.words
    assert "'xyz' is not among" in lab.set(choice_expected="xyz").words
    assert "among 119 words" not in lab.set(choice_expected="").words


@pytest.mark.parametrize("grammar", ["a b c", "a b c d", "a b"])
def test_a_handful_of_words_answers_as_far_as_it_can(grammar):
    lab = Lab().open("word2vec", grammar=grammar, word_a="a", word_b="b", word_c="c")
    assert lab.errors() or len(ranked(lab, 1)) == 1
    for view in ("neighbours", "similarity", "map", "gallery", "questions"):
        lab.open("word2vec", near="a", words="a b").set(choice_view=view)


def test_a_grammar_without_questions_says_how_to_ask():
    lab = Lab().open("word2vec", grammar="a b c d e f")
    assert "The grammar asks no analogies" in lab.words


def test_an_answer_that_is_an_input_is_told_as_such():
    lab = Lab().open("word2vec", grammar="a b c d\na - b + c = a")
    assert "a - b + c = a (the answer is an input)" in lab.words


def test_the_parallelogram_has_its_arrows_and_says_what_the_map_leaves_out():
    lab = Lab().open("word2vec")
    (arrows,) = lab.drawn("x2")
    assert [arrow["name"] for arrow in arrows] == ["man to king", "woman to a − b + c", "woman to queen"]
    assert "in all 32 dimensions it is" in lab.words


def test_neighbours_are_those_of_the_cosine():
    lab = Lab().open("word2vec", view="neighbours").set(choice_near="paris")
    assert ranked(lab, 0) == rounded(neighbours(trained().vectors, "paris", 12))


def test_the_matrix_has_every_pair_and_the_odd_one_is_named():
    lab = Lab().open("word2vec", view="similarity", sentences=6_000).set(choice_words="king queen paris")
    (pairs,) = lab.drawn("pair")
    vectors = trained(sentences=6_000).vectors
    assert len(pairs) == 9
    assert pairs[1]["value"] == pytest.approx(float(vectors.similarity("king", "queen")), abs=6e-5)
    assert "**Odd one out:** paris" in lab.words
    rows = lab.tables()[0]
    assert rows[0]["pair"] == "king, queen"
    assert [float(row["cosine"]) for row in rows] == sorted((float(row["cosine"]) for row in rows), reverse=True)


@pytest.mark.parametrize("view", ["similarity", "map"])
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("king xyz", "'xyz' is not among"),
        ("king", "Two words or more"),
        ("", "Two words or more"),
        (("king queen " * 90)[:MAX_LINE_CHARS], ""),
        ("king king queen", ""),
    ],
)
def test_any_line_of_words_is_drawn_or_refused(view, words, said):
    lab = Lab().open("word2vec", view=view).set(choice_words=words)
    assert said in "\n".join([lab.words, *lab.errors()])


def test_the_map_draws_every_word():
    lab = Lab().open("word2vec", view="map").set(choice_words="king, queen, man woman")
    points = lab.drawn("reading")[0]
    assert [point["word"] for point in points] == ["king", "queen", "man", "woman"]


def test_the_gallery_is_computed_from_these_vectors():
    lab = Lab().open("word2vec", view="gallery", sentences=6_000)
    rows = {row["question"]: row for row in lab.tables()[0]}
    assert rows["king - man + woman = queen"]["inputs struck out"].startswith("queen")
    assert "of 12 have all their words here" in lab.words


def test_the_published_questions_are_asked_on_demand():
    lab = Lab().open("word2vec", view="questions", sentences=6_000)
    assert not lab.tables()
    rows = lab.press("Ask them all").tables()[0]
    assert len(rows) == 17
    assert lab.open("tokens").open("word2vec").tables()[0] == rows  # kept while the vectors stay
    assert rows[-1]["section"] == "all"
    assert rows[-1]["questions"] == "19,544"
    family = next(row for row in rows if row["section"] == "family")
    known = set(trained(sentences=6_000).vectors.index_to_key)
    covered = [words for words in sections()["family"] if set(words) <= known]
    assert family["all four words here"].startswith(f"{len(covered)} (")


def test_the_news_train_too():
    lab = Lab().open("word2vec", vectors="news", epochs=2, vector_size=8, negative=1)
    assert "2,747 words, each a vector of 8 numbers." in lab.words
    assert not lab.errors()


def test_two_sessions_with_the_same_settings_share_their_vectors():
    first, second = Lab().open("word2vec", train_seed=77), Lab().open("word2vec", train_seed=77)
    assert ranked(first, 0) == ranked(second, 0)
