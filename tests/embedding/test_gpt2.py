"""The heads of GPT-2's first layer against a reference of their own by torch, and what depends on them."""

import numpy as np
import torch
from torch.nn import functional as F

from components.embedding.gpt2 import FirstLayer, run_first_layer
from tests.gpt2_server import tables

IDS = [3347, 1364, 262, 3331, 329, 262, 7850, 17796, 13]


def reference(x: np.ndarray, layer: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return weights and outputs of every head in float64, by torch's layer norm and softmax."""
    x, gain, shift, W, b = (torch.from_numpy(each).double() for each in (x, *layer))
    qkv = F.layer_norm(x, x.shape[1:], gain, shift, 1e-5) @ W + b
    q, k, v = (each.unflatten(1, (-1, 64)).transpose(0, 1) for each in qkv.chunk(3, dim=1))  # [heads, T, 64]
    later = torch.ones(len(x), len(x)).triu(1).bool()
    weights = (q @ k.mT / 8).masked_fill(later, -torch.inf).softmax(dim=-1)
    return weights.numpy(), (weights @ v).numpy()


def test_heads_equal_those_of_the_reference():
    found = tables()
    x = found["wte.weight"][IDS] + found["wpe.weight"][: len(IDS)]
    layer = [each for name, each in found.items() if name.startswith("h.0.")]
    heads = run_first_layer(torch.from_numpy(x), FirstLayer(*map(torch.from_numpy, layer)))
    weights, out = reference(x, layer)
    assert heads.weights.shape == (12, 9, 9)
    assert np.abs(heads.weights.numpy() - weights).max() < 1e-5
    assert np.abs(heads.out.numpy() - out).max() < 1e-4
