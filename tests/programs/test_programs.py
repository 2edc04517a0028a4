"""Every lesson's program, run alone, makes the tensors of its page and prints the numbers that its page has.

With GPT-2's table chosen it fetches the same rows by ranges. All lessons as one notebook: no lesson changes what
another one needs, and Jupyter prints what the scripts print.
"""

import json
import re
from functools import cache
from importlib import import_module
from itertools import product
from pathlib import Path

import jupytext
import numpy as np
import pytest
from nbclient import NotebookClient

from components.base.link import AppState, to_query
from components.entry import LESSONS
from components.programs.handout import handout, sections_of
from components.programs.notebook import as_notebook
from components.ui.batch import AXES
from components.ui.code_view import handout_of
from tests.app_driver import CODE, AppDriver
from tests.gpt2_server import RangeHandler, fill_cache
from tests.programs.labels import differences, labelled, tensors_of
from tests.programs.run_programs import Ran, run_many, tiktoken_cache
from tests.questions.references.learner import sinusoidal
from tests.states import WITH_PROGRAMS, app_state, token_ids
from tests.varied_states import OF_THEIR_OWN, SHARED, varied_state

LINK = "https://example.org/lookup?seed=1"
OF_EVERY_BATCH = {*AXES, "position_rows"}  # a page with a batch offers these, whether its program makes them or not
WITH_GPT2 = [
    {"position": "learned"},
    {"position": "sinusoidal", "layout": "halves", "scale": 1, "rows_in_use": 0, "row": 50},
    {"position": "learned", "ids": "2 3 5 1; 262 9 9 1"},
]
VARIED: dict[str, AppState] = {f"varied {number}": varied_state(number) for number in range(20, 26)}


def on_page(lesson: str):
    """Return the module of a lesson whose `shown(app)` returns what the page has, by label."""
    return import_module(f"tests.programs.on_page.{lesson}")


def states_of(lesson: str) -> dict[str, AppState]:
    shared = {} if lesson in ("errors", *OF_THEIR_OWN) else SHARED
    varied = {} if lesson in ("errors", "reproduce") else VARIED  # whose numbers depend on no text, nor most settings
    return {"defaults": app_state()} | shared | varied | on_page(lesson).STATES


WITHOUT_SECTIONS = ("errors", "word2vec", "reproduce")  # no section has a part of the program

CASES = {(lesson, name): state for lesson in WITH_PROGRAMS for name, state in states_of(lesson).items()}


@cache
def programs(lesson: str) -> dict[tuple[str, bool], str]:
    """Return the program of a lesson in each state that has one, with a tokenizer and in some states without."""
    states = states_of(lesson)
    cases = [*product(states, [False]), *product(states if lesson == "tokens" else states.keys() & SHARED, [True])]
    found = {case: handout_of(LESSONS[lesson].page, states[case[0]].lesson(lesson), LINK, case[1]) for case in cases}
    return {case: program.text for case, program in found.items() if program}


@cache
def ran(lesson: str) -> dict[tuple[str, bool], Ran]:
    texts = [*dict.fromkeys(programs(lesson).values())]
    found = dict(zip(texts, run_many(texts), strict=True))
    return {case: found[text] for case, text in programs(lesson).items()}


@pytest.mark.parametrize(("lesson", "name"), CASES)
def test_program_run_alone_gives_what_its_page_shows(lesson, name):
    state = CASES[lesson, name]
    app = AppDriver().open(lesson, **to_query(state)).open_sections()
    if (name, False) not in programs(lesson):
        assert state.text == "" or app.errors() or app.learner.outputs.figure is None  # nor does the page show numbers
        return
    on_its_page = on_page(lesson).shown(app)
    tokens = [labelled(done.printed).get("tokens") for case, done in ran(lesson).items() if case[0] == name]
    assert tokens == tokens[:1] * len(tokens)  # with a tokenizer and without the same of them are printed
    for offline in (each for case, each in programs(lesson) if case == name):
        program = ran(lesson)[name, offline]
        assert not offline or lesson == "errors" or "tiktoken" not in programs(lesson)[name, offline]
        assert differences(program.printed, on_its_page) == []
        for tensor, array in tensors_of(app).items():
            if tensor in program.values or tensor not in OF_EVERY_BATCH:
                assert tensor in program.values, f"program.py has no variable with the name of the tensor {tensor}"
                assert np.array_equal(program.values[tensor], array, equal_nan=True), tensor


@pytest.mark.parametrize("lesson", WITH_PROGRAMS)
def test_program_file_has_the_default_values(lesson):
    page, state = LESSONS[lesson].page, app_state().lesson(lesson)
    path = page.program_path(state) if hasattr(page, "program_path") else Path(page.__file__).with_name("program.py")
    values = vars(state.settings) | vars(state.choices) | {"text": state.text}
    own = page.program_values(state, token_ids(state)) if hasattr(page, "program_values") else {}
    whole = handout(path, values | own).text
    cell, _, rest = whole.partition("\n\n")
    about = cell.partition("\n#\n# - From Embedding Lab")[0]
    text = re.sub('^(# %% .*) section=".*"$', r"\1", path.read_text("utf-8"), flags=re.MULTILINE)
    assert f"{about}\n\n{rest}" == text.replace("\n\n\n# %%", "\n\n# %%")
    labels = re.findall(r"\*\*(.+?)\*\*", "".join(each.read_text("utf-8") for each in path.parent.glob("page*.py")))
    assert {name for each in path.parent.glob("program*.py") for name in sections_of(each).values()} <= {*labels}
    left_out = page.left_out(state, for_page=False) if hasattr(page, "left_out") else set()
    assert titles(handout_of(page, state).text) == [title for title in titles(whole) if title not in left_out]


