"""The longest text in the longest windows: counted within bounds of time and memory."""

import re
import time
from pathlib import Path

import pytest

from components.base.limits import MAX_CONTEXT_LENGTH, MAX_TEXT_CHARS
from components.text.windows import count_unused_tokens, coverage

PROCESS = Path("/proc/self")
TOKENS = 2 * MAX_TEXT_CHARS  # of emoji


@pytest.mark.parametrize("count", [coverage, count_unused_tokens])
def test_the_longest_text_in_the_longest_windows_is_counted_in_a_moment(count):
    windows = range(TOKENS - MAX_CONTEXT_LENGTH)
    start = time.process_time()
    count(TOKENS, MAX_CONTEXT_LENGTH, 1, windows)
    assert time.process_time() - start < 1.0  # writing out every place takes 4 s and 3 GB
    if not PROCESS.exists():
        pytest.skip("only Linux tells the highest memory since a moment")
    (PROCESS / "clear_refs").write_text("5")  # the highest is counted from here
    before = megabytes("VmRSS")
    count(TOKENS, MAX_CONTEXT_LENGTH, 1, windows)
    assert megabytes("VmHWM") - before < 100


def megabytes(name: str) -> float:
    """Return a figure of this process as Linux tells it."""
    return int(re.search(rf"{name}:\s+(\d+) kB", (PROCESS / "status").read_text())[1]) / 1_000
