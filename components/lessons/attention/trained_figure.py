"""The figure of a trained head: the scores, the weights and the mixture of the last word of a prompt, step by step."""

from collections.abc import Sequence
from functools import lru_cache

from components.base.learner_text import show_hidden
from components.figures.cells import cell, fit, number
from components.figures.columns import columns, shown_columns
from components.figures.drawing import Figure, Slider, draw
from components.training.attention_training import DIM, RECORDED, Read, TrainedHead
from components.training.reading_tasks import Order

TOP, PITCH, BELOW = 52, 30, 132
FULL_SCORE, FULL_VALUE = 12, 4  # from here on they have the full color
BEST = 3  # words that may come next
OF_LAST = ("scores", "weights", "mixed")  # what is drawn of the last word
PLOT_LEFT, PLOT_RIGHT, PLOT_HEIGHT = 34, 322, 58
NARROW_WIDTH, ABOVE = 402, 24
MAX_DRAWN = 32  # films, all sessions together: with their heads 0.15 MB each


@lru_cache(MAX_DRAWN)
def trained_figure(
    head: TrainedHead, prompt: tuple[str, ...], with_positions: int, without: int | None, masked: bool
) -> Figure:
    """Return the film of a training, of which each frame shows what the last word of a prompt reads.

    So many prompts are completed with positions, and without: None while it is masked, as predictions are if `masked`.
    """
    n, found = len(prompt), [head.read([prompt], frame) for frame in range(len(RECORDED))]
    by_position = [head.scores_by_position(prompt, frame).tolist() for frame in range(len(RECORDED))]
    shown, plot_top = shown_columns(DIM), TOP + PITCH * n + 44
    scores, weights, mixed = ([getattr(each, name)[0, -1].tolist() for each in found] for name in OF_LAST)
    values = [each.values[0].tolist() for each in found]

    def on_plot(frame: int, weight: float) -> tuple[float, float]:
        right = PLOT_LEFT + (PLOT_RIGHT - PLOT_LEFT) * frame / (len(RECORDED) - 1)
        return right, plot_top + PLOT_HEIGHT * (1 - weight)

    rows = []
    for s, word in enumerate(prompt):
        of_position, score, weight = ([each[s] for each in frames] for frames in (by_position, scores, weights))
        parts = [[a - b for a, b in zip(score, of_position, strict=True)], of_position, score]
        rows.append(
            {
                "word": show_hidden(word),
                "scores": [film(each, FULL_SCORE) for each in parts],
                "weight": film(weight, 1.0),
                "scales": " ".join(f"{each:.3f}" for each in weight),
                "last": f"{weight[-1]:.3f}",
                "values": [film([each[s][d] for each in values], texts=False) for d in shown],
                "line": " ".join(f"{x:.1f},{y:.1f}" for x, y in map(on_plot, range(len(weight)), weight)),
                "end": on_plot(0, weight[-1])[1],
            }
        )
    best = [best_words(head, each) for each in found]
    frames = [
        {"step": step, "x": on_plot(frame, 0)[0], "name": in_words(prompt, found[frame], best[frame], step, masked)}
        for frame, step in enumerate(RECORDED)
    ]
    guesses = [
        {"words": [[fit(show_hidden(word), 74, 15)] for word, _ in each], "share": film([p for _, p in each], 1.0)}
        for each in zip(*best, strict=True)
    ]
    most = weights[-1].index(max(weights[-1]))
    bottom, height = TOP + PITCH * n - 4, TOP + PITCH * n + BELOW
    alone = "?" if without is None else f"{without:,}"
    drawing = draw(
        "lessons/attention/trained.svg.j2",
        rows=rows,
        query=show_hidden(prompt[-1]),
        most=most,
        positions=head.config.positions,
        axis=columns(shown, range(DIM)),
        mixed=[film([each[d] for each in mixed]) for d in shown],
        frames=frames,
        half=(PLOT_RIGHT - PLOT_LEFT) / (len(RECORDED) - 1) / 2,
        guesses=guesses,
        total=f"{head.tests.total:,}",
        with_positions=f"{with_positions:,}",
        without=alone,
        masked=masked,
        root=DIM,
        top=TOP,
        pitch=PITCH,
        bottom=bottom,
        plot=(PLOT_LEFT, plot_top, PLOT_RIGHT, plot_top + PLOT_HEIGHT),
        down=height + ABOVE,
    )
    prompts = "prompts with three fruits" if isinstance(head.config.task, Order) else "prompts"
    reading = (
        f"{frames[-1]['name']}. Before training: {frames[0]['name']}. Of {head.tests.total:,} {prompts}, it completes "
        f"{with_positions:,} with positions and {alone} without."
    )
    return Figure(
        drawing,
        reading,
        height,
        narrow=(NARROW_WIDTH, 2 * height + ABOVE),
        lit=str(RECORDED[-1]),
        columns=range(n),
        column=most,
        slider=Slider("", "Training step", len(RECORDED) - 1, len(RECORDED) - 1),
        play="Play",
    )


def film(values: list[float], full: float = FULL_VALUE, texts: bool = True) -> dict:
    """Return how a number is drawn at the last frame, and its digits, its share of the color and its look at each."""
    cells = [cell(value, full) for value in values]
    looks = [f"{each.sign} {each.contrast + '-contrast' if each.contrast else ''}".strip() for each in cells]
    frames = [[each.text if texts else "", each.percent, look] for each, look in zip(cells, looks, strict=True)]
    return {"frames": frames, "text": frames[-1][0], "share": frames[-1][1], "look": frames[-1][2]}


def best_words(head: TrainedHead, found: Read) -> list[tuple[str, float]]:
    """Return the words that are most likely next, with their probabilities."""
    best = found.logits[0].softmax(dim=0).topk(min(BEST, len(head.vocabulary)))
    return [(head.vocabulary[i], p) for p, i in zip(best.values.tolist(), best.indices.tolist(), strict=True)]


def in_words(prompt: Sequence[str], found: Read, best: list[tuple[str, float]], step: int, masked: bool) -> str:
    """Return a frame in words: what the last word reads, and what may come next."""
    weights = ", ".join(f"{number(w)} {word}" for word, w in zip(prompt, found.weights[0, -1].tolist(), strict=True))
    words = ", ".join(f"{word} {number(p)}" for word, p in best)
    return show_hidden(f"Step {step}: {prompt[-1]} reads {weights}; next {'?' if masked else words}")
