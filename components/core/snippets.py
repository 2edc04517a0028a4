"""The code of what a learner sees: for every lesson its steps as programs that stand alone.

Each prints, run in a fresh interpreter without a network, the numbers on the screen.
"""

from collections.abc import Callable

from components.core.link import State
from components.core.snippet import MAX_INLINE, MAX_INLINE_CHARS, Ids, Snippet
from components.core.snippet_combine import snippets as combine
from components.core.snippet_errors import snippets as errors
from components.core.snippet_lookup import snippets as lookup
from components.core.snippet_one_hot import snippets as one_hot
from components.core.snippet_positions import snippets as positions
from components.core.snippet_reproduce import snippets as reproduce
from components.core.snippet_tokens import snippets as tokens
from components.core.snippet_training import snippets as training
from components.core.snippet_windows import snippets as windows
from components.core.snippet_word2vec import snippets as word2vec

__all__ = ["MAX_INLINE", "MAX_INLINE_CHARS", "PAGES", "Snippet", "snippets"]

PAGES: dict[str, Callable[[State, Ids], list[Snippet]]] = {
    "home": lambda state, token_ids: [],
    "tokens": tokens,
    "windows": windows,
    "lookup": lookup,
    "one_hot": one_hot,
    "positions": positions,
    "combine": combine,
    "errors": errors,
    "training": training,
    "word2vec": word2vec,
    "reproduce": reproduce,
}


def snippets(page: str, state: State, token_ids: Ids) -> list[Snippet]:
    """Return the programs of a page; `token_ids` are those of the state's text by its tokenizer, or nothing.

    Where a page refuses the state, only the programs that still make sense are there. Raises KeyError for a page that
    does not exist.

    >>> [snippet.name for snippet in snippets("windows", State(), range(9))]
    ['count', 'batch', 'coverage']
    >>> snippets("home", State(), range(9))
    []
    """
    return PAGES[page](state, token_ids)
