"""Word2vec: vectors trained on the page, uploaded or downloaded, and the six views of them."""

import gzip
import hashlib
from dataclasses import replace

import pytest

from components.base import downloads
from components.base.downloads import last_download
from components.base.limits import MAX_LINE_CHARS
from components.lessons.word2vec import page_download
from components.vectors import session_vectors
from components.vectors.analogies import analogy, neighbours, rank_of
from components.vectors.analogy_questions import sections
from components.vectors.corpora import GRAMMAR, read_grammar, write_sentences
from components.vectors.sources import SOURCES, Source
from components.vectors.word2vec import train_word2vec
from tests.app_driver import AppDriver
from tests.faulty_server import FaultyHandler, running_http_server

WORDS = b"king 1 0 1\nqueen 0 1 1\nman 1 0 0\nwoman 0 1 0\nthe 0.1 0.1 0.1\n"
PACKED = gzip.compress(WORDS, mtime=0)
NAME = "glove-wiki-gigaword-50"


def open_vectors(**query):
    return AppDriver().open("word2vec", **query)


def trained(sentences=600, **settings):
    grammar = read_grammar(GRAMMAR)
    return train_word2vec(write_sentences(grammar, sentences, settings.get("seed", 1)), grammar.questions, **settings)


def ranked(app, number):
    return [(row["word"], pytest.approx(row["score"], abs=6e-5)) for row in app.drawn("score")[number]]


def first(app):
    return app.drawn("score")[1][0]["word"]


@pytest.mark.parametrize(
    ("key", "value", "argument"),
    [("sentences", 1_000, "sentences"), ("vector_size", 2, "dim"), ("epochs", 3, "epochs"), ("train_seed", 7, "seed")],
)
def test_setting_trains_the_vectors_of_gensim(key, value, argument):
    app, wanted = open_vectors().set(**{f"word2vec_{key}": value}), trained(**{argument: value})
    for number, included in enumerate((True, False)):
        assert analogy(wanted.vectors, ["king", "woman"], ["man"], 8, include_inputs=included) == ranked(app, number)
    losses, solved = app.drawn("epoch")
    assert [row["value"] for row in losses] == [round(epoch.loss) for epoch in wanted.epochs]
    assert [row["value"] for row in solved] == [epoch.solved for epoch in wanted.epochs]
    assert ("Not solved: " in app.words) == (wanted.epochs[-1].solved < 8)


@pytest.mark.parametrize(("method", "score"), [("add", "cosine similarity"), ("mul", "score of 3CosMul")])
def test_analogy_has_the_answers_and_the_rank_of_its_method(method, score):
    app = open_vectors(word_a="paris", word_b="france", word_c="italy", expected="king").set(word2vec_method=method)
    vectors, words = trained().vectors, (["paris", "italy"], ["france"])
    for number, included in enumerate((True, False)):
        assert analogy(vectors, *words, 8, included, method) == ranked(app, number)
    assert [arrow["name"] for arrow in app.drawn("x2")[0]] == ["france to paris", "italy to a − b + c", "italy to rome"]
    rank = rank_of(vectors, *words, "king", method)
    assert f"{score} **{rank.score:.4f}**, rank **{rank.included}** with input words included" in app.words
    assert f"rank **{rank.excluded}** with them excluded" in app.words
    assert "It is an input itself." in app.set(word2vec_expected="paris").words
    assert "'xyz' is not among" in app.set(word2vec_expected="xyz").words
    assert "among 119 words" not in app.set(word2vec_expected="").words


def test_unknown_word_is_named_with_similar_spellings():
    app = open_vectors(word_a="<b>x</b>")
    for word, named in (("King", "not among the 119 words here"), (" ", "A word is missing"), ("quen", "mean queen?")):
        assert named in app.set(word2vec_word_a=word).errors()[0]
    assert app.widget("offer_word_a").options == ["queen"]
    assert not app.set(offer_word_a="queen").errors()
    assert app.state.choices.word_a == "queen"


def test_grammar_can_be_changed_and_reset():
    app = open_vectors().set(grammar=GRAMMAR.replace("queen", "xyzzy"))
    assert first(app) == "xyzzy"
    assert app.press("Reset grammar").state.choices.grammar == ""
    assert "xyzzy" not in app.words


@pytest.mark.parametrize(
    ("grammar", "words"),
    [
        ("the [loyal] one", "no word has the feature 'loyal'"),
        ("a b c", "so there is no answer without them"),
        ("a b c d", "The grammar has no analogies"),
        ("a b c d\na - b + c = a", "a - b + c = a (the answer is an input)"),
        ("a b c d\na - b + c = e", "e has no vector"),
    ],
)
def test_grammar_with_too_little_in_it_is_named_in_every_view(grammar, words):
    app = open_vectors(grammar=grammar, word_a="a", word_b="b", word_c="c", near="a", words="a b")
    assert words in "\n".join([app.words, *app.errors()])
    if words == "so there is no answer without them":
        for view in ("neighbours", "similarity", "map", "gallery", "questions"):
            app.set(word2vec_view=view)


