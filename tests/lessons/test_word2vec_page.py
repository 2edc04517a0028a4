"""Word2vec: vectors trained on the page, uploaded or downloaded, and the six views of them."""

import gzip
import hashlib
import re
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZipFile

import numpy as np
import pytest
from gensim.models import Word2Vec

from bench.analogies import FIRST_VERSION, seeds_that_depend
from components.base.limits import MAX_LINE_CHARS
from components.downloads import download as downloads
from components.downloads.download import last_download
from components.lessons.word2vec import page
from components.lessons.word2vec import trained as own_vectors
from components.lessons.word2vec.choices import Choices
from components.lessons.word2vec.figure_film import film_figure, parallel
from components.ui.code_view import handout_of
from components.vectors import session_vectors
from components.vectors.analogies import analogy, rank_of
from components.vectors.analogy_questions import sections
from components.vectors.convert import convert
from components.vectors.corpora import GRAMMAR, read_grammar, write_sentences
from components.vectors.sources import SOURCES, Source
from components.vectors.word2vec import train_word2vec
from tests.app_driver import AppDriver
from tests.faulty_server import FaultyHandler, running_http_server
from tests.programs.labels import differences, tensors_of
from tests.programs.on_page.word2vec import shown
from tests.programs.run_programs import run_many
from tests.skipping import skip_or_fail
from tests.states import lesson_state

WORDS = b"king 1 0 1\nqueen 0 1 1\nman 1 0 0\nwoman 0 1 0\nthe 0.1 0.1 0.1\n"
PACKED = gzip.compress(b"5 3\n" + WORDS, mtime=0)
NAME = "glove-wiki-gigaword-50"


def open_vectors(masked=False, **query):
    """Open the page, by a link if there is a query, with all its sections."""
    return AppDriver().open("word2vec", **query).open_sections(masked)


def trained(sentences=1_000, dim=16, window=1, epochs=12, negative=1, seed=8):
    """Return vectors trained with the page's default settings, or others."""
    grammar = read_grammar(GRAMMAR)
    return train_word2vec(
        write_sentences(grammar, sentences, seed), grammar.questions, dim, window, epochs, negative, seed
    )


def ranked(app, number):
    return [(row["word"], pytest.approx(row["score"], abs=6e-5)) for row in app.drawn("score")[number]]


def first(app):
    return app.open_sections().drawn("score")[1][0]["word"]


@pytest.mark.parametrize(
    ("key", "value", "argument"),
    [("sentences", 1_000, "sentences"), ("vector_size", 2, "dim"), ("epochs", 3, "epochs"), ("train_seed", 7, "seed")],
)
def test_setting_trains_the_vectors_of_gensim(key, value, argument):
    app, wanted = open_vectors().set(**{f"word2vec_{key}": value}).open_sections(), trained(**{argument: value})
    for number, included in enumerate((True, False)):
        assert analogy(wanted.vectors, ["king", "woman"], ["man"], 8, include_inputs=included) == ranked(app, number)
    losses, solved = app.drawn("epoch")
    assert [row["value"] for row in losses] == [round(epoch.loss) for epoch in wanted.epochs]
    assert [row["value"] for row in solved] == [epoch.solved for epoch in wanted.epochs]
    assert ("Not solved: " in app.words) == (wanted.epochs[-1].solved < 8)


@pytest.mark.parametrize(("method", "score"), [("add", "cosine similarity"), ("mul", "score of 3CosMul")])
def test_analogy_has_the_answers_and_the_rank_of_its_method(method, score):
    query = {"word_a": "paris", "word_b": "france", "word_c": "italy", "expected": "king"}
    app = open_vectors(**query).set(word2vec_method=method)
    vectors, words = trained().vectors, (["paris", "italy"], ["france"])
    for number, included in enumerate((True, False)):
        assert analogy(vectors, *words, 8, included, method) == ranked(app, number)
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
        for view in ("neighbors", "similarity", "map", "gallery", "questions"):
            app.set(word2vec_view=view)


def test_neighbors_similarity_and_map_are_those_of_the_vectors():
    app, vectors = open_vectors(view="neighbors", near="paris"), trained().vectors
    assert vectors.most_similar("paris", topn=12) == ranked(app, 0)
    assert "'xyz' is not among" in app.set(word2vec_near="xyz").errors()[0]
    words = ["king", "queen", "paris"]
    app.open("word2vec", view="similarity", words="king, queen paris")
    wanted = sorted(float(vectors.similarity(a, b)) for a in words for b in words)
    assert sorted(row["value"] for row in app.drawn("cell")[0]) == pytest.approx(wanted, abs=6e-5)
    assert "**Odd one out:** paris" in app.words
    assert "**No odd one out:**" in app.set(word2vec_words="king queen prince princess").words
    app.set(word2vec_words="king, queen paris")
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
    assert app.open("tokens").open("word2vec").open_sections().tables()[0] == rows  # kept while the vectors stay
    assert (rows[-1]["section"], rows[-1]["questions"]) == ("all", "19,544")
    known = set(trained(sentences=6_000).vectors.index_to_key)
    covered = [words for words in sections()["family"] if set(words) <= known]
    assert next(row for row in rows if row["section"] == "family")["covered"].startswith(f"{len(covered)} (")


