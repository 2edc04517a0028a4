"""Vectors that are not trained here: the learner's own file, and those that are fetched once for everybody."""

import gzip
import hashlib
import pickle
from dataclasses import replace

import pytest
from lab import Lab

from components.core import vector_downloads
from components.core.vector_sources import SOURCES
from components.ui import word_download, word_upload
from tests.misbehaving import Answers, answering

WORDS = b"king 1 0 1\nqueen 0 1 1\nman 1 0 0\nwoman 0 1 0\nthe 0.1 0.1 0.1\n"
NAME = "glove-wiki-gigaword-50"


def upload(lab: Lab, content: bytes, name: str = "words.txt") -> Lab:
    lab.at.file_uploader[0].set_value((name, content, "application/octet-stream"))
    return lab.run()


def ranked(lab: Lab, number: int) -> list[str]:
    return [row["word"] for row in lab.drawn("score")[number]]


@pytest.mark.parametrize("content", [WORDS, gzip.compress(WORDS, mtime=0), b"5 3\n" + WORDS])
def test_a_file_of_the_learner_is_asked_like_any_other(content):
    lab = upload(Lab().open("word2vec", vectors="upload").run(), content)
    assert "5 words of your file words.txt" in lab.words
    assert ranked(lab, 1)[0] == "queen"
    assert not lab.errors()


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b"", "empty"),
        (b"king 1 2\nqueen 1\n", "line 2"),
        (b"king 1 2\nking 1 2\n", "line 1 and again in line 2"),
        (b"king 1 nan\n", "nan"),
        (pickle.dumps({"king": 1}), "pickle"),
        (b"9 3\n" + WORDS, "9"),
    ],
)
def test_a_file_that_is_wrong_is_refused_with_the_place_and_the_page_goes_on(content, named):
    lab = upload(Lab().open("word2vec", vectors="upload").run(), content)
    assert named in lab.errors()[0]
    assert lab.errors()[0].startswith("words.txt: ")
    assert not lab.charts()
    upload(lab, WORDS)
    assert not lab.errors()
    assert "still in use" in upload(lab, content).errors()[0]
    assert ranked(lab, 1)[0] == "queen"


def test_nobody_else_sees_the_file():
    first = upload(Lab().open("word2vec", vectors="upload").run(), WORDS)
    assert not Lab().open("word2vec", vectors="upload").charts()
    assert ranked(first.run(), 1)[0] == "queen"


def test_who_uploads_when_there_is_no_room_takes_that_of_the_oldest_who_is_told(monkeypatch):
    monkeypatch.setattr(word_upload, "_kept", word_upload.LRUCache(1_500, getsizeof=word_upload._kept.getsizeof))
    first = upload(Lab().open("word2vec", vectors="upload").run(), WORDS)
    upload(Lab().open("word2vec", vectors="upload").run(), WORDS)
    assert "upload them again" in first.run().words


def test_the_name_of_the_file_is_data():
    lab = upload(Lab().open("word2vec", vectors="upload").run(), WORDS, "<b>:red[x].txt")
    assert "<b>:red[x].txt" in lab.words


@pytest.fixture
def server():
    """Serve the words under /good, and under /slow one byte now and then, until the test is over."""
    packed = gzip.compress(WORDS, mtime=0)

    class Files(Answers):
        def send_good(self):
            self.send(packed)

        def send_slow(self):
            self.head(len(packed))
            for byte in packed:
                if self.server.closing.wait(0.05):
                    return
                self.wfile.write(bytes([byte]))

    with answering(Files) as running:
        yield running.address, packed


@pytest.fixture
def offered(server, monkeypatch, tmp_path):
    """Let the catalogue point to the local server; return how to say which file and checksum."""
    monkeypatch.setenv("EMBEDDING_LAB_CACHE", str(tmp_path))
    monkeypatch.setattr(vector_downloads, "_current", None)
    monkeypatch.setattr(word_download, "_opened", {})
    address, packed = server

    def offer(path: str = "good", md5: str = hashlib.md5(packed).hexdigest()) -> None:
        source = replace(SOURCES[NAME], url=f"{address}/{path}.gz", bytes=len(packed), md5=md5, words=5, dim=3)
        monkeypatch.setitem(SOURCES, NAME, source)

    offer()
    return offer


def fetch_button(lab: Lab) -> str:
    (label,) = [button.label for button in lab.at.button if button.label.startswith("Fetch it")]
    return label


def test_the_size_is_told_before_anything_is_fetched():
    lab = Lab().open("word2vec", vectors=NAME)
    assert fetch_button(lab) == "Fetch it, 69.2 MB"
    assert "105.6 MB on the disk afterwards" in lab.words
    assert vector_downloads.current() is None or not vector_downloads.current().running


def test_vectors_are_fetched_once_and_serve_every_session(offered):
    lab = Lab().open("word2vec", vectors=NAME)
    lab.press(fetch_button(lab))
    assert vector_downloads.current().wait(20.0)
    assert ranked(lab.run(), 1)[0] == "queen"
    other = Lab().open("word2vec", vectors=NAME)
    assert ranked(other, 1) == ranked(lab, 1)
    assert len(word_download._opened) == 1


def test_a_wrong_checksum_is_told_and_can_be_tried_again(offered, tmp_path):
    offered(md5="0" * 32)
    lab = Lab().open("word2vec", vectors=NAME)
    lab.press(fetch_button(lab))
    assert vector_downloads.current().wait(20.0)
    assert len(lab.run().errors()) == 1
    assert list(tmp_path.iterdir()) == []
    offered()
    lab.run().press(fetch_button(lab))
    assert vector_downloads.current().wait(20.0)
    assert ranked(lab.run(), 1)[0] == "queen"


def test_a_slow_download_shows_its_progress_and_can_be_cancelled_by_anybody(offered, tmp_path):
    offered("slow")
    lab = Lab().open("word2vec", vectors=NAME)
    lab.press(fetch_button(lab))
    other = Lab().open("word2vec", vectors=NAME)
    assert "Downloading" in other.at.get("progress")[0].proto.text
    other.press("Cancel for everybody")
    assert vector_downloads.current().wait(20.0)
    assert "was cancelled" in lab.run().errors()[0]
    assert list(tmp_path.iterdir()) == []
    assert not lab.open("word2vec", vectors="grammar").errors()


def test_while_one_is_fetched_another_is_refused_in_a_sentence(offered):
    offered("slow")
    lab = Lab().open("word2vec", vectors=NAME)
    lab.press(fetch_button(lab))
    lab.open("word2vec", vectors="word2vec_sample")
    lab.press(fetch_button(lab))
    assert "only one download runs at a time" in lab.warnings()[0]
    vector_downloads.current().cancel()
    assert vector_downloads.current().wait(20.0)


def test_where_there_is_no_room_the_figures_are_told(offered, monkeypatch):
    monkeypatch.setattr(
        word_download, "refusal", lambda source, folder: "It needs 1 GB, and 2 MB are free: delete some."
    )
    lab = Lab().open("word2vec", vectors=NAME)
    assert lab.errors() == ["It needs 1 GB, and 2 MB are free: delete some."]
    (button,) = [button for button in lab.at.button if button.label.startswith("Fetch it")]
    assert button.disabled
