from math import cos, sin

import pytest
import torch

from components.embedding.rotary import rotate


def test_base_is_that_of_the_rates():
    found = rotate(torch.tensor([[0.0, 0.0, 1.0, 0.0]]), torch.tensor([1]), base=4.0)
    assert found[0].tolist() == pytest.approx([0, 0, cos(0.5), sin(0.5)])


def test_odd_dimension_and_unknown_layout_are_named():
    with pytest.raises(ValueError, match="D = 1,001 is odd"):
        rotate(torch.zeros(1, 1_001), torch.arange(1))
    with pytest.raises(ValueError, match="layout = 'Halves' is neither interleaved nor halves"):
        rotate(torch.zeros(1, 4), torch.arange(1), "Halves")