def test_norms_are_reproduced_with_the_angles_of_the_formula():
    angles = ran("reproduce")["defaults", False].values["angles"]  # with other ones the norms would be the same
    np.testing.assert_allclose(np.sin(angles), sinusoidal(range(100), 512, "halves")[:, :256], atol=1e-6)


@pytest.mark.parametrize("lesson", WITH_PROGRAMS)
def test_program_without_sections_prints_the_rest_of_the_same(lesson):
    page, states = LESSONS[lesson].page, states_of(lesson)
    found = {
        case: handout_of(page, states[case[0]].lesson(lesson), LINK, *case[1:], opened=()) for case in programs(lesson)
    }
    shorter = {case: each.text for case, each in found.items() if each.closed}
    assert bool(shorter) == (lesson not in WITHOUT_SECTIONS)
    assert all(len(text) < len(programs(lesson)[case]) for case, text in shorter.items())
    # Each code once, with the first of its values: with the others it computes the same as the whole program.
    once = {text.partition("# %% Your values")[2].partition("# %%")[2]: case for case, text in [*shorter.items()][::-1]}
    for case, done in zip(once.values(), run_many([shorter[case] for case in once.values()]), strict=True):
        lines = iter(ran(lesson)[case].printed.splitlines())
        assert all(line in lines for line in done.printed.splitlines())
        if case == ("defaults", False):
            assert tensors_of(AppDriver().open(lesson)).keys() - OF_EVERY_BATCH <= done.values.keys()


def titles(program: str) -> list[str]:
    return re.findall(r"^# %% (.*)", program, re.MULTILINE)


@pytest.mark.parametrize("lesson", ["lookup", "positions", "combine", "attention"])
def test_program_fetches_the_rows_of_its_page(gpt2, lesson):
    apps = [AppDriver().open(lesson, table="gpt2", head="text", **state).open_sections() for state in WITH_GPT2]
    before = len(RangeHandler.requests)
    for app, done in zip(apps, run_many([app.open_section(CODE).code()[-1] for app in apps]), strict=True):
        assert differences(done.printed, on_page(lesson).shown(app)) == []
        found = {name: array for name, array in tensors_of(app).items() if name in done.values}
        assert found.keys() & {"ids", "sequence"}
        assert all(np.array_equal(done.values[name], array) for name, array in found.items())
    assert before < len(RangeHandler.requests) < before + 200
    assert sum(count for _, count in RangeHandler.requests[before:]) < 20e6  # not the whole file


def test_program_of_gpt2s_heads_prints_the_shares_of_its_page(gpt2):
    fill_cache()
    app = AppDriver().open("attention", head="gpt2", text="The can of worms can be opened.").open_sections()
    (done,) = run_many([app.open_section(CODE).code()[-1]])
    (table,) = [table for table in app.tables() if "head" in table[0]]
    printed = re.findall(r"head (\d+): same token ([\d.]+), token before ([\d.]+), first token ([\d.]+)", done.printed)
    assert printed == [tuple(row.values()) for row in table]
    assert np.allclose(done.values["weights"], tensors_of(app)["weights"], atol=1e-6)
    most = max(table, key=lambda row: float(row["on earlier copies of the same token"]))
    assert f"Head {most['head']} gives the most weight to" in app.words
    app.set(text="A quick brown fox")  # in which no token occurs twice
    (done,) = run_many([app.open_section(CODE).code()[-1]])
    assert len(re.findall(r"head \d+: token before [\d.]+, first token [\d.]+\n", done.printed)) == 12
    app.set(text="A quick brown fox jumps over the lazy dog and runs")  # of which the first nine are read
    (done,) = run_many([app.open_section(CODE).code()[-1]])
    assert done.values["weights"].shape == (12, 9, 9)
    assert np.allclose(done.values["weights"], tensors_of(app)["weights"], atol=1e-6)


def test_programs_without_network_are_not_offered_with_gpt2(gpt2):
    app = AppDriver().open("lookup", table="gpt2").open_section(CODE)
    words = [*app.code()[-1].splitlines(), *(caption.value for caption in app.at.caption)]
    assert sum("tiktoken downloads " in each for each in words) == 2
    assert [each for each in words if "ithout network" in each] == []
    assert "Script" in app.press("Download").labels()
    assert "take_offline" not in [each.key for each in app.at.toggle]


def test_as_notebook_in_jupyter_prints_what_all_scripts_print(monkeypatch):
    program = "\n".join(programs(lesson)["defaults", False] for lesson in WITH_PROGRAMS)
    text = as_notebook(program)
    assert text == as_notebook(program)
    notebook = jupytext.reads(text, fmt="ipynb")
    assert notebook.metadata["kernelspec"]["display_name"] == "Python 3"
    installed = notebook.cells.pop(0)
    assert installed.source == "%pip install --quiet gensim regex tiktoken torch"
    titles = [cell.source.splitlines()[0] for cell in notebook.cells if cell.cell_type == "markdown"]
    assert sum(title.startswith("# ") for title in titles) == len(WITH_PROGRAMS)
    prose = "\n".join(cell.source for cell in notebook.cells)
    assert [line for line in re.findall("^# (?!%%)(.*)", program, re.MULTILINE) if line not in prose] == []
    assert {"title"} & {name for cell in json.loads(text)["cells"] for name in cell["metadata"]} == set()
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tiktoken_cache()))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert {(output.output_type, output.name) for output in outputs} == {("stream", "stdout")}
    printed = "".join(ran(lesson)["defaults", False].printed for lesson in WITH_PROGRAMS)
    assert "".join(output.text for output in outputs) == printed
