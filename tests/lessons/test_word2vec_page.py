"""Word2vec: vectors trained on the page, uploaded or downloaded, and the six views of them."""

import gzip
import hashlib
import math
import re
from collections import Counter
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from zipfile import ZipFile

import numpy as np
import pytest
import torch

from components.base.limits import MAX_LINE_CHARS
from components.downloads.download import last_download
from components.figures.cells import number
from components.lessons.word2vec import page, page_training
from components.lessons.word2vec import trained as own_vectors
from components.lessons.word2vec.figure_film import cosine, parallel
from components.ui.code_view import handout_of
from components.ui.download_registry import registered
from components.vectors import session_vectors
from components.vectors.corpora import GRAMMAR
from components.vectors.layout import BYTE_ORDER_MARK
from components.vectors.load import convert
from components.vectors.sources import SOURCES, Source
from components.vectors.word2vec import Epoch
from tests.app_driver import AppDriver
from tests.faulty_server import running_http_server
from tests.figures.drawn import all_of, names, root_of, texts
from tests.figures.on_figure.training import pairs_of
from tests.programs.labels import differences, only, tensors_of
from tests.programs.on_page.word2vec import shown
from tests.programs.run_programs import run_many
from tests.states import app_state, facts

WORDS = b"king 1 0 1\nqueen 0 1 1\nman 1 0 0\nwoman 0 1 0\nthe 0.1 0.1 0.1\n"
PACKED = gzip.compress(b"5 3\n" + WORDS, mtime=0)
NAME = "glove-wiki-gigaword-50"


def open_vectors(masked=False, **query):
    """Open the page at its analogy, by a link if there is a query, with all its sections."""
    return AppDriver().open("word2vec", **{"scene": "analogy"} | query).open_sections(masked)


def first(app):
    return app.open_sections().drawn("score")[1][0]["word"]


def test_settings_train_vectors_whose_words_and_epochs_are_shown():
    entered = {"sentences": 900, "vector_size": 2, "epochs": 3, "train_seed": 7}
    app = open_vectors().set(**{f"word2vec_{name}": value for name, value in entered.items()})
    assert vars(app.state.choices).items() >= entered.items()
    assert own_vectors.trained_vectors.cache.currsize > 0
    wanted, (losses, solved) = own_vectors.trained_vectors(app.state), app.open_sections().drawn("epoch")
    words = wanted.vectors.index_to_key
    assert registered(app.learner)["words"] == [{"row": row, "word": word} for row, word in enumerate(words)]
    assert [row["value"] for row in losses] == [epoch.loss for epoch in wanted.epochs]
    assert [row["value"] for row in solved] == [epoch.solved for epoch in wanted.epochs]


def test_progress_of_a_training_names_epochs_and_analogies(monkeypatch):
    shown, bar = [], SimpleNamespace(progress=lambda done, text="": shown.append((done, text)), empty=list)
    monkeypatch.setattr(page_training.st, "progress", lambda *_, **__: bar)
    monkeypatch.setattr(page_training, "SECONDS_WITHOUT_BAR", 0)
    own_vectors.trained_vectors.cache.clear()
    epochs = own_vectors.trained_vectors(open_vectors(epochs=2, train_seed=3, sentences=50).state).epochs
    assert epochs[0].loss < 1_000
    about = [f"loss {each.loss:.4g}, {each.solved} analogies solved" for each in epochs]
    assert shown == [(0.5, f"Epoch 1 of 2: {about[0]}"), (1, f"Epoch 2 of 2: {about[1]}")]


def test_analogy_solved_for_a_time_is_not_counted_at_the_end(monkeypatch):
    readings = []
    monkeypatch.setattr(page_training, "show_chart", lambda plot, reading: readings.append(reading))
    epochs = [Epoch(3.0, (2,)), Epoch(2.0, (1,)), Epoch(1.0, (2,))]
    page_training.show_epochs(SimpleNamespace(epochs=epochs, questions=("a - b + c = d",)))
    assert "at the end: 0 of 1; the earliest was solved after epoch 2. Solved:" in readings[1]


