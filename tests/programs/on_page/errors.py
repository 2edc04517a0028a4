from typing import Any

import torch

from components.base.settings import Settings
from components.failures.catalogue import FAILURES, run_failure
from components.failures.views import format_result
from components.lessons.errors.choices import clamped
from tests.app_driver import AppDriver
from tests.programs.labels import as_printed, labelled
from tests.states import app_state

OTHERS = {"lab_V": 9, "lab_D": 5, "lab_T": 3, "lab_B": 3, "lab_far": 7, "lab_back": 4, "lab_wrong_dtype": "int16"}
OTHERS |= {"lab_extra": 2, "lab_width": 8, "lab_beyond": 3, "lab_token_id": 2**33, "lab_character": "🙂"}
OTHERS |= {"lab_ids": "[[1, 9], [-1, 2.0]]", "lab_dtype": "int64"}
WORDS = ('it\'s "quoted" \\ and {w}', '"""', "'''\n# %% Fixed\n\\", "\u202e猫 ☕ \x00", "")
REPLACED = "\ufffd"
IDS = ("1 2 3", "1 2; 3", "1.5", "", "[[[0]]]", "0 1 2 3 4 5", str(2**70), "200018")
STATES = {name: app_state(Settings(seed=7), experiment=name, **OTHERS) for name in FAILURES}
STATES |= {
    f"{name}, {number}": app_state(experiment=name, **{f"lab_{parameter}": value})
    for name, parameter, values in (
        ("unknown_word", "word", (*WORDS, "cat")),
        ("unknown_vector", "key", (*WORDS, "king")),
        ("special_token", "text", WORDS),
        ("own", "ids", IDS),
    )
    for number, value in enumerate(values)
}
STATES |= {
    "typed": app_state(Settings(ids="2 3 5 1"), experiment="added_token"),
    "no words": app_state(Settings(tokenizer="words"), "", experiment="added_token"),
}


def shown(app: AppDriver) -> dict:
    """Return the exception and the results in the boxes of the page, where a large tensor is abbreviated."""
    experiment = FAILURES[app.state.choices.experiment]
    outcome = run_failure(experiment.name, **clamped(experiment, app.state))
    _, *fix, last = app.code()
    assert bool(fix) == bool(outcome.run.exception or outcome.invalid_values)  # else nothing is wrong
    if fix:
        assert fix[1] == format_result(outcome.fixed.result)
    if outcome.run.exception:
        first = last.partition("\n")[2]
    else:
        assert last == format_result(outcome.run.result)
        first = printed(outcome.run.result)
    return labelled(f"{first}\n{printed(outcome.fixed.result)}")


def printed(result: Any) -> str:
    if isinstance(result, torch.Tensor):
        return f"result\n{list(result.shape)}\n{as_printed(result)}" if result.dim() else f"result: {result:.4f}"
    return f"result: {ascii(result) if str(result) == REPLACED else result}"