def test_neighbours_similarity_and_map_are_those_of_the_vectors():
    app, vectors = open_vectors(view="neighbours", near="paris"), trained().vectors
    assert neighbours(vectors, "paris", 12) == ranked(app, 0)
    assert "'xyz' is not among" in app.set(word2vec_near="xyz").errors()[0]
    words = ["king", "queen", "paris"]
    app.open("word2vec", view="similarity", words="king, queen paris")
    wanted = sorted(float(vectors.similarity(a, b)) for a in words for b in words)
    assert sorted(row["value"] for row in app.drawn("pair")[0]) == pytest.approx(wanted, abs=6e-5)
    assert "**Odd one out:** paris" in app.words
    cosines = [float(row["cosine"]) for row in app.tables()[0]]
    assert cosines == sorted(cosines, reverse=True)
    assert [point["word"] for point in app.set(word2vec_view="map").drawn("reading")[0]] == words


def test_any_line_of_words_is_drawn_or_shows_an_error():
    app, every = open_vectors(view="similarity"), " ".join(trained().vectors.index_to_key)[:MAX_LINE_CHARS]
    assert "'xyz' is not among" in app.set(word2vec_words="king xyz").errors()[0]
    assert "Two words or more make a matrix." in app.words
    assert "Two words or more make a map." in app.set(word2vec_view="map").words
    assert not app.set(word2vec_words="king king queen").errors()
    assert "are more than" in app.set(word2vec_words=every).errors()[0]


def test_gallery_and_published_questions_are_computed_from_these_vectors():
    app = open_vectors(view="gallery", sentences=6_000)
    rows = {row["question"]: row for row in app.tables()[0]}
    assert rows["king - man + woman = queen"]["inputs excluded"].startswith("queen")
    assert not app.set(word2vec_view="questions").tables()
    rows = app.press("Run all questions").tables()[0]
    assert app.open("tokens").open("word2vec").tables()[0] == rows  # kept while the vectors stay
    assert (rows[-1]["section"], rows[-1]["questions"]) == ("all", "19,544")
    known = set(trained(sentences=6_000).vectors.index_to_key)
    covered = [words for words in sections()["family"] if set(words) <= known]
    assert next(row for row in rows if row["section"] == "family")["covered"].startswith(f"{len(covered)} (")


def test_news_can_be_trained_on():
    app = open_vectors(vectors="news", epochs=2, vector_size=8, negative=1)
    assert "2,747 words, each a vector of 8 numbers." in app.words


def upload(app, content, name="words.txt"):
    app.at.file_uploader[0].set_value((name, content, "application/octet-stream"))
    return app.run()


def test_uploaded_file_is_used_in_its_session_until_it_is_removed():
    before, name = session_vectors.bytes_in_use(), "<b>:red[x].txt"
    app = upload(open_vectors(vectors="upload"), WORDS, name)
    assert first(app) == "queen"
    assert session_vectors.bytes_in_use() > before
    assert not open_vectors(vectors="upload").charts()
    assert f"5 words of your file {name}" in app.open("home").open("word2vec").words
    assert "No file yet" in app.press("Remove these vectors").words
    assert session_vectors.bytes_in_use() == before
    upload(app, WORDS).at.file_uploader[0].set_value(None)
    assert "No file yet" in app.run().words
    assert session_vectors.bytes_in_use() == before


def test_invalid_file_shows_an_error_and_leaves_the_one_before():
    app = open_vectors(vectors="upload")
    (error,) = upload(app, b"king 1 2\nqueen 1\n").errors()
    assert error.startswith("words.txt: ")
    assert "line 2" in error
    assert not app.charts()
    assert not upload(app, WORDS).errors()
    assert "still in use" in upload(app, b"king 1 nan\n").errors()[0]
    assert first(app) == "queen"


class Files(FaultyHandler):
    def send_good(self):
        self.send(PACKED)


def test_published_vectors_are_downloaded_and_opened_once_for_all_sessions(monkeypatch, tmp_path):
    monkeypatch.setenv("EMBEDDING_LAB_CACHE", str(tmp_path))
    monkeypatch.setattr(downloads, "_downloads", {})
    monkeypatch.setattr(page_download, "_opened", {})
    app = open_vectors(vectors=NAME)
    assert app.button("Download (").label == "Download (69.2 MB)"
    assert "105.6 MB on the disk afterwards" in app.words
    with monkeypatch.context() as full_disk:
        full_disk.setattr(Source, "blocking_reason", lambda source: "It needs 1 GB, and 2 MB are free: delete some.")
        assert app.run().errors() == ["It needs 1 GB, and 2 MB are free: delete some."]
        assert app.button("Download (").disabled
    with running_http_server(Files) as server:
        values = {"url": f"{server.address}/good.gz", "bytes": len(PACKED), "words": 5, "dim": 3}
        checksum = f"md5:{hashlib.md5(PACKED).hexdigest()}"
        monkeypatch.setitem(SOURCES, NAME, replace(SOURCES[NAME], checksum=checksum, **values))
        app.run().press("Download (")
        assert last_download(SOURCES[NAME]).wait(20.0)
    assert first(app.run()) == first(open_vectors(vectors=NAME)) == "queen"
    assert len(page_download._opened) == 1
