"""What every page offers besides its lesson: the link, the files, help, the programs, the presenter's view."""

import io
import json
from urllib.parse import parse_qs, urlsplit

import nbformat
import numpy as np
import pytest
from lab import PAGES, Lab, as_read, torch_tables

from components.core.glossary import terms_of
from components.core.link import State, read_query
from components.core.snippets import snippets
from components.ui import take_away
from components.ui.encoding import token_ids


@pytest.fixture
def files(monkeypatch) -> dict[str, bytes]:
    """What the download buttons drawn since would hand out, by name of the file."""
    found = {}
    monkeypatch.setattr(take_away, "download", lambda label, make, name, slow=False: found.update({name: make}))
    return found


def ids_of(state: State) -> list[int]:
    return token_ids(state.settings.tokenizer, state.text).tolist()


@pytest.mark.parametrize("page", PAGES)
def test_the_link_carries_page_settings_choices_and_text(page):
    lab = Lab().open(page, V=60, D=3, seed=9, text="a café", step=2).press("Share")
    link = lab.at.code[-1].value
    assert urlsplit(link).path == ("/" if page == "home" else f"/{page}")
    query = {name: values[0] for name, values in parse_qs(urlsplit(link).query).items()}
    assert read_query(State(), query) == (lab.state, [])


def test_a_text_too_long_for_a_link_is_said_and_offered_as_a_file():
    text = "".join(chr(0x4E00 + n * n % 20_000) for n in range(9_000))
    lab = Lab().open("tokens").set(text=text).press("Share")
    assert any("the link opens without it" in warning for warning in lab.warnings())
    assert "The text as a file" in [button.label for button in lab.at.get("download_button")]


def test_a_link_too_long_for_a_code_says_so():
    lab = Lab().open("tokens", text="river " * 300).press("Share")
    assert any("a QR code that can be read across a room holds" in info.value for info in lab.at.info)
    assert not lab.at.get("imgs")


@pytest.mark.parametrize("page", [page for page in PAGES if page not in ("home", "glossary")])
def test_a_lesson_is_handed_out_as_notebook_and_script(page, files):
    lab = Lab().open(page, seed=9).press("Take it with you")
    notebook = nbformat.reads(files[f"{page}.ipynb"]().decode(), as_version=4)
    nbformat.validate(notebook)
    cells = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    assert cells[0] == "%pip install -q torch tiktoken gensim"
    assert cells[1:] == [snippet.code.strip() for snippet in snippets(page, lab.state, ids_of(lab.state))]
    script = files[f"{page}.py"]().decode()
    compile(script, page, "exec")
    assert all(cell in script for cell in cells[1:])


def test_the_whole_journey_holds_every_lesson(files):
    Lab().open().press("Take it with you")
    notebook = json.loads(files["journey.ipynb"]())
    headings = [cell["source"] for cell in notebook["cells"] if "".join(cell["source"]).startswith("## ")]
    assert len(headings) == len(PAGES) - 2
    assert files["journey.ipynb"]() == files["journey.ipynb"]()  # the same lesson is the same file


def test_tensors_are_handed_out_as_they_are(files):
    lab = Lab().open("combine", V=60, D=3, seed=9, ids="2 3 5 1")
    lab.at.session_state.take_combine = "combined"
    lab.press("Take it with you")
    (tensor,) = [box for box in lab.at.selectbox if box.label == "Tensor or table"]
    assert [option.split(" ")[0] for option in tensor.options] == [
        "ids",
        "token",
        "position",
        "combined",
        "token_table",
    ]
    token, position = torch_tables(60, 3, 9)
    combined = np.load(io.BytesIO(files["combine-combined.npy"]()))
    assert np.array_equal(combined[0], (token[[2, 3, 5, 1]] + position).numpy())
    assert files["combine-combined.csv"]().startswith(b"b,t,d0,d1,d2\r\n0,0,")


def test_a_tensor_too_large_for_a_file_is_refused_with_its_size(files):
    lab = Lab().open("lookup", D=256)
    lab.at.session_state.take_lookup = "token_table"
    lab.press("Take it with you")
    assert any("[50,257, 256] has 12,865,792 numbers" in info.value for info in lab.at.info)
    assert "lookup-token_table.npy" not in files


@pytest.mark.parametrize("page", [page for page in PAGES if page != "home"])
def test_help_names_the_keys_and_the_words_of_the_page(page):
    lab = Lab().open(page).press("Keys and words")
    (panel,) = lab.at.get("dialog")
    words = "\n".join(as_read(markdown.value) for markdown in panel.markdown)
    assert "| Shift + P | into the presenter's view, and out of it | everywhere |" in words
    assert all(f"**{term.name}**" in words for term in terms_of(page))


@pytest.mark.parametrize("page", [page for page in PAGES if page not in ("home", "glossary")])
def test_the_programs_are_written_only_when_they_are_asked_for(page):
    lab = Lab().open(page).run()
    programs = [snippet.code.strip() for snippet in snippets(page, lab.state, ids_of(lab.state))]
    assert programs
    assert not set(programs) & {code.value for code in lab.at.code}
    assert any("Show the PyTorch" in part.label for part in lab.at.expander)
    lab.at.session_state[f"pytorch_{page}"] = True
    lab.run()
    assert set(programs) <= {code.value for code in lab.at.code}


def test_the_presenters_view_travels_in_the_link_and_is_left_by_its_button():
    lab = Lab().open("lookup", present=1)
    assert lab.state.choices.present
    assert any("Leave this view" in button.label for button in lab.at.button)
    lab.press("Leave this view")
    assert not lab.state.choices.present
    lab.press("Present")
    assert lab.state.choices.present


def test_charts_are_larger_in_the_presenters_view():
    def sizes(lab: Lab) -> list[float]:
        return [layer["mark"]["fontSize"] for layer in lab.specs()[0]["layer"] if "fontSize" in layer["mark"]]

    plain, large = sizes(Lab().open("lookup")), sizes(Lab().open("lookup", present=1))
    assert plain
    assert large == pytest.approx([1.3 * size for size in plain])


@pytest.mark.parametrize("word", ["context length", "T", "stride"])
def test_a_word_is_found_in_the_glossary(word):
    assert word.lower() in Lab().open("glossary", term=word).words.lower()


def test_a_word_that_is_not_in_the_glossary_is_named():
    assert any("'xyzzy' is not among the" in error for error in Lab().open("glossary", term="xyzzy").errors())
