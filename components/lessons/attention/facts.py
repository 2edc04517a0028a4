"""Facts for the questions on attention."""

from components.base.link import State
from components.embedding.attention_head import head_dim
from components.embedding.rotary import pairs
from components.lessons.attention.reading import sequence_of
from components.questions.own_ids import question_rng
from components.questions.quiz import Facts, Ids

SMALLEST_HEAD = 4  # in which the two pairings differ


def shuffle(state: State, token_ids: Ids) -> Facts | None:
    """Return None if there are no two tokens.

    >>> from components.lessons.attention.choices import Choices
    >>> shuffle(State(choices=Choices()), range(20)), shuffle(State(choices=Choices()), [5])
    ({'n': 9}, None)
    """
    n = _length(state, token_ids)
    return {"n": n} if n > 1 else None


def mask(state: State, token_ids: Ids) -> Facts:
    n = max(4, _length(state, token_ids))
    first = question_rng(state, "mask").randint(1, n - 3)  # with tokens before and after the two
    return {"n": n, "first": first, "second": first + 1, "last": n - 1}


def rotary(state: State, token_ids: Ids) -> Facts:
    rng = question_rng(state, "rotary")
    m, distance, shift = rng.randint(5, 9), rng.randint(2, 4), rng.randint(5, 8)
    n = m - distance
    return {"m": m, "n": n, "m_later": m + shift, "n_later": n + shift, "offset": n - m, "distance": distance}


def pairing(state: State, token_ids: Ids) -> Facts:
    """
    >>> pairing(State(), [])
    {'d': 16, 'halves': 8, 'neighbor': 1, 'last': 15}
    """
    d = max(SMALLEST_HEAD, head_dim(state.settings.dim))
    halves, neighbor = (int(pairs(d, layout)[1, 0]) for layout in ("halves", "interleaved"))
    return {"d": d, "halves": halves, "neighbor": neighbor, "last": d - 1}


def padding(state: State, token_ids: Ids) -> Facts:
    return {"n": max(3, _length(state, token_ids))}


def _length(state: State, token_ids: Ids) -> int:
    """Return the number of tokens that the head reads, 0 if there are none."""
    try:
        return len(sequence_of(token_ids, state.settings, 0))
    except ValueError:
        return 0
