import re
from xml.etree import ElementTree

import numpy as np
import pytest
import torch
from torch.utils.data import DataLoader

from components.lessons.windows.figure import windows_figure
from components.lessons.windows.ribbon import COLUMNS, MAX_LANES, Ribbon
from components.text.tokenizers import get_tokenizer
from components.text.windows import batch_order
from tests.app_driver import AppDriver
from tests.states import RIVER

IDS = get_tokenizer("gpt2").encode(RIVER)
BANK = "She left the bank for the riverbank."


def starts(tokens, T, stride):
    """Return the starts of the windows, found by trying: a window needs T inputs and one more token as target."""
    return [start for start in range(0, tokens, stride) if start + T + 1 <= tokens]


@pytest.mark.parametrize(
    ("T", "stride", "B", "drop_last"), [(1, 1, 3, 1), (4, 4, 2, 0), (4, 3, 3, 1), (6, 7, 2, 1), (4, 7, 2, 0)]
)
def test_windows_and_unused_tokens_are_those_found_by_trying(T, stride, B, drop_last):
    app = AppDriver().open("windows", text=RIVER, T=T, B=B, drop_last=drop_last, stride=stride).press("Show me")
    n, begun = len(IDS), starts(len(IDS), T, stride)
    kept = begun[: len(begun) // B * B] if drop_last else begun
    in_any, in_kept = ({position for s in some for position in range(s, s + T + 1)} for some in (begun, kept))
    end = max(in_any) + 1
    counts = n - end, end - len(in_any), len(in_any - in_kept)
    assert "Unused: {} left over at the end, {} skipped, {} dropped.".format(*counts) in app.words
    app.open_sections()
    used = [sum(any(low <= position - s < low + T for s in kept) for position in range(n)) for low in (0, 1)]
    assert f"Used now: {used[0]} of {n} tokens as an input, {used[1]} as a target." in app.words
    assert app.at.latex[0].value.endswith(f"= {len(begun)}\n$$")
    assert app.learner.outputs.figure.slider.high == len(begun) - 1


@pytest.mark.parametrize(("seed", "shuffle"), [(1, False), (1, True), (123, True)])
def test_batches_are_those_of_the_dataloader(seed, shuffle):
    found = starts(len(IDS), 3, 2)
    windows = [(torch.tensor(IDS[s : s + 3]), torch.tensor(IDS[s + 1 : s + 4])) for s in found]
    batches = list(DataLoader(windows, 2, shuffle, generator=torch.Generator().manual_seed(seed)))
    app = AppDriver().open("windows", text=RIVER, T=3, stride=2, B=2, seed=seed).open_sections()
    app.set(setting_shuffle=shuffle)
    for part in ("batch_size=2", f"shuffle={shuffle}", "drop_last=False", f"manual_seed({seed})"):
        assert part in app.code()[0]
    for number in (0, len(batches) - 1):
        app.set(batch=number)
        assert app.code()[1:3] == [str(side) for side in batches[number]]
        (row,) = (row for row in app.tables()[0] if row["batch"] == str(number))
        assert [IDS[2 * int(window)] for window in row["windows"].split(", ")] == batches[number][0][:, 0].tolist()
    assert app.open("lookup").open_sections().code()[0].startswith(f"ids = torch.tensor({batches[-1][0].tolist()}")


def test_drop_last_leaves_out_a_short_batch_but_not_the_only_one():
    app = AppDriver().open("windows", text=RIVER, T=4, stride=4, B=3, batch=1).open_sections()
    assert "`[1, 4]` [B, T]" in app.words
    app.set(setting_drop_last=True)
    assert "`[3, 4]` [B, T]" in app.words
    assert "1 window dropped with the last batch" in app.words
    app = AppDriver().open("windows", text=RIVER, B=64, drop_last=1)
    (sentence,) = app.errors()
    assert "drop_last discards" in sentence
    assert "B = 64" in sentence
    assert not app.press("Turn drop_last off").errors()


def test_other_strides_give_the_windows_found_by_trying():
    app = AppDriver().open("windows", text=BANK, T=2, stride=5).open_sections()
    (rows,) = (rows for rows in app.tables() if "left over" in rows[0])
    assert [row["stride"] for row in rows] == ["1", "2", "4", "5 (now)"]
    for row in rows:
        begun = starts(9, 2, int(row["stride"].split()[0]))
        used = {position for s in begun for position in range(s, s + 3)}
        assert (row["windows"], row["inputs in all"]) == (str(len(begun)), str(2 * len(begun)))
        assert int(row["left over"]) + int(row["skipped"]) == 9 - len(used)


def test_number_of_windows_is_masked_until_it_is_predicted():
    app = AppDriver().open("windows", text=BANK, T=4, stride=2, B=2, window_index=1)
    figure = app.learner.outputs.figure
    for part in (figure.drawing, figure.reading):
        assert "? windows" in part
        assert "3 windows" not in part
    assert figure.slider[2:] == (1, 1, 1)
    assert (figure.play, figure.drawing.count("data-stop")) == ("", 1)
    assert "window 2" not in figure.drawing + figure.reading
    app.open_sections(masked=True)
    assert app.words.count("give the answer: answer the question below the figure first.") == 2
    assert (app.tables(), app.code(), len(app.at.latex)) == ([], [], 0)
    figure = app.press("Show me").learner.outputs.figure
    assert "⌊(9 − 4 − 1) / 2⌋ + 1 = 3 windows" in figure.drawing
    assert figure.slider[2:] == (1, 2, 0)
    assert figure.lit == "1"
    assert figure.drawing.count("data-stop") == 3
    for use in (
        "␣bank 3331: input of window 0 at index 3, window 1 at index 1, its target is ␣for 329; "
        "target of window 0 at index 2, window 1 at index 0, of the input ␣the 262",
        "Window 1: inputs [262, 3331, 329, 262], targets [3331, 329, 262, 7850]",
    ):
        assert use in figure.reading


@pytest.mark.parametrize(
    ("text", "T", "stride", "drop_last", "token"),
    [
        (BANK, 2, 6, 0, "␣for 329: unused: skipped, since the stride is above T"),
        (BANK, 4, 3, 0, ". 13: unused: left over at the end, with too few tokens for a window"),
        ("one two three four five six seven", 2, 2, 1, "␣seven 3598: unused: in the dropped last batch"),
    ],
)
def test_unused_token_has_its_reason(text, T, stride, drop_last, token):
    app = AppDriver().open("windows", text=text, T=T, stride=stride, B=2, drop_last=drop_last).press("Show me")
    assert app.learner.outputs.figure.reading.endswith(token) or f"{token};" in app.learner.outputs.figure.reading


def test_window_of_a_dropped_batch_alone_is_shown():
    text = " ".join(["one"] * 30)
    app = AppDriver().open("windows", text=text, T=4, stride=9, B=2, drop_last=1, window_index=2).press("Show me")
    figure = app.learner.outputs.figure
    assert figure.columns == list(range(17, 26))
    assert figure.reading.count("unused: in the dropped last batch") == 5
    assert figure.reading.count("unused: skipped") == 1
    assert figure.reading.count("unused: left over") == 3
    assert "3 windows, window 2 shown" in figure.reading


@pytest.mark.parametrize("more", [7, 31, 2000])
@pytest.mark.parametrize(
    ("T", "stride", "B", "drop_last"),
    [(1, 1, 1, False), (4, 2, 3, True), (8, 8, 2, False), (9, 1, 4, True), (2, 4, 2, True)],
)
def test_uses_in_the_ribbon_are_those_found_by_trying(more, T, stride, B, drop_last):
    n = T + 1 + more
    begun = starts(n, T, stride)
    batches = batch_order(len(begun), B, True, drop_last, seed=1)
    kept = {stride * window for batch in batches for window in batch}
    for window in {0, len(begun) // 2, len(begun) - 1}:
        ribbon = Ribbon(np.arange(n), T, stride, batches, window)
        assert {window * stride, window * stride + T - 1} <= set(ribbon.columns)
        assert window in ribbon.lanes()
        for position in ribbon.positions():
            as_input = [s // stride for s in begun if s in kept and s <= position < s + T]
            as_target = [s // stride for s in begun if s in kept and s < position <= s + T]
            assert (ribbon.inputs(position), ribbon.inputs(position - 1)) == (as_input, as_target)
            reason = "skipped" if position <= begun[-1] + T else "left over"
            reason = "dropped" if any(s <= position <= s + T for s in begun) else reason
            assert ribbon.unused(position) == ("" if as_input + as_target else reason)


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize(
    ("n", "T", "stride"), [(2, 1, 1), (9, 1, 1), (9, 8, 1), (10, 9, 1), (30, 4, 9), (5_000, 1_024, 1), (90_000, 64, 1)]
)
def test_figure_of_any_text_is_small_and_has_a_stop_for_each_window(n, T, stride, masked):
    begun = starts(n, T, stride)
    ribbon = Ribbon(np.arange(n), T, stride, batch_order(len(begun), 2, False, False, 0), len(begun) // 2)
    figure = windows_figure(ribbon, lambda token_id: "<b>&\u202e", masked)
    stops = re.findall(r'data-part="(\d+)" data-stop', figure.drawing)
    assert figure.lit in stops
    assert len(stops) == (1 if masked else min(MAX_LANES, len(ribbon.lanes())))
    assert figure.column in figure.columns
    assert len(figure.columns) <= COLUMNS
    assert figure.height <= 390
    assert len(figure.svg()) < 34_000
    assert "<b>" not in figure.drawing
    ElementTree.fromstring(figure.file())  # as a file of its own it is valid XML


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


def test_long_text_is_shown_in_parts():
    text = " ".join(f"w{n}" for n in range(120))
    app = AppDriver().open("windows", text=text, tokenizer="words", T=18, stride=2, window_index=20)
    figure = app.press("Show me").learner.outputs.figure
    assert figure.columns == [40, 41, 42, 43, 55, 56, 57, 58]
    assert "11 more" in figure.drawing
    assert "Positions 40 to 58 of 120 are shown." in figure.reading
    assert "w57" in figure.reading