@pytest.mark.parametrize("name", ["opposites", "corpus"])
def test_seed_of_the_training_chooses_what_is_asked(name):
    def asked(**choices):
        return getattr(facts("word2vec"), name)(app_state(**choices).lesson("word2vec"), ())

    first = asked(train_seed=1)
    assert [asked(train_seed=1, scene=scene) for scene in ("step", "film", "analogy")] == [first] * 3
    assert asked(train_seed=2) != first


def test_answer_among_the_inputs_or_not_among_the_words_is_named():
    app = open_vectors()
    for expected, words in (("woman", "It is an input itself."), ("xyz", "'xyz' is not among")):
        assert words in app.set(word2vec_expected=expected).words


@pytest.mark.parametrize(
    ("words", "epochs", "changes", "chosen"),
    [
        ("king man woman", 12, True, True),
        ("king man woman", 11, True, False),
        ("king king king", 12, True, False),
        ("paris france italy", 12, False, False),
    ],
)
def test_settings_are_called_chosen_only_for_their_own_analogy(words, epochs, changes, chosen):
    app = open_vectors(epochs=epochs, **dict(zip(("word_a", "word_b", "word_c"), words.split(), strict=True)))
    assert ("whether the input words are excluded or not" in app.words) != changes
    assert ("were chosen because excluding the input words changes the answer here" in app.words) == chosen


def test_unknown_word_is_named_with_similar_spellings():
    app = open_vectors(word_a="<b>x</b>")
    for word, named in (("King", "not among the 119 words here"), (" ", "A word is missing"), ("quen", "mean queen?")):
        assert named in app.set(word2vec_word_a=word).words
        assert "Until you choose another word, the figure shows 'king − man + woman'." in app.words
        assert app.learner.outputs.figure.reading.startswith("Nearest to king − man + woman")
    assert app.widget("offer_word_a").options == ["queen"]
    assert "the" in app.set(word2vec_word_a="xqxqxq").widget("offer_word_a").options
    app.set(word2vec_word_a="quen")
    assert "Until you choose" not in app.set(offer_word_a="queen").words
    assert app.state.choices.word_a == "queen"


def test_grammar_can_be_changed_and_reset():
    app = open_vectors().set(grammar=GRAMMAR.replace("queen", "xyzzy"))
    assert first(app) == "xyzzy"
    assert app.press("Reset grammar").state.choices.grammar == ""
    assert "xyzzy" not in app.words
    own = open_vectors(grammar="she knows him well\nhim - she + knows = well")
    assert (
        "'king' is not among the 4 words here. Until you choose another word, the figure shows 'him − she + knows'."
        in own.words
    )


@pytest.mark.parametrize(
    ("grammar", "words"),
    [
        ("the [loyal] one", "no word has the feature 'loyal'"),
        ("a b c", "no word is left as an answer"),
        ("a b c d", "This corpus lists no analogies"),
        ("a b c d\na - b + c = a", "a - b + c = a (the answer is an input)"),
        ("a b c d\na - b + c = e", "e has no vector"),
    ],
)
def test_grammar_with_too_little_in_it_is_named_in_every_view(grammar, words):
    app = open_vectors(grammar=grammar, word_a="a", word_b="b", word_c="c", near="a", words="a b")
    assert words in "\n".join([app.words, *app.errors()])
    if words == "no word is left as an answer":
        for view in ("neighbors", "similarity", "map", "gallery", "questions"):
            app.set(word2vec_view=view)


def test_odd_one_out_is_named_unless_it_is_chance():
    app = open_vectors(view="similarity", words="king, queen paris")
    assert "**Odd one out:** paris" in app.words
    (pairs,) = app.tables()
    assert [row["cosine"] for row in pairs] == [number(app.cells()[row["pair"]], 4) for row in pairs]
    assert "**No odd one out:**" in app.set(word2vec_words="king queen man woman").words


