"""The figure of the lesson on word2vec: an analogy in three dimensions, and the words nearest to its sum."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from gensim.models import KeyedVectors

from components.base.learner_text import visible_text
from components.figures.cells import CHARACTER, fit, number, text_columns
from components.figures.drawing import Figure, draw
from components.lessons.word2vec.oblique import Oblique, arrow
from components.vectors.analogies import Ranked
from components.vectors.analogy_space import AnalogySpace, analogy_space, unit

ROWS = 7
HEIGHT = 388
PANEL, GAP, SECOND_HEIGHT = 400, 8, 356  # a panel, what is between two that are stacked, the height of the second
NAME_WIDTH, ROW_NAME_WIDTH = 136, 140
ARROW = 54  # the longer of the two differences in their own plane


def analogy_figure(
    vectors: KeyedVectors, words: tuple[str, str, str], included: Ranked, exclude: bool, masked: bool
) -> Figure:
    """Return the figure of a - b + c for `words` a, b, c; `included` has the nearest words, the inputs among them.

    The distances, and how near the inputs are, are masked until the learner has predicted the nearest word.
    """
    answer = next(word for word, _ in included if word not in words)
    nearest, excluded = (answer, words) if exclude else (included[0][0], ())
    space = analogy_space(vectors, *words, answer)
    view = Oblique(space)
    drawn = dict(zip((*words, answer), (space.a, space.b, space.c, space.answer), strict=True))  # each word once
    distances = {word: "?" if masked else number(space.distance(at)) for word, at in drawn.items()}
    names = {word: fit(visible_text(word), NAME_WIDTH) for word in drawn}
    points = [
        {
            "part": part_of(vectors, word),
            "name": names[word],
            "at": view.place(at),
            "label": name_place(view.label(at), names[word]),
            "distance": distances[word],
            "may_answer": word not in excluded,
            "compared": word == answer or (word == included[0][0] and not masked),  # its line to the sum is drawn
        }
        for word, at in drawn.items()
    ]
    rows = [] if masked and not exclude else ranking(vectors, included, excluded, masked, distances)
    a, b, c, d = (names[word] for word in (*words, answer))
    unit_a, unit_b, unit_c = (unit(vectors, word) for word in words)
    at_a, at_b, at_c, total, top = map(view.place, (space.a, space.b, space.c, space.sum, space.answer))
    drawing = draw(
        "lessons/word2vec/figure.svg.j2",
        a=a,
        b=b,
        c=c,
        answer=d,
        D=vectors.vector_size,
        plane=view.plane,
        points=points,
        total=total,
        foot=view.place(space.foot),
        top=top,
        arrows={
            "first": arrow(at_b, at_a),
            "parallel": arrow(at_c, total),
            "other": arrow(at_c, top),
            "base": arrow(at_b, at_c),
            "base_copy": arrow(at_a, total),
        },
        rows=rows,
        n_rows=ROWS,
        down=HEIGHT + GAP,
        row_name_width=ROW_NAME_WIDTH,
        longest_arrow=ARROW,
        readout=HEIGHT - 11,
        nearest="" if masked and not exclude else part_of(vectors, nearest),
        exclude=exclude,
        masked=masked,
        height=space.height,
        in_plane=space.distance(space.foot),
        norm=float(np.linalg.norm(unit_a - unit_b + unit_c)),
        differences=differences(space),
    )
    ranked = "".join(f" {row['rank']} {row['name']}: {row['about']}." for row in rows)
    far = ", ".join(f"{point['name']} {point['distance']}" for point in points)
    reading = (
        f"Nearest to {a} − {b} + {c}, input words {'excluded' if exclude else 'included'}.{ranked} Distances from the "
        f"sum: {far}. {d} is {number(space.height)} above the plane of the other words."
    )
    narrow = PANEL + 4, HEIGHT + GAP + SECOND_HEIGHT  # the frame of a row is wider than a panel
    return Figure(drawing, reading, HEIGHT, narrow=narrow, lit=part_of(vectors, answer if masked else nearest))


def name_place(place: tuple[float, float, str], name: str) -> tuple[float, float, str]:
    """Return where a name is, with its text-anchor, moved so that all of it is within the panel.

    >>> name_place((10, 50, "middle"), "king"), name_place((395, 50, "start"), "king")
    ((20.4, 50, 'middle'), (359.2, 50, 'start'))
    """
    x, y, anchor = place
    width = 17 * CHARACTER * text_columns(name)
    before = {"start": 0.0, "middle": width / 2, "end": width}[anchor]
    return round(max(before, min(PANEL - width + before, x)), 1), y, anchor


def ranking(
    vectors: KeyedVectors, included: Ranked, excluded: Sequence[str], masked: bool, distances: Mapping[str, str]
) -> list[dict]:
    """Return the nearest words; one that is excluded has no rank, and is left out while it is masked."""
    rows, rank = [], 0
    for word, score in included:
        may_answer = word not in excluded
        if masked and not may_answer:
            continue
        rank += may_answer
        cosine = number(score, 3)
        far = f"{distances[word]} from the sum" if word in distances else "not shown"
        short = f"cosine {cosine}, {far}" + ("" if may_answer else ", excluded")
        row = {"part": part_of(vectors, word), "name": fit(visible_text(word), ROW_NAME_WIDTH), "cosine": cosine}
        row |= {"rank": str(rank) if may_answer else "–", "share": max(0.0, min(1.0, score))}
        rows.append(row | {"about": short.replace("cosine", "cosine similarity", 1), "short": short})
    return rows[:ROWS]


def differences(space: AnalogySpace) -> dict | None:
    """Return a - b and answer - c in their own plane: norms, angle in degrees, ends of arrows; None if one is 0."""
    one, other = space.a - space.b, space.answer - space.c
    norms = [float(np.linalg.norm(each)) for each in (one, other)]
    if min(norms) == 0:
        return None
    angle = math.acos(max(-1.0, min(1.0, float(one @ other) / (norms[0] * norms[1]))))
    long, short = (ARROW * norm / max(norms) for norm in norms)
    return {
        "norms": norms,
        "angle": round(math.degrees(angle)),
        "one": arrow((0.0, 0.0), (long * math.cos(angle), -long * math.sin(angle)), 0),
        "other": arrow((0.0, 0.0), (short, 0.0), 0),
    }


def part_of(vectors: KeyedVectors, word: str) -> str:
    """Return the part of the figure that belongs to a word: its row of the vectors, since words may have spaces."""
    return f"w{vectors.key_to_index[word]}"
