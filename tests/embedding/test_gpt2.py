"""The heads of GPT-2's first layer against a reference of their own in numpy, and what depends on them."""

import math

import numpy as np
import pytest
import torch

from components.embedding.gpt2 import FirstLayer, helix, run_first_layer, shares
from tests.gpt2_server import tables

IDS = [3347, 1364, 262, 3331, 329, 262, 7850, 17796, 13]


def reference(x: np.ndarray, layer: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return weights and outputs of every head, query by query and key by key, in float64."""
    gain, shift, W, b = (each.astype(np.float64) for each in layer)
    rows = []
    for row in x.astype(np.float64):
        centered = row - row.mean()
        rows.append(centered / math.sqrt((centered**2).mean() + 1e-5) * gain + shift)
    qkv = np.stack(rows) @ W + b
    T, D = x.shape
    weights, out = np.zeros((D // 64, T, T)), np.zeros((D // 64, T, 64))
    for h in range(D // 64):
        columns = slice(64 * h, 64 * h + 64)
        q, k, v = qkv[:, :D][:, columns], qkv[:, D : 2 * D][:, columns], qkv[:, 2 * D :][:, columns]
        for t in range(T):
            scores = [q[t] @ k[s] / 8 for s in range(t + 1)]
            powers = [math.exp(score - max(scores)) for score in scores]
            for s in range(t + 1):
                weights[h, t, s] = powers[s] / sum(powers)
                out[h, t] += weights[h, t, s] * v[s]
    return weights, out


def test_heads_equal_those_of_the_reference():
    found = tables()
    x = found["wte.weight"][IDS] + found["wpe.weight"][: len(IDS)]
    layer = [each for name, each in found.items() if name.startswith("h.0.")]
    heads = run_first_layer(torch.from_numpy(x), FirstLayer(*map(torch.from_numpy, layer)))
    weights, out = reference(x, layer)
    assert heads.weights.shape == (12, 9, 9)
    assert np.abs(heads.weights.numpy() - weights).max() < 1e-5
    assert np.abs(heads.out.numpy() - out).max() < 1e-4
    same = [weights[0, 5, 2]]  # the second " the" reads the first
    assert shares(heads.weights[0], torch.tensor(IDS)).same == pytest.approx(np.mean(same), abs=1e-5)


def test_heads_need_columns_that_divide_d():
    layer = FirstLayer(torch.ones(100), torch.zeros(100), torch.zeros(100, 300), torch.zeros(300))
    with pytest.raises(ValueError, match=r"^D = 100 is no multiple of 64, the columns of a head\.$"):
        run_first_layer(torch.zeros(2, 100), layer)


def test_helix_needs_33_positions_of_3_columns():
    points = torch.randn(33, 3, generator=torch.Generator().manual_seed(0))
    assert helix(points).points.shape == (33, 3)
    for too_few in (points[1:], points[:, 1:]):
        with pytest.raises(ValueError, match=r"^A helix needs more than 32 positions of 3 columns, not "):
            helix(too_few)