def test_any_line_of_words_is_drawn_or_shows_an_error():
    app = open_vectors(view="similarity")
    every = " ".join(own_vectors.chosen_vectors(app.state).index_to_key)[:MAX_LINE_CHARS]
    left_out = "'xyz' is not among the 119 words here. Left out with 'xyz': 'q1', 'q2'."
    assert app.set(word2vec_words="xyz king q1 queen q2").errors() == [left_out]
    assert app.set(word2vec_words="king xyz").errors() == ["'xyz' is not among the 119 words here."]
    assert "Two words or more make a matrix." in app.words
    assert "Two words or more make a map." in app.set(word2vec_view="map").words
    assert not app.set(word2vec_words="king king queen").errors()
    assert "no room" not in app.words
    assert "are more than" in app.set(word2vec_words=every).errors()[0]
    assert "If there is no room for a word" in app.words
    assert len(app.set(word2vec_view="similarity").numbers()) == 40 * 40


def test_published_questions_are_asked_once_for_the_same_vectors():
    app = open_vectors(view="gallery", sentences=6_000)
    rows = {row["question"]: row for row in app.tables()[0]}
    assert rows["king - man + woman = queen"]["inputs excluded"].startswith("queen")
    assert not app.set(word2vec_view="questions").run().tables()
    rows = app.press("Run all questions").tables()[0]
    assert app.open("tokens").open("word2vec").open_sections().tables()[0] == rows  # cached for the same vectors
    assert (rows[-1]["section"], rows[-1]["questions"]) == ("all", "19,544")
    assert re.fullmatch(r"\d\d \(below 1%\)", rows[-1]["covered"])


def upload(app, content, name="words.txt"):
    app.at.file_uploader[0].set_value((name, content, "application/octet-stream"))
    return app.run()


@pytest.mark.parametrize(
    ("rows", "shown", "not_shown"),
    [
        ("king 1 0\nqueen 0 0\nman 0 0", "“queen” and “man” (0.000) are answers only because", "On average"),
        ("king 1 0", "'man' is not among the 1 word here.", "the figure shows"),
        (
            "king 1 0\nman 1 0\nwoman 1 0\nqueen 1 0",
            "“king”, “man”, “woman” and “queen” are equally near (1.000).",
            "only because",
        ),
        (
            "king .5 .5 .5 .5\nman 1 0 0 0\nwoman .5 -.5 -.5 -.5\nqueen 0 1 0 0",
            "a − b + c of these unit vectors is 0 and has no direction",
            "equally near",
        ),
        (
            "king 1 0\nman 0 1\nwoman 1 1\nqueen 5 -1\nprince 5 -1",
            "“queen” and “prince” are equally near",
            "is nearest",
        ),
        (
            "king 1 0\nman 0 1\nwoman -1 0\nqueen 0 1",
            "“king” and “woman” are equally near (0.000): “queen”",
            "is nearest",
        ),
        (
            "king 1 0\nman 0 1\nwoman -1 0",
            "Most alike: man and woman and 1 other pair, 0.0000. Least alike: king",
            "alike: man and woman,",
        ),
        ("king 1 0\nman 1 3\nwoman 1 -3", "man is not farther than woman, cosine", "is farthest"),
        ("king 1\nman 2\nwoman -1\nqueen -2", "**No odd one out:** the mean of all is zero", "mean of all,"),
        ("king 1\nman 2\nwoman -1\nqueen -2", "in the only direction of their vectors", "vertical"),
        ("king 1 0\nman 2 0\nwoman 3 0", "each has the cosine similarity 1.0000 with the mean of all", "is farthest"),
        ("king 1 0\nman 2 0\nwoman 3 0", "All pairs are equally alike: 1.0000.", "Least"),
        ("king 1 0", "The nearest of the 1 word is the answer.", "1 words"),
        ("king 1 0", "'king' is the only word here and has no neighbors", "Nearest to"),
    ],
    ids=[
        "one direction",
        "one word",
        "equal vectors",
        "sum of zero",
        "equally near",
        "equal inputs",
        "equal pairs",
        "equally far",
        "opposite vectors",
        "one dimension",
        "no odd one",
        "no least",
        "test of one word",
        "no neighbors",
    ],
)
def test_smallest_files_are_shown_without_what_they_do_not_have(rows, shown, not_shown):
    words, D = len(rows.splitlines()), len(rows.split("\n")[0].split()) - 1
    app = upload(open_vectors(vectors="upload", words="king man woman queen"), f"{words} {D}\n{rows}\n".encode())
    if "Show me" in app.labels():
        app.press("Show me")
    words = "".join(app.set(word2vec_view=view).words for view in ("neighbors", "similarity", "map", "questions"))
    assert shown in words
    assert not_shown not in words


