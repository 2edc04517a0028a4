"""The second figure of rotary positions: the pairs of a query and a key as clock hands, and what each adds."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional as F

from components.base.text_format import true_minus
from components.embedding.positions import rates
from components.embedding.rotary import rotate, score_of_pairs
from components.figures.cells import number, signed
from components.figures.drawing import Figure, Slider, draw

SHOWN = 4  # pairs
SHIFT = 5
HEIGHT = 374
NARROW_WIDTH, DOWN = 420, 330  # of the clocks below the query and the key


class Placed(NamedTuple):
    """A query at position m and a key at position n, both rotated [d], and what each pair adds to their score [d/2]."""

    m: int
    n: int
    query: Float[Tensor, " d"]
    key: Float[Tensor, " d"]
    terms: Float[Tensor, " pairs"]


def three_pairs(query: Float[Tensor, " d"], key: Float[Tensor, " d"], m: int, n: int) -> list[Placed]:
    """Return the same query and key at positions m and n, at both plus five, and exchanged; in double precision.

    In single precision equal scores may differ in the last digit that is shown.
    """
    placed, query, key = [], query.double(), key.double()
    for i, j in ((m, n), (m + SHIFT, n + SHIFT), (n, m)):
        q, k = rotate(query[None], torch.tensor([i]))[0], rotate(key[None], torch.tensor([j]))[0]
        placed.append(Placed(i, j, q, k, score_of_pairs(q, k)))
    return placed


def hands_figure(
    names: Sequence[str],
    placed: Sequence[Placed],
    query: Float[Tensor, " d"],
    key: Float[Tensor, " d"],
    slider: Slider | None,
    masked: bool,
) -> Figure:
    """Return the figure of a query and a key, given before they are rotated, as `three_pairs` places them.

    Masked, it has the first of the three alone.
    """
    m, n, d = placed[0].m, placed[0].n, len(query)
    size = min(SHOWN, d // 2)
    rows = [
        {
            "reads": f"{each.m} reads {each.n}",
            "offset": f"offset {signed_offset(each.n - each.m)}" + ("", ", both plus 5", ", exchanged")[index],
            "hands": [] if hidden else [_hand(each, i) for i in range(size)],
            "rest": "" if hidden or d // 2 == size else signed(each.terms[size:].sum().item()),
            "score": "?" if hidden else number(each.terms.sum().item(), 4),
        }
        for index, each, hidden in zip(range(3), placed, (False, masked, masked), strict=True)
    ]
    degrees = rates(d) * 180 / math.pi
    heads = [{"part": f"p{i}", "turn": f"{degrees[i]:.1f}°", "about": _about(i, rows, query, key)} for i in range(size)]
    rest = f"{size} to {d // 2 - 1}" if d // 2 > size + 1 else f"{size}" if d // 2 > size else ""
    shown = {"names": names, "m": m, "n": n, "rows": rows, "heads": heads, "rest": rest}
    drawing = draw("lessons/attention/hands.svg.j2", **shown, narrow=NARROW_WIDTH, down=DOWN)
    scores = "; ".join(f"{row['reads']}, {row['offset']}: score {row['score']}" for row in rows)
    reading = (
        f"Rotary positions: the query of {names[m]} and the key of {names[n]}. {scores}. {''.join(heads[0]['about'])}"
    )
    return Figure(drawing, reading, HEIGHT, narrow=(NARROW_WIDTH, HEIGHT + DOWN + 20), lit="p0", slider=slider)


def signed_offset(offset: int) -> str:
    """Return an offset with its sign."""
    return true_minus(f"{offset:+d}") if offset else "0"


def _hand(placed: Placed, pair: int) -> dict:
    """Return the hands of one pair: where they end on a unit circle, the angle between them, what the pair adds."""
    vectors = (each[2 * pair : 2 * pair + 2].double() for each in (placed.query, placed.key))
    (x1, y1), (x2, y2) = (F.normalize(each, dim=0).tolist() for each in vectors)
    turn = math.atan2(x1 * y2 - y1 * x2, x1 * x2 + y1 * y2)  # of the shorter way from query to key
    term = placed.terms[pair].item()
    return {
        "part": f"p{pair}",
        "query": (round(x1, 3), round(-y1, 3)),
        "key": (round(x2, 3), round(-y2, 3)),
        "sweep": int(turn < 0),  # y points down
        "angle": f"{math.degrees(abs(turn)):.0f}°",
        "term": signed(term),
        "sign": "negative" if term < 0 else "positive",
    }


def _about(pair: int, rows: Sequence[dict], query: Float[Tensor, " d"], key: Float[Tensor, " d"]) -> tuple[str, str]:
    """Return a pair in words: the two norms, the angle and what it adds; then, unless masked, those of other rows."""
    sizes = [math.hypot(*vector[2 * pair : 2 * pair + 2].tolist()) for vector in (query, key)]
    hands = [row["hands"][pair] for row in rows if row["hands"]]
    product = f"{number(sizes[0])} · {number(sizes[1])} · cos(angle) / √{len(query)}"
    now, *others = (f"{hand['term']} at {hand['angle']}" for hand in hands)
    others = ";".join(f" {name}: {each}" for name, each in zip(("plus 5", "exchanged"), others, strict=False))
    return f"Pair {pair}: {product} = {now}{';' if others else ''}", others
