"""Every lesson's program, run alone, prints the numbers of its page and makes the tensors of its page."""

from functools import cache
from importlib import import_module

import numpy as np
import pytest

from components.base.link import AppState
from components.entry import LESSONS
from components.programs.notebook import as_script
from components.programs.story import Chapter, tell
from tests.programs.page_numbers import not_shown, numbers_of, open_page, tensors_of
from tests.programs.program_states import STATES
from tests.programs.run_programs import Ran, run_many
from tests.states import WITH_PROGRAMS, token_ids

LINK = "https://example.org/lookup?seed=1"
# The variable of a program that has the tensor that the page offers under another name.
VARIABLES = {
    "tokens": {"words_ids": "word_ids", "gpt2_ids": "token_ids"},
    "lookup": {"token_table": "W"},
    "one_hot": {"token_table": "W"},
    "positions": {"token_table": "W", "position": "P"},
    "combine": {"token_table": "W", "position": "P", "scaled": "token"},
    "training": {"token_table": "trained_table", "token_table_at_start": "initial_table"},
}
# The tensors of later lessons, which the page offers as well.
LATER = {
    "lookup": {"token", "scaled", "position", "combined"},
    "one_hot": {"token", "scaled", "position", "combined"},
    "positions": {"scaled", "combined"},
}
CASES = [
    (name, page)
    for name, state in STATES.items()
    for page in WITH_PROGRAMS
    if page == "errors" or not name.startswith("experiment")
]


def chapter(page: str, state: AppState) -> Chapter | None:
    """Return the chapter of a lesson, None if these settings give none."""
    program = import_module(f"components.lessons.{page}.program")
    values = program.values(state.lesson(page), token_ids(state))
    return None if values is None else Chapter(LESSONS[page].title, LESSONS[page].purpose, program.STORIES, values)


@cache
def ran() -> dict[tuple[str, str], Ran]:
    """Return what each program has printed and made, by state and page."""
    chapters = {case: chapter(case[1], STATES[case[0]]) for case in CASES}
    scripts = {case: as_script(tell([each]), LINK) for case, each in chapters.items() if each}
    return dict(zip(scripts, run_many([*scripts.values()]), strict=True))


@pytest.mark.parametrize(("name", "page"), CASES)
def test_program_run_alone_gives_the_numbers_and_tensors_of_its_page(name, page):
    if (name, page) not in ran():
        assert STATES[name].text == "" or open_page(page, STATES[name]).errors()  # the page shows no numbers either
        return
    program, app = ran()[name, page], open_page(page, STATES[name])
    assert "Traceback" not in program.printed, program.printed
    assert not_shown(program.printed, numbers_of(app)) == [], program.printed
    variables, scaled = VARIABLES.get(page, {}), STATES[name].settings.scale
    for tensor, array in tensors_of(app).items():
        if tensor in LATER.get(page, ()) or (tensor == "token" and scaled and page == "combine"):
            continue  # the program of Combine has multiplied it by √D
        assert np.array_equal(program.arrays[variables.get(tensor, tensor)], array, equal_nan=True), tensor
