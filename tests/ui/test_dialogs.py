import io
from urllib.parse import urlencode
from xml.etree import ElementTree

import jupytext
import numpy as np
import pytest

from components.base.link import to_query
from components.figures.drawing import STYLE
from components.ui import download_dialog, share_dialog
from tests.app_driver import PAGES, AppDriver, torch_tables
from tests.states import WITH_PROGRAMS

WITHOUT_FIGURE = ("tokens", "errors", "training", "word2vec", "reproduce", "glossary")


@pytest.fixture
def files(monkeypatch) -> dict:
    """Return what makes the file of each download button rendered since, by the name of the file."""
    found = {}
    monkeypatch.setattr(download_dialog, "download", lambda label, make, name, **_: found.update({name: make}))
    return found


def test_download_dialog_gives_lesson_and_journey_as_code_and_the_text(files):
    app = AppDriver().open("lookup", seed=9).press("Download")
    script, offline = files["lookup.py"]().decode(), files["lookup-offline.py"]().decode()
    assert "seed = 50_257, 16, 9" in script
    assert ("tiktoken." in script, "tiktoken." in offline) == (True, False)
    for name, program in (("lookup", script), ("lookup-offline", offline)):
        code = [cell.source for cell in jupytext.reads(files[f"{name}.ipynb"]().decode(), "ipynb").cells]
        assert all(line in program for line in code[-1].splitlines())
    journey = files["journey.py"]().decode()
    assert script.partition("# %% Your values")[2] in journey
    assert journey.count("# %% [markdown]") == len(WITH_PROGRAMS)
    assert "tiktoken.get_encoding" not in files["journey-offline.py"]().decode()
    assert files["text.txt"]().decode() == app.state.text
    assert not app.run().dialogs()


def test_download_dialog_gives_tensors_and_tables_as_files(files):
    names = ["ids", "token", "combined", "position_rows", "token_table"]
    app = AppDriver().open("combine", V=60, D=3, seed=9, position="learned", ids="2 3 5 1")
    app.at.session_state.take_combine = "combined"
    app.press("Download")
    (tensor,) = [box for box in app.at.selectbox if box.label == "Tensor or table"]
    assert [option.split(" ")[0] for option in tensor.options] == names
    token, position = torch_tables(60, 3, 9)
    combined = np.load(io.BytesIO(files["combine-combined.npy"]()))
    assert np.array_equal(combined[0], (token[[2, 3, 5, 1]] + position).numpy())
    assert files["combine-combined.csv"]().startswith(b"b,t,d0,d1,d2\r\n0,0,")
    app = AppDriver().open("tokens", text="a b a")
    app.at.session_state.take_tokens = "words"
    app.press("Download")
    assert files["tokens-words.csv"]().startswith(b"position,ID,token\r\n0,4,a\r\n1,5,b\r\n2,4,a")


@pytest.mark.parametrize("page", PAGES)
def test_download_dialog_gives_the_figure_of_a_page_as_it_is_shown(files, page):
    app = AppDriver().open(page)
    figure = app.learner.outputs.figure
    assert figure or page in WITHOUT_FIGURE
    app.press("Download")
    assert (f"{page}.svg" in files) is bool(figure)
    if figure:
        root = ElementTree.fromstring(files[f"{page}.svg"]())
        assert root.get("viewBox") == f"0 0 {figure.width} {figure.height}"
        assert STYLE in "".join(root.find("{*}style").itertext())
        assert str(figure.drawing) in files[f"{page}.svg"]().decode()


def test_download_dialog_without_files_shows_the_reason(files):
    app = AppDriver().open("lookup", D=256)
    app.at.session_state.take_lookup = "token_table"
    app.press("Download")
    assert any("[50,257, 256] has 12,865,792" in info.value for info in app.at.info)
    assert "lookup-token_table.npy" not in files
    captions = [caption.value for caption in AppDriver().open("combine", V=6, ids="9").press("Download").at.caption]
    assert "No code for this lesson with these settings: fix the error shown on the page first." in captions
    assert "There are no tensors on this page." in captions


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "0.0.0.0", "lab.localhost.", "[::ffff:127.0.0.1]"])
def test_share_dialog_of_a_local_address_gives_no_qr_code_and_the_way_to_one(monkeypatch, host):
    monkeypatch.setattr(share_dialog, "address_of", lambda _: f"https://{host}:8600/?v=1")
    app = AppDriver().open("tokens").press("Share")
    (sentence,) = app.warnings()
    assert sentence.startswith(f"Nobody else can open this link: {host.strip('[]')} is always the reader's own device.")
    assert "such as `https://192.168.1.20:8600`" in sentence
    assert not app.at.get("image")


def test_share_dialog_with_a_long_text_gives_no_qr_code_or_a_file(monkeypatch):
    monkeypatch.setattr(
        share_dialog, "address_of", lambda learner: f"http://10.0.0.7/?{urlencode(to_query(learner.state))}"
    )
    app = AppDriver().open("tokens").press("Share")
    assert app.at.get("image")
    assert not app.warnings()
    app = AppDriver().open("tokens", text="river " * 300).press("Share")
    assert any("QR code" in info.value for info in app.at.info)
    assert not app.at.get("image")
    text = "".join(chr(0x4E00 + n * n % 20_000) for n in range(9_000))
    app.set(text=text)
    assert "This text (9,000 characters) is too long for a link" in app.words
    assert any("the link opens without it" in warning for warning in app.press("Share").warnings())
    assert "Download text" in app.labels()
    assert "text" not in app.at.query_params
    assert app.open("lookup").state.text == text
