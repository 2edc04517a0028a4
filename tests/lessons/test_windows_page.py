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


def test_windows_and_batches_are_those_found_by_trying_and_by_the_dataloader():
    starts = [start for start in range(0, len(IDS), 2) if start + 3 < len(IDS)]
    batches = [
        *DataLoader(
            [IDS[s : s + 3] for s in starts], 2, True, generator=torch.Generator().manual_seed(123), collate_fn=list
        )
    ]
    app = AppDriver().open("windows", text=RIVER, T=3, stride=2, B=2, seed=123, shuffle=1).open_sections()
    assert re.findall(r"\d+", app.at.latex[0].value) == [*map(str, (1, 1, len(IDS), 3, 1, 2, 1, len(starts)))]
    for part in ("batch_size=2", "shuffle=True", "drop_last=False", "manual_seed(123)"):
        assert part in app.code()[0]
    app.set(batch=len(batches) - 1)
    shown = range(max(0, len(batches) - 4), len(batches))
    assert [row["batch"] for row in app.tables()[0]] == [*map(str, shown)]
    assert f"The next lessons look up the inputs of batch {len(batches) - 1}." in app.words
    assert app.open("lookup").open_sections().code()[0].startswith(f"ids = torch.tensor({batches[-1]}")


def test_drop_last_without_a_batch_shows_an_error_with_a_fix():
    app = AppDriver().open("windows", text=RIVER, B=64, drop_last=1)
    (sentence,) = app.errors()
    assert "drop_last discards" in sentence
    assert "B = 64" in sentence
    assert not app.press("Turn drop_last off").errors()


@pytest.mark.parametrize(
    ("T", "stride", "between"),
    [
        (4, 2, "a window shares 2 inputs with the next one"),
        (4, 4, "no token is an input twice, and none between two windows is skipped"),
        (2, 3, "1 token between two windows is never an input, only a target"),
        (1, 4, "3 tokens between two windows are never an input, and all but the first never a target"),
    ],
)
def test_notice_compares_the_stride_with_the_length_and_typed_ids_are_named(T, stride, between):
    app = AppDriver().open("windows", text=BANK, T=T, stride=stride, B=2, ids="1" * (T == 1)).open_sections(True)
    assert f"With stride {stride} and T = {T}, {between}." in app.words
    assert "Unused: " not in app.words  # it would show how many windows there are
    assert ("The next lessons currently use the IDs you typed." in app.words) == (T == 1)


def test_contexts_of_a_window_grow_by_one_token_and_end_before_their_target():
    ribbon = Ribbon(np.arange(10, 40), 8, 4, [], 1)  # the window starts at position 4
    figure = contexts_figure(ribbon, str)
    check_layout(figure)
    rows = figure.reading.partition(". ")[2].split("; ")
    assert rows[:2] == ["14 → 15", "14 15 → 16"]
    assert rows[5] == "… 16 17 18 19 → 20"
    assert figure.reading.startswith("Window 1 is 8 predictions at once")