def test_figure_of_vectors_of_one_number_counts_one():
    app = upload(open_vectors(vectors="upload"), b"king 1\nman 2\nwoman -1\nqueen -3\n")
    drawn = {each.text for each in texts(app.learner.outputs.figure)}
    assert {"unit vectors of 1 number", "exact in 1 dimension, drawn obliquely"} <= drawn


def test_uploaded_file_is_used_in_its_session_until_removed():
    before, name = sum(session_vectors.bytes_taken.values()), "<b>:red[x].txt"
    app = upload(open_vectors(vectors="upload"), WORDS, name)
    assert first(app) == "queen"
    assert sum(session_vectors.bytes_taken.values()) > before
    assert not open_vectors(vectors="upload").charts()
    assert f"5 words of your file {name}" in app.open("home").open("word2vec").words
    assert "No file yet" in app.press("Remove these vectors").words
    assert not app.answers()  # nothing to ask about
    assert sum(session_vectors.bytes_taken.values()) == before
    upload(app, WORDS).at.file_uploader[0].set_value(None)
    assert "No file yet" in app.run().words
    assert sum(session_vectors.bytes_taken.values()) == before


def test_invalid_file_shows_an_error_and_leaves_the_one_before():
    app = open_vectors(vectors="upload")
    (error,) = upload(app, b"king 1 2\nqueen 1\n").errors()
    assert error.startswith("words.txt: ")
    assert "line 2" in error
    assert "No file yet" not in app.words
    assert not app.charts()
    assert not upload(app, WORDS).errors()
    assert "still in use" in upload(app, b"king 1 nan\n").errors()[0]
    assert first(app) == "queen"


def test_downloaded_vectors_are_opened_once_for_all_sessions(monkeypatch, cache, no_downloads):
    own_vectors.open_vectors.cache.clear()
    app = open_vectors(vectors=NAME)
    assert app.button("Download (").label == "Download (69.2 MB)"
    assert "297.6 MB of memory, once; afterwards it takes 105.6 MB on the disk" in app.words
    with monkeypatch.context() as full_disk:
        full_disk.setattr(Source, "blocking_reason", lambda source: "It needs 1 GB, and 2 MB are free: delete some.")
        assert app.run().errors() == ["It needs 1 GB, and 2 MB are free: delete some."]
        assert app.button("Download (").disabled
    with running_http_server(PACKED) as server:
        values = {"url": f"{server.address}/good.gz", "bytes": len(PACKED), "words": 5, "dim": 3}
        checksum = f"md5:{hashlib.md5(PACKED).hexdigest()}"
        monkeypatch.setitem(SOURCES, NAME, replace(SOURCES[NAME], checksum=checksum, **values))
        app.run().press("Download (")
        assert last_download(SOURCES[NAME]).wait(60.0)
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


UPLOADED = {
    "glove.txt": PADDED,
    "w2v.txt": HEADER + PADDED,
    "columns.txt": BYTE_ORDER_MARK + PADDED.replace(b" ", b"\t") + "at once\t1 2 0\nkg\u00a0 0 1 2\n\n".encode(),
    "w2v.txt.gz": gzip.compress(PADDED, mtime=0),
    "w2v.bin": BINARY,
}
PUBLISHED = {
    NAME: gzip.compress(HEADER + PADDED, mtime=0),
    "word2vec_sample": zipped(HEADER + PADDED),
    "word2vec-google-news-300": gzip.compress(BINARY, mtime=0),
}