def test_news_can_be_trained_on():
    app = open_vectors(masked=True, vectors="news", epochs=2, vector_size=8, negative=1)
    assert "2,747 words, each a vector of 8 numbers." in app.words


def upload(app, content, name="words.txt"):
    app.at.file_uploader[0].set_value((name, content, "application/octet-stream"))
    return app.run()


def test_uploaded_file_is_used_in_its_session_until_it_is_removed():
    before, name = sum(session_vectors.bytes_taken.values()), "<b>:red[x].txt"
    app = upload(open_vectors(vectors="upload"), WORDS, name)
    assert first(app) == "queen"
    assert sum(session_vectors.bytes_taken.values()) > before
    assert not open_vectors(vectors="upload").charts()
    assert f"5 words of your file {name}" in app.open("home").open("word2vec").words
    assert "No file yet" in app.press("Remove these vectors").words
    assert sum(session_vectors.bytes_taken.values()) == before
    upload(app, WORDS).at.file_uploader[0].set_value(None)
    assert "No file yet" in app.run().words
    assert sum(session_vectors.bytes_taken.values()) == before


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
    own_vectors.open_vectors.cache.clear()
    app = open_vectors(vectors=NAME)
    assert app.button("Download (").label == "Download (69.2 MB)"
    assert "297.6 MB of memory, once; afterwards it takes 105.6 MB on the disk" in app.words
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
    assert len(own_vectors.open_vectors.cache) == 1


HEADER = b"6 3\n"
PADDED = WORDS + b"<pad> 0 0 0\n"
BINARY = HEADER + b"".join(
    line.split()[0] + b" " + np.array(line.split()[1:], dtype="<f4").tobytes() for line in PADDED.splitlines()
)


def zipped(content):
    with ZipFile(file := BytesIO(), "w") as archive:
        archive.writestr("word2vec_sample/pruned.word2vec.txt", content)
    return file.getvalue()


def check_program(app, file):
    """Run the program on the page; compare it with the page."""
    (ran,) = run_many([app.open_sections().open_section("code").code()[-1].replace(f'"{file.name}"', repr(str(file)))])
    assert differences(ran.printed, shown(app)) == []
    assert np.array_equal(ran.values["vectors"], tensors_of(app)["vectors"])


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("glove.txt", PADDED),
        ("w2v.txt", HEADER + PADDED),
        ("w2v.txt.gz", gzip.compress(PADDED, mtime=0)),
        ("w2v.bin", BINARY),
    ],
)
def test_program_of_an_uploaded_file_reads_it(tmp_path, name, content):
    file = tmp_path / name
    file.write_bytes(content)
    check_program(upload(open_vectors(vectors="upload"), content, name), file)


@pytest.mark.parametrize(
    ("name", "file", "content"),
    [
        (NAME, "glove.gz", gzip.compress(HEADER + PADDED, mtime=0)),
        ("word2vec_sample", "sample.zip", zipped(HEADER + PADDED)),
        ("word2vec-google-news-300", "google.gz", gzip.compress(BINARY, mtime=0)),
    ],
)
def test_program_of_published_vectors_downloads_them(monkeypatch, tmp_path, name, file, content):
    monkeypatch.setenv("EMBEDDING_LAB_CACHE", str(tmp_path))
    own_vectors.open_vectors.cache.clear()
    published = tmp_path / file
    published.write_bytes(content)
    monkeypatch.setitem(SOURCES, name, replace(SOURCES[name], url=published.as_uri()))
    assert handout_of(page, lesson_state("word2vec", vectors=name)) is not None  # before they are on the server
    convert(published, SOURCES[name].target, SOURCES[name].binary)
    check_program(open_vectors(vectors=name), published)


REAL = Path(__file__).parents[3] / "shared" / "data" / "word2vec-1000x300.bin"
WORDS_ASKED = ("king", "man", "woman")


def shown_distances(figure):
    text = re.search(r"Distances from the sum: (.*?)\. ", figure.reading)[1]
    return dict(pair.rsplit(" ", 1) for pair in text.split(", "))


def shown_ranking(figure):
    return re.findall(r" ([\d–]+) (\S+): cosine similarity (\d\.\d{3})", figure.reading)


