"""The page of the lesson on tokens: the text in words, pieces and tokens, its own merges, languages, vocabularies."""

import json
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from components.base.export import NamedArray
from components.base.learner_text import visible
from components.base.link import State
from components.base.text_format import pluralize
from components.caches.encoding import token_ids, tokenizer
from components.lessons.tokens.choices import MAX_LEARNED, MAX_PIECE_BYTES
from components.lessons.tokens.figure import opened_piece, tokens_figure
from components.lessons.tokens.line import Spans, spans, token_text
from components.lessons.tokens.page_sections import (
    show_every_token,
    special_tokens_view,
    unknown_words_view,
    vocabulary_view,
)
from components.text.bpe import Pair, count_merges, encode_with
from components.text.gpt2 import ranks_in
from components.text.token_ids import out_of_range
from components.text.tokenizers import TOKENIZER_FILES, Tokenizer, TokenizerUnavailable, get_tokenizer
from components.ui.blocks import note_typed_ids, notice, show_error, show_table
from components.ui.download_offer import offer_tokenizer
from components.ui.download_registry import Table, register
from components.ui.error_lab_links import offer_ids
from components.ui.figure import show_figure
from components.ui.markdown import escape_markdown
from components.ui.quiz import first_question, is_masked, predict
from components.ui.sections import section
from components.ui.state import bind_choice, register_widget, set_text

