"""The figure of the heads of GPT-2's first layer: a small map of the weights of each, beside each other."""

from collections.abc import Sequence

from components.embedding.gpt2 import Shares
from components.figures.drawing import Figure, draw

TOP, PITCH, LINE = 44, 137, 160  # units: from map to map, from line to line
IN_LINE = 6
NARROW, IN_NARROW_LINE = 411, 3


def heads_figure(images: Sequence[tuple[str, ...]], found: Sequence[Shares], chosen: int) -> Figure:
    """Return the figure of the weights [T, T] of all heads, as images; `found` describes where each head puts them."""
    names = [f"Head {h}: {in_words(each)}" for h, each in enumerate(found)]
    maps = [
        {
            "head": h,
            "x": PITCH * (h % IN_LINE),
            "y": TOP + LINE * (h // IN_LINE),
            "narrow": (PITCH * (h % IN_NARROW_LINE), TOP + LINE * (h // IN_NARROW_LINE)),
            "image": image,
            "name": name,
        }
        for h, (image, name) in enumerate(zip(images, names, strict=True))
    ]
    lines, narrow_lines = -(-len(maps) // IN_LINE), -(-len(maps) // IN_NARROW_LINE)
    drawing = draw("lessons/attention/gpt2.svg.j2", maps=maps, chosen=chosen)
    size = {"height": TOP + LINE * lines - 12, "narrow": (NARROW, TOP + LINE * narrow_lines - 12)}
    return Figure(drawing, ". ".join(names), **size, lit=f"h{chosen}")


def in_words(found: Shares) -> str:
    """Return where a head puts its weights.

    >>> in_words(Shares(0.5, 0.25, float("nan")))
    'mean weight on earlier copies of the same token 0.50, on the token before 0.25, on the first token –'
    """
    same, previous, first = (f"{share:.2f}" if share == share else "–" for share in found)
    where = f"earlier copies of the same token {same}, on the token before {previous}, on the first token {first}"
    return f"mean weight on {where}"
