import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

from components.lessons.lookup.figure import lookup_figure


@pytest.fixture
def frequent_switches():
    """Have Python switch threads after microseconds, so that each is interrupted within what it does."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_figure_is_the_same_while_other_sessions_draw_theirs(frequent_switches):
    def drawing(_: int) -> str:
        return lookup_figure(torch.arange(8), [*"abcdefgh"], range(8), torch.eye(16), 0, False, 1.0).drawing

    with ThreadPoolExecutor(4) as sessions:
        assert {*sessions.map(drawing, range(20))} == {drawing(0)}
