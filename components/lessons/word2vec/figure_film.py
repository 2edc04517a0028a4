"""The film of the training: words that move apart and together, and how parallel two differences become."""

import numpy as np

from components.embedding.projection import project
from components.figures.area import Area
from components.figures.cells import fit, number
from components.figures.drawing import Figure, Slider, draw
from components.lessons.word2vec.oblique import open_arrow
from components.questions.own_ids import visible_text
from components.vectors.word2vec import FRAMES

MAX_WORDS = 10
HEIGHT = 352
NAME_ROOM, MARGIN = 90, 22  # beside the outermost points, and around all of them
MAP, CURVE = Area(1, 1, 541, 316), Area(600, 170, 812, 290)
DOTS = Area(MAP.left, MAP.top, MAP.right - NAME_ROOM, MAP.bottom)


def film_figure(words: list[str], vectors: np.ndarray) -> Figure:
    """Return the film of `words`, first a, b, c and the answer, by their vectors [frames, words, D]."""
    a, b, c, answer = (fit(visible_text(word), 100) for word in words[:4])
    frames, n_words, D = vectors.shape
    projection = project(vectors[-1])
    points = DOTS.contain(projection.apply(vectors), MARGIN)  # [frames, words, 2]
    cosines = [parallel(each) for each in vectors]
    step = (CURVE.right - CURVE.left) / FRAMES
    shown = []
    for k, (cosine, (at_a, at_b, at_c, at_answer)) in enumerate(zip(cosines, points[:, :4].tolist(), strict=True)):
        up = (CURVE.bottom - CURVE.top) * (cosine + 1) / 2
        shown.append(
            {
                "arrows": (open_arrow(at_b, at_a), open_arrow(at_c, at_answer)),
                "cosine": number(cosine),
                "x": round(CURVE.left + step * k, 1),
                "y": round(CURVE.bottom - up, 1),
                "name": f"Frame {k} of {FRAMES}, {(k / FRAMES) ** 2:.1%} of the training: cosine similarity "
                f"{number(cosine)}",
            }
        )
    names = [fit(visible_text(word), NAME_ROOM, 14) for word in words]
    moves = [[f"{x:g},{y:g}" for x, y in points[:, n].round()] for n in range(n_words)]
    share = sum(projection.shares)
    drawing = draw(
        "lessons/word2vec/film.svg.j2",
        a=a,
        b=b,
        c=c,
        answer=answer,
        words=[*zip(names, moves, strict=True)],
        frames=shown,
        step=round(step, 2),
        share=f"2 of {D} directions: {share:.0%} of the variance of these words at the end",
        map=MAP,
        curve=CURVE,
    )
    reading = (
        f"The vectors of {', '.join(map(visible_text, words))} at {frames} moments of a training, on 2 of {D} "
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
