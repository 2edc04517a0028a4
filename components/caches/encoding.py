"""Token IDs of texts, cached for all sessions: bounded in bytes, read-only."""

import numpy as np

from components.base.learner_text import visible
from components.base.limits import MAX_TOKEN_BYTES_CACHED, MAX_VOCABULARY_BYTES_CACHED
from components.base.settings import Settings
from components.caches.shared import digest, shared
from components.text.tokenizers import Tokenizer, TokenizerUnavailable, get_tokenizer
from components.text.vocabulary import Vocabulary


@shared(MAX_VOCABULARY_BYTES_CACHED, lambda each: 200 * each.n_vocab, key=digest)
def vocabulary(text: str) -> Vocabulary:
    return Vocabulary(text.split())


def tokenizer(name: str, text: str) -> Tokenizer:
    """Return the tokenizer called `name`; "words" is built from `text`. Raises TokenizerUnavailable."""
    return vocabulary(text) if name == "words" else get_tokenizer(name)


@shared(MAX_TOKEN_BYTES_CACHED, lambda ids: ids.nbytes + 200, key=digest)
def token_ids(name: str, text: str) -> np.ndarray:
    """Return the IDs of a text [tokens] as a read-only int64 array. Raises TokenizerUnavailable."""
    ids = np.array(tokenizer(name, text).encode(text), dtype=np.int64)
    ids.setflags(write=False)
    return ids


def gpt2_token(token_id: int) -> str:
    """Return a token of GPT-2 in readable form.

    >>> gpt2_token(3331)
    '“␣bank”'
    """
    return f"“{visible(get_tokenizer('gpt2').token_bytes(token_id))}”"


def ids_if_any(settings: Settings, text: str) -> np.ndarray:
    """Return the IDs of a text [tokens]; no IDs if the tokenizer is not available."""
    try:
        return token_ids(settings.tokenizer, text)
    except TokenizerUnavailable:
        return np.array([], dtype=np.int64)
