"""All lessons as one notebook: no lesson changes what another one needs, and Jupyter prints what the script prints."""

import ast

import nbformat
import pytest
from nbclient import NotebookClient

from components.base.program_text import names_bound
from components.base.settings import Settings
from components.programs.notebook import as_notebook, as_script
from components.programs.story import Cell, Chapter, Program, cells, tell
from components.text.window_counts import require_batches
from tests.programs.run_programs import run_many
from tests.programs.test_programs import LINK, SHARED, chapter
from tests.states import WITH_PROGRAMS, app_state, token_ids


def chapters_of(name: str) -> list[Chapter]:
    """Return the chapters of all lessons that have one in this state."""
    return [each for page in WITH_PROGRAMS if (each := chapter(page, SHARED[name]))]


def values_of(program: Program) -> dict[str, object]:
    """Return the values in the first cell of a program."""
    found = {}
    exec(program.values, found)
    return {name: value for name, value in found.items() if name != "__builtins__"}


def test_cells_have_the_comments_below_their_title_as_prose():
    code = "# %% A\n# One\n# sentence.\n#\n# Two.\nx = 1  # [1]\n# no prose\n"
    assert cells(code) == [Cell("A", "One sentence.\n\nTwo.", "x = 1  # [1]\n# no prose")]


def test_tell_begins_with_the_text_and_takes_the_last_batch_beyond_the_end():
    long = app_state(Settings(context_length=2, batch=99), "a long text, " * 20)
    program = tell([chapter("windows", long), chapter("combine", long)])
    assert program.values.startswith("text = (")  # of several lines, before all short values
    values = values_of(program)
    assert values["batch"] == require_batches(len(token_ids(long)), long.settings) - 1 < 99


def test_as_notebook_of_all_lessons_executed_in_jupyter_prints_what_the_script_prints():
    journey = tell(chapters_of("My text"))
    text = as_notebook(journey, LINK)
    notebook = nbformat.reads(text, as_version=4)
    nbformat.validate(notebook)
    assert text == as_notebook(journey, LINK)
    assert f"<{LINK}>" in notebook.cells[0].source
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert {(output.output_type, output.name) for output in outputs} == {("stream", "stdout")}
    (script,) = run_many([as_script(journey, LINK)])
    assert "".join(output.text for output in outputs) == script.printed


def test_tell_all_lessons_has_each_step_once_and_names_its_libraries():
    journey = tell(chapters_of("My text"))
    titles = [(part.title, cell.title) for part in journey.chapters for cell in part.cells]
    assert len(titles) == len(set(titles))
    assert all(part.cells for part in journey.chapters)
    assert journey.libraries == ["gensim", "jaxtyping", "numpy", "tiktoken", "torch"]


@pytest.mark.parametrize("name", SHARED)
def test_tell_all_lessons_keeps_the_values_of_each_and_hides_no_function(name):
    chapters = chapters_of(name)
    journey = tell(chapters)
    for each in chapters:
        assert values_of(tell([each])).items() <= values_of(journey).items(), each.title
    variables = {*values_of(journey)}
    variables |= names_bound("\n".join(cell.code for part in journey.chapters for cell in part.cells))
    definitions = ast.parse(f"{journey.imports}\n{journey.functions}").body
    names = {alias.asname or alias.name for node in definitions for alias in getattr(node, "names", [])}
    names |= {node.name for node in definitions if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    assert not variables & names
