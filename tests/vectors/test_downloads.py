import errno
import os
import shutil
import socket
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import md5
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import pytest

from components.vectors import downloads as vector_downloads
from components.vectors import fetch_command as fetch_vectors
from components.vectors import preflight as vector_room
from components.vectors.downloads import Download, start
from components.vectors.folder import cached_vectors, delete_stale, vectors_cache_dir, vectors_path
from components.vectors.preflight import blocking_reason
from components.vectors.sources import SOURCES, Source
from tests.faulty_server import FaultyHandler, running_http_server

GOOD = b"".join(b"word%d 1 2 3\n" % i for i in range(30_000))  # several pieces of a download
SECONDS = (2.0, 2.0)
SOON = 10.0


class Files(FaultyHandler):
    def send_good(self):
        self.send(GOOD)

    def send_redirect(self):
        self.head(0, 302, Location="/good.gz")

    def send_circle(self):
        self.head(0, 302, Location="/circle.gz")

    def send_short(self):
        self.head(len(GOOD))
        self.wfile.write(GOOD[: len(GOOD) // 2])

    def send_slow(self):
        self.head(len(GOOD))
        for i in range(len(GOOD)):
            self.wfile.write(GOOD[i : i + 1])
            if self.server.closing.wait(0.05):
                return

    def send_stalled(self):
        self.head(len(GOOD))
        self.wfile.write(GOOD[: 2**17])
        self.server.closing.wait(SOON)


@pytest.fixture(scope="module")
def address():
    with running_http_server(Files) as server:
        yield server.address


@pytest.fixture
def folder(monkeypatch, tmp_path) -> Path:
    """The cache of a process that has fetched nothing yet."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("EMBEDDING_LAB_CACHE", str(folder))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(vector_downloads, "_current", None)
    return folder


@pytest.fixture
def offer(monkeypatch, address) -> Callable[..., Source]:
    """Puts a source into the catalogue whose file is one that the server sends in its own way."""

    def offer(path: str, name: str = "toy", address: str = address, checksum: str = md5(GOOD).hexdigest()) -> Source:
        url, size = f"{address}/{path}.gz", len(GOOD)
        source = Source(name, f"Toy {name}", url, size, checksum, words=30_000, dim=3, note="Made up.")
        monkeypatch.setitem(SOURCES, name, source)
        return source

    return offer


def converter(file: Path, place: Path, progress: Callable[[int, int], None]) -> None:
    """Stands in for the real one: whole or not at all."""
    words = file.read_bytes().splitlines()
    for done in range(0, len(words) + 1, 10_000):
        progress(done, len(words))
    part = place.with_name(f".{place.name}.{time.monotonic_ns()}")
    part.mkdir()
    (part / "vectors").write_bytes(file.read_bytes())
    part.rename(place)


def run(name: str = "toy", convert: Callable = converter, seconds: tuple[float, float] = SECONDS) -> Download:
    download = start(name, convert, seconds)
    assert download.wait(SOON), download.moment
    return download


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def wait_for(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + SOON
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)


# The catalogue


def test_the_catalogue_has_the_published_addresses_sizes_and_checksums():
    gensim = "https://github.com/RaRe-Technologies/gensim-data/releases/download"
    nltk = "https://raw.githubusercontent.com/nltk/nltk_data/gh-pages/packages/models"
    assert {name: (s.name, s.url, s.bytes, s.md5, s.words, s.dim) for name, s in SOURCES.items()} == {
        "glove-wiki-gigaword-50": (
            "glove-wiki-gigaword-50",
            f"{gensim}/glove-wiki-gigaword-50/glove-wiki-gigaword-50.gz",
            69_182_535,
            "c289bc5d7f2f02c6dc9f2f9b67641813",
            400_000,
            50,
        ),
        "word2vec_sample": (
            "word2vec_sample",
            f"{nltk}/word2vec_sample.zip",
            49_396_025,
            "d1d1a23377f9ab4c12d77c7a078318ac",
            43_981,
            300,
        ),
        "word2vec-google-news-300": (
            "word2vec-google-news-300",
            f"{gensim}/word2vec-google-news-300/word2vec-google-news-300.gz",
            1_743_563_840,
            "a5e5354d40acb95f9ec66d5977d140ef",
            3_000_000,
            300,
        ),
    }


# A download that goes well


@pytest.mark.parametrize("path", ["good", "redirect"])
def test_a_good_file_is_converted_and_the_download_is_deleted(folder, offer, path):
    offer(path)
    assert cached_vectors("toy") is None
    download = run()
    assert download.phase == "ready", download.message
    assert download.message == "Toy toy is ready: 30,000 words, 3 numbers each."
    assert cached_vectors("toy") == folder / "toy.kv" == vectors_path("toy", folder)
    assert (folder / "toy.kv/vectors").read_bytes() == GOOD
    assert files(folder) == ["toy.kv"]


def test_progress_goes_up_through_all_phases_and_ends_at_the_total(folder, offer, monkeypatch):
    seen = []
    update = Download.update

    def spy(self, *moment):
        update(self, *moment)
        seen.append(self.moment)

    monkeypatch.setattr(Download, "update", spy)
    offer("good")
    download = run()
    for phases, total in ((("downloading", "checking"), len(GOOD)), (("converting",), 30_000)):
        counts = [moment.done for moment in seen if moment.phase in phases]
        assert counts == sorted(counts)
        assert (counts[0], counts[-1]) == (0, total)
        assert len(counts) > 3
    assert list(dict.fromkeys(moment.phase for moment in seen)) == ["downloading", "checking", "converting"]
    assert any("of 468.9 kB (" in moment.message for moment in seen)
    assert (download.moment.done, download.moment.total) == (30_000, 30_000)


def test_vectors_that_are_there_are_not_fetched_again(folder, offer):
    offer("missing")
    (folder / "toy.kv").mkdir(parents=True)
    assert run().phase == "ready"


def test_the_real_converter_is_found_by_itself(folder, offer):
    offer("good")
    download = start("toy", seconds=SECONDS)
    assert download.wait(60.0)
    assert download.phase == "ready", download.message
    assert files(folder) == ["toy.kv"]


# A download that fails


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("short", "the connection to 127.0.0.1 was closed before all 468.9 kB had arrived. Start again."),
        ("missing", "127.0.0.1 answered with error 404 instead of the file."),
        ("endless", "what 127.0.0.1 sent is not the published file of 468,890 bytes"),
        ("circle", "127.0.0.1 cannot be reached (TooManyRedirects)"),
    ],
)
def test_a_server_that_errs_is_told_in_a_sentence_and_leaves_nothing(folder, offer, path, problem):
    offer(path)
    download = run()
    assert download.phase == "failed"
    assert download.message.startswith("Toy toy could not be downloaded: ")
    assert problem in download.message
    assert files(folder) == []


@pytest.mark.parametrize("path", ["silent", "stalled"])
def test_a_server_that_falls_silent_is_given_up(folder, offer, path):
    offer(path)
    download = run(seconds=(1.0, 0.3))
    assert (download.phase, files(folder)) == ("failed", [])
    assert "127.0.0.1 sent nothing for 0.3 seconds. Start again, now or later." in download.message


def test_a_wrong_checksum_is_refused_with_the_right_one(folder, offer):
    offer("good", checksum="0" * 32)
    download = run()
    assert (download.phase, files(folder)) == ("failed", [])
    assert f"is not the published file of 468,890 bytes with the MD5 {'0' * 32}" in download.message


def test_a_server_that_is_gone_is_told_in_a_sentence(folder, offer):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        offer("good", address=f"http://127.0.0.1:{closed.getsockname()[1]}")
        download = run()
    assert (download.phase, files(folder)) == ("failed", [])
    assert "cannot be reached (ConnectionError). Check that this machine is connected" in download.message


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (
            OSError(errno.ENOSPC, "No space left on device"),
            "is full. Free 2.7 MB, or set EMBEDDING_LAB_CACHE to another folder",
        ),
        (PermissionError(errno.EACCES, "Permission denied"), "cannot be written (PermissionError)"),
        (MemoryError(), "ran out of memory"),
        (ValueError("Row 7 has 2 numbers."), "could not be prepared (ValueError: 'Row 7 has 2 numbers.')"),
    ],
)
def test_a_conversion_that_fails_is_told_in_a_sentence_and_can_be_started_again(folder, offer, error, problem):
    def breaks(*_):
        raise error

    offer("good")
    download = run(convert=breaks)
    assert (download.phase, files(folder)) == ("failed", [])
    assert problem in download.message
    again = run()
    assert again is not download
    assert (again.phase, files(folder)) == ("ready", ["toy.kv"])


def test_a_conversion_that_another_process_has_won_is_a_success(folder, offer):
    def beaten(file, place, progress):
        converter(file, place, progress)
        raise ValueError("'toy.kv' is there already.")

    offer("good")
    assert run(convert=beaten).phase == "ready"


# Room


def test_a_disk_that_is_too_small_is_refused_with_figures(folder, offer, monkeypatch):
    source = offer("good")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=1_000_000))
    assert blocking_reason(source, folder) == (
        f"Toy toy needs 2.7 MB of disk while it is prepared, and '{folder}' has 1.0 MB free: delete files there, or "
        "set the environment variable EMBEDDING_LAB_CACHE to another folder."
    )
    download = run()
    assert (download.phase, download.message, files(folder)) == ("failed", blocking_reason(source, folder), [])


def test_a_machine_with_too_little_memory_is_refused_with_figures(folder, offer, monkeypatch):
    source = offer("good")
    monkeypatch.setattr(vector_room.psutil, "virtual_memory", lambda: SimpleNamespace(available=40_000_000))
    download = run()
    assert (download.phase, download.message, files(folder)) == ("failed", blocking_reason(source, folder), [])
    assert "needs about 54.5 MB of memory while it is prepared, and this machine has 40.0 MB free" in download.message


@pytest.mark.parametrize(
    ("limit", "stat", "free"),
    [("100", "inactive_file 10\n", 30), ("100", "", 20), ("max", "", 1_000), ("50", "", 0), ("9999", "", 1_000)],
)
def test_a_container_leaves_what_is_below_its_limit(tmp_path, monkeypatch, limit, stat, free):
    for name, text in (("max", limit), ("current", "80"), ("stat", stat)):
        (tmp_path / f"memory.{name}").write_text(f"{text}\n")
    monkeypatch.setattr(vector_room, "CGROUP", tmp_path)
    monkeypatch.setattr(vector_room.psutil, "virtual_memory", lambda: SimpleNamespace(available=1_000))
    assert vector_room.free_memory() == free


def test_a_folder_that_cannot_be_written_is_refused(tmp_path, folder, offer, monkeypatch):
    source = offer("good")
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("EMBEDDING_LAB_CACHE", str(tmp_path / "file" / "cache"))
    download = run()
    assert (download.phase, download.message) == ("failed", blocking_reason(source, tmp_path / "file" / "cache"))
    assert "cannot be written: set the environment variable" in download.message


def test_a_folder_that_turns_out_not_to_be_writable_is_told_in_a_sentence(folder, offer, monkeypatch):
    def denied(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    offer("good")
    monkeypatch.setattr(Path, "mkdir", denied)
    download = run()
    assert download.phase == "failed"
    assert f"'{folder}' cannot be written (PermissionError)" in download.message


def test_the_folder_is_the_one_named_or_that_of_the_user(monkeypatch):
    monkeypatch.setenv("EMBEDDING_LAB_CACHE", "~/vectors")
    assert vectors_cache_dir() == Path.home() / "vectors"
    monkeypatch.setenv("EMBEDDING_LAB_CACHE", " ")
    assert vectors_cache_dir().name == "embedding-lab"


def test_what_a_killed_process_left_is_deleted_after_an_hour_and_nothing_else(folder):
    for name in (".download-old", ".download-new", ".toy.kv.0af", "toy.kv", ".mine"):
        (folder / name).mkdir(parents=True)
        if name != ".download-new":
            os.utime(folder / name, (time.time() - 4_000,) * 2)
    delete_stale(folder)
    assert files(folder) == [".download-new", ".mine", "toy.kv"]


# Cancelling, and many sessions at once


@pytest.mark.parametrize("path", ["slow", "stalled"])
def test_a_learner_who_cancels_a_slow_server_waits_no_longer(folder, offer, path):
    offer(path)
    download = start("toy", converter, (SOON, SOON))
    wait_for(lambda: download.phase == "downloading")
    before = time.monotonic()
    assert download.cancel()
    assert download.phase == "cancelled"
    assert download.wait(2.0)
    assert time.monotonic() - before < 2.0
    assert download.message == "Toy toy was cancelled, and its files are deleted."
    assert files(folder) == []
    assert not download.cancel()


def test_a_conversion_can_be_cancelled(folder, offer):
    reached, go_on = Event(), Event()

    def waits(file, place, progress):
        reached.set()
        go_on.wait(SOON)
        converter(file, place, progress)

    offer("good")
    download = start("toy", waits, SECONDS)
    assert reached.wait(SOON)
    download.cancel()
    go_on.set()
    assert download.wait(SOON)
    assert (download.phase, files(folder)) == ("cancelled", [])


def test_after_cancelling_a_silent_server_the_next_download_waits_until_it_is_tidied_up(folder, offer):
    offer("silent")
    offer("good", name="other")
    silent = start("toy", converter, (1.0, 1.0))
    time.sleep(0.1)
    assert silent.cancel()
    assert not silent.wait(0.0)
    other = run("other")
    assert silent.wait(0.0)
    assert (silent.phase, other.phase, files(folder)) == ("cancelled", "ready", ["other.kv"])


def test_many_sessions_join_one_download_and_another_one_is_refused_meanwhile(folder, offer):
    offer("stalled")
    offer("good", name="other")
    with ThreadPoolExecutor(8) as pool:
        downloads = [job.result(SOON) for job in [pool.submit(start, "toy", converter) for _ in range(8)]]
    assert len({id(download) for download in downloads}) == 1
    assert vector_downloads.current() is downloads[0]
    with pytest.raises(ValueError, match=r"^Toy toy is being downloaded, .* cancel it, then start Toy other\.$"):
        start("other", converter)
    downloads[0].cancel()
    assert run("other").phase == "ready"
    assert downloads[0].wait(SOON)
    assert files(folder) == ["other.kv"]


def test_a_name_that_is_not_in_the_catalogue_is_refused(folder):
    for ask in (start, cached_vectors):
        with pytest.raises(ValueError, match=r"There are no vectors '\.\./toy': choose glove-wiki-gigaword-50, "):
            ask("../toy")
    assert vector_downloads.current() is None


# The command


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(vector_downloads.load, "convert", converter)


def test_the_command_lists_what_there_is(folder, offer, capsys):
    offer("good")
    (folder / "toy.kv").mkdir(parents=True)
    assert fetch_vectors.main([]) == 0
    out = capsys.readouterr().out
    assert f"Vectors to download into {folder}:" in out
    assert "word2vec-google-news-300    1.7 GB to download, 3,000,000 words x 300\n" in out
    assert "30,000 words x 3  (downloaded)\n" in out


def test_the_command_fetches_and_says_where(folder, offer, capsys, quick):
    offer("good")
    assert fetch_vectors.main(["toy"]) == 0
    assert (
        f"Toy toy is ready: 30,000 words, 3 numbers each. They are in {folder / 'toy.kv'}\n" in capsys.readouterr().out
    )
    assert files(folder) == ["toy.kv"]


@pytest.mark.parametrize(
    ("path", "name", "problem"), [("short", "toy", "was closed"), ("good", "toys", "choose glove")]
)
def test_the_command_fails_with_a_sentence(folder, offer, capsys, quick, path, name, problem):
    offer(path)
    assert fetch_vectors.main([name]) == 1
    error = capsys.readouterr().err
    assert problem in error
    assert error.count("\n") == 1
    assert files(folder) == []


def test_the_command_prints_a_line_for_every_five_percent(folder, offer, capsys):
    source = offer("good")
    download = Download(source, folder)
    looks = iter(range(0, 1_001))

    def look(_):
        done = next(looks)
        download.update("downloading", done, 1_000, f"{done} of 1000")
        return done == 1_000

    download.wait = look
    fetch_vectors._follow(download)
    assert capsys.readouterr().out.splitlines() == [f"{done} of 1000" for done in range(0, 1_001, 50)]


def test_the_command_is_cancelled_by_an_interrupt(folder, offer, capsys, quick, monkeypatch):
    def interrupted(download):
        wait_for(lambda: download.phase == "downloading")
        raise KeyboardInterrupt

    offer("slow")
    monkeypatch.setattr(fetch_vectors, "_follow", interrupted)
    assert fetch_vectors.main(["toy"]) == 1
    assert "Toy toy was cancelled, and its files are deleted.\n" in capsys.readouterr().err
    assert files(folder) == []
