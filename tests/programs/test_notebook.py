"""The whole journey as one notebook: valid, the same each time, and executed it gives what the script gives."""

import nbformat
import pytest
from nbclient import NotebookClient

from components.programs.notebook import as_notebook, as_script
from components.programs.story import tell
from tests.programs.program_states import STATES
from tests.programs.run_programs import run_many
from tests.programs.test_programs import LINK, chapter
from tests.states import WITH_PROGRAMS

STATE = STATES["My text"]


@pytest.fixture(scope="module")
def journey():
    return tell([chapter(page, STATE) for page in WITH_PROGRAMS])


def test_journey_executed_in_jupyter_prints_what_the_script_prints(journey):
    notebook = nbformat.reads(as_notebook(journey, LINK), as_version=4)
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert {(output.output_type, output.name) for output in outputs} == {("stream", "stdout")}
    (script,) = run_many([as_script(journey, LINK)])
    assert "".join(output.text for output in outputs) == script.printed


def test_journey_contains_every_lesson_and_each_step_once(journey):
    titles = [(part.title, cell.title) for part in journey.chapters for cell in part.cells]
    assert len(titles) == len(set(titles))
    assert all(part.cells for part in journey.chapters)
    assert journey.libraries == ["gensim", "jaxtyping", "numpy", "tiktoken", "torch"]


def test_notebook_is_valid_and_the_same_each_time(journey):
    text = as_notebook(journey, LINK)
    nbformat.validate(nbformat.reads(text, as_version=4))
    assert text == as_notebook(journey, LINK)
    assert f"<{LINK}>" in nbformat.reads(text, as_version=4).cells[0].source