def test_program_of_a_file_reads_it(monkeypatch, tmp_path, cache):
    own_vectors.open_vectors.cache.clear()
    found = {}
    for name, content in UPLOADED.items():
        (tmp_path / name).write_bytes(content)
        found[tmp_path / name] = upload(open_vectors(vectors="upload"), content, name)
    for name, content in PUBLISHED.items():
        file = tmp_path / Path(SOURCES[name].url).name
        file.write_bytes(content)
        monkeypatch.setitem(SOURCES, name, replace(SOURCES[name], url=file.as_uri()))
        assert handout_of(page, app_state(vectors=name).lesson("word2vec")) is not None  # before they are on the server
        convert(file, SOURCES[name].target, SOURCES[name].binary)
        found[file] = open_vectors(vectors=name)
    codes = [app.open_sections().open_section("The code").code()[-1] for app in found.values()]
    programs = [code.replace(f'"{file.name}"', repr(str(file))) for file, code in zip(found, codes, strict=True)]
    for app, ran in zip(found.values(), run_many(programs), strict=True):
        assert differences(ran.printed, shown(app)) == []
        assert np.array_equal(ran.values["vectors"], tensors_of(app)["vectors"])


def test_what_to_notice_in_the_film_follows_from_its_vectors():
    app, words = open_vectors(scene="film"), ("king", "man", "woman", "queen", "wears")
    frames = own_vectors.film(app.state, words)
    first, last = frames[[0, -1]]
    cosines = [number(cosine(*pair)) for pair in (last[[0, 3]], first[[0, 3]], last[[0, 4]])]
    ends = "with a cosine similarity of {}; it was {} at the start: .* a neighbor of “king”, ends at {}:"
    assert re.search(ends.format(*cosines), app.words)
    arrows = [parallel(first), parallel(last)]
    assert arrows == sorted(arrows)
    notice = "The cosine of the arrows “man” → “king” and “woman” → “queen” goes from {} to {}."
    assert notice.format(*map(number, arrows)) in app.words
    assert own_vectors.film(app.set(word2vec_view="map").state, words) is frames  # it takes a whole training


def test_word_that_the_map_has_nearer_is_that_of_the_nearest_dot():
    app = open_vectors(scene="film", epochs=1, train_seed=12)  # on the axes of the start it would be another one
    figure = app.learner.outputs.figure
    words = re.search("The vectors of king, (.*?) at the start", figure.reading)[1].split(", ")
    king, *others = (pairs_of(g.get("data-moves"))[-1] for g in all_of(root_of(figure), "g[@data-moves]"))
    apart = {word: math.dist(king, dot) for word, dot in zip(words, others, strict=False)}  # the names move behind
    assert only("On the map “(.+)” is nearer", app) == (min(apart, key=apart.get),)


def test_film_of_words_that_become_alike_names_no_neighbors():
    short = {"text": "the cat eats fish. the dog eats meat. " * 3, "vectors": "text", "vector_size": 2, "window": 10}
    inputs = {"word_a": "cat", "word_b": "dog", "word_c": "fish", "words": "the"}
    app = open_vectors(scene="film", epochs=30, negative=20, **short | inputs)
    assert "“fish” ends nearest to “cat”, with a cosine similarity of 1.00" in app.words
    assert "not words that are neighbors" not in app.words
    assert "will end nearest" not in app.words


@pytest.mark.parametrize(("seed", "asked"), [(3, False), (4, True)])
def test_film_with_two_cosines_that_round_to_one_is_not_asked(seed, asked):
    app = open_vectors(masked=True, scene="film", vector_size=2, epochs=10, train_seed=seed)
    assert ("will end nearest" in app.words) == asked


@pytest.mark.parametrize(("change", "times"), [({"train_seed": 7}, 1), ({"word_b": "king", "word_c": "king"}, 0)])
def test_film_names_chance_if_distinct_words_share_all_neighbors(change, times):
    words = open_vectors(scene="film", **change).words
    assert len(re.findall("both occur beside .*, as all words of the analogy do: chance decides", words)) == times


