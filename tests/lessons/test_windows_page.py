import re

import numpy as np
import pytest
import torch
from torch.utils.data import DataLoader

from components.lessons.windows.figure_contexts import contexts_figure
from components.lessons.windows.ribbon import Ribbon
from components.text.tokenizers import get_tokenizer
from tests.app_driver import AppDriver
from tests.figures.geometry import check_layout
from tests.states import RIVER

IDS = get_tokenizer("gpt2").encode(RIVER)
BANK = "She left the bank for the riverbank."


def starts(tokens, T, stride):
    """Return the starts of the windows, found by trying: a window needs T inputs and one more token as target."""
    return [start for start in range(0, tokens, stride) if start + T + 1 <= tokens]


def test_formula_has_the_number_of_windows_found_by_trying():
    app = AppDriver().open("windows", text=RIVER, T=4, stride=3).open_sections()
    (formula,) = app.at.latex
    assert re.findall(r"\d+", formula.value) == [*map(str, (1, 1, len(IDS), 4, 1, 3, 1, len(starts(len(IDS), 4, 3))))]


def test_batches_are_those_of_the_dataloader():
    found = starts(len(IDS), 3, 2)
    windows = [(torch.tensor(IDS[s : s + 3]), torch.tensor(IDS[s + 1 : s + 4])) for s in found]
    batches = list(DataLoader(windows, 2, True, generator=torch.Generator().manual_seed(123)))
    app = AppDriver().open("windows", text=RIVER, T=3, stride=2, B=2, seed=123, shuffle=1).open_sections()
    for part in ("batch_size=2", "shuffle=True", "drop_last=False", "manual_seed(123)"):
        assert part in app.code()[0]
    for number in (0, 2, len(batches) - 1):
        app.set(batch=number)
        assert app.code()[1:3] == [str(side) for side in batches[number]]
        shown = range(max(0, min(number - 2, len(batches) - 4)), len(batches))[:4]
        assert [row["batch"] for row in app.tables()[0]] == [*map(str, shown)]
    assert f"The next lessons look up the inputs of batch {len(batches) - 1}." in app.words
    assert app.open("lookup").open_sections().code()[0].startswith(f"ids = torch.tensor({batches[-1][0].tolist()}")


def test_drop_last_without_a_batch_shows_an_error_with_a_fix():
    app = AppDriver().open("windows", text=RIVER, B=64, drop_last=1)
    (sentence,) = app.errors()
    assert "drop_last discards" in sentence
    assert "B = 64" in sentence
    assert not app.press("Turn drop_last off").errors()


def test_typed_ids_are_used_by_the_next_lessons_alone():
    app = AppDriver().open("windows", text=BANK, ids="1 2").open_sections()
    assert "The next lessons use the IDs you typed." in app.words
    assert "This page cuts your text into windows. The next lessons currently use the IDs you typed." in app.words


def test_sections_with_the_answer_are_masked_until_predicted():
    app = AppDriver().open("windows", text=BANK, T=4, stride=2, B=2).open_sections(masked=True)
    assert app.words.count("give the answer: answer the question below the figure first.") == 2
    assert (app.tables(), app.code(), len(app.at.latex)) == ([], [], 0)


@pytest.mark.parametrize(
    ("T", "stride", "between"),
    [
        (4, 2, "a window shares 2 inputs with the next one"),
        (4, 4, "no token is an input twice, and none between two windows is skipped"),
        (2, 3, "1 token between two windows is never an input, only a target"),
        (1, 4, "3 tokens between two windows are never an input, and all but the first never a target"),
    ],
)
def test_notice_has_the_positions_and_the_stride(T, stride, between):
    app = AppDriver().open("windows", text=BANK, T=T, stride=stride, B=2, window_index=1)
    last = stride + T - 1
    inputs = f"positions {stride} to {last}" if T > 1 else f"position {stride}"
    assert f"The inputs of window 1 are {inputs}; " in app.words
    assert f"to {last + 1}, so the last of the 9 tokens" in app.words or T == 1
    assert f"With stride {stride} and T = {T}, {between}." in app.words
    assert "Unused: " not in app.words  # it would show how many windows there are
    assert app.errors() == []


def test_contexts_of_a_window_grow_by_one_token_and_end_before_their_target():
    ribbon = Ribbon(np.arange(10, 40), 8, 4, [], 1)  # the window starts at position 4
    figure = contexts_figure(ribbon, str)
    check_layout(figure)
    rows = figure.reading.partition(". ")[2].split("; ")
    assert rows[:2] == ["14 → 15", "14 15 → 16"]
    assert rows[5] == "… 16 17 18 19 → 20"
    assert figure.reading.startswith("Window 1 is 8 predictions at once")
