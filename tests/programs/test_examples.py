"""The scripts in docs/examples are those that the app gives today, and run alone."""

import pytest

from tests.programs.examples import FOLDER, STATES, example
from tests.programs.run_programs import isolated


@pytest.mark.parametrize("page", STATES)
def test_example_is_what_the_app_gives(page):
    assert (FOLDER / f"{page}.py").read_text("utf-8") == example(page), "renew: python -m tests.programs.examples"


@pytest.mark.parametrize("page", STATES)
def test_example_runs_in_a_fresh_interpreter(page, tmp_path):
    assert isolated([str(FOLDER / f"{page}.py")], tmp_path)