@pytest.mark.parametrize(
    ("words", "size", "in_a_plane"),
    [("king queen man", 16, True), ("king queen man the", 2, True), ("king queen man the", 16, False)],
)
def test_map_of_words_in_a_plane_leaves_no_direction_out(words, size, in_a_plane):
    app = open_vectors(view="map", words=words, vector_size=size)
    first, second = (float(share) for share in only(r"with (\d+)% of the variance .* and (\d+)% \(vertical", app))
    assert ("No direction is left out." in app.words) == (first + second > 98) == in_a_plane
    assert ("Other directions are left out" in app.words) != in_a_plane


def test_height_above_plane_and_flat_distance_are_as_in_figure():
    app = open_vectors()
    height, flat = only(r"is (\S+) above the plane of the three words; .* be (\S+) from the sum", app)
    drawn = {each.text for each in texts(app.learner.outputs.figure)}
    assert {
        f"queen is {height} above the plane of the others",
        f"in the plane alone, as on a 2-D map, {flat} from the sum",
    } <= drawn
    assert "is the answer only because the input words are excluded" in app.words
    assert "would be the answer only if the input words were excluded" in app.open("word2vec", exclude=0).words


def test_average_cosine_is_that_of_all_pairs_of_words():
    app = open_vectors()
    rows = torch.tensor(tensors_of(app)["vectors"], dtype=torch.float64)
    cosines = torch.cosine_similarity(rows[:, None], rows, dim=-1)
    mean = cosines[~torch.eye(len(rows), dtype=torch.bool)].mean().item()
    assert f"On average two words have a cosine similarity of {number(mean)} here;" in app.words


def test_step_has_other_sentences():
    app = open_vectors(scene="step").press("Another sentence")
    assert app.state.choices.sentence == 3
    assert "“the” pulls “king” (error 0.14)" in app.words
    figure = app.learner.outputs.figure
    row = re.search(r"\[(\S+) (\S+)\] with", names(figure)[figure.lit].replace("−", "-")).groups()
    square = float(re.search(r"never negative \((\S+) for “king”", app.words)[1])
    assert square == pytest.approx(sum(float(each) ** 2 for each in row), abs=0.03)


def test_word_that_is_sampled_twice_is_named_once():
    app = open_vectors(scene="step", vectors="text", text="a b a b a")
    assert "and “a”, sampled twice, pushes it (errors" in app.words


def test_neighbors_are_counted_among_words_with_a_vector():
    state, word = app_state(vectors="news").lesson("word2vec"), "australia"
    vectors, window, beside = own_vectors.trained_vectors(state).vectors, state.choices.window, Counter()
    for sentence in own_vectors.corpus(state)[0]:
        known = [each for each in sentence if each in vectors]
        for n in (n for n, each in enumerate(known) if each == word):
            beside.update(known[max(0, n - window) : n] + known[n + 1 : n + 1 + window])
    found = own_vectors.frequent_neighbors(state, word)
    assert found == {other: beside[other] for other in found}
    assert [*found.values()] == sorted(beside.values(), reverse=True)[: len(found)]


def test_own_sentences_are_a_corpus_with_a_message_if_too_few():
    app = open_vectors(masked=True, vectors="text")
    assert "6 words with 12 pairs of neighbors, 2 for each word; the grammar has 67 for each" in app.words
    assert "a row is still nearly random: its cosine similarity with its start is 1.00" in app.words
    long = {"text": "cat sees dog and bird and fish and cow near tree", "vector_size": 2, "window": 10, "epochs": 30}
    own = open_vectors(vectors="text", negative=20, **long)
    assert "168 for each. After 30 epochs a row's cosine similarity with its start is 0.5" in own.words
    assert not app.errors()
    assert app.learner.outputs.figure
    words = "the cat sleeps. the dog sleeps. the cat plays. the dog plays. " * 20
    assert "short for word2vec" not in app.set(own_sentences=words).words
    assert "5 words, each a vector of 16 numbers." in app.words
    few = "Only one word occurs; word2vec needs two: write more sentences."
    assert few in app.set(own_sentences="Why?").errors()[0]
