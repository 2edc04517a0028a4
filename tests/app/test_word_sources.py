"""Vectors that are not trained on the page: a file of the learner, and published ones that are downloaded once."""

import gzip
import hashlib
import pickle
from dataclasses import replace

import pytest
from driver import AppDriver

from components.base import downloads
from components.base.downloads import Download, last_download
from components.lessons.word2vec import page_download
from components.vectors import session_vectors
from components.vectors.sources import SOURCES, Source
from tests.faulty_server import FaultyHandler, running_http_server

WORDS = b"king 1 0 1\nqueen 0 1 1\nman 1 0 0\nwoman 0 1 0\nthe 0.1 0.1 0.1\n"
NAME = "glove-wiki-gigaword-50"


def upload(app: AppDriver, content: bytes, name: str = "words.txt") -> AppDriver:
    app.at.file_uploader[0].set_value((name, content, "application/octet-stream"))
    return app.run()


def ranked(app: AppDriver, number: int) -> list[str]:
    return [row["word"] for row in app.drawn("score")[number]]


@pytest.mark.parametrize("content", [WORDS, gzip.compress(WORDS, mtime=0), b"5 3\n" + WORDS])
def test_an_uploaded_file_is_used_like_other_vectors(content):
    app = upload(AppDriver().open("word2vec", vectors="upload"), content)
    assert "5 words of your file words.txt" in app.words
    assert ranked(app, 1)[0] == "queen"
    assert not app.errors()


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
def test_an_invalid_file_shows_an_error_with_its_line(content, named):
    app = upload(AppDriver().open("word2vec", vectors="upload"), content)
    assert named in app.errors()[0]
    assert app.errors()[0].startswith("words.txt: ")
    assert not app.charts()
    upload(app, WORDS)
    assert not app.errors()
    assert "still in use" in upload(app, content).errors()[0]
    assert ranked(app, 1)[0] == "queen"


def test_an_uploaded_file_belongs_to_its_session():
    first = upload(AppDriver().open("word2vec", vectors="upload"), WORDS)
    assert not AppDriver().open("word2vec", vectors="upload").charts()
    assert ranked(first.run(), 1)[0] == "queen"


def test_a_file_beyond_the_total_of_all_sessions_is_refused_and_the_rest_stays(monkeypatch):
    first = upload(AppDriver().open("word2vec", vectors="upload"), WORDS)
    other = upload(AppDriver().open("word2vec", vectors="upload", seed=7), WORDS)
    monkeypatch.setattr(session_vectors, "MAX_UPLOADED_VECTOR_BYTES", session_vectors.bytes_in_use() + 40)
    error = upload(other, WORDS + b"girl 0 1 0.5\n", "large.txt").errors()[0]
    assert "is the limit for all together: upload fewer words, or upload the file again when" in error
    assert error.endswith("The vectors of words.txt are still in use.")
    assert ranked(other, 1)[0] == ranked(first.run(), 1)[0] == "queen"
    assert other.app_state.settings.seed == 7


def test_vectors_are_removed_with_their_file_and_their_memory_returned():
    before = session_vectors.bytes_in_use()
    app = upload(AppDriver().open("word2vec", vectors="upload"), WORDS)
    assert session_vectors.bytes_in_use() > before
    app.at.file_uploader[0].set_value(None)
    assert "No file yet" in app.run().words
    assert session_vectors.bytes_in_use() == before


def test_vectors_remain_after_a_visit_to_another_page_and_are_removed_on_demand():
    before = session_vectors.bytes_in_use()
    app = upload(AppDriver().open("word2vec", vectors="upload"), WORDS)
    app.open("home")
    assert "5 words of your file words.txt" in app.open("word2vec").words
    assert "No file yet" in app.press("Remove these vectors").words
    assert session_vectors.bytes_in_use() == before


def test_the_name_of_the_file_is_data():
    app = upload(AppDriver().open("word2vec", vectors="upload"), WORDS, "<b>:red[x].txt")
    assert "<b>:red[x].txt" in app.words


