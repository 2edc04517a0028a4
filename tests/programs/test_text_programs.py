"""What the programs of Tokens and Windows print as integers: the counts, IDs and windows of their pages."""

import re

import pytest
import torch

from components.base.learner_text import visible
from components.ui.download_registry import registered
from tests.programs.page_numbers import open_page
from tests.programs.program_states import STATES
from tests.programs.test_programs import ran

NAMES = [name for name in STATES if not name.startswith("experiment")]


def program_and_page(name, page):
    """Return the program of a page, None if there is none, and the page."""
    return ran().get((name, page)), open_page(page, STATES[name])


def integers(pattern, text):
    """Return the integers in each match of a pattern."""
    matches = re.finditer(pattern, text)
    return [tuple(int(number.replace(",", "")) for number in match.groups()) for match in matches]


@pytest.mark.parametrize("name", NAMES)
def test_tokens_program_prints_the_counts_and_tokens_of_the_page(name):
    program, app = program_and_page(name, "tokens")
    if program is None:
        assert STATES[name].text == ""
        return
    shown = integers(r"\*\*([\d,]+) tokens?\*\*, \*\*([\d,]+)\*\* distinct .* vocabulary of ([\d,]+)", app.words)
    assert integers(r"(\d+) tokens, (\d+) distinct, vocabulary of ([\d,]+)", program.printed) == shown != []
    (sizes,) = integers(r"([\d,]+) characters?, ([\d,]+) bytes?", program.printed)
    assert sizes in integers(r"([\d,]+) characters? · ([\d,]+) bytes?", app.words)
    details = r"ID \*\*([\d,]+)\*\* = row .* position ([\d,]+) in the text · occurs ([\d,]+) time"
    shown = [(position, token_id, times) for token_id, position, times in integers(details, app.words)]
    assert integers(r"position (\d+): ID (\d+), number of occurrences (\d+)", program.printed) == shown != []
    unknown = r"(\d+) of (\d+) words are unknown"
    assert integers(unknown, program.printed) == integers(unknown, app.words)
    assert len(integers(unknown, program.printed)) == bool(STATES[name].lesson("tokens").choices.probe)
    found = registered(app.learner)
    for kind, variable in (("words", "words"), ("gpt2", "tokens")):
        tokens = [token if isinstance(token, bytes) else token.encode() for token in program.lists[variable]]
        assert [visible(token) for token in tokens] == [row["token"] for row in found.get(f"{kind}_tokens", [])]


@pytest.mark.parametrize("name", NAMES)
def test_windows_program_prints_the_counts_and_the_batch_of_the_page(name):
    program, app = program_and_page(name, "windows")
    if program is None:
        assert app.errors()
        return
    (count,) = integers(r"⌉ = (\d+)\n", program.printed)
    assert count in integers(r"rceil = (\d+)", app.words)
    codes = [code.value for code in app.at.code]
    assert [str(torch.from_numpy(program.arrays[f"batch_{side}"])) in codes for side in ("inputs", "targets")]
    assert "equal: True True" in program.printed
    ((batch, n_batches, windows),) = re.findall(r"batch (\d+) of (\d+): windows \[(.*)\]", program.printed)
    assert f"Batch, 0 to {int(n_batches) - 1:,}" in [field.label for field in app.at.number_input]
    (shown,) = re.findall(rf"Batch {int(batch):,}: windows? ([\d,]+(?:, [\d,]+)*)\. Each", app.words)
    assert [int(window) for window in windows.split(", ")] == [int(n.replace(",", "")) for n in shown.split(", ")]
    counts = r"Of ([\d,]+) tokens ([\d,]+) are an input and ([\d,]+) a target"
    ((used, tokens, targets),) = integers(r"(\d+) of (\d+) tokens are an input, (\d+) a target", program.printed)
    assert integers(counts, app.words) == [(tokens, used, targets)]
    unused = r"([\d,]+) left over at the end, ([\d,]+) skipped.*?, ([\d,]+) (?:in the )?dropped"
    assert integers(unused, program.printed) == integers(unused, app.words) != []
