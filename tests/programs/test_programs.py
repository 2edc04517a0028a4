"""Every lesson's program, run alone, makes the tensors of its page and prints the numbers that its page has."""

import re
from functools import cache
from importlib import import_module
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from components.base.link import AppState, to_query
from components.entry import LESSONS
from components.programs.handout import handout
from components.ui.batch import AXES
from components.ui.code_view import handout_of
from tests.app_driver import AppDriver
from tests.programs.labels import differences, tensors_of
from tests.programs.run_programs import Ran, run_many
from tests.states import WITH_PROGRAMS, app_state, token_ids
from tests.varied_states import SHARED, varied_state

LINK = "https://example.org/lookup?seed=1"
OF_EVERY_BATCH = {*AXES, "position_rows"}  # a page with a batch offers these, whether its program makes them or not
OF_THEIR_OWN = ("errors", "reproduce")  # lessons whose numbers depend on no text, nor on most settings
VARIED: dict[str, AppState] = {f"varied {number}": varied_state(number) for number in range(20, 26)}


def on_page(lesson: str):
    """Return the module of a lesson whose `shown(app)` returns what the page has, by label."""
    return import_module(f"tests.programs.on_page.{lesson}")


def states_of(lesson: str) -> dict[str, AppState]:
    """Return the states in which the program of a lesson is run."""
    shared = {} if lesson in OF_THEIR_OWN else SHARED | VARIED
    return {"defaults": app_state()} | shared | on_page(lesson).STATES


CASES = {(lesson, name): state for lesson in WITH_PROGRAMS for name, state in states_of(lesson).items()}


@cache
def programs(lesson: str) -> dict[tuple[str, bool], str]:
    """Return the program of a lesson in each state that has one, with a tokenizer and without."""
    page, cases = LESSONS[lesson].page, product(states_of(lesson).items(), (False, True))
    found = {(name, offline): handout_of(page, state.lesson(lesson), LINK, offline) for (name, state), offline in cases}
    return {case: program.text for case, program in found.items() if program}


@cache
def ran(lesson: str) -> dict[tuple[str, bool], Ran]:
    """Return what the program of a lesson has printed and made in each state."""
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
    for offline in (False, True):
        program = ran(lesson)[name, offline]
        assert not offline or lesson == "errors" or "tiktoken" not in programs(lesson)[name, offline]
        assert "Traceback" not in program.printed, program.printed
        assert differences(program.printed, on_page(lesson).shown(app)) == []
        for tensor, array in tensors_of(app).items():
            if tensor in program.values or tensor not in OF_EVERY_BATCH:
                assert tensor in program.values, f"program.py has no variable with the name of the tensor {tensor}"
                assert np.array_equal(program.values[tensor], array, equal_nan=True), tensor


@pytest.mark.parametrize("lesson", WITH_PROGRAMS)
def test_program_file_has_the_default_values(lesson):
    page, state = LESSONS[lesson].page, app_state().lesson(lesson)
    path = page.program_path(state) if hasattr(page, "program_path") else Path(page.__file__).with_name("program.py")
    values = vars(state.settings) | vars(state.choices) | {"text": state.text}
    whole = handout(path, values | page.program_values(state, token_ids(state))).text
    cell, _, rest = whole.partition("\n\n")
    about = cell.partition("\n#\n# From Embedding Lab")[0]
    assert f"{about}\n\n{rest}" == path.read_text("utf-8").replace("\n\n\n# %%", "\n\n# %%")
    left_out = page.left_out(state, for_page=False) if hasattr(page, "left_out") else set()
    assert titles(handout_of(page, state).text) == [title for title in titles(whole) if title not in left_out]


def titles(program: str) -> list[str]:
    return re.findall(r"^# %% (.*)", program, re.MULTILINE)