TEXTS = tomllib.loads(Path(__file__).with_name("texts.toml").read_text("utf-8"))  # to try, with what to look for
OTHER_TEXTS = [each["text"] for each in TEXTS.values()]
TRAINED_CHARS = 4_000  # of the text, from which merges are learned
ROWS_SHOWN = 10  # of the merges learned
TOKENS_SHOWN = 200
# How the names of characters begin in Unicode.
WITHOUT_SPACES = ("CJK ", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN")
RATIOS = json.loads((Path(__file__).parents[2] / "data" / "token_ratios.json").read_text("utf-8"))


def program_values(state: State, ids_in_use: Sequence[int]) -> dict[str, Any]:
    """Return the tokens that the page shows, and the opened piece with GPT-2's ranks for its merges.

    Raises ValueError if the text is empty.
    """
    if not state.text:
        raise ValueError("There are no tokens yet: type a text.")
    bpe = available_bpe(state)
    encoder, found = tokenizer(bpe, state.text), spans(state.text, bpe)
    opened, piece = opened_piece(found, state.choices)
    ranks = ranks_in(piece) if len(piece.encode()) <= MAX_PIECE_BYTES else {}
    return {
        "tokenizer": bpe,
        "unit": unit_of(state.text),
        "opened": opened,
        "token": state.choices.piece,
        "token_ids": found.ids.tolist(),
        "tokens": [encoder.token_bytes(token_id) for token_id in found.ids.tolist()],
        "n_vocab": encoder.n_vocab,
        "ranks": {token: rank for token, rank in ranks.items() if len(token) > 1},
        "second_gpt2_ids": get_tokenizer("gpt2").encode(state.choices.second),
    }


def render(state: State) -> None:
    bpe = available_bpe(state, if_missing=offer_tokenizer)
    in_use = "" if state.settings.typed else state.settings.tokenizer
    if state.text:
        question = first_question()
        masked = is_masked(question)
        found = spans(state.text, bpe)
        show_figure(tokens_figure(found, bpe, in_use, state.choices, masked))
        predict(question)
        show_texts_to_try(state.text)
        notice(observations(found, tokenizer(bpe, state.text), masked))
        if (label := label_of(state.text)) and not masked:
            st.caption(f"{label}: {TEXTS[label]['about']}.")
        register(lambda: token_export(state, bpe))
        if in_use in ("words", bpe):
            warn_of_ids_out_of_range(token_ids(in_use, state.text), state)
        if state.settings.typed:
            note_typed_ids("shows the tokens of your text")
    else:
        st.info("No tokens yet: type a text above.", icon=":material/edit:")
        show_texts_to_try(state.text)

    def vocabularies() -> None:
        unknown_words_view(state)
        special_tokens_view()
        vocabulary_view(state, bpe)

    section("**Train your own**: learn the merges from your text", learning_view, state)
    section("**Eight languages**: one sentence, how many tokens?", languages_view)
    if state.text:
        section("**Every token**, with its bytes", show_every_token, state, bpe, in_use, masked=masked)
    section("**The vocabularies**: unknown words, special and added tokens, search", vocabularies)


def available_bpe(state: State, if_missing: Callable[[TokenizerUnavailable], None] = lambda error: None) -> str:
    """Return the tokenizer whose tokens are shown: the chosen one, or GPT-2's if that is "words" or not available.

    `if_missing` is called if it is not available.
    """
    chosen = state.settings.tokenizer
    if chosen == "words":
        return "gpt2"
    try:
        tokenizer(chosen, state.text)
    except TokenizerUnavailable as error:
        if_missing(error)
        return "gpt2"
    return chosen


def label_of(text: str) -> str | None:
    """Return the label of a text to try, None for any other text."""
    return next((label for label, each in TEXTS.items() if each["text"] == text), None)


def show_texts_to_try(text: str) -> None:
    bound = register_widget("try", label_of(text), lambda label: set_text(TEXTS[label]["text"]), default="default")
    st.pills("Texts to try", list(TEXTS), required=True, **bound)


def observations(found: Spans, encoder: Tokenizer, masked: bool) -> list[str]:
    n_words, n_tokens = len(found.words), len(found.tokens)
    if masked:
        pieces = pluralize(len(found.pieces), "piece")
        first = f"GPT-2 first cuts this text into {pieces}, and makes merges within a piece only"
        sentences = [f"A model reads tokens, not letters: {first}."]
    else:
        unit = unit_of(found.text)
        count = n_words if unit == "word" else len(found.text)
        each = f", {n_tokens / count:,.2f} tokens per {unit}" if count else ""
        became = f"{pluralize(count, unit)} became {pluralize(n_tokens, 'token')}{each}"
        sentences = [
            "A model reads tokens, and how many a text becomes depends on the texts from which the merges were "
            f"learned, mostly English: here {became}."
        ]
        known = {encoder.token_bytes(i): i for i in dict.fromkeys(found.ids.tolist())}
        if twin := next((token for token in known if token.isalpha() and b" " + token in known), None):
            without, with_space = known[twin], known[b" " + twin]
            sentences.append(
                f"“{twin.decode()}” (ID {without}) and “␣{twin.decode()}” (ID {with_space}) are two tokens: the "
                "leading space is part of the second."
            )
    words = "; word IDs number the different words from 4 on, after four special tokens" if n_words else ""
    sentences.append(
        f"BPE gives each token an ID, an index below V = {encoder.n_vocab:,}; the row with that index, the embedding, "
        f"is learned by the model{words}."
    )
    return sentences


def unit_of(text: str) -> str:
    """Return what tokens are counted per: the character if most letters are of scripts without spaces between words.

    >>> unit_of("She left."), unit_of("她离开了。")
    ('word', 'character')
    """
    letters = Counter(filter(str.isalpha, text))
    without = sum(n for each, n in letters.items() if unicodedata.name(each, "").startswith(WITHOUT_SPACES))
    return "word" if without <= letters.total() / 2 else "character"


def warn_of_ids_out_of_range(ids: np.ndarray, state: State) -> None:
    beyond = np.flatnonzero(ids >= state.settings.vocab_size)
    if len(beyond):
        show_error(out_of_range(ids.tolist(), state.settings.vocab_size))
        offer_ids(state, str(int(ids[beyond[0]])))


def learning_view(state: State) -> None:
    part = "" if len(state.text) <= TRAINED_CHARS else f" the first {TRAINED_CHARS:,} characters of"
    st.markdown(
        f"Learned from{part} your text: start with the 256 bytes, and repeatedly give a new ID to the pair of "
        "neighbors that occurs most often. GPT-2's 50,000 merges were learned in this way from web pages."
    )
    st.slider("Merges learned", 0, MAX_LEARNED, **bind_choice("learned"))
    found = learned_merges(state.text)[: state.choices.learned]
    left, right = st.columns([2, 3], gap="medium")
    with left:
        st.caption("The last of " * (len(found) > ROWS_SHOWN) + pluralize(len(found), "merge"))
        show_table(merge_rows(found)[-ROWS_SHOWN:] or [{"merge": "–", "ID": "–", "times": "–"}])
        if found:
            register(lambda: {"learned_merges": merge_rows(found)})
    with right:
        st.text_input("Encode a second text with these merges", **bind_choice("second"))
        show_second(state.choices.second, [pair for pair, _ in found])


@lru_cache(8)
def learned_merges(text: str) -> list[tuple[Pair, int]]:
    return count_merges(text[:TRAINED_CHARS], MAX_LEARNED)


def merge_rows(merges: list[tuple[Pair, int]]) -> list[dict[str, str]]:
    return [
        {"merge": f"{token_text(a)} + {token_text(b)} → {token_text(a + b)}", "ID": str(256 + n), "times": str(count)}
        for n, ((a, b), count) in enumerate(merges)
    ]


def show_second(text: str, merges: list[Pair]) -> None:
    tokens = encode_with(merges, text)
    shown = " ".join(f":gray-background[{escape_markdown(token_text(token))}]" for token in tokens[:TOKENS_SHOWN])
    st.markdown(shown + (" …" if len(tokens) > TOKENS_SHOWN else ""))
    gpt2 = len(get_tokenizer("gpt2").encode(text))
    st.markdown(
        f"{pluralize(len(text.encode()), 'byte')} became **{pluralize(len(tokens), 'token')}** with "
        f"{pluralize(len(merges), 'merge')}, V = {256 + len(merges)}. GPT-2's 50,000 merges give "
        f"{pluralize(gpt2, 'token')}."
    )


def languages_view() -> None:
    for name in ("gpt2", *TOKENIZER_FILES):
        try:
            encoder = get_tokenizer(name)
        except TokenizerUnavailable:
            continue
        st.markdown(f"**{'GPT-2' if encoder.name == 'gpt2' else encoder.name}**, V = {encoder.n_vocab:,}")
        show_table(language_rows(encoder))
    cl100k = ", ".join(f"{each['language']} {each['cl100k_base']:.1f}" for each in RATIOS["languages"][1:])
    st.caption(
        f"Published: {RATIOS['about']}. With cl100k_base the ratios are: {cl100k}. "
        f"Source: [{RATIOS['source']}]({RATIOS['address']}). "
        "Our one sentence is a small sample, so its ratios differ from those. Japanese and Burmese have no spaces "
        "between words, so tokens are counted per character there; a character is a Unicode code point."
    )
    st.markdown(
        "The merges were learned from text that is mostly English. In other languages fewer merges apply, down to one "
        "token for each byte: the same sentence costs more, and less of it fits into the context length T."
    )


def language_rows(encoder: Tokenizer) -> list[dict[str, str]]:
    """Return the counts of a tokenizer for each language as rows of a table.

    A character is a Unicode code point. Words are counted only in languages that write spaces between them.
    """
    english = len(encoder.encode(RATIOS["languages"][0]["sentence"]))
    rows = []
    for each in RATIOS["languages"]:
        sentence = each["sentence"]
        n, words = len(encoder.encode(sentence)), len(sentence.split())
        rows.append(
            {
                "language": each["language"],
                "tokens": str(n),
                "× English": f"{n / english:.2f}",
                "published": f"{each[encoder.name]:.1f}" if encoder.name in each else "–",
                "per word": f"{n / words:.2f}" if each["words_apart"] else "–",
                "per character": f"{n / len(sentence):.2f}",
                "sentence": sentence,
            }
        )
    return rows


def token_export(state: State, bpe: str) -> dict[str, NamedArray | Table]:
    found: dict[str, NamedArray | Table] = {}
    for tokens, name in (("word", "words"), ("token", bpe)):
        ids, encoder = token_ids(name, state.text), tokenizer(name, state.text)
        found[f"{tokens}_ids"] = NamedArray(ids, ("position",))
        if len(ids):
            found[f"{tokens}s"] = [
                {"position": n, "ID": i, "token": visible(encoder.token_bytes(i))} for n, i in enumerate(ids.tolist())
            ]
    return found