@pytest.fixture
def server():
    """Serve the words under /good, and under /slow one byte after the other, until the test is over."""
    packed = gzip.compress(WORDS, mtime=0)

    class Files(FaultyHandler):
        def send_good(self):
            self.send(packed)

        def send_slow(self):
            self.head(len(packed))
            for byte in packed:
                if self.server.closing.wait(0.05):
                    return
                self.wfile.write(bytes([byte]))

    with running_http_server(Files) as running:
        yield running.address, packed


@pytest.fixture
def offered(server, monkeypatch, tmp_path):
    """Let the catalogue point to the local server; return a function that sets file and checksum."""
    monkeypatch.setenv("EMBEDDING_LAB_CACHE", str(tmp_path))
    monkeypatch.setattr(downloads, "_downloads", {})
    monkeypatch.setattr(page_download, "_opened", {})
    address, packed = server

    def offer(path: str = "good", md5: str = hashlib.md5(packed).hexdigest()) -> None:
        values = {"url": f"{address}/{path}.gz", "bytes": len(packed), "checksum": f"md5:{md5}", "words": 5, "dim": 3}
        source = replace(SOURCES[NAME], **values)
        monkeypatch.setitem(SOURCES, NAME, source)

    offer()
    return offer


def current() -> Download:
    return last_download(SOURCES[NAME])


def download_label(app: AppDriver) -> str:
    (label,) = [button.label for button in app.at.button if button.label.startswith("Download (")]
    return label


def test_the_size_is_shown_before_a_download():
    app = AppDriver().open("word2vec", vectors=NAME)
    assert download_label(app) == "Download (69.2 MB)"
    assert "105.6 MB on the disk afterwards" in app.words
    assert last_download(SOURCES[NAME]) is None


def test_vectors_are_downloaded_once_for_all_sessions(offered):
    app = AppDriver().open("word2vec", vectors=NAME)
    app.press(download_label(app))
    assert current().wait(20.0)
    assert ranked(app.run(), 1)[0] == "queen"
    other = AppDriver().open("word2vec", vectors=NAME)
    assert ranked(other, 1) == ranked(app, 1)
    assert len(page_download._opened) == 1


def test_a_wrong_checksum_shows_an_error_and_can_be_retried(offered, tmp_path):
    offered(md5="0" * 32)
    app = AppDriver().open("word2vec", vectors=NAME)
    app.press(download_label(app))
    assert current().wait(20.0)
    assert len(app.run().errors()) == 1
    assert list(tmp_path.iterdir()) == []
    offered()
    app.run().press(download_label(app))
    assert current().wait(20.0)
    assert ranked(app.run(), 1)[0] == "queen"


def test_a_download_shows_progress_and_can_be_cancelled(offered, tmp_path):
    offered("slow")
    app = AppDriver().open("word2vec", vectors=NAME)
    app.press(download_label(app))
    other = AppDriver().open("word2vec", vectors=NAME)
    assert "Downloading" in other.at.get("progress")[0].proto.text
    other.press("Cancel for everyone")
    assert current().wait(20.0)
    assert "was cancelled" in app.run().errors()[0]
    assert list(tmp_path.iterdir()) == []
    assert not app.open("word2vec", vectors="grammar").errors()


def test_a_second_download_at_a_time_shows_a_warning(offered):
    offered("slow")
    app = AppDriver().open("word2vec", vectors=NAME)
    app.press(download_label(app))
    app.open("word2vec", vectors="word2vec_sample")
    app.press(download_label(app))
    assert "only one download runs at a time" in app.warnings()[0]
    current().cancel()
    assert current().wait(20.0)


def test_too_little_disk_space_disables_the_download(offered, monkeypatch):
    monkeypatch.setattr(Source, "blocking_reason", lambda source: "It needs 1 GB, and 2 MB are free: delete some.")
    app = AppDriver().open("word2vec", vectors=NAME)
    assert app.errors() == ["It needs 1 GB, and 2 MB are free: delete some."]
    (button,) = [button for button in app.at.button if button.label.startswith("Download (")]
    assert button.disabled
