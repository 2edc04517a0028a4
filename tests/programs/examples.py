"""Write the example scripts in docs/examples anew: `python -m tests.programs.examples`."""

from pathlib import Path

from components.base.link import AppState
from components.programs.notebook import as_script
from components.programs.story import tell
from tests.programs.test_programs import chapter
from tests.states import app_state

FOLDER = Path(__file__).parents[2] / "docs" / "examples"
LINK = "http://localhost:8501"
STATES: dict[str, AppState] = {
    "tokens": app_state(),
    "combine": app_state(),
    "one_hot": app_state(),
    "training": app_state(train_steps=200),
    "word2vec": app_state(),
}


def example(page: str) -> str:
    """Return the script of a lesson for the default settings."""
    return as_script(tell([chapter(page, STATES[page])]), f"{LINK}/{page}")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for page in STATES:
        (FOLDER / f"{page}.py").write_text(example(page), "utf-8")
