import re

import pytest
import torch
from lab import Lab
from torch.utils.data import DataLoader

from components.core.presets import SAMPLE_TEXT
from components.core.tokenizers import get_tokenizer

IDS = get_tokenizer("gpt2").encode(SAMPLE_TEXT)


def starts(tokens, T, stride):
    """Where windows start, found by trying: a window needs T inputs and one token more for the last target."""
    found, start = [], 0
    while start + T + 1 <= tokens:
        found.append(start)
        start += stride
    return found


def places(begun, T):
    return {place for start in begun for place in range(start, start + T + 1)}


def lost(lab):
    return [int(re.search(rf"([\d,]+) {why}", lab.words)[1]) for why in ("at the tail", "skipped", "dropped")]


def uses(lab, use):
    (data,) = lab.drawn("use")
    return [row["times"] for row in data if row["use"] == use]


@pytest.mark.parametrize("stride", [1, 3, 4, 7])
@pytest.mark.parametrize(("T", "B", "drop_last"), [(1, 3, 1), (4, 2, 0), (4, 3, 1), (6, 2, 1)])
def test_windows_and_lost_tokens_are_those_found_by_trying(stride, T, B, drop_last):
    lab = Lab().open("windows", T=T, B=B, drop_last=drop_last).set(setting_stride=stride)
    begun = starts(len(IDS), T, stride)
    kept = begun[: len(begun) // B * B] if drop_last else begun
    assert f"= {len(begun)}\n" in lab.words
    end = max(places(begun, T)) + 1
    skipped = end - len(places(begun, T))
    assert lost(lab) == [len(IDS) - end, skipped, len(places(begun, T) - places(kept, T))]
    as_input = [sum(start <= place < start + T for start in kept) for place in range(len(IDS))]
    as_target = [sum(start < place <= start + T for start in kept) for place in range(len(IDS))]
    assert uses(lab, "input") == as_input
    assert uses(lab, "target") == as_target
    assert sum(uses(lab, "lost")) == sum(lost(lab))


def shown(lab):
    """Inputs and targets as the page prints them."""
    return [
        [[int(n) for n in re.findall(r"\d+", row)] for row in re.findall(r"\[([\d, ]+)\]", code.value)]
        for code in lab.at.code
        if code.value.startswith("tensor(")
    ]


def torch_batches(T, stride, B, seed, shuffle, drop_last=False):
    windows = [
        (torch.tensor(IDS[s : s + T]), torch.tensor(IDS[s + 1 : s + T + 1])) for s in starts(len(IDS), T, stride)
    ]
    return list(DataLoader(windows, B, shuffle, drop_last=drop_last, generator=torch.Generator().manual_seed(seed)))


@pytest.mark.parametrize("seed", [1, 2, 123])
@pytest.mark.parametrize("shuffle", [False, True])
def test_a_batch_is_the_one_that_torch_hands_out(seed, shuffle):
    batches = torch_batches(3, 2, 2, seed, shuffle)
    lab = Lab().open("windows", T=3, stride=2, B=2, seed=seed).set(choice_shuffle=shuffle)
    for number in (0, 2, len(batches) - 1):
        lab.set(choice_batch=number)
        assert shown(lab) == [side.tolist() for side in batches[number]]


def test_the_code_is_the_call_that_was_made():
    lab = Lab().open("windows", B=3, seed=9, shuffle=1, drop_last=1)
    code = lab.at.code[0].value
    for part in ("batch_size=3", "shuffle=True", "drop_last=True", "manual_seed(9)"):
        assert part in code


def test_the_chart_shows_each_target_one_place_further_on():
    lab = Lab().open("windows")
    (drawn,) = lab.drawn("role")
    at = {(row["row"], row["place"]): row["token"] for row in drawn}
    assert len(at) == 16
    assert [at["window 0 input", place] for place in range(4)] == ["The", "␣river", "␣bank", "␣is"]
    assert [at["window 0 target", place] for place in range(1, 5)] == ["␣river", "␣bank", "␣is", "␣steep"]


@pytest.mark.parametrize(("T", "end"), [(12, ""), (16, ""), (18, " …")])
def test_the_reading_quotes_every_token_that_is_drawn_and_says_when_there_are_more(T, end):
    lab = Lab().open("windows", text=" ".join(f"w{n}" for n in range(40)), tokenizer="words", T=T, stride=2)
    given, wanted = (" ".join(f"w{n}" for n in range(start, start + min(T, 16))) + end for start in (0, 1))
    assert f"window 0 reads “{given}” and must say “{wanted}”" in lab.words
    assert ("the first 16 of 18 tokens" in lab.words) == (T == 18)


@pytest.mark.parametrize(("stride", "most"), [(4, "1 time;"), (2, "2 times;"), (1, "4 times;")])
def test_the_reading_says_what_the_strength_of_a_colour_means(stride, most):
    lab = Lab().open("windows").set(setting_stride=stride)
    assert f"The stronger the colour, the more often a token is used, here at most {most}" in lab.words
    assert max(uses(lab, "input") + uses(lab, "target")) == int(most.split()[0])


def test_the_batch_chosen_here_is_the_batch_of_the_next_lessons():
    lab = Lab().open("windows").set(choice_batch=1).open("lookup")
    assert f"torch.tensor({[IDS[8:12], IDS[12:16]]}," in lab.at.code[0].value


def test_the_last_batch_may_be_short_and_drop_last_leaves_it_out():
    lab = Lab().open("windows", B=3, batch=1)
    assert "`[1, 4]` [B, T]" in lab.words
    lab.set(choice_drop_last=True)
    assert "`[3, 4]` [B, T]" in lab.words
    assert lost(lab)[2] == 4


def test_dropping_the_only_batch_is_explained():
    lab = Lab().open("windows", B=64, drop_last=1)
    (sentence,) = lab.errors()
    assert "4 " in sentence
    assert "B = 64" in sentence
    assert "drop_last" in sentence


def test_a_long_text_shows_its_coverage_in_parts():
    lab = Lab().open("windows", text="one two three four " * 30, tokenizer="words").set(choice_start=100)
    (data,) = lab.drawn("use")
    assert {row["place"] for row in data} == set(range(100, 120))


@pytest.mark.parametrize(("text", "T", "stride"), [("", 4, 1), ("one two", 9, 2), ("one two three", 3, 1)])
def test_the_formula_of_windows_is_true_where_the_text_is_too_short(text, T, stride):
    lab = Lab().open("windows", text=text, tokenizer="words", T=T, stride=stride)
    assert len(lab.errors()) == 1
    for latex in lab.at.latex:
        tokens, length, step, result = map(int, re.search(r"(\d+) - (\d+)}{(\d+)}.* = (-?\d+)", latex.value).groups())
        windows = -(-(tokens - length) // step)
        assert result == (max(0, windows) if r"\max" in latex.value else windows)
