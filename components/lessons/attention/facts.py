"""Facts for the questions on attention."""

import math

from components.base.link import State
from components.embedding.attention_head import head_dim
from components.embedding.gpt2 import HEAD_COLUMNS
from components.embedding.rotary import pairs
from components.lessons.attention.figure import POSITIONS
from components.lessons.attention.hands import SHIFT, signed_offset
from components.lessons.attention.reading import sequence_if_any
from components.lessons.attention.trained import task_of
from components.questions.own_ids import question_rng
from components.questions.quiz import Facts, Ids
from components.training.reading_tasks import Task

SMALLEST_HEAD = 4  # in which the two pairings differ


def _of_task(state: State) -> tuple[Task, Facts]:
    """Return the task of a trained head, and the facts that the questions on both tasks have in common."""
    task, _ = task_of(state.choices)
    total, words = len(task.tests()), task.first_prompt().split()
    facts = {"seed": state.settings.seed, "total": total, "half": total // 2, "example": " ".join(words)}
    return task, facts | {"completion": task.answer(words[task.source(words)])}


def order(state: State, token_ids: Ids) -> Facts | None:
    if state.choices.head != "order":
        return None
    _, facts = _of_task(state)
    return facts | {"third": facts["total"] // 3, "positions": state.choices.head_positions}


def meaning(state: State, token_ids: Ids) -> Facts | None:
    """Return None if the head does not read nouns, or begins with embeddings with which some seeds fail."""
    if state.choices.head != "meaning" or state.choices.start != "0.1":
        return None
    task, facts = _of_task(state)
    return facts | {"nouns": len(task.pairs), "guess": facts["total"] // len(task.pairs)}


def shuffle(state: State, token_ids: Ids) -> Facts | None:
    """Return None if another head or the clock hands are shown, or a token that is not moved has no other output."""
    choices, ids = state.choices, sequence_if_any(state, token_ids)
    n = len(ids)
    if choices.head != "text" or n < 3 or len({*ids}) == 1 or choices.shows_hands:
        return None
    kind = choices.attention_positions
    if kind == "added" and state.settings.position == "none":
        kind = "none"
    if kind == "none" and choices.causal and n == 3 and ids[0] == ids[2]:
        return None
    setting = f"{'a causal mask' if choices.causal else 'no mask'}, {POSITIONS[kind]}"
    return {"n": n, "setting": setting, "free": kind == "none" and not choices.causal}


def scores(state: State, token_ids: Ids) -> Facts | None:
    D = state.settings.dim
    if state.choices.head != "gpt2" or not state.settings.trained:
        return None
    facts = {"D": D, "d": HEAD_COLUMNS, "heads": D // HEAD_COLUMNS, "by": f"{math.sqrt(HEAD_COLUMNS):.4g}"}
    return facts | {"root": f"{math.sqrt(D):.4g}"}


def mask(state: State, token_ids: Ids) -> Facts:
    n = max(4, len(sequence_if_any(state, token_ids)))
    first = question_rng(state, "mask").randint(1, n - 3)  # with tokens before and after the two
    return {"n": n, "first": first, "second": first + 1, "last": n - 1}


def rotary(state: State, token_ids: Ids) -> Facts:
    rng = question_rng(state, "rotary")
    m, distance, shift = rng.randint(5, 9), rng.randint(2, 4), rng.randint(5, 8)
    n = m - distance
    query, key = state.choices.pair(len(sequence_if_any(state, token_ids)))
    if state.choices.shows_hands and query != key:
        m, n, shift = query, key, SHIFT
    offsets = {"offset": signed_offset(n - m), "exchanged": signed_offset(m - n)}
    return {"m": m, "n": n, "m_later": m + shift, "n_later": n + shift} | offsets


def pairing(state: State, token_ids: Ids) -> Facts:
    d = max(SMALLEST_HEAD, head_dim(state.settings.dim))
    halves, neighbor = (int(pairs(d, layout)[1, 0]) for layout in ("halves", "interleaved"))
    return {"d": d, "halves": halves, "neighbor": neighbor, "last": d - 1}


def padding(state: State, token_ids: Ids) -> Facts:
    return {"n": max(3, len(sequence_if_any(state, token_ids)))}
