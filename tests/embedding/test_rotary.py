import pytest
import torch

from components.embedding.rotary import rotate


def test_odd_dimension_and_unknown_layout_are_named():
    with pytest.raises(ValueError, match="D = 1,001 is odd"):
        rotate(torch.zeros(1, 1_001), torch.arange(1))
    with pytest.raises(ValueError, match="layout = 'Halves' is neither interleaved nor halves"):
        rotate(torch.zeros(1, 4), torch.arange(1), "Halves")
