import numpy as np
import pytest
import torch

from components.failures.views import format_result


def test_format_result_of_a_tensor_ignores_print_settings():
    elements = torch.tensor([[0.00001, 1.0], [2.5, -3.12346]])
    torch.set_printoptions(precision=1)
    with np.printoptions(precision=1):
        lines = format_result(elements).splitlines()
    torch.set_printoptions(profile="default")
    assert lines == ["shape [2, 2]", "[[ 0.      1.    ]", " [ 2.5    -3.1235]]"]
    assert format_result("Hi") == "'Hi'"


@pytest.mark.parametrize(
    ("shape", "n_lines"), [((3, 12), 10), ((37,), 2), ((4, 4, 3), 20), ((2, 4, 256), 10), ((1, 2, 0), 2), ((), 1)]
)
def test_format_result_of_a_tensor_is_short_and_narrow(shape, n_lines):
    lines = format_result(torch.full(shape, -1.2345)).splitlines()
    assert len(lines) == n_lines
    assert max(map(len, lines)) <= 48
