"""GPT-2's own tables and its first attention layer: norms, nearest rows, unused rows, the helix of positions, heads.

GPT-2: Radford et al. (2019), "Language Models are Unsupervised Multitask Learners". A pre-norm Transformer: the first
layer reads token + position embedding after a layer norm, and needs no other weights than these.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional as F

from components.embedding.attention_head import HeadSteps, attention_steps
from components.embedding.projection import project

EPSILON = 1e-5  # of GPT-2's layer norms
HEAD_COLUMNS = 64  # of each head, in all sizes of GPT-2
# Rows of bytes that occur in no UTF-8 text, so that they were never looked up: Land and Bartolo (2024), "Fishing for
# Magikarp": https://arxiv.org/abs/2405.05417, appendix A.
UNUSED_IDS = range(177, 188)
STEP = 16  # positions between the points whose angles are compared: single steps are noisy


class Near(NamedTuple):
    """A row of a table and its cosine similarity to a vector."""

    row: int
    cosine: float


def cosines_to(
    vector: Float[Tensor, " D"], table: Float[Tensor, "V D"], norms: Float[Tensor, " V"]
) -> Float[Tensor, " V"]:
    """Return the cosine similarity of a vector to every row; 0 if one of the two is zero. `norms` are of the rows.

    >>> table = torch.tensor([[2.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    >>> cosines_to(torch.tensor([3.0, 4.0]), table, table.norm(dim=1))
    tensor([0.6000, 0.8000, 0.0000])
    """
    return (table @ vector) / (norms * vector.norm()).clamp(min=1e-12)


def nearest_rows(cosines: Float[Tensor, " V"], count: int, without: Sequence[int] = ()) -> list[Near]:
    """Return the rows with the largest cosine similarities, those of `without` left out.

    >>> [(near.row, round(near.cosine, 2)) for near in nearest_rows(torch.tensor([0.5, 0.1, 0.9]), 2, without=[2])]
    [(0, 0.5), (1, 0.1)]
    >>> [near.row for near in nearest_rows(torch.tensor([0.5, 0.1, 0.9]), 1, without=[1])]
    [2]
    """
    found = cosines.topk(min(count + len(without), len(cosines)))
    pairs = zip(found.indices.tolist(), found.values.tolist(), strict=True)
    return [Near(row, value) for row, value in pairs if row not in without][:count]


def rank_of(row: int, cosines: Float[Tensor, " V"]) -> int:
    """Return the rank of a row by cosine similarity: 1 if no other row is nearer.

    >>> rank_of(0, torch.tensor([0.5, 0.1, 0.9]))
    2
    """
    return int((cosines > cosines[row]).sum()) + 1


def mean_cosine(rows: Float[Tensor, "N D"], norms: Float[Tensor, " N"]) -> float:
    """Return the mean cosine similarity of two different rows; `norms` are those of the rows.

    >>> rows = torch.tensor([[2.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    >>> round(mean_cosine(rows, rows.norm(dim=1)), 4)
    0.3333
    """
    count, total = len(rows), (rows / norms.clamp(min=1e-12)[:, None]).sum(dim=0)  # [D]
    return ((total @ total).item() - count) / (count * (count - 1))


def near_unused(
    table: Float[Tensor, "V D"], norms: Float[Tensor, " V"], count: int, unused: Sequence[int] = UNUSED_IDS
) -> list[Near]:
    """Return the rows nearest to the mean of rows known to be unused, without these: candidates for under-trained ones.

    A simple form of the indicator of Land and Bartolo (2024) for models with tied embeddings, which removes the first
    principal component of the table before.

    >>> table = torch.tensor([[1.0, 0.0], [1.0, 0.2], [0.0, 1.0], [0.9, 0.1]])
    >>> [near.row for near in near_unused(table, table.norm(dim=1), 2, unused=[0, 1])]
    [3, 2]
    """
    mean = table[list(unused)].mean(dim=0)  # [D]
    return nearest_rows(cosines_to(mean, table, norms), count, unused)


class Helix(NamedTuple):
    """Positions on their first three principal components [T, 3], the variance that each explains, and how they wind.

    `plane` are the two components in which the angle grows most steadily: `turns` whole turns, `steady` the share of
    steps that turn in the direction of most.
    """

    points: Float[Tensor, "T 3"]
    shares: tuple[float, float, float]
    plane: tuple[int, int]
    turns: float
    steady: float

    @property
    def winds(self) -> bool:
        """Whether the positions wind: at least one whole turn, nine of ten steps in the same direction."""
        return self.turns >= 1 and self.steady >= 0.9


def helix(positions: Float[Tensor, "T D"]) -> Helix:
    """Return the first three principal components of position embeddings, and how steadily these wind around the mean.

    >>> t = torch.arange(100) / 10
    >>> found = helix(torch.stack([t.cos(), t.sin(), t / 10, 0 * t], 1))
    >>> round(found.turns, 1), found.steady, found.winds, found.plane, round(found.points.norm().item(), 2)
    (1.6, 1.0, True, (0, 1), 10.23)
    """
    projection = project(positions.numpy(), 3)
    points = torch.from_numpy(projection.points)  # [T, 3]
    planes = [(0, 1), (0, 2), (1, 2)]
    wound = [_winding(points[:, list(plane)]) for plane in planes]
    best = max(range(len(planes)), key=lambda index: (wound[index][1] * min(1.0, wound[index][0]), wound[index][0]))
    return Helix(points.float(), projection.shares, planes[best], *wound[best])


def _winding(points: Float[Tensor, "T 2"]) -> tuple[float, float]:
    """Return the turns around the origin, and the share of steps that turn in the direction of most."""
    sampled = points[::STEP]
    angles = torch.atan2(sampled[:, 1], sampled[:, 0])
    steps = angles.diff()
    steps = (steps + math.pi) % (2 * math.pi) - math.pi  # the shorter way
    forward = (steps > 0).double().mean().item()
    return abs(steps.sum().item()) / (2 * math.pi), max(forward, 1 - forward)


def cosine_by_distance(rows: Float[Tensor, "T D"], distance: int) -> float:
    """Return the mean cosine similarity of rows that are so many positions apart.

    >>> cosine_by_distance(torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.0, 2.0]]), 1)
    0.5
    """
    return torch.cosine_similarity(rows[:-distance], rows[distance:], dim=1).mean().item()


class FirstLayer(NamedTuple):
    """The weights of the first attention layer: of its layer norm [D], and of queries, keys and values together."""

    norm_weight: Float[Tensor, " D"]
    norm_bias: Float[Tensor, " D"]
    weight: Float[Tensor, "D D3"]  # x @ weight + bias, unlike nn.Linear
    bias: Float[Tensor, " D3"]


def run_first_layer(x: Float[Tensor, "T D"], layer: FirstLayer) -> HeadSteps:
    """Return what the heads of GPT-2's first layer compute from token + position embeddings [T, D].

    Layer norm, queries, keys and values as the thirds of one product, q · k / √d, causal mask, softmax. Head h has the
    columns h d to h d + d - 1 of each third.
    """
    T, D = x.shape
    normal = F.layer_norm(x, (D,), layer.norm_weight, layer.norm_bias, EPSILON)
    q, k, v = (
        part.reshape(T, -1, HEAD_COLUMNS).transpose(0, 1) for part in (normal @ layer.weight + layer.bias).split(D, 1)
    )
    return attention_steps(q, k, v, causal=True)  # [H, T, d] and [H, T, T]


class Shares(NamedTuple):
    """Mean weight of a head on earlier copies of the same token, on the token before, and on the first token.

    Each mean is over the queries for which there is such a key; NaN if there is none.
    """

    same: float
    previous: float
    first: float


def shares(weights: Float[Tensor, "T T"], ids: Int[Tensor, " T"]) -> Shares:
    """Return where one head puts its weights in a sequence. A query itself counts for none of the three.

    >>> shares(torch.tensor([[1.0, 0.0, 0.0], [0.25, 0.75, 0.0], [0.5, 0.25, 0.25]]), torch.tensor([7, 8, 7]))
    Shares(same=0.5, previous=0.25, first=0.375)
    """
    T = len(ids)
    earlier = torch.ones(T, T, dtype=torch.bool).tril(-1)
    same = (ids[:, None] == ids[None, :]) & earlier
    has_same = same.any(dim=1)
    on_same = (weights * same).sum(dim=1)[has_same].mean().item()
    return Shares(on_same, weights.diagonal(-1).mean().item(), weights[1:, 0].mean().item())
