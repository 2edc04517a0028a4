"""Published word vectors: the catalogue, what they need of a machine, their download, and the command."""

from hashlib import md5
from pathlib import Path
from types import SimpleNamespace

import pytest

from components.base import downloads
from components.base.downloads import Download, start
from components.vectors import fetch_command, free_memory, load
from components.vectors.sources import SOURCES, Source, vectors_cache_dir
from tests.faulty_server import FaultyHandler, running_http_server

DIM = 40
WORDS = b"".join(b"word%d%s\n" % (i, b" 1" * DIM) for i in range(4_000))  # 0.4 MB, and 0.6 MB when converted
SOON = 15.0


class Files(FaultyHandler):
    def send_good(self):
        self.send(WORDS)

    def send_short(self):
        self.head(len(WORDS))
        self.wfile.write(WORDS[: len(WORDS) // 2])

    def send_stalled(self):
        self.head(len(WORDS))
        self.wfile.write(WORDS[: 2**17])
        self.server.closing.wait(SOON)


@pytest.fixture
def offer(monkeypatch, cache):
    """Puts vectors into the catalogue that a server on this machine sends in a way of its own."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(downloads, "_downloads", {})
    with running_http_server(Files) as server:

        def offer(path: str, words: int = 4_000) -> Source:
            url, checksum = f"{server.address}/{path}.txt", f"md5:{md5(WORDS).hexdigest()}"
            source = Source("toy", "Toy", url, len(WORDS), checksum, words=words, dim=DIM, note="Made up.")
            monkeypatch.setitem(SOURCES, "toy", source)
            return source

        yield offer


def run(source: Source) -> Download:
    download = start(source)
    assert download.wait(SOON), download.progress
    return download


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_catalogue_has_the_published_addresses_sizes_and_checksums():
    gensim = "https://github.com/RaRe-Technologies/gensim-data/releases/download"
    nltk = "https://raw.githubusercontent.com/nltk/nltk_data/gh-pages/packages/models"
    assert {name: (s.name, s.url, s.bytes, s.checksum, s.words, s.dim) for name, s in SOURCES.items()} == {
        "glove-wiki-gigaword-50": (
            "glove-wiki-gigaword-50",
            f"{gensim}/glove-wiki-gigaword-50/glove-wiki-gigaword-50.gz",
            69_182_535,
            "md5:c289bc5d7f2f02c6dc9f2f9b67641813",
            400_000,
            50,
        ),
        "word2vec_sample": (
            "word2vec_sample",
            f"{nltk}/word2vec_sample.zip",
            49_396_025,
            "md5:d1d1a23377f9ab4c12d77c7a078318ac",
            43_981,
            300,
        ),
        "word2vec-google-news-300": (
            "word2vec-google-news-300",
            f"{gensim}/word2vec-google-news-300/word2vec-google-news-300.gz",
            1_743_563_840,
            "md5:a5e5354d40acb95f9ec66d5977d140ef",
            3_000_000,
            300,
        ),
    }


def test_folder_is_the_one_named_or_that_of_the_user(monkeypatch):
    monkeypatch.setenv("EMBEDDING_LAB_CACHE", "~/vectors")
    assert vectors_cache_dir() == Path.home() / "vectors"
    assert SOURCES["word2vec_sample"].target == Path.home() / "vectors/word2vec_sample.kv"
    monkeypatch.setenv("EMBEDDING_LAB_CACHE", " ")
    assert vectors_cache_dir().name == "embedding-lab"


def test_download_is_converted_and_deleted(offer, cache):
    source = offer("good")
    assert run(source).progress.state == "ready"
    assert (source.ready, files(cache)) == (True, ["toy.kv"])
    assert load.load_vectors(source.target)["word7"].tolist() == [1] * DIM


def test_full_disk_during_conversion_has_a_message_and_leaves_no_file(offer, small_disk):
    download = run(offer("good", words=1))  # so that the check before the download finds enough space
    assert (download.progress.state, files(small_disk)) == ("failed", [])
    assert f"the disk of '{small_disk}' is full. Free 355.1 kB, or set EMBEDDING_LAB_CACHE" in download.progress.message


def test_conversion_that_is_cancelled_leaves_no_file(offer, cache, monkeypatch):
    convert = load.convert

    def cancel(source, target, progress):
        download.cancel()
        convert(source, target, progress)

    monkeypatch.setattr(load, "convert", cancel)
    download = Download(offer("good"))
    download.run()
    assert (download.progress.state, files(cache)) == ("cancelled", [])


def test_disk_usage_includes_download_and_conversion(offer):
    source = offer("good")
    assert source.disk_bytes == len(WORDS) + 4_000 * (DIM * 4 + 4 + 60)


def test_too_little_memory_is_refused_with_sizes(offer, monkeypatch):
    source = offer("good")
    assert source.blocking_reason() is None
    monkeypatch.setattr(free_memory.psutil, "virtual_memory", lambda: SimpleNamespace(available=40_000_000))
    assert run(source).progress.message == (
        "Toy needs about 50.6 MB of memory while it is prepared, and this machine has 40.0 MB free: choose smaller "
        "vectors, or stop other programs and try again."
    )


@pytest.mark.parametrize(
    ("limit", "stat", "free"),
    [("100", "inactive_file 10\n", 30), ("100", "", 20), ("max", "", 1_000), ("50", "", 0), ("9999", "", 1_000)],
)
def test_memory_limit_of_a_container_counts(tmp_path, monkeypatch, limit, stat, free):
    for name, text in (("max", limit), ("current", "80"), ("stat", stat)):
        (tmp_path / f"memory.{name}").write_text(f"{text}\n")
    monkeypatch.setattr(free_memory, "CGROUP", tmp_path)
    monkeypatch.setattr(free_memory.psutil, "virtual_memory", lambda: SimpleNamespace(available=1_000))
    assert free_memory.free_memory() == free


# The command


def test_command_lists_the_vectors(offer, cache, capsys):
    offer("good").target.mkdir()
    assert fetch_command.main([]) == 0
    out = capsys.readouterr().out
    assert f"Vectors to download into {cache}:" in out
    assert "word2vec-google-news-300    1.7 GB to download, 3,000,000 words x 300\n" in out
    assert "4,000 words x 40  (downloaded)\n" in out


def test_command_downloads_and_prints_the_folder(offer, cache, capsys):
    offer("good")
    assert fetch_command.main(["toy"]) == 0
    assert f"Toy is ready. 4,000 words, 40 numbers each, are in {cache / 'toy.kv'}\n" in capsys.readouterr().out
    assert files(cache) == ["toy.kv"]


def test_command_fails_with_a_sentence(offer, cache, capsys):
    offer("short")
    assert fetch_command.main(["toy"]) == 1
    error = capsys.readouterr().err
    assert "was closed" in error
    assert error.count("\n") == 1
    assert files(cache) == []


def test_command_refuses_an_unknown_name(offer, cache, capsys):
    with pytest.raises(SystemExit):
        fetch_command.main(["../toy"])
    assert "invalid choice: '../toy' (choose from " in capsys.readouterr().err
    assert files(cache) == []


def test_command_prints_progress(offer, capsys, monkeypatch):
    monkeypatch.setattr(fetch_command, "SECONDS_PER_LINE", 0.05)
    monkeypatch.setattr(downloads, "TIMEOUT_SECONDS", (1.0, 0.3))
    offer("stalled")
    fetch_command.main(["toy"])
    assert "Downloading Toy: 131.1 kB of 354.9 kB (36 %).\n" in capsys.readouterr().out


def test_command_is_cancelled_by_an_interrupt(offer, cache, capsys, monkeypatch):
    def interrupt(download) -> None:
        while not download.progress.done:
            download.wait(0.01)
        raise KeyboardInterrupt

    offer("stalled")
    monkeypatch.setattr(fetch_command, "_follow", interrupt)
    assert fetch_command.main(["toy"]) == 1
    assert "Toy was cancelled, and its files are deleted.\n" in capsys.readouterr().err
    assert files(cache) == []
