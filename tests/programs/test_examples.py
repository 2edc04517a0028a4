"""The scripts in docs/examples are those that the app gives: `python -m tests.programs.test_examples` writes them."""

from pathlib import Path

import pytest

from components.base.link import AppState
from components.programs.notebook import as_script
from components.programs.story import tell
from tests.programs.test_programs import chapter
from tests.states import app_state

FOLDER = Path(__file__).parents[2] / "docs" / "examples"
STATES: dict[str, AppState] = {
    "tokens": app_state(),
    "combine": app_state(),
    "one_hot": app_state(),
    "training": app_state(train_steps=200),
    "word2vec": app_state(),
}


def example(page: str) -> str:
    return as_script(tell([chapter(page, STATES[page])]), f"http://localhost:8501/{page}")


@pytest.mark.parametrize("page", STATES)
def test_example_is_what_the_app_gives(page):
    assert (FOLDER / f"{page}.py").read_text("utf-8") == example(page), f"renew: python -m {__name__}"


if __name__ == "__main__":
    for page in STATES:
        (FOLDER / f"{page}.py").write_text(example(page), "utf-8")
