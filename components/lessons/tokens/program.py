"""The program of the lesson on tokens: the learner's text in a word vocabulary and in byte-pair encoding."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import tiktoken

from components.base.learner_text import whole_character
from components.base.link import State
from components.lessons.tokens.choices import first_chip
from components.programs.batch_story import text_values
from components.text.gpt2 import gpt2_encoding
from components.text.tokenizers import TokenizerUnavailable, get_tokenizer
from components.text.vocabulary import SPECIAL_TOKENS, UNKNOWN, encode_words, number_words


def tokenize_both_ways(text, word, first_word, probe, bpe, ranks, piece, first_piece):
    """Give each word of the text an ID, then each of its byte-pair tokens."""
    # %% The text
    print(f"{len(text)} characters, {len(text.encode())} bytes")
    # %% A word vocabulary
    # Whitespace separates words; punctuation next to a word belongs to it. Each distinct word gets the next ID, after
    # those of four special tokens.
    words = text.split()
    vocabulary = number_words(words)
    word_ids = encode_words(words, vocabulary)
    print(f"{len(words)} tokens, {len(vocabulary)} distinct, vocabulary of {len(SPECIAL_TOKENS) + len(vocabulary)}")
    shown = slice(first_word, first_word + 120)
    print(*zip(word_ids[shown], words[shown], strict=True))
    if text.split():
        # %% One word
        token_id, token = word_ids[word], words[word].encode()
        print(f"position {word}: ID {token_id}, number of occurrences {word_ids.count(token_id)}")
        print("bytes", token.hex(" ").upper())
    if probe.strip():
        # %% Unknown words
        # All words that the text does not contain have one ID, that of `<unk>`.
        probe_ids = encode_words(probe.split(), vocabulary)
        print(*zip(probe_ids, probe.split(), strict=True))
        print(f"{probe_ids.count(UNKNOWN)} of {len(probe_ids)} words are unknown")
    # %% Byte-pair encoding
    if ranks:  # noqa: SIM108
        # BPE can split any text; spaces are part of tokens. Here are those of GPT-2's 50,257 tokens that can occur
        # in this text. The whole encoding is `tiktoken.get_encoding("gpt2")`; tiktoken downloads it once.
        encoding = gpt2_encoding(ranks)
    else:
        # BPE can split any text; spaces are part of tokens. tiktoken downloads the encoding the first time.
        encoding = tiktoken.get_encoding(bpe)
    token_ids = encoding.encode_ordinary(text)  # special tokens typed into a text are text like any other
    tokens = [encoding.decode_single_token_bytes(token_id) for token_id in token_ids]
    print(f"{len(token_ids)} tokens, {len(set(token_ids))} distinct, vocabulary of {encoding.n_vocab:,}")
    shown = slice(first_piece, first_piece + 120)
    print(*zip(token_ids[shown], tokens[shown], strict=True))
    # %% One token
    # A token is bytes, and not always whole characters.
    token_id, token = token_ids[piece], tokens[piece]
    print(f"position {piece}: ID {token_id}, number of occurrences {token_ids.count(token_id)}")
    print("bytes", token.hex(" ").upper())
    print("includes the leading space:", token.startswith(b" "), "whole characters:", whole_character(token))


STORIES = (tokenize_both_ways,)


def values(state: State, token_ids: Sequence[int]) -> dict[str, Any] | None:
    """Return the values of the stories, None for an empty text; the BPE is GPT-2's if the tokenizer is "words"."""
    if not state.text:
        return None
    bpe = "gpt2" if state.settings.tokenizer == "words" else state.settings.tokenizer
    try:
        encoder = get_tokenizer(bpe)
    except TokenizerUnavailable:
        encoder = get_tokenizer("gpt2")
    found = text_values(replace(state, settings=replace(state.settings, tokenizer=encoder.name)))
    n_tokens = len(token_ids) if encoder.name == state.settings.tokenizer else len(encoder.encode(state.text))
    word, first_word = first_chip(state.choices.word, len(state.text.split()))
    piece, first_piece = first_chip(state.choices.piece, n_tokens)
    chosen = {"word": word, "first_word": first_word, "piece": piece, "first_piece": first_piece}
    return chosen | {
        "text": state.text,
        "bpe": found["tokenizer"],
        "ranks": found["ranks"],
        "probe": state.choices.probe,
    }
