"""Notebooks and scripts: valid, the same each time, and executed they print what the core computes."""

import subprocess
import sys

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient
from snippet_runs import numbers
from snippet_states import STATES, token_ids

from components.core.batches import make_batch
from components.core.notebook import INSTALL, Chapter, as_notebook, as_script
from components.core.snippets import PAGES, Snippet, snippets
from components.core.walkthrough import walk

STATE = STATES["My text"]
LINK = "https://example.org/lookup?seed=1"


def chapter(page: str) -> Chapter:
    return Chapter(page.capitalize(), "What it is for.", snippets(page, STATE, token_ids(STATE)))


@pytest.fixture(scope="module")
def executed() -> dict[str, str]:
    """What every cell of the whole journey printed in a kernel of Jupyter, by its code."""
    journey = nbformat.reads(as_notebook([chapter(page) for page in PAGES if page != "home"], LINK), as_version=4)
    NotebookClient(journey, timeout=300, kernel_name="python3").execute()
    cells = [cell for cell in journey.cells if cell.cell_type == "code"]
    assert cells[0].source == INSTALL
    printed = {}
    for cell in cells[1:]:
        assert all(out.output_type == "stream" and out.name == "stdout" for out in cell.outputs), cell.outputs
        printed[cell.source] = "".join(out.text for out in cell.outputs)
    return printed


def printed_by(executed: dict[str, str], page: str, name: str) -> list[float]:
    (code,) = [snippet.code.strip() for snippet in chapter(page).snippets if snippet.name == name]
    return numbers(executed[code])


@pytest.mark.parametrize("name", ["token", "position", "combined"])
def test_the_executed_journey_prints_the_tensors_of_the_core(executed, name):
    tensor = walk(make_batch(token_ids(STATE), STATE.settings, STATE.choices), STATE.settings)[name].tensor
    found = printed_by(executed, "combine", name)
    sheet = tensor[0] if tensor.dim() == 3 else tensor
    wanted = sheet[:12, :16].detach().numpy().ravel()
    start = next(n for n in range(len(found)) if np.allclose(found[n : n + 16], wanted[:16], atol=6e-5))
    assert np.allclose(found[start : start + len(wanted)], wanted, atol=6e-5)


def test_every_cell_of_the_executed_journey_prints_something(executed):
    assert all(out.strip() for out in executed.values())
    assert len(executed) > 20


def test_the_script_runs_alone_and_prints_what_the_notebook_prints(executed, tmp_path):
    script = tmp_path / "lookup.py"
    script.write_text(as_script([chapter("lookup")], LINK), "utf-8")
    run = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, encoding="utf-8", env={})
    assert run.stderr == ""
    assert run.stdout == "".join(executed[snippet.code.strip()] for snippet in chapter("lookup").snippets)


def test_a_notebook_is_valid_and_the_same_each_time():
    text = as_notebook([chapter("lookup"), chapter("combine")], LINK)
    nbformat.validate(nbformat.reads(text, as_version=4))
    assert text == as_notebook([chapter("lookup"), chapter("combine")], LINK)


def test_the_way_back_to_the_app_and_what_to_install_stand_on_top():
    cells = nbformat.reads(as_notebook([chapter("lookup")], LINK), as_version=4).cells
    assert f"<{LINK}>" in cells[0].source
    assert cells[0].source.startswith("# Embedding Lab: Lookup")
    assert cells[1].source == "%pip install -q torch tiktoken gensim"


def test_prose_in_a_script_is_comment_however_it_is_written():
    odd = Snippet("odd", "A title", "One line.\n\nprint('not code')\n\n" + "long " * 60, "print(1)")
    script = as_script([Chapter("T", "P", [odd])], LINK)
    assert [line for line in script.splitlines() if line and not line.startswith("#")] == ["print(1)"]
    assert max(map(len, script.splitlines())) <= 120