def test_figure_hides_the_inputs_and_the_distances_until_the_prediction():
    app = open_vectors(masked=True)
    assert app.state.choices.exclude
    assert {*shown_distances(app.learner.outputs.figure).values()} == {"?"}
    assert not {word for _, word, _ in shown_ranking(app.learner.outputs.figure)} & {*WORDS_ASKED}
    assert "give the answer: answer the question below the figure first." in app.words
    hidden = app.set(word2vec_exclude=False).learner.outputs.figure
    assert shown_ranking(hidden) == []
    assert "answer below to see it" in hidden.drawing
    assert "0.9" not in re.sub(r'="[^"]*"', "", hidden.drawing)
    figure = app.press("Show me").learner.outputs.figure
    vectors = trained().vectors
    unit = {word: vectors.get_vector(word, norm=True).astype(float) for word in vectors.index_to_key}
    total = unit["king"] - unit["man"] + unit["woman"]
    for word, far in shown_distances(figure).items():
        assert float(far) == pytest.approx(np.linalg.norm(total - unit[word]), abs=0.0051)
    cosines = {word: total @ unit[word] / np.linalg.norm(total) for word in unit}
    nearest = sorted(cosines, key=cosines.get, reverse=True)[:7]
    found = shown_ranking(figure)
    assert [(rank, word) for rank, word, _ in found] == [(str(n), word) for n, word in enumerate(nearest, 1)]
    assert [float(cosine) for *_, cosine in found] == pytest.approx([cosines[word] for word in nearest], abs=6e-4)
    excluded = app.set(word2vec_exclude=True).learner.outputs.figure
    assert [row[:2] for row in shown_ranking(excluded)[:2]] == [("–", "king"), ("1", "queen")]


def test_defaults_show_an_answer_that_depends_on_excluding_the_inputs():
    depends = seeds_that_depend(Choices())["king - man + woman = queen"]
    assert depends >= 6
    assert depends > seeds_that_depend(FIRST_VERSION)["king - man + woman = queen"]
    words = open_vectors().words
    assert "With nothing excluded king is nearest" in words
    assert "were picked" in words
    assert "were picked" not in open_vectors(epochs=11).words


def test_figure_of_the_published_thousand_words():
    if not REAL.exists():
        skip_or_fail(f"{REAL} is missing: it is not part of this project")
    app = upload(open_vectors(vectors="upload"), REAL.read_bytes(), "real.bin")
    figure = app.learner.outputs.figure
    assert shown_ranking(figure)[:3] == [("–", "king", "0.801"), ("1", "queen", "0.552"), ("2", "she", "0.317")]
    assert shown_distances(figure)["king"] == "0.68"
    assert shown_distances(figure)["queen"] == "1.02"
    assert "queen is 0.86 above the plane" in figure.reading


@pytest.mark.parametrize(
    "words", [("king", "king", "king"), ("king", "king", "woman"), ("king", "man", "man"), ("king", "man", "king")]
)
@pytest.mark.parametrize("size", [2, 3, 16])
def test_figure_of_equal_words_and_few_dimensions_is_drawn(words, size):
    a, b, c = words
    app = open_vectors(word_a=a, word_b=b, word_c=c, vector_size=size)
    for masked in (True, False):
        figure = app.learner.outputs.figure
        assert "nan" not in figure.drawing.lower().replace("princess", "")
        assert figure.height <= 390
        assert len(figure.svg()) < 32_000
        ElementTree.fromstring(figure.file())
        if masked and "Show me" in app.labels():
            app.press("Show me")


def test_figure_escapes_words_of_any_file():
    word = "<b>&\u202e{{7*7}}\u0645\u0644\u0643xyz"
    rows = f"{word} 1 0 1\nqueen 0 1 1\nman 1 0 0\nwoman 0 1 0\n".encode()
    app = upload(open_vectors(vectors="upload", word_a=word), rows)
    ElementTree.fromstring(app.learner.outputs.figure.file())
    assert "<b>" not in app.learner.outputs.figure.drawing
    assert "49" not in app.learner.outputs.figure.reading


def test_link_to_a_view_opens_it():
    assert AppDriver().open("word2vec", view="gallery").tables()
    assert not AppDriver().open("word2vec").charts()


def test_film_shows_one_training_with_the_words_of_the_analogy():
    app = open_vectors()
    words = ("king", "man", "woman", "queen", "prince", "princess")
    frames = own_vectors.film(app.state.choices, words)
    assert frames.shape == (81, 6, 16)
    sentences = write_sentences(read_grammar(GRAMMAR), 1_000, 8)
    start = Word2Vec(vector_size=16, seed=8, min_count=1, sample=0)
    start.build_vocab(sentences)
    assert np.array_equal(frames[0], start.wv[[*words]])
    figure = film_figure([*words], frames)
    shown = re.search(r"is (\S+) at the start and (\S+) at the end", figure.reading).groups()
    for text, each in zip(shown, (frames[0], frames[-1]), strict=True):
        one, other = each[0] - each[1], each[3] - each[2]
        cosine = one @ other / np.linalg.norm(one) / np.linalg.norm(other)
        assert float(text.replace("−", "-")) == pytest.approx(cosine, abs=0.0051)
    assert parallel(frames[-1]) > parallel(frames[0])
    assert len(figure.svg()) < 55_000
    moved = np.linalg.norm(np.diff(frames, axis=0), axis=2).max(axis=1)
    assert moved[:3].max() < moved.max() / 3  # a quadratic spacing: the first frames differ little


@pytest.mark.parametrize(
    "query", [{"vectors": "news", "epochs": 1}, {"vector_size": 2, "words": ""}, {"word_b": "king"}]
)
def test_film_of_any_words_and_corpus_is_drawn(query):
    app = open_vectors(**({"word_a": "he", "word_b": "his", "word_c": "her"} if "vectors" in query else {}) | query)
    assert any("film trains once more" in caption.value for caption in app.at.caption)
