"""Facts for the questions on windows."""

from components.base.link import State
from components.base.text_format import numbered, pluralize
from components.questions.own_ids import question_rng, token_name
from components.questions.quiz import Facts, Ids
from components.text.window_counts import window_count
from components.text.windows import count_unused_tokens, sliding_windows

IDS_SHOWN = 6


def count(state: State, token_ids: Ids) -> Facts:
    facts = _sizes(state, token_ids)
    n, T, stride = facts["n"], facts["T"], facts["stride"]
    wrong = {"steps": facts["N"] - 1, "N_without_targets": (n - T) // stride + 1, "N_blocks": n // T}
    wrong |= {"n_minus_T": n - T, "inputs": pluralize(T, "input")}
    return facts | wrong | {"last_start": n - T - 1}


def tail(state: State, token_ids: Ids) -> Facts:
    """Return the sizes of another text: the page shows how many tokens of this one are left over."""
    facts = _sizes(state, [])
    n, T, stride = facts["n"], facts["T"], facts["stride"]
    start = (facts["N"] - 1) * stride  # of the last window; the tail is the same if the text begins there
    unused = count_unused_tokens(n - start, T, stride, [0]).tail
    facts |= {"start": start, "last_target": start + T, "last": n - 1}
    return facts | {"unused": unused, "unused_plus_1": unused + 1, "remainder": n % T}


def stride_T(state: State, token_ids: Ids) -> Facts:
    T = state.settings.context_length
    has_second = len(token_ids) > 2 * T
    facts = {"T": T, "single": T == 1, "token": token_name(state, token_ids, T) if has_second else ""}
    facts |= {"first": _positions(0, T - 1), "first_targets": _positions(1, T)}
    return facts | {"second": _positions(T, 2 * T - 1), "second_targets": _positions(T + 1, 2 * T)}


def targets(state: State, token_ids: Ids) -> Facts:
    """Return the positions of a window that is not the first, whose targets the page names."""
    facts = _sizes(state, [])
    T, k = facts["T"], question_rng(state, "targets").randrange(1, facts["N"])
    start, input_ids, target_ids = k * facts["stride"], [], []
    if len(token_ids) > start + T:
        ids = [int(i) for i in token_ids[start : start + T + 1]]
        input_ids, target_ids = (row[0, :IDS_SHOWN].tolist() for row in sliding_windows(ids, T, 1))
    facts |= {"k": k, "input_ids": input_ids, "target_ids": target_ids}
    facts |= {"window": _positions(start, start + T - 1), "targets": _positions(start + 1, start + T)}
    facts |= {"next_window": _positions(start + T, start + 2 * T - 1), "window_and_next": _positions(start, start + T)}
    return facts | {"last_target": _positions(start + T, start + T)}


def _sizes(state: State, token_ids: Ids) -> Facts:
    """Return the sizes of the text; of another text if it is too short for a window."""
    T, stride = state.settings.context_length, state.settings.stride
    n, whose = len(token_ids), "Your text"
    if n <= T:
        n, whose = T + 1 + question_rng(state, "windows").randint(stride, 4 * stride), "A text"
    facts = {"n": n, "whose": whose, "T": T, "T_plus_1": T + 1, "stride": stride, "is_T": stride == T}
    return facts | {"single": T == 1, "N": window_count(n, T, stride)}


def _positions(first: int, last: int) -> str:
    return numbered("position", first, last) + " alone" * (first == last)
