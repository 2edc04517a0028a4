"""All lessons as one notebook: no lesson changes what another one needs, and Jupyter prints what the scripts print."""

import json

import jupytext
from nbclient import NotebookClient

from components.entry import LESSONS
from components.programs.notebook import as_notebook
from components.ui.code_view import handout_of
from tests.programs.run_programs import run_many, tiktoken_cache
from tests.states import WITH_PROGRAMS, app_state


def test_as_notebook_of_all_lessons_executed_in_jupyter_prints_what_the_scripts_print(monkeypatch):
    state = app_state()
    handouts = [handout_of(LESSONS[each].page, state.lesson(each), "https://example.org") for each in WITH_PROGRAMS]
    programs = [each.text for each in handouts]
    text = as_notebook("\n".join(programs))
    assert text == as_notebook("\n".join(programs))
    notebook = jupytext.reads(text, fmt="ipynb")
    assert notebook.metadata["kernelspec"]["display_name"] == "Python 3"
    installed = notebook.cells.pop(0)
    assert installed.source == "%pip install --quiet gensim regex tiktoken torch"
    titles = [cell.source.splitlines()[0] for cell in notebook.cells if cell.cell_type == "markdown"]
    assert sum(title.startswith("# ") for title in titles) == len(WITH_PROGRAMS)
    assert {"title"} & {name for cell in json.loads(text)["cells"] for name in cell["metadata"]} == set()
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tiktoken_cache()))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert {(output.output_type, output.name) for output in outputs} == {("stream", "stdout")}
    printed = "".join(ran.printed for ran in run_many(programs))
    assert "".join(output.text for output in outputs) == printed
