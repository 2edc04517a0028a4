"""The film of the training: words that move apart and together, and how parallel two differences become."""

from collections.abc import Sequence

import numpy as np

from components.base.learner_text import visible_text
from components.embedding.projection import project
from components.figures.cells import fit, number, text_width
from components.figures.drawing import Figure, Slider, draw
from components.figures.labels import LARGEST_NAME, Area, name_moves, place_labels
from components.lessons.word2vec.oblique import open_arrow

HEIGHT, SECOND_HEIGHT = 336, 336
PANEL, GAP = 400, 12  # the width of a panel, and between two that are stacked
NAME_WIDTH, MARGIN = 90, 22  # of a name at most, and around all points
ARROWS = ((1, 0), (2, 3))  # from b to a, and from c to the answer
CLEARLY, UNLIKE = 0.1, 0.5  # a change of a cosine similarity; words below this one are not alike
DOT = 8  # between the middle of a dot and the arrow to it
MAP, CURVE = Area(1, 1, 399, 304), Area(464, 160, 812, 270)


def film_figure(words: Sequence[str], vectors: np.ndarray, masked: bool, why: str = "") -> Figure:
    """Return the film of `words`, first a, b, c and the answer, by their vectors [epochs + 1, words, D].

    Until the learner has predicted which word ends nearest to a, there is only its start. `why` names the neighbors
    that these two have in common.
    """
    a, b, c, answer = (fit(visible_text(word), 100) for word in words[:4])
    epochs, D, same = len(vectors) - 1, vectors.shape[2], words[0] == words[1]
    projection = project(vectors[-1])
    vectors = vectors[:1] if masked else vectors
    last = len(vectors) - 1
    points = MAP.contain(projection.apply(vectors), MARGIN)  # [epochs + 1, words, 2]
    cosines = [parallel(each) for each in vectors]
    step = (CURVE.right - CURVE.left) / epochs
    frames = []
    for k, (value, (at_a, at_b, at_c, at_answer)) in enumerate(zip(cosines, points[:, :4].tolist(), strict=True)):
        x, up = CURVE.left + step * k, (CURVE.bottom - CURVE.top) * (value + 1) / 2
        left, right = max(CURVE.left - 4, x - step / 2), min(CURVE.right + 4, x + step / 2)
        frames.append(
            {
                "arrows": (open_arrow(at_b, at_a, DOT), open_arrow(at_c, at_answer, DOT)),
                "x": round(x, 1),
                "y": round(CURVE.bottom - up, 1),
                "left": round(left, 1),
                "width": round(right - left, 1),
                "cosine": number(value),
                "name": f"Epoch {k} of {epochs}" + f": cosine similarity {number(value)}" * (not same),
            }
        )
    names = [fit(visible_text(word), NAME_WIDTH, 14) for word in words]
    moves = [[f"{x:g},{y:g}" for x, y in each] for each in points.round().swapaxes(0, 1)]
    widths = [text_width(name, LARGEST_NAME) for name in names]
    in_order = [[True] * len(words)] * len(points)  # the words of the analogy come first
    of_names = name_moves(points, place_labels(points, widths, in_order, MAP, ARROWS), widths)
    share = sum(projection.shares)
    drawing = draw(
        "lessons/word2vec/film.svg.j2",
        a=a,
        b=b,
        c=c,
        answer=answer,
        words=[*zip(names, moves, of_names, strict=True)],
        epochs=epochs,
        frames=frames,
        share=f"2 of {D} directions: {share:.0%} of the variance at the end",
        map=MAP,
        curve=CURVE,
        down=HEIGHT + GAP,
        masked=masked,
        same=same,
        why=why,
    )
    end = "the rest is still hidden" if masked else f"{number(cosines[-1])} at the end"
    change = f"“{a}” − “{b}” and “{answer}” − “{c}” is {number(cosines[0])} at the start; {end}"
    if same:
        change = f"two differences is not defined: “{a}” − “{b}” is 0, without a direction"
    when = "the start" if masked else f"the start and after each epoch up to {epochs}"
    reading = (
        f"The vectors of {', '.join(map(visible_text, words))} at {when}, on 2 of {D} directions with {share:.0%} of "
        f"the variance at the end. The cosine similarity of {change}."
    )
    slider, narrow = Slider("", "Epoch", last, last), (PANEL, HEIGHT + GAP + SECOND_HEIGHT)
    return Figure(drawing, reading, HEIGHT, narrow=narrow, lit=str(last), slider=slider, play="" if masked else "Play")


def cosine(one: np.ndarray, other: np.ndarray) -> float:
    """Return the cosine similarity of two vectors [D]; 0 if one is 0."""
    norms = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(one @ other) / norms if norms else 0.0


def nearest_of(words: Sequence[str], vectors: np.ndarray) -> int:
    """Return which of `words` after the first, and other than it, has the vector most similar to the first one's.

    >>> nearest_of(["a", "a", "b", "c"], np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]))
    3
    """
    others = [n for n, word in enumerate(words) if word != words[0]]
    return max(others, key=lambda n: cosine(vectors[0], vectors[n]))


def has_changed(frames: np.ndarray, n: int) -> bool:
    """Return whether a training [frames, words, D] changed clearly how alike the first word and another one are.

    >>> start, end = [[1.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]
    >>> has_changed(np.array([start, end]), 1), has_changed(np.array([start, end, start]), 1)
    (True, False)
    """
    start, end = (cosine(frame[0], frame[n]) for frame in (frames[0], frames[-1]))
    return abs(end - start) >= CLEARLY


def parallel(vectors: np.ndarray) -> float:
    """Return the cosine similarity of a - b and answer - c of `vectors` [a, b, c, answer, …]; 0 if one is 0.

    >>> parallel(np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [2.0, 1.0]]))
    1.0
    """
    return cosine(vectors[0] - vectors[1], vectors[3] - vectors[2])
