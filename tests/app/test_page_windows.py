"""Windows: the windows, targets and batches of a text, and its unused tokens."""

import re

import pytest
import torch
from driver import AppDriver
from torch.utils.data import DataLoader

from components.base.presets import SAMPLE_TEXT
from components.text.tokenizers import get_tokenizer

IDS = get_tokenizer("gpt2").encode(SAMPLE_TEXT)


def starts(tokens, T, stride):
    """Return where windows start, found by trying: a window needs T inputs and one more token as last target."""
    found, start = [], 0
    while start + T + 1 <= tokens:
        found.append(start)
        start += stride
    return found


def positions(begun, T):
    return {position for start in begun for position in range(start, start + T + 1)}


def unused(app):
    return [
        int(re.search(rf"([\d,]+) {why}", app.words)[1])
        for why in ("left over at the end", "skipped", "in the dropped")
    ]


def uses(app, use):
    (data,) = app.drawn("use")
    return [row["times"] for row in data if row["use"] == use]


@pytest.mark.parametrize("stride", [1, 3, 4, 7])
@pytest.mark.parametrize(("T", "B", "drop_last"), [(1, 3, 1), (4, 2, 0), (4, 3, 1), (6, 2, 1)])
def test_windows_and_unused_tokens_are_those_found_by_trying(stride, T, B, drop_last):
    app = AppDriver().open("windows", T=T, B=B, drop_last=drop_last).set(all_stride=stride)
    begun = starts(len(IDS), T, stride)
    kept = begun[: len(begun) // B * B] if drop_last else begun
    assert f"= {len(begun)}\n" in app.words
    end = max(positions(begun, T)) + 1
    skipped = end - len(positions(begun, T))
    assert unused(app) == [len(IDS) - end, skipped, len(positions(begun, T) - positions(kept, T))]
    as_input = [sum(start <= position < start + T for start in kept) for position in range(len(IDS))]
    as_target = [sum(start < position <= start + T for start in kept) for position in range(len(IDS))]
    assert uses(app, "input") == as_input
    assert uses(app, "target") == as_target
    assert sum(uses(app, "unused")) == sum(unused(app))


def shown(app):
    """Return inputs and targets as the page prints them."""
    return [
        [[int(n) for n in re.findall(r"\d+", row)] for row in re.findall(r"\[([\d, ]+)\]", code.value)]
        for code in app.at.code
        if code.value.startswith("tensor(")
    ]


def torch_batches(T, stride, B, seed, shuffle, drop_last=False):
    windows = [
        (torch.tensor(IDS[s : s + T]), torch.tensor(IDS[s + 1 : s + T + 1])) for s in starts(len(IDS), T, stride)
    ]
    return list(DataLoader(windows, B, shuffle, drop_last=drop_last, generator=torch.Generator().manual_seed(seed)))


@pytest.mark.parametrize("seed", [1, 2, 123])
@pytest.mark.parametrize("shuffle", [False, True])
def test_batches_are_those_of_the_dataloader(seed, shuffle):
    batches = torch_batches(3, 2, 2, seed, shuffle)
    app = AppDriver().open("windows", T=3, stride=2, B=2, seed=seed).set(setting_shuffle=shuffle)
    for number in (0, 2, len(batches) - 1):
        app.set(batch=number)
        assert shown(app) == [side.tolist() for side in batches[number]]


def test_code_shows_the_call_of_the_dataloader():
    app = AppDriver().open("windows", B=3, seed=9, shuffle=1, drop_last=1)
    code = app.at.code[0].value
    for part in ("batch_size=3", "shuffle=True", "drop_last=True", "manual_seed(9)"):
        assert part in code


def test_chart_shows_targets_shifted_by_one():
    app = AppDriver().open("windows")
    (drawn,) = app.drawn("letters")
    at = {(row["row"], row["position"]): row["token"] for row in drawn}
    assert len(at) == 16
    assert [at["window 0 input", place] for place in range(4)] == ["The", "␣river", "␣bank", "␣is"]
    assert [at["window 0 target", place] for place in range(1, 5)] == ["␣river", "␣bank", "␣is", "␣steep"]


@pytest.mark.parametrize(("T", "end"), [(12, ""), (16, ""), (18, " …")])
def test_the_reading_quotes_every_token_drawn(T, end):
    app = AppDriver().open("windows", text=" ".join(f"w{n}" for n in range(40)), tokenizer="words", T=T, stride=2)
    given, wanted = (" ".join(f"w{n}" for n in range(start, start + min(T, 16))) + end for start in (0, 1))
    assert f"Window 0: inputs “{given}”, targets “{wanted}”" in app.words
    assert ("the first 16 of 18 tokens" in app.words) == (T == 18)


@pytest.mark.parametrize(("stride", "most"), [(4, "1 time."), (2, "2 times."), (1, "4 times.")])
def test_the_reading_names_the_most_frequent_use(stride, most):
    app = AppDriver().open("windows").set(all_stride=stride)
    assert f"Stronger colour: used more often, here at most {most}" in app.words
    assert max(uses(app, "input") + uses(app, "target")) == int(most.split()[0])


def test_the_chosen_batch_is_that_of_the_next_lessons():
    app = AppDriver().open("windows").set(batch=1).open("lookup")
    assert f"torch.tensor({[IDS[8:12], IDS[12:16]]}," in app.at.code[0].value


def test_drop_last_leaves_out_a_short_batch():
    app = AppDriver().open("windows", B=3, batch=1)
    assert "`[1, 4]` [B, T]" in app.words
    app.set(setting_drop_last=True)
    assert "`[3, 4]` [B, T]" in app.words
    assert unused(app)[2] == 4


def test_dropping_the_only_batch_shows_an_error():
    app = AppDriver().open("windows", B=64, drop_last=1)
    (sentence,) = app.errors()
    assert "4 " in sentence
    assert "B = 64" in sentence
    assert "drop_last" in sentence


def test_a_long_text_shows_its_coverage_in_parts():
    app = AppDriver().open("windows", text="one two three four " * 30, tokenizer="words").set(windows_start=100)
    (data,) = app.drawn("use")
    assert {row["position"] for row in data} == set(range(100, 120))


@pytest.mark.parametrize(("text", "T", "stride"), [("", 4, 1), ("one two", 9, 2), ("one two three", 3, 1)])
def test_no_formula_is_wrong_if_the_text_is_too_short(text, T, stride):
    app = AppDriver().open("windows", text=text, tokenizer="words", T=T, stride=stride)
    assert len(app.errors()) == 1
    for latex in app.at.latex:
        tokens, length, step, result = map(int, re.search(r"(\d+) - (\d+)}{(\d+)}.* = (-?\d+)", latex.value).groups())
        windows = -(-(tokens - length) // step)
        assert result == (max(0, windows) if r"\max" in latex.value else windows)
