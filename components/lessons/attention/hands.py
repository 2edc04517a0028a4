"""The second figure of rotary positions: the pairs of a query and a key as clock hands, and what each adds."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from components.embedding.positions import rates
from components.embedding.rotary import pairs, rotate, score_of_pairs
from components.figures.cells import number, signed
from components.figures.drawing import Figure, Slider, draw

SHOWN = 4  # pairs
SHIFT = 5
HEIGHT = 388


class Placed(NamedTuple):
    """A query at position m and a key at position n, both rotated [d], and what each pair adds to their score [d/2]."""

    m: int
    n: int
    query: Float[Tensor, " d"]
    key: Float[Tensor, " d"]
    terms: Float[Tensor, " pairs"]


def three_pairs(query: Float[Tensor, " d"], key: Float[Tensor, " d"], m: int, n: int) -> list[Placed]:
    """Return the same query and key at positions m and n, at both plus five, and exchanged."""
    placed = []
    for i, j in ((m, n), (m + SHIFT, n + SHIFT), (n, m)):
        q, k = rotate(query[None], torch.tensor([i]))[0], rotate(key[None], torch.tensor([j]))[0]
        placed.append(Placed(i, j, q, k, score_of_pairs(q, k)))
    return placed


def hands_figure(
    names: Sequence[str],
    placed: Sequence[Placed],
    query: Float[Tensor, " d"],
    key: Float[Tensor, " d"],
    slider: Slider | None = None,
) -> Figure:
    """Return the figure of a query and a key, given before they are rotated, as `three_pairs` places them."""
    m, n, d = placed[0].m, placed[0].n, len(query)
    size = min(SHOWN, d // 2)
    first, second = pairs(d)
    rows = [
        {
            "reads": f"{each.m} reads {each.n}",
            "offset": f"offset {signed_offset(each.n - each.m)}" + ("", ", both plus 5", ", exchanged")[index],
            "hands": [_hand(each, int(first[i]), int(second[i]), i) for i in range(size)],
            "rest": signed(each.terms[size:].sum().item()) if d // 2 > size else "",
            "score": number(each.terms.sum().item(), 4),
        }
        for index, each in enumerate(placed)
    ]
    degrees = rates(d) * 180 / math.pi
    heads = [{"part": f"p{i}", "turn": f"{degrees[i]:.1f}°", "about": _about(i, rows, query, key)} for i in range(size)]
    rest = f"{size} to {d // 2 - 1}" if d // 2 > size + 1 else f"{size}" if d // 2 > size else ""
    drawing = draw("lessons/attention/hands.svg.j2", names=names, m=m, n=n, rows=rows, heads=heads, rest=rest)
    scores = "; ".join(f"{row['reads']}, {row['offset']}: score {row['score']}" for row in rows)
    reading = f"Rotary positions: the query of {names[m]} and the key of {names[n]}. {scores}. {heads[0]['about']}"
    return Figure(drawing, reading, HEIGHT, lit="p0", slider=slider)


def signed_offset(offset: int) -> str:
    """Return an offset with its sign.

    >>> signed_offset(4), signed_offset(-4), signed_offset(0)
    ('+4', '−4', '0')
    """
    return f"{offset:+d}".replace("-", "−") if offset else "0"


def _hand(placed: Placed, a: int, b: int, pair: int) -> dict:
    """Return the hands of one pair: where they end on a unit circle, the angle between them, what the pair adds."""
    (x1, y1), (x2, y2) = (_direction(vector[a].item(), vector[b].item()) for vector in (placed.query, placed.key))
    cosine = max(-1.0, min(1.0, x1 * x2 + y1 * y2))
    term = placed.terms[pair].item()
    return {
        "part": f"p{pair}",
        "query": (round(x1, 3), round(-y1, 3)),
        "key": (round(x2, 3), round(-y2, 3)),
        "sweep": int(x1 * y2 - y1 * x2 < 0),  # of the shorter way from query to key, with y pointing down
        "angle": f"{math.degrees(math.acos(cosine)):.0f}°",
        "term": signed(term),
        "sign": "negative" if term < 0 else "positive",
    }


def _about(pair: int, rows: Sequence[dict], query: Float[Tensor, " d"], key: Float[Tensor, " d"]) -> str:
    """Return a pair in words: the two norms, and in each row the angle and what it adds."""
    sizes = [math.hypot(*vector[2 * pair : 2 * pair + 2].tolist()) for vector in (query, key)]
    hands = [row["hands"][pair] for row in rows]
    product = f"{number(sizes[0])} · {number(sizes[1])} · cos(angle) / √{len(query)}"
    found = [f"{hand['term']} at {hand['angle']}" for hand in hands]
    return f"Pair {pair}: {product} = {found[0]}; plus 5: {found[1]}; exchanged: {found[2]}"


def _direction(x: float, y: float) -> tuple[float, float]:
    size = math.hypot(x, y) or 1.0
    return x / size, y / size
