"""The dialogs of the toolbar: Share, Download and Help."""

import io
import json
from urllib.parse import parse_qs, urlsplit

import nbformat
import numpy as np
import pytest
from driver import PAGES, AppDriver, as_read, torch_tables

from components.base.link import AppState, read_query
from components.entry import LESSONS
from components.lessons.glossary.terms import terms_of
from components.programs.story import tell
from components.ui import download_dialog
from tests.programs.test_programs import chapter
from tests.states import WITH_PROGRAMS

DEFAULT = AppState({name: lesson.choices() for name, lesson in LESSONS.items()})


@pytest.fixture
def files(monkeypatch) -> dict[str, bytes]:
    """Return what the download buttons rendered since would hand out, by name of the file."""
    found = {}
    monkeypatch.setattr(download_dialog, "download", lambda label, make, name, **_: found.update({name: make}))
    return found


def dialog_text(app: AppDriver) -> str:
    (dialog,) = app.dialogs()
    return "\n".join(as_read(element.proto.body) for element in dialog if hasattr(element.proto, "body"))


@pytest.mark.parametrize("label", ["Share", "Download", "Help"])
def test_a_dialog_opens_on_every_page_for_one_run(label):
    app = AppDriver()
    for page in PAGES:
        assert not app.open(page).dialogs()
        assert len(app.press(label).dialogs()) == 1
        assert not app.run().dialogs()


@pytest.mark.parametrize("page", PAGES)
def test_share_link_contains_page_settings_choices_and_text(page):
    app = AppDriver().open(page, V=60, D=3, seed=9, text="a café", step=2).press("Share")
    link = app.at.code[-1].value
    assert urlsplit(link).path == ("/" if page == "home" else f"/{page}")
    query = {name: values[0] for name, values in parse_qs(urlsplit(link).query).items()}
    assert read_query(DEFAULT, query) == (app.app_state, [])


def test_share_leaves_out_the_defaults_of_the_lesson():
    app = AppDriver().open("combine", step=2).press("Share")
    query = parse_qs(urlsplit(app.at.code[-1].value).query)
    assert query["step"] == ["2"]
    assert "spread" not in query
    assert "spread" in app.at.query_params


def test_a_text_too_long_for_a_link_is_offered_as_a_file():
    text = "".join(chr(0x4E00 + n * n % 20_000) for n in range(9_000))
    app = AppDriver().open("tokens").set(text=text).press("Share")
    assert any("the link opens without it" in warning for warning in app.warnings())
    assert "Download text" in app.labels()


def test_a_link_too_long_for_a_qr_code_shows_why():
    app = AppDriver().open("tokens", text="river " * 300).press("Share")
    assert any("QR code" in info.value for info in app.at.info)
    assert not app.at.get("image")
    assert AppDriver().open("tokens").press("Share").at.get("image")


@pytest.mark.parametrize("page", WITH_PROGRAMS)
def test_a_lesson_downloads_as_notebook_and_script(page, files):
    app = AppDriver().open(page, seed=9).press("Download")
    notebook = nbformat.reads(files[f"{page}.ipynb"]().decode(), as_version=4)
    nbformat.validate(notebook)
    cells = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    program = tell([chapter(page, app.app_state)])
    assert cells[0] == program.values.strip()
    assert cells[2:] == [cell.code for cell in program.chapters[0].cells]
    script = files[f"{page}.py"]().decode()
    compile(script, page, "exec")
    assert all(cell in script for cell in cells)


def test_the_whole_journey_contains_every_lesson(files):
    AppDriver().open().press("Download")
    notebook = json.loads(files["journey.ipynb"]())
    headings = [cell["source"] for cell in notebook["cells"] if "".join(cell["source"]).startswith("# ")]
    assert len(headings) == 1 + len(WITH_PROGRAMS)
    assert files["journey.ipynb"]() == files["journey.ipynb"]()  # the same lesson is the same file


def test_tensors_download_as_npy_and_csv(files):
    app = AppDriver().open("combine", V=60, D=3, seed=9, ids="2 3 5 1")
    app.at.session_state.take_combine = "combined"
    app.press("Download")
    (tensor,) = [box for box in app.at.selectbox if box.label == "Tensor or table"]
    names = ["ids", "token", "position", "combined", "token_table"]
    assert [option.split(" ")[0] for option in tensor.options] == names
    token, position = torch_tables(60, 3, 9)
    combined = np.load(io.BytesIO(files["combine-combined.npy"]()))
    assert np.array_equal(combined[0], (token[[2, 3, 5, 1]] + position).numpy())
    assert files["combine-combined.csv"]().startswith(b"b,t,d0,d1,d2\r\n0,0,")


def test_a_tensor_too_large_for_a_file_shows_its_size(files):
    app = AppDriver().open("lookup", D=256)
    app.at.session_state.take_lookup = "token_table"
    app.press("Download")
    assert any("[50,257, 256] has 12,865,792" in info.value for info in app.at.info)
    assert "lookup-token_table.npy" not in files


def test_help_shows_the_shortcuts_and_the_terms_of_the_lesson():
    app = AppDriver()
    for page in PAGES:
        words = dialog_text(app.open(page).press("Help"))
        assert "| Shift + P | enter or leave presentation mode | everywhere |" in words
        assert all(f"**{term.name}**" in words for term in terms_of(page))


def test_help_leads_to_the_full_glossary_without_a_search():
    app = AppDriver().open("glossary", term="stride").open("lookup").press("Help")
    app.press("Full glossary and further reading")  # AppTest does not rerun the dialog, which would open the page
    assert app.open("glossary").state.choices.term == ""
