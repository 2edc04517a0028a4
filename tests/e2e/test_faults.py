"""The app on a faulty machine: no home folder, a network that does not answer, a clock that jumps."""

import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, expect

from tests.skipping import skip_or_fail

from .page_actions import (
    LESSONS,
    drawn,
    entry,
    follow,
    in_address,
    main_of,
    no_traceback,
    path_of,
    sentence,
    sidebar_link,
    text_area,
    type_number,
    type_text,
    visit,
)
from .server_processes import APP, Server, running_server
from .websocket_client import finish, visitor

NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
DAY = 86_400
GLOVE = "vectors=glove-wiki-gigaword-50"


# A home folder that is read-only or missing


@pytest.fixture(scope="module", params=["read-only", "missing"])
def homeless(request) -> Iterator[Server]:
    """The app of a user who cannot write to the home folder."""
    if not shutil.which("setpriv") or subprocess.run([*NOBODY, "true"], capture_output=True).returncode:
        pytest.skip("setpriv is not permitted here: the app cannot be run by another user.")
    home = Path(tempfile.mkdtemp())  # other users cannot read pytest's own folders
    home.chmod(0o555)
    env = {"HOME": str(home if request.param == "read-only" else home / "missing")}
    env |= {"EMBEDDING_LAB_CACHE": "", "XDG_CACHE_HOME": "", "XDG_CONFIG_HOME": "", "PYTHONDONTWRITEBYTECODE": "1"}
    env |= {"TIKTOKEN_CACHE_DIR": f"{env['HOME']}/tables"}
    with running_server([*NOBODY, *APP], env=env) as server:
        yield server
    assert list(home.iterdir()) == []
    home.rmdir()


def test_every_page_works_without_a_home_folder(homeless):
    async def open_all() -> None:
        async with visitor(homeless) as who:
            for lesson in LESSONS:
                assert (await who.open(path_of(lesson), "v=2&V=500")).exceptions == []

    finish(open_all())
    assert "Traceback" not in homeless.log()


def test_download_has_a_message_without_a_home_folder(homeless, page):
    visit(page, homeless.address, "word2vec", GLOVE)
    sentence(page, "cannot be written: set the environment variable EMBEDDING_LAB_CACHE to another folder.")
    expect(page.get_by_role("button", name="Download (69.2 MB)")).to_be_disabled()
    visit(page, homeless.address, "word2vec", "sentences=1000")
    expect(main_of(page)).to_contain_text("each a vector of 32 numbers.")
    no_traceback(page)


# A network that accepts connections and never answers


@pytest.fixture(scope="module")
def unanswered(browser, tmp_path_factory) -> Iterator[Server]:
    """The app behind a proxy that never answers, with nothing downloaded so far."""
    tokenizers, vectors = (str(tmp_path_factory.mktemp(name)) for name in ("tokenizers", "vectors"))
    with socket.create_server(("127.0.0.1", 0), backlog=50) as silent:
        proxy = f"http://127.0.0.1:{silent.getsockname()[1]}"
        env = dict.fromkeys(("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"), proxy)
        env |= {"NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}
        env |= {"TIKTOKEN_CACHE_DIR": tokenizers, "EMBEDDING_LAB_CACHE": vectors}
        with running_server(env=env) as server:
            yield server


def test_silent_network_has_messages_and_the_rest_works(unanswered, page, familiar_browser):
    vectors = familiar_browser.new_page()
    visit(vectors, unanswered.address, "word2vec", GLOVE)
    vectors.get_by_role("button", name="Download (69.2 MB)").click()
    expect(vectors.get_by_role("button", name="Cancel for everyone")).to_be_visible()
    visit(page, unanswered.address, "tokens", "tokenizer=cl100k_base")
    page.get_by_role("button", name="Download (1.7 MB)").click()
    expect(page.get_by_role("button", name="Cancel for everyone")).to_be_visible()
    type_number(page, "V", 3_000)
    in_address(page, vocab_size="3000")
    follow(page, "lookup")
    expect(main_of(page)).to_contain_text("cl100k_base (tokenizer) could not be downloaded", timeout=60_000)
    expect(main_of(page)).to_contain_text("Until then choose gpt2, which needs no download.")
    visit(page, unanswered.address, "lookup")
    expect(page.get_by_test_id("stVegaLiteChart").first).to_be_visible()
    for one in (page, vectors):
        no_traceback(one)
    expect(main_of(vectors)).to_contain_text("GloVe (Wikipedia and newspapers) could not be downloaded", timeout=60_000)
    expect(vectors.get_by_role("button", name="Download (69.2 MB)")).to_be_enabled()
    vectors.close()


# A clock that jumps


@pytest.fixture(scope="module")
def jumping(browser, tmp_path_factory) -> Iterator[tuple[Server, Path]]:
    """The app with a clock of its own, and the file with the seconds that it is ahead."""
    library = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)
    if library is None:
        skip_or_fail("faketime is not installed: the clock cannot jump.")
    ahead = tmp_path_factory.mktemp("clock") / "ahead"
    ahead.write_text("+0\n")
    env = {"LD_PRELOAD": str(library), "FAKETIME_TIMESTAMP_FILE": str(ahead), "FAKETIME_NO_CACHE": "1"}
    env |= {"FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1"}
    env |= {"FAKETIME_FORCE_MONOTONIC_FIX": "0"}  # a workaround for an old glibc: with it threads wait for seconds
    with running_server(env=env) as server:
        yield server, ahead


def clock_of(server: Server) -> float:
    """Return the server's time, which is a header of every answer."""
    with urlopen(f"{server.address}/_stcore/health", timeout=10) as answer:
        return parsedate_to_datetime(answer.headers["Date"]).timestamp()


@pytest.mark.parametrize("seconds", [DAY, -DAY], ids=["a day ahead", "a day back"])
def test_session_goes_on_when_the_clock_jumps(jumping, page, seconds):
    server, ahead = jumping
    ahead.write_text("+0\n")
    visit(page, server.address, "tokens", "V=5000&text=before")
    now = clock_of(server)
    ahead.write_text(f"{seconds:+d}\n")
    expect(page.get_by_test_id("stApp")).to_be_attached()
    assert abs(wait_for_clock(page, server, now + seconds) - (now + seconds)) < 60
    type_number(page, "V", 6_000)
    in_address(page, vocab_size="6000", text="before")
    type_text(page, "after the jump")
    in_address(page, text="after the jump")
    text_area(page).fill("typed and then clicked")
    sidebar_link(page, "home").click(delay=100)
    in_address(page, text="typed and then clicked", vocab_size="6000")
    drawn(page, "home")
    for lesson in LESSONS:
        if lesson != "home":
            follow(page, lesson)
            no_traceback(page)
    follow(page, "tokens")
    expect(text_area(page)).to_have_value("typed and then clicked")
    expect(entry(page, "V")).to_have_value("6000")
    assert "Traceback" not in server.log()


def wait_for_clock(page: Page, server: Server, wanted: float) -> float:
    """Return the server's time once its clock has jumped, or after ten seconds."""
    for _ in range(100):
        if abs(clock_of(server) - wanted) < 60:
            break
        page.wait_for_timeout(100)
    return clock_of(server)
