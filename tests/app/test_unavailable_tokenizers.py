"""The larger tokenizers are offered as downloads; without them pages go on, and their choice is kept."""

import pytest
from driver import WITH_SETTINGS, AppDriver

from components.base import downloads
from components.base.downloads import last_download
from components.text.tokenizers import TOKENIZER_FILES
from tests.toy_tokenizer import NAME, toy_tokenizer


@pytest.fixture(autouse=True)
def server(monkeypatch, cache):
    with toy_tokenizer(monkeypatch) as server:
        yield server


def download_label(app: AppDriver) -> str:
    (label,) = [label for label in app.labels() if label.startswith("Download (")]
    return label


def test_pages_that_need_the_tokenizer_offer_it():
    app = AppDriver().open().set(all_tokenizer="o200k_base")
    for page in WITH_SETTINGS:
        if page == "reproduce":  # its published results are of GPT-2's tokenizer
            continue
        app.open(page)
        assert download_label(app) == "Download (3.6 MB)", page
        assert " is not on this server yet: 3.6 MB to download, once for everyone" in app.words
        assert not app.errors()
        assert app.state.settings.tokenizer == "o200k_base"
    assert downloads._downloads == {}


def test_tokens_shows_gpt2_instead():
    app = AppDriver().open("tokens", tokenizer="cl100k_base", text="Hello, world!")
    assert app.widget("piece_chip").label == "Tokens in gpt2"
    assert len(app.widget("piece_chip").options) == 4


def test_gpt2_can_be_chosen_instead():
    app = AppDriver().open("lookup", tokenizer=NAME)
    app.press("Use GPT-2's tokens")
    assert app.state.settings.tokenizer == "gpt2"
    assert not [label for label in app.labels() if label.startswith("Download (")]


def test_downloaded_tokenizer_is_used_by_all_sessions(server):
    app, other = (AppDriver().open("tokens", tokenizer=NAME, text="hi") for _ in range(2))
    app.press(download_label(app))
    assert last_download(TOKENIZER_FILES[NAME]).wait(15.0)
    for each in (app, other):
        each.run()
        assert each.widget("piece_chip").label == "Tokens in cl100k_base"
        assert len(each.widget("piece_chip").options) == 2


@pytest.mark.parametrize("page", [page for page in WITH_SETTINGS if page != "reproduce"])
def test_download_shows_progress_and_can_be_cancelled(server, cache, page):
    server.mode = "stalled"
    app = AppDriver().open(page, tokenizer=NAME)
    app.press(download_label(app))
    assert "cl100k" in app.at.get("progress")[0].proto.text
    app.press("Cancel for everyone")
    assert last_download(TOKENIZER_FILES[NAME]).wait(15.0)
    assert app.run().errors() == ["cl100k_base (tokenizer) was cancelled, and its files are deleted."]
    assert list(cache.iterdir()) == []


def test_failed_download_shows_an_error_and_can_be_repeated(server):
    server.mode = "missing"
    app = AppDriver().open("lookup", tokenizer=NAME)
    app.press(download_label(app))
    assert last_download(TOKENIZER_FILES[NAME]).wait(15.0)
    assert "127.0.0.1 answered with error 404" in app.run().errors()[0]
    server.mode = "table"
    app.press(download_label(app))
    assert last_download(TOKENIZER_FILES[NAME]).wait(15.0)
    assert not app.run().errors()


def test_table_is_shown_without_its_ids():
    assert "W[0, 0]" in AppDriver().open("lookup", V=6, D=3, tokenizer="o200k_base").cells()


@pytest.mark.parametrize("page", ["lookup", "positions", "combine"])
def test_typed_ids_need_no_tokenizer(page):
    assert "is not on this server" not in AppDriver().open(page, V=6, D=3, ids="2 3 5 1", tokenizer="o200k_base").words
