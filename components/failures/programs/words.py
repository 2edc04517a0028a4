"""Programs with vocabularies, word vectors and tokenizers that lack a word, a token or part of a character."""

from difflib import get_close_matches
from typing import Any

import numpy as np
import tiktoken
from gensim.models import KeyedVectors


def unknown_word(word: str, fixed: bool) -> list[int]:
    """Look up a word that is not in the vocabulary."""
    words = ["the", "cat", "sat", "on", "the", "mat"]
    if fixed:
        words = ["<unk>", *dict.fromkeys(words)]  # each once
    else:
        words = [*dict.fromkeys(words)]  # each once
    vocabulary = {w: i for i, w in enumerate(words)}
    sentence = ["the", word, "sat"]
    if fixed:
        return [vocabulary.get(w, vocabulary["<unk>"]) for w in sentence]
    else:
        return [vocabulary[w] for w in sentence]


def unknown_vector(key: str, fixed: bool) -> Any:
    """Ask for the vector of a word that has none."""
    vectors = KeyedVectors(vector_size=2)
    vectors.add_vectors(["king", "queen"], np.eye(2))
    if fixed:
        near = get_close_matches(key, vectors.index_to_key)
        return {w: vectors[w] for w in near}
    else:
        return vectors[key]


def byte_encoding() -> tiktoken.Encoding:
    """Return an encoding with one token for each byte, and a special token."""
    ranks = {bytes([b]): b for b in range(256)}
    special = {"<|endoftext|>": 256}
    return tiktoken.Encoding("bytes", pat_str=r"[\s\S]", mergeable_ranks=ranks, special_tokens=special)


def special_token(text: str, fixed: bool) -> list[int]:
    """Encode a text that contains a special token."""
    encoding = byte_encoding()
    if fixed:
        return encoding.encode(text, disallowed_special=())
    else:
        return encoding.encode(text)


def undecodable_id(token_id: int, fixed: bool) -> str:
    """Decode an ID that no token has."""
    encoding = byte_encoding()
    ids = [72, 105, token_id]
    if fixed:
        return encoding.decode([i for i in ids if i < encoding.n_vocab])
    else:
        return encoding.decode(ids)


def half_character(character: str, fixed: bool) -> str:
    """Decode the first byte of a character."""
    encoding = byte_encoding()
    ids = encoding.encode(character)
    if fixed:
        return encoding.decode(ids)
    else:
        return encoding.decode(ids[:1])
