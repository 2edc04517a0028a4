"""The program of the lesson on tokens: the learner's text in a word vocabulary and in byte-pair encoding."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import tiktoken

from components.base.learner_text import whole_character
from components.base.link import State
from components.lessons.tokens.choices import TRAINED_CHARS, first_chip
from components.lessons.tokens.figure import opened_piece
from components.lessons.tokens.merges import replay
from components.programs.batch_story import text_values
from components.text.bpe import count_merges, encode_with, merge_by_rank, pair_ranks
from components.text.gpt2 import gpt2_encoding, ranks_in
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


def merge_and_learn(opened_piece, opened_ranks, n_merged, text, learned, second):
    """Replay the merges of one piece, then learn merges from the text and encode a second text with them."""
    if opened_piece:
        # %% The merges of one piece
        # GPT-2's pattern cuts the text into pieces first. Within a piece, of all pairs of neighbors that are a token,
        # the one with the lowest rank is merged, again and again. The rank of a token is its ID; here are those of the
        # tokens that occur in the piece.
        merge_history = merge_by_rank(opened_piece, opened_ranks)
        for parts, merged_id in merge_history:
            print(parts, merged_id)
        # %% The pairs that are there after some merges, with their ranks
        parts, lowest = merge_history[n_merged]
        print(*zip(pairwise(parts), pair_ranks(parts, opened_ranks), strict=True))
        print(f"after {n_merged} of {len(merge_history) - 1} merges the lowest rank is {lowest}")
    # %% Merges learned from the text
    # Each gives the pair of neighbors that occurs most often the next ID after the 256 bytes.
    own_merges = count_merges(text[:TRAINED_CHARS], learned)
    for new_id, (merged_pair, times) in enumerate(own_merges, start=256):
        print(new_id, *merged_pair, times)
    # %% A second text
    second_tokens = encode_with([merged_pair for merged_pair, _ in own_merges], second)
    print(f"{len(second.encode())} bytes became {len(second_tokens)} tokens:", second_tokens)


STORIES = (tokenize_both_ways, merge_and_learn)


def values(state: State, token_ids: Sequence[int]) -> dict[str, Any] | None:
    """Return the values of the stories, None for an empty text; the BPE is GPT-2's if the tokenizer is "words"."""
    if not state.text:
        return None
    bpe = "gpt2" if state.settings.tokenizer == "words" else state.settings.tokenizer
    try:
        encoder = get_tokenizer(bpe)
    except TokenizerUnavailable:
        encoder = get_tokenizer("gpt2")
    n_tokens = len(token_ids) if encoder.name == state.settings.tokenizer else len(encoder.encode(state.text))
    found = vars(state.choices) | text_values(replace(state, settings=replace(state.settings, tokenizer=encoder.name)))
    word, first_word = first_chip(state.choices.word, len(state.text.split()))
    piece, first_piece = first_chip(state.choices.piece, n_tokens)
    found |= {"word": word, "first_word": first_word, "piece": piece, "first_piece": first_piece}
    _, opened = opened_piece(state.text, encoder.name, state.choices)
    if made := replay(opened):
        ranks, n_merged = ranks_in(opened), min(state.choices.merge, made.n_merges)
        found |= {"opened_piece": opened, "opened_ranks": ranks, "n_merged": n_merged}
    else:  # too long
        found |= {"opened_piece": "", "opened_ranks": {}, "n_merged": 0}
    return found | {"bpe": found["tokenizer"]}
