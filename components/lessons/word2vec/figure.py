"""The figure of the lesson on word2vec: an analogy in three dimensions, and the words nearest to its sum."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from gensim.models import KeyedVectors

from components.base.learner_text import visible
from components.figures.cells import fit, number
from components.figures.drawing import Figure, draw
from components.lessons.word2vec.oblique import Oblique, arrow
from components.vectors.analogies import Ranked
from components.vectors.analogy_space import AnalogySpace, analogy_space, unit

ROWS = 7
HEIGHT = 388
NAME_WIDTH, ROW_NAME_WIDTH = 136, 112
ARROW = 54  # the longer of the two differences in their own plane


class Point(NamedTuple):
    """A word of the drawing: where it is, where its name is, and how far it is from the sum."""

    part: str
    name: str
    x: float
    y: float
    name_x: float
    name_y: float
    anchor: str
    distance: str
    may_answer: bool
    compared: bool  # whether its line to the sum is drawn even if it is not lit


class Row(NamedTuple):
    """A word of the ranking: its rank among the words that may answer, its cosine similarity, and what is read out."""

    part: str
    name: str
    rank: str
    share: float
    cosine: str
    about: str


def analogy_figure(
    vectors: KeyedVectors, words: tuple[str, str, str], included: Ranked, exclude: bool, masked: bool
) -> Figure:
    """Return the figure of a - b + c for `words` a, b, c; `included` has the nearest words, the inputs among them.

    The distances, and how near the inputs are, are masked until the learner has predicted the nearest word.
    """
    answer = next(word for word, _ in included if word not in words)
    nearest = answer if exclude else included[0][0]
    space = analogy_space(vectors, *words, answer)
    view = Oblique(space)
    compared = (answer,) if masked else (answer, included[0][0])
    points = drawn_points(vectors, words, answer, space, exclude, masked, compared)
    rows = [] if masked and not exclude else ranking(vectors, words, included, exclude, masked, points)
    a, b, c, d = (fit(visible_word(word), NAME_WIDTH) for word in (*words, answer))
    drawing = draw(
        "lessons/word2vec/figure.svg.j2",
        a=a,
        b=b,
        c=c,
        answer=d,
        D=vectors.vector_size,
        plane=view.plane,
        points=points,
        total=view.place(space.sum),
        foot=view.place(space.foot),
        top=view.place(space.answer),
        arrows={
            "first": arrow(view.place(space.b), view.place(space.a)),
            "parallel": arrow(view.place(space.c), view.place(space.sum)),
            "other": arrow(view.place(space.c), view.place(space.answer)),
            "base": arrow(view.place(space.b), view.place(space.c)),
            "base_copy": arrow(view.place(space.a), view.place(space.sum)),
        },
        rows=rows,
        nearest="" if masked and not exclude else part_of(vectors, nearest),
        exclude=exclude,
        masked=masked,
        height=space.height,
        in_plane=space.distance(space.foot),
        norm=float(np.linalg.norm(vector_sum(vectors, words))),
        differences=differences(space),
    )
    reading = reading_of((a, b, c, d), rows, points, space, exclude)
    return Figure(drawing, reading, HEIGHT, lit=part_of(vectors, answer if masked else nearest))


def drawn_points(
    vectors: KeyedVectors,
    words: tuple[str, str, str],
    answer: str,
    space: AnalogySpace,
    exclude: bool,
    masked: bool,
    compared: Sequence[str],
) -> list[Point]:
    """Return the inputs and the answer; a word that is two of them is drawn once."""
    view, found = Oblique(space), {}
    for word, at in zip((*words, answer), (space.a, space.b, space.c, space.answer), strict=True):
        x, y = view.place(at)
        distance = "?" if masked else number(space.distance(at))
        may_answer = not (exclude and word in words)
        label = view.label(at)
        found[word] = Point(
            part_of(vectors, word),
            fit(visible_word(word), NAME_WIDTH),
            x,
            y,
            *label,
            distance,
            may_answer,
            word in compared,
        )
    return [*found.values()]


def ranking(
    vectors: KeyedVectors,
    words: tuple[str, str, str],
    included: Ranked,
    exclude: bool,
    masked: bool,
    points: list[Point],
) -> list[Row]:
    """Return the nearest words; an input that is excluded has no rank, and is left out while it is masked."""
    distances = {point.part: point.distance for point in points}
    rows, rank = [], 0
    for word, score in included:
        may_answer = not (exclude and word in words)
        if masked and not may_answer:
            continue
        rank += may_answer
        part, cosine = part_of(vectors, word), number(score, 3)
        far = f"{distances[part]} from the sum" if part in distances else "not drawn"
        about = f"cosine similarity {cosine}, {far}" + ("" if may_answer else ", excluded")
        name = fit(visible_word(word), ROW_NAME_WIDTH)
        rows.append(Row(part, name, str(rank) if may_answer else "–", max(0.0, min(1.0, score)), cosine, about))
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


def vector_sum(vectors: KeyedVectors, words: tuple[str, str, str]) -> np.ndarray:
    """Return a - b + c [D] of unit vectors."""
    a, b, c = (unit(vectors, word) for word in words)
    return a - b + c


def part_of(vectors: KeyedVectors, word: str) -> str:
    """Return the part of the figure that belongs to a word: its row of the vectors, since words may have spaces."""
    return f"w{vectors.key_to_index[word]}"


def visible_word(word: str) -> str:
    """Return a word with its spaces and hidden characters made visible."""
    return visible(word.encode("utf-8", "replace"))


def reading_of(
    words: tuple[str, str, str, str], rows: list[Row], points: list[Point], space: AnalogySpace, exclude: bool
) -> str:
    """Return the numbers of the figure as text."""
    a, b, c, answer = words
    ranked = "".join(f" {row.rank} {row.name}: {row.about}." for row in rows)
    far = ", ".join(f"{point.name} {point.distance}" for point in points)
    return (
        f"Nearest to {a} − {b} + {c}, input words {'excluded' if exclude else 'included'}.{ranked} Distances from the "
        f"sum: {far}. {answer} is {number(space.height)} above the plane of the other words."
    )
