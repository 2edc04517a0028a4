"""Facts for the questions on positions."""

import math

from components.base.limits import MAX_CONTEXT_LENGTH
from components.base.link import State
from components.base.settings import LAYOUTS
from components.base.text_format import pluralize
from components.embedding.norm_ratio import expected_norm
from components.figures.cells import number
from components.lessons.positions.choices import SHOWN
from components.lessons.positions.figure import kinds_of, pair_columns
from components.questions.own_ids import question_rng
from components.questions.quiz import Facts, Ids

SAME, SIMILAR = 0.02, "neither: they are about equally alike"  # a difference of cosine similarities
LEARNED = "the rows began as random numbers, and training made neighbors alike"
NOT_LEARNED = "here the two that are nearer to each other are not more alike"
SMALLEST_DIM = 4  # for which the two layouts differ


def trained_alike(state: State, token_ids: Ids) -> Facts | None:
    settings = state.settings
    if not settings.trained or settings.position != "learned":
        return None
    a = question_rng(state, "trained_alike").randint(5, 9)
    b, c = a + 1, a + 50
    near, far = kinds_of(settings)["learned"].cosines[a, [b, c]].tolist()
    answer = f"{a} and {b}" if near > far + SAME else f"{a} and {c}" if far > near + SAME else SIMILAR
    facts = {"a": a, "b": b, "c": c, "answer": answer, "similar": SIMILAR}
    facts |= {"about": LEARNED if near > far + SAME else NOT_LEARNED}
    return facts | {"near": number(near, 3), "far": number(far, 3)}


def alike(state: State, token_ids: Ids) -> Facts | None:
    """Return None without position embeddings, with those of GPT-2, and for rows of one number: their cosine is ±1."""
    settings = state.settings
    trained = settings.trained and settings.position == "learned"
    if settings.position == "none" or settings.dim == 1 or trained:
        return None
    a, b, c = 5, 6, 8  # positions: the first is compared with the others
    cosines = kinds_of(settings)[settings.position].cosines[a]
    T = settings.context_length
    length = f"T = {T:,}" if c < T else f"continued to {SHOWN} rows"
    facts = {"a": a, "b": b, "c": c, "length": length, "D": settings.dim, "learned": settings.position == "learned"}
    return facts | {"near": number(cosines[b], 3), "far": number(cosines[c], 3)}


def shuffle(state: State, token_ids: Ids) -> Facts | None:
    """Return None if there are no two different tokens; with positions, also if there is no third one, which stays."""
    T, position = state.settings.context_length, state.settings.position
    if state.settings.vocab_size == 1 or (2 if position == "none" else 3) > T:
        return None
    first, second = sorted(question_rng(state, "positions").sample(range(T), 2))
    return {"T": T, "position": position, "off": position == "none", "first": first, "second": second}


def norm(state: State, token_ids: Ids) -> Facts:
    """Return the facts on the next even D."""
    D = state.settings.dim + state.settings.dim % 2
    facts = {"D": D, "n_pairs": D // 2, "norm": expected_norm(D, "sinusoidal")}
    return facts | {"norm_learned": expected_norm(D, "learned"), "norm_uniform": math.sqrt(D / 3)}


def past_T(state: State, token_ids: Ids) -> Facts:
    T = MAX_CONTEXT_LENGTH if state.settings.trained else state.settings.context_length
    return {"T": T, "rows": pluralize(T, "row"), "T_plus_1": T + 1, "last": T - 1}


def layout(state: State, token_ids: Ids) -> Facts:
    name, D = state.settings.layout, max(SMALLEST_DIM, state.settings.dim)
    other = next(each for each in LAYOUTS if each != name)
    column, other_column = (pair_columns(0, D, each)[1] for each in (name, other))  # of the first cosine, cos(t)
    facts = {"layout": name, "interleaved": name == "interleaved", "column": column, "D": D, "last": D - 1}
    return facts | {"n_sines": math.ceil(D / 2), "other": other, "other_column": other_column}
