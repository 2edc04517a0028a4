"""The figure of the lesson on word2vec: an analogy in three dimensions, and the words nearest to its sum."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from gensim.models import KeyedVectors

from components.base.learner_text import visible_text
from components.base.text_format import pluralize
from components.figures.cells import fit, number, text_width
from components.figures.drawing import Figure, draw
from components.figures.labels import Area, name_move, place_labels
from components.lessons.word2vec.oblique import Drawn, arrow, oblique
from components.vectors.analogies import Ranked
from components.vectors.analogy_space import AnalogySpace, analogy_space, unit

ROWS = 7
HEIGHT = 388
PANEL, GAP, SECOND_HEIGHT = 400, 8, 356  # a panel, what is between two that are stacked, the height of the second
NAME_WIDTH, ROW_NAME_WIDTH = 136, 140
ARROW = 54  # the longer of the two differences in their own plane
SUM = "the sum"
NAME_SIZE = 17  # font size of the names of the points, and of their distances
NAMES = Area(0, 46, PANEL, 304)  # where the names of the points can be
RING = 7  # from the edge of a point to the ring around one that is lit


def analogy_figure(
    vectors: KeyedVectors, words: tuple[str, str, str], included: Ranked, exclude: bool, masked: bool
) -> Figure:
    """Return the figure of a - b + c for `words` a, b, c; `included` has the nearest words, the inputs among them.

    The distances, and how near the inputs are, are masked until the learner has predicted the nearest word.
    """
    answer = next(word for word, _ in included if word not in words)
    nearest, excluded = (answer, words) if exclude else (included[0][0], ())
    space = analogy_space(vectors, *words, answer)
    plane, (*places, total, foot) = oblique(space)
    drawn = dict(zip((*words, answer), (space.a, space.b, space.c, space.answer), strict=True))  # each word once
    distances = {word: "?" if masked else number(space.distance(at)) for word, at in drawn.items()}
    names = {word: fit(visible_text(word), NAME_WIDTH) for word in drawn}
    dots = dict(zip((*words, answer), places, strict=True))
    centers = np.array([*dots.values()])
    beside = place_distances(centers, total, [*distances.values()])
    indices = [[*drawn].index(word) for word in (*words, answer)]
    *labels, sum_label = place_names(centers, total, (*names.values(), SUM), indices, beside)
    points = [
        {
            "part": part_of(vectors, word),
            "name": names[word],
            "at": dots[word],
            "label": labels[n],
            "distance": distances[word],
            "beside": beside[n].round(1).tolist(),
            "may_answer": word not in excluded,
            "compared": word == answer or (word == included[0][0] and not masked),  # its line to the sum is drawn
        }
        for n, word in enumerate(drawn)
    ]
    rows = [] if masked and not exclude else ranking(vectors, included, excluded, masked, distances)
    a, b, c, d = (names[word] for word in (*words, answer))
    unit_a, unit_b, unit_c = (unit(vectors, word) for word in words)
    at_a, at_b, at_c, top = (dots[word] for word in (*words, answer))
    has_height = vectors.vector_size > 2 and len({*words}) == 3  # else all words are in one plane, or there is none
    drawing = draw(
        "lessons/word2vec/figure.svg.j2",
        a=a,
        b=b,
        c=c,
        answer=d,
        numbers=pluralize(vectors.vector_size, "number"),
        dimensions=pluralize(min(3, vectors.vector_size), "dimension"),
        plane=plane,
        points=points,
        total=total,
        sum=SUM,
        sum_label=sum_label,
        foot=foot,
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
        has_height=has_height,
        height=space.height,
        in_plane=space.distance(space.foot),
        norm=float(np.linalg.norm(unit_a - unit_b + unit_c)),
        differences=differences(space),
    )
    ranked = "".join(f" {row['rank']} {row['name']}: {row['about']}." for row in rows)
    far = ", ".join(f"{point['name']} {point['distance']}" for point in points)
    reading = (
        f"Nearest to {a} − {b} + {c}, input words {'excluded' if exclude else 'included'}.{ranked} Distances from the "
        f"sum: {far}."
    )
    if has_height:
        reading += f" {d} is {number(space.height)} above the plane of the other words."
    narrow = PANEL + 4, HEIGHT + GAP + SECOND_HEIGHT  # the frame of a row is wider than a panel
    return Figure(drawing, reading, HEIGHT, narrow=narrow, lit=part_of(vectors, answer if masked else nearest))


def place_distances(dots: np.ndarray, total: Drawn, distances: Sequence[str]) -> np.ndarray:
    """Return the centers of the distances of `dots` [words, 2] from the sum: beside the middle of the line to it.

    Those of lines that are nearly horizontal are above them, but that of the answer, the last one, is below.
    """
    right = [8 + text_width(text, NAME_SIZE) / 2 for text in distances]
    flat = np.abs(dots[:, 1] - total[1]) < 10
    below = np.arange(len(dots)) == len(dots) - 1
    return (dots + total) / 2 + np.stack([np.where(flat, 4, right), np.where(flat & below, 13, -13)], axis=1)


def place_names(
    dots: np.ndarray, total: Drawn, names: Sequence[str], analogy: Sequence[int], distances: np.ndarray
) -> list[str]:
    """Return the positions of the names of `dots` and of the sum, as `name_move` does, beside arrows and distances.

    `analogy` has the indices of a, b, c and the answer.
    """
    (a, b, c, d), n = analogy, len(dots)
    half = np.array([10, 0])  # what is left free around a point is half as wide as a distance
    points = np.concatenate([dots, [total], distances - half, distances + half])
    widths = [text_width(name, NAME_SIZE) + 2 * RING for name in names]
    arrows = ((b, a), (c, n), (c, d), (b, c), (a, n), (d, n))
    centers = place_labels(points[None], widths, [[False] * len(names)], NAMES, arrows)[0]
    return [name_move(*each) for each in zip(points, centers, widths, strict=False)]


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
