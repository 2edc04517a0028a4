"""The film of the training: words that move apart and together, and how parallel two differences become."""

from typing import NamedTuple

import numpy as np

from components.embedding.projection import project
from components.figures.cells import fit, number
from components.figures.drawing import Figure, Slider, draw
from components.lessons.word2vec.figure import visible_word
from components.lessons.word2vec.oblique import open_arrow
from components.vectors.word2vec_film import FRAMES

MAX_WORDS = 10
HEIGHT = 352
LEFT, TOP, RIGHT, BOTTOM = 1, 1, 541, 316  # of the map
MARGIN, NAME_ROOM = 22, 90  # between the outermost points and the edge of the map, also on the right
CURVE_LEFT, CURVE_TOP, CURVE_RIGHT, CURVE_BOTTOM = 600, 170, 812, 290


class Word(NamedTuple):
    """A word of the film: its points, and whether it is part of the analogy."""

    part: int
    name: str
    moves: str
    last: str
    main: bool


class Frame(NamedTuple):
    """A moment: the arrows from b to a and from c to the answer, and the cosine similarity of both differences."""

    k: int
    arrows: tuple[str, str]
    cosine: str
    x: float
    y: float
    left: float
    name: str


def film_figure(words: list[str], vectors: np.ndarray) -> Figure:
    """Return the film of `words`, first a, b, c and the answer, by their vectors [frames, words, D]."""
    a, b, c, answer = (fit(visible_word(word), 100) for word in words[:4])
    frames, n_words, D = vectors.shape
    projection = project(vectors[-1])
    points = in_units(projection.apply(vectors))
    cosines = [parallel(each) for each in vectors]
    step = (CURVE_RIGHT - CURVE_LEFT) / FRAMES
    shown = [
        Frame(
            k,
            (open_arrow(at(points, k, 1), at(points, k, 0)), open_arrow(at(points, k, 2), at(points, k, 3))),
            number(cosines[k]),
            round(CURVE_LEFT + step * k, 1),
            round(CURVE_BOTTOM - (CURVE_BOTTOM - CURVE_TOP) * (cosines[k] + 1) / 2, 1),
            round(CURVE_LEFT + step * (k - 0.5), 1),
            f"Frame {k} of {FRAMES}, {(k / FRAMES) ** 2:.1%} of the training: cosine similarity {number(cosines[k])}",
        )
        for k in range(frames)
    ]
    moves = [[f"{x:g},{y:g}" for x, y in points[:, n].round()] for n in range(n_words)]
    share = sum(projection.shares)
    drawing = draw(
        "lessons/word2vec/film.svg.j2",
        a=a,
        b=b,
        c=c,
        answer=answer,
        words=[
            Word(n, fit(visible_word(word), NAME_ROOM, 14), " ".join(moves[n]), moves[n][-1], n < 4)
            for n, word in enumerate(words)
        ],
        frames=shown,
        step=round(step, 2),
        share=f"2 of {D} directions: {share:.0%} of the variance of these words at the end",
        map=(LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP),
        curve=(CURVE_LEFT, CURVE_TOP, CURVE_RIGHT, CURVE_BOTTOM),
        last=FRAMES,
    )
    reading = (
        f"The vectors of {', '.join(map(visible_word, words))} at {frames} moments of a training, on 2 of {D} "
        f"directions with {share:.0%} of the variance at the end. The cosine similarity of {a} − {b} and "
        f"{answer} − {c} is {number(cosines[0])} at the start and {number(cosines[-1])} at the end."
    )
    slider = Slider("", "Frame", FRAMES, FRAMES)
    return Figure(drawing, reading, HEIGHT, lit=str(FRAMES), slider=slider, play="Play")


def parallel(vectors: np.ndarray) -> float:
    """Return the cosine similarity of a - b and answer - c of `vectors` [a, b, c, answer, …]; 0 if one is 0.

    >>> parallel(np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [2.0, 1.0]]))
    1.0
    """
    one, other = vectors[0] - vectors[1], vectors[3] - vectors[2]
    norms = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(one @ other) / norms if norms else 0.0


def in_units(points: np.ndarray) -> np.ndarray:
    """Return points [frames, words, 2] in units of the figure; both axes have the same scale."""
    low, high = points.min(axis=(0, 1)), points.max(axis=(0, 1))
    size = np.array([RIGHT - LEFT - NAME_ROOM, BOTTOM - TOP]) - 2 * MARGIN
    scale = (size / np.maximum(high - low, 1e-9)).min()
    center = np.array([LEFT + RIGHT - NAME_ROOM, TOP + BOTTOM]) / 2
    return center + (points - (low + high) / 2) * np.array([scale, -scale])


def at(points: np.ndarray, frame: int, word: int) -> tuple[float, float]:
    """Return the point of a word in a frame."""
    return float(points[frame, word, 0]), float(points[frame, word, 1])
