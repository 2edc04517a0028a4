"""The learner's own tokens and IDs, for the questions of several lessons."""

from itertools import chain
from random import Random

from components.base.learner_text import visible
from components.base.link import State
from components.questions.quiz import Ids
from components.text.token_ids import parse_ids
from components.text.tokenizers import TokenizerUnavailable, get_tokenizer
from components.text.windows import make_batch

MAX_IDS = 512  # of the text that questions use
MAX_TOKEN_CHARS = 20


def question_rng(state: State, name: str) -> Random:
    """Return a random number generator for a question that depends only on the learner's seed."""
    return Random(f"{name} {state.settings.seed}")


def token_name(state: State, token_ids: Ids, position: int) -> str:
    """Return the token at a position of the text in readable form, with its ID."""
    token_id = int(token_ids[position])
    try:
        if state.settings.tokenizer == "words":
            token = state.text.split(None, position + 1)[position].encode("utf-8", "replace")
        else:
            token = get_tokenizer(state.settings.tokenizer).token_bytes(token_id)
    except (TokenizerUnavailable, KeyError, IndexError, OverflowError):
        return f"ID {token_id}"
    name = visible(token)
    return f"“{name[:MAX_TOKEN_CHARS]}{'…' * (len(name) > MAX_TOKEN_CHARS)}” (ID {token_id})"


def batch_shape_or_default(state: State, token_ids: Ids) -> tuple[int, int]:
    try:
        return tuple(make_batch(token_ids, state.settings).shape)
    except ValueError:
        return state.settings.batch_size, state.settings.context_length


def own_ids(state: State, token_ids: Ids) -> list[int]:
    """Return the typed IDs, or the first IDs of the text, whether or not they are in range."""
    if not state.settings.typed:
        return [int(token_ids[position]) for position in range(min(MAX_IDS, len(token_ids)))]
    try:
        return list(chain(*parse_ids(state.settings.ids)))
    except ValueError:
        return []


def sample_ids(state: State, token_ids: Ids, count: int) -> list[int]:
    """Return up to `count` IDs of the learner that are in range, in order, or random ones if there are none.

    The seed determines which IDs of the text, or which random ones; typed IDs are taken from the start.
    """
    V, rng = state.settings.vocab_size, question_rng(state, "ids")
    in_range = [i for i in own_ids(state, token_ids) if 0 <= i < V]
    start = 0 if state.settings.typed else rng.randint(0, max(0, len(in_range) - count))
    return in_range[start : start + count] or [rng.randrange(V) for _ in range(count)]
